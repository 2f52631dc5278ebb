/* An automatic table: it shuffles, builds a wall, and tells each tile that leaves it or comes back, the dice in its middle, and
 * its buttons. It assumes no order in which tiles leave: that is for the people and their game. */
#include "mjb_program.h"

#include <string.h>

enum { DICE = 2, TILES_AT_FIRST = 136, HEFEI_TILES = 84, LID_OPEN = 4 };

static mjb_table table;
static mjb_cup cup;             /* the dice in its middle */
static mjb_wall wall, to_build; /* what is told of the wall; what the machine builds since the last shuffle */
static uint8_t dealer;          /* the side of whoever deals */
static uint8_t before_error;    /* state to which it goes back once it is mended */
static uint16_t buttons[5];     /* those that were down */

static void tell_table(uint8_t state, uint8_t error)
{
    table.t_ms = hw_now();
    table.state = state;
    table.error = error;
    mjb_message m = {.type = MJB_TABLE};
    m.as.table = table;
    mjb_post(&line, &m, hw_now());
}

static void tell_wall(uint8_t phase)
{
    wall.t_ms = hw_now();
    wall.phase = phase;
    mjb_message m = {.type = MJB_WALL};
    m.as.wall = wall;
    mjb_post(&line, &m, hw_now());
}

static void snapshot(void)
{
    mjb_message m = {.type = MJB_TABLE};
    m.as.table = table;
    mjb_post(&line, &m, hw_now());
    m.type = MJB_WALL;
    m.as.wall = wall;
    mjb_post(&line, &m, hw_now());
    if (cup.last.roll)
        line_tell_dice(&cup.last);
}

/* A wall of that number of tiles in two layers. Stacks that do not divide by four go to the dealer's side and the one across first; of
 * Hefei's 84 tiles the dealer has all of them: 12, 10, 10, 10. */
static mjb_wall sides_for(uint8_t tiles)
{
    static const uint8_t order[4] = {0, 2, 1, 3};
    uint8_t left = tiles / 2 % 4;
    mjb_wall w;
    memset(&w, 0, sizeof w);
    for (int side = 0; side < 4; side++) {
        int behind = (side + 4 - dealer) % 4;
        bool more = left > order[behind];
        w.stacks[side] = (uint8_t)(tiles / 8 + (tiles == HEFEI_TILES ? (behind ? 0 : left) : more));
        w.layers[side] = 2;
    }
    return w;
}

static uint8_t shuffle(uint8_t deals)
{
    if (table.state >= MJB_TABLE_SHUFFLING && table.state <= MJB_TABLE_PLAYING && table.state != MJB_TABLE_READY)
        return MJB_REFUSED_NOW;
    if (table.error == LID_OPEN)
        return MJB_REFUSED_NOW; /* no motor starts above a hand */
    if (deals != MJB_NOT_TOLD)
        dealer = deals;
    to_build = sides_for(table.tile_count);
    hw_output out = {.action = HW_SHUFFLE, .wall = &to_build, .dealer = dealer};
    memset(&wall, 0, sizeof wall);
    hw_act(&out);
    return MJB_STARTED;
}

static void command(const mjb_message *asked)
{
    uint8_t outcome = MJB_DONE;
    hw_output out = {.action = HW_BEEP};
    switch (asked->type) {
    case MJB_START_SHUFFLE:
        outcome = shuffle(asked->as.start_shuffle.dealer);
        break;
    case MJB_SHOW_SCORE:
        out.action = HW_SHOW_SCORE;
        memcpy(out.points, asked->as.show_score.points, sizeof out.points);
        hw_act(&out);
        break;
    case MJB_BEEP:
        out.frequency_hz = asked->as.beep.frequency_hz;
        out.duration_ms = asked->as.beep.duration_ms;
        hw_act(&out);
        break;
    case MJB_SET_TILE_COUNT:
        if (asked->as.set_tile_count.tiles % 2)
            outcome = MJB_BAD_VALUE;
        else
            table.tile_count = asked->as.set_tile_count.tiles;
        break;
    default:
        outcome = MJB_UNSUPPORTED;
    }
    mjb_answer(&line, asked, outcome, hw_now());
    if (asked->type == MJB_SET_TILE_COUNT && outcome == MJB_DONE)
        tell_table(table.state, table.error);
}

