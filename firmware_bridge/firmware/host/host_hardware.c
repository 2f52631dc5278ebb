/* The six functions on a computer: a pseudo-terminal for the line, a person at standard input for the sensors.
 *
 * Prints the path of the pseudo-terminal, then what the device does. Reads one command a line:
 *   roll | nudge | break SIDE STACK | draw | return SIDE STACK LAYER | press SEAT BUTTON | end | fail NUMBER | mend | quit
 * The first roll at a whole wall breaks it, and people draw from there on. Walls have two layers.
 */
#define _XOPEN_SOURCE 600
#define _DEFAULT_SOURCE

#include "../mjb_hardware.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { SHUFFLING_MS = 300, BUILDING_MS = 300, FLIGHT_MS = 200, PRESS_MS = 50, WAIT_MS = 5 };

static int master = -1, slave = -1;
static hw_input now_sensed;
static mjb_wall building;
static int dealer, head_side, head_stack; /* where the wall is broken */
static bool broken;
static uint32_t machine_since, dice_until[MJB_DICE_MAX], press_until;
static uint8_t dice_next[MJB_DICE_MAX];
static char typed[128];
static size_t typed_size;

uint32_t hw_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint32_t)((uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u);
}

uint32_t hw_random(void)
{
    uint32_t number = 0;
    int file = open("/dev/urandom", O_RDONLY);
    if (file < 0 || read(file, &number, sizeof number) != (ssize_t)sizeof number)
        number = hw_now();
    if (file >= 0)
        close(file);
    return number;
}

size_t hw_read(uint8_t *data, size_t size)
{
    ssize_t got = read(master, data, size);
    return got > 0 ? (size_t)got : 0;
}

size_t hw_write(const uint8_t *data, size_t size)
{
    ssize_t put = write(master, data, size);
    return put > 0 ? (size_t)put : 0;
}

static void throw_die(int die)
{
    now_sensed.die[die] = MJB_DIE_MOVES;
    dice_until[die] = hw_now() + FLIGHT_MS;
    dice_next[die] = (uint8_t)(1 + hw_random() % 6);
}

static int place_of(int side, int stack, int layer)
{
    int place = stack * 2 + layer;
    for (int before = 0; before < side; before++)
        place += building.stacks[before] * 2;
    return place;
}

static bool is_there(int place) { return now_sensed.tiles[place / 8] >> place % 8 & 1; }

/* To the next stack in the order in which people draw: to the left, then on to the right end of the next side clockwise. */
static void step(int *side, int *stack)
{
    if (++*stack >= building.stacks[*side]) {
        *stack = 0;
        *side = (*side + 3) % 4;
    }
}

static void break_wall(int side, int stack)
{
    if (side < 0 || side > 3 || stack < 0 || stack >= building.stacks[side])
        return;
    head_side = side;
    head_stack = stack;
    broken = true;
}

/* The dice choose a side, counterclockwise from the dealer's, and how many stacks stay at its right end. */
static void break_by_dice(void)
{
    int total = dice_next[0] + dice_next[1], side = (dealer + total - 1) % 4, stack = 0;
    if (now_sensed.machine != HW_PRESENTED || broken)
        return;
    while (total--)
        step(&side, &stack);
    break_wall(side, stack);
}

static void draw(void)
{
    int side = head_side, stack = head_stack;
    for (int stacks = mjb_places(&building) / 2; stacks > 0; stacks--, step(&side, &stack))
        for (int layer = 1; layer >= 0; layer--) {
            int place = place_of(side, stack, layer);
            if (is_there(place)) {
                now_sensed.tiles[place / 8] &= (uint8_t)~(1 << place % 8);
                broken = true; /* where nobody threw, from the dealer's right end */
                return;
            }
        }
}

static void put_back(int side, int stack, int layer)
{
    if (side < 0 || side > 3 || stack < 0 || stack >= building.stacks[side] || layer < 0 || layer > 1)
        return;
    int place = place_of(side, stack, layer);
    now_sensed.tiles[place / 8] |= (uint8_t)(1 << place % 8);
}

