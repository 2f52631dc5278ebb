/* The program of an automatic table on a board that the input plays: its sensors, its clock, and what comes on its line. */
#include "harness.h"

#include "../mjb_program.c"

#include "../automatic_table.c"

enum { TURN, PASS, SAY, HEAR, ACKNOWLEDGE, MACHINE, TILES, ONE_TILE, THROW, LIE, PRESS, STEPS };

static hw_input sensed;
static mjb_reader host;
static uint32_t clock_ms;
static uint8_t heard[256];
static size_t heard_size, taken_at_once;

uint32_t hw_now(void) { return clock_ms; }

uint32_t hw_random(void) { return 7; }

size_t hw_read(uint8_t *data, size_t size)
{
    if (size > heard_size)
        size = heard_size;
    memcpy(data, heard, size);
    memmove(heard, heard + size, heard_size - size);
    heard_size -= size;
    return size;
}

size_t hw_write(const uint8_t *data, size_t size)
{
    if (size > taken_at_once)
        size = taken_at_once;
    expect_sound(&host, data, size);
    return size;
}

void hw_sense(hw_input *input) { *input = sensed; }

void hw_act(const hw_output *output)
{
    if (output->action == HW_BEEP)
        expect(output->frequency_hz >= 50 && output->frequency_hz <= 10000 && output->duration_ms >= 1 &&
                   output->duration_ms <= 5000,
               "a beep can be heard");
    if (output->action == HW_SHUFFLE) {
        expect(sensed.error != LID_OPEN, "no motor starts above a hand");
        expect(output->dealer < 4 && mjb_places(output->wall) == table.tile_count, "a wall has all tiles");
        sensed.machine = HW_SHUFFLING;
    }
}

static void say(const mjb_frame *frame)
{
    uint8_t wire[MJB_WIRE_MAX];
    size_t size = mjb_wrap(frame, wire);
    if (size > sizeof heard - heard_size)
        return;
    memcpy(heard + heard_size, wire, size);
    heard_size += size;
}

static void say_next(pieces *input)
{
    uint8_t how = next(input), type = next(input), length = next(input);
    mjb_frame *frame = cut_frame(input, length, MJB_PAYLOAD_MAX);
    frame->type = type;
    frame->session = how & 1 ? how : line.session;
    frame->seq = how & 2 ? 0 : line.expected;
    say(frame);
    free(frame);
}

static void hear_bytes(pieces *input)
{
    size_t size = next(input);
    uint8_t *bytes = cut(input, &size);
    for (size_t i = 0; i < size && heard_size < sizeof heard; i++)
        heard[heard_size++] = bytes[i];
    free(bytes);
}

static void acknowledge_all(void)
{
    mjb_message m = {.type = MJB_ACK, .session = line.session};
    m.as.ack.next = (uint8_t)((line.oldest + line.way - 1) % 255 + 1);
    m.as.ack.resend = 0;
    mjb_frame frame;
    expect(mjb_encode(&m, &frame), "an acknowledgement can be sent");
    say(&frame);
}

static void turn(void)
{
    program_turn();
    expect_counts(&line);
    expect(cup.count == DICE && cup.state <= 2, "the dice stay dice");
    expect(mjb_places(&wall) >= 0 && remaining() <= mjb_places(&wall), "no more tiles remain than the wall has places");
}

static void step(pieces *input)
{
    uint8_t value;
    switch (next(input) % STEPS) {
    case TURN:
        taken_at_once = next(input) * 4u;
        for (int turns = next(input) % 16; turns >= 0; turns--, clock_ms += 10)
            turn();
        break;
    case PASS:
        value = next(input) % 25;
        clock_ms += (uint32_t)next(input) << value;
        break;
    case SAY:
        say_next(input);
        break;
    case HEAR:
        hear_bytes(input);
        break;
    case ACKNOWLEDGE:
        acknowledge_all();
        break;
    case MACHINE:
        sensed.machine = next(input) % 4;
        sensed.error = next(input);
        break;
    case TILES:
        memset(sensed.tiles, next(input), sizeof sensed.tiles);
        break;
    case ONE_TILE:
        value = next(input) % MJB_PLACES_MAX;
        sensed.tiles[value / 8] ^= (uint8_t)(1 << value % 8);
        break;
    case THROW:
        sensed.die[0] = sensed.die[1] = MJB_DIE_MOVES;
        break;
    case LIE:
        sensed.die[0] = next(input);
        sensed.die[1] = next(input);
        break;
    case PRESS:
        value = next(input) % 5;
        sensed.buttons[value] = (uint16_t)(next(input) << 8 | next(input));
        break;
    }
}

/* As after power on: `program_start` counts on memory of zeros. */
static void power_on(void)
{
    memset(&sensed, 0, sizeof sensed);
    memset(&host, 0, sizeof host);
    memset(&to_build, 0, sizeof to_build);
    memset(buttons, 0, sizeof buttons);
    before_error = token = asked_in = 0;
    wanted = false;
    heard_size = taken_at_once = 0;
    program_start();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pieces input = {data, size};
    clock_ms = (uint32_t)next(&input) << 24;
    power_on();
    while (input.left)
        step(&input);
    return 0;
}