static void watch_machine(const hw_input *input)
{
    if (input->error) {
        if (table.state != MJB_TABLE_ERROR)
            before_error = table.state;
        if (table.error != input->error)
            tell_table(MJB_TABLE_ERROR, input->error);
        return;
    }
    if (table.state == MJB_TABLE_ERROR && input->machine != HW_SHUFFLING)
        tell_table(before_error, 0);
    if (input->machine == HW_SHUFFLING && table.state != MJB_TABLE_SHUFFLING) {
        tell_table(MJB_TABLE_SHUFFLING, 0);
        tell_wall(MJB_WALL_NONE);
    } else if (input->machine == HW_BUILDING && table.state != MJB_TABLE_BUILDING) {
        tell_table(MJB_TABLE_BUILDING, 0);
    } else if (input->machine == HW_PRESENTED &&
               (table.state == MJB_TABLE_SHUFFLING || table.state == MJB_TABLE_BUILDING)) {
        wall = to_build;
        memcpy(wall.tiles, input->tiles, sizeof wall.tiles);
        table.hand = (uint16_t)(table.hand == 0xFFFF ? 1 : table.hand + 1);
        tell_wall(MJB_WALL_PRESENTED);
        tell_table(MJB_TABLE_READY, 0);
    } else if (input->machine == HW_STILL && table.state == MJB_TABLE_PLAYING) {
        tell_table(MJB_TABLE_IDLE, 0);
    }
}

static uint8_t remaining(void)
{
    uint8_t count = 0;
    int places = mjb_places(&wall);
    for (int place = 0; place < places; place++)
        count = (uint8_t)(count + (wall.tiles[place / 8] >> place % 8 & 1));
    return count;
}

static void tell_tile(int side, int stack, int layer, bool returned)
{
    mjb_message m = {.type = MJB_TILE};
    m.as.tile.t_ms = hw_now();
    m.as.tile.action = returned ? MJB_TILE_RETURNED : MJB_TILE_DRAWN;
    m.as.tile.side = (uint8_t)side;
    m.as.tile.stack = (uint8_t)stack;
    m.as.tile.layer = (uint8_t)layer;
    m.as.tile.remaining = remaining();
    mjb_post(&line, &m, hw_now());
}

static void watch_wall(const hw_input *input)
{
    if (wall.phase != MJB_WALL_PRESENTED)
        return;
    int lowest = 0; /* place of the lower tile of the stack */
    for (int side = 0; side < 4; side++)
        for (int stack = 0; stack < wall.stacks[side]; stack++, lowest += wall.layers[side])
            for (int layer = wall.layers[side] - 1; layer >= 0; layer--) { /* nobody takes the lower one first */
                int place = lowest + layer;
                uint8_t bit = (uint8_t)(1 << place % 8);
                if (!((wall.tiles[place / 8] ^ input->tiles[place / 8]) & bit))
                    continue;
                wall.tiles[place / 8] ^= bit;
                if (table.state == MJB_TABLE_READY)
                    tell_table(MJB_TABLE_PLAYING, 0);
                tell_tile(side, stack, layer, input->tiles[place / 8] & bit);
            }
}

static void watch_buttons(const hw_input *input)
{
    for (int seat = 0; seat < 5; seat++) {
        uint16_t changed = buttons[seat] ^ input->buttons[seat];
        for (int button = 1; button < 16; button++) {
            if (!(changed >> button & 1))
                continue;
            mjb_message m = {.type = MJB_BUTTON};
            m.as.button.t_ms = hw_now();
            m.as.button.seat = (uint8_t)seat;
            m.as.button.button = (uint8_t)button;
            m.as.button.action = (input->buttons[seat] >> button & 1) ? 0 : 2;
            mjb_post(&line, &m, hw_now());
        }
        buttons[seat] = input->buttons[seat];
    }
}

static const mjb_program program = {
    .about = {.kind = 2,
              .window = MJB_WINDOW,
              .capabilities = MJB_CAN_DICE | MJB_CAN_WALL | MJB_CAN_TILE_POSITIONS | MJB_CAN_BUTTONS | MJB_CAN_TABLE_STATE |
                              MJB_CAN_SHUFFLE | MJB_CAN_SHOW_SCORE | MJB_CAN_BEEP | MJB_CAN_TILE_COUNT,
              .serial = "TABLE-REFERENCE",
              .model = "Reference automatic table",
              .firmware = "1.0.0"},
    .snapshot_size = 3,
    .snapshot = snapshot,
    .command = command,
};

void program_start(void)
{
    memset(&table, 0, sizeof table);
    memset(&wall, 0, sizeof wall);
    dealer = 0;
    table.tile_count = TILES_AT_FIRST;
    table.t_ms = wall.t_ms = hw_now();
    mjb_cup_start(&cup, DICE);
    line_start(&program);
}

void program_turn(void)
{
    hw_input input;
    mjb_dice told;
    hw_sense(&input);
    if (mjb_cup_sense(&cup, input.die, hw_now(), &told))
        line_tell_dice(&told);
    watch_machine(&input);
    watch_wall(&input);
    watch_buttons(&input);
    line_turn();
}