static void obey(const char *text)
{
    int a, b, c;
    if (!strcmp(text, "roll")) {
        for (int die = 0; die < MJB_DICE_MAX; die++)
            throw_die(die);
        break_by_dice();
    } else if (!strcmp(text, "nudge")) {
        throw_die(0);
    } else if (sscanf(text, "break %d %d", &a, &b) == 2) {
        break_wall(a, b);
    } else if (!strcmp(text, "draw")) {
        draw();
    } else if (sscanf(text, "return %d %d %d", &a, &b, &c) == 3) {
        put_back(a, b, c);
    } else if (sscanf(text, "press %d %d", &a, &b) == 2 && a >= 0 && a < 5 && b > 0 && b < 16) {
        now_sensed.buttons[a] = (uint16_t)(1 << b);
        press_until = hw_now() + PRESS_MS;
    } else if (!strcmp(text, "end")) {
        now_sensed.machine = HW_STILL;
    } else if (sscanf(text, "fail %d", &a) == 1) {
        now_sensed.error = (uint8_t)a;
    } else if (!strcmp(text, "mend")) {
        now_sensed.error = 0;
    } else if (!strcmp(text, "quit")) {
        exit(0);
    } else {
        printf("? %s\n", text);
    }
}

static void listen_to_person(void)
{
    ssize_t got = read(STDIN_FILENO, typed + typed_size, sizeof typed - 1 - typed_size);
    if (!got)
        exit(0); /* whoever started us is gone */
    if (got < 0)
        return;
    typed_size += (size_t)got;
    char *end;
    while ((end = memchr(typed, '\n', typed_size))) {
        *end = 0;
        obey(typed);
        typed_size -= (size_t)(end + 1 - typed);
        memmove(typed, end + 1, typed_size);
    }
    if (typed_size == sizeof typed - 1)
        typed_size = 0;
}

static void pass_time(void)
{
    uint32_t now = hw_now();
    for (int die = 0; die < MJB_DICE_MAX; die++)
        if ((now_sensed.die[die] & MJB_DIE_MOVES) && (int32_t)(now - dice_until[die]) >= 0)
            now_sensed.die[die] = dice_next[die];
    if (now_sensed.machine == HW_SHUFFLING && now - machine_since >= SHUFFLING_MS) {
        now_sensed.machine = HW_BUILDING;
        machine_since = now;
    } else if (now_sensed.machine == HW_BUILDING && now - machine_since >= BUILDING_MS) {
        now_sensed.machine = HW_PRESENTED;
        int places = mjb_places(&building);
        for (int place = 0; place < places; place++)
            now_sensed.tiles[place / 8] |= (uint8_t)(1 << place % 8);
    }
    if (press_until && (int32_t)(now - press_until) >= 0) {
        press_until = 0;
        memset(now_sensed.buttons, 0, sizeof now_sensed.buttons);
    }
}

void hw_sense(hw_input *input)
{
    struct pollfd wait[2] = {{.fd = master, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    poll(wait, 2, WAIT_MS);
    if (wait[1].revents)
        listen_to_person();
    pass_time();
    *input = now_sensed;
}

void hw_act(const hw_output *output)
{
    if (output->action == HW_BEEP) {
        printf("beep %u Hz %u ms\n", output->frequency_hz, output->duration_ms);
    } else if (output->action == HW_SHOW_SCORE) {
        printf("score %ld %ld %ld %ld\n", (long)output->points[0], (long)output->points[1], (long)output->points[2],
               (long)output->points[3]);
    } else {
        building = *output->wall;
        dealer = head_side = output->dealer;
        head_stack = 0;
        broken = false;
        memset(now_sensed.tiles, 0, sizeof now_sensed.tiles);
        now_sensed.machine = HW_SHUFFLING;
        now_sensed.error = 0;
        machine_since = hw_now();
        printf("shuffle %d\n", mjb_places(&building));
    }
}

int main(void)
{
    master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master)) {
        perror("no pseudo-terminal");
        return 1;
    }
    const char *path = ptsname(master);
    slave = path ? open(path, O_RDWR | O_NOCTTY) : -1; /* kept, so that a host may come and go */
    struct termios raw;
    if (slave < 0 || tcgetattr(slave, &raw)) {
        perror("no pseudo-terminal");
        return 1;
    }
    raw.c_iflag = raw.c_oflag = raw.c_lflag = 0;
    raw.c_cflag = CS8 | CREAD | CLOCAL;
    tcsetattr(slave, TCSANOW, &raw);
    fcntl(master, F_SETFL, O_NONBLOCK);
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts(path);
    for (int die = 0; die < MJB_DICE_MAX; die++)
        now_sensed.die[die] = 1;
    program_start();
    for (;;)
        program_turn();
}
