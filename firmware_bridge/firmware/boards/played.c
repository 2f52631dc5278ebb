/* Sensors that play by the clock, for a board without any: two dice are thrown every three seconds. On command a machine
 * shuffles, builds the wall and presents it; the next roll breaks it, and then a tile is drawn five times a second. */
#include "board.h"

#include <string.h>

enum { THROW_EVERY = 3000, FLIGHT = 600, SHUFFLING = 500, BUILDING = 1000, DRAW_EVERY = 200 };

static hw_input sensed;
static mjb_wall building;
static uint32_t machine_since, thrown_at, drawn_at, dice;
static bool broken;
static uint8_t side, stack; /* where the next tile is drawn */

static uint32_t next_random(void) /* xorshift32, Marsaglia 2003 */
{
    dice ^= dice << 13;
    dice ^= dice >> 17;
    dice ^= dice << 5;
    return dice;
}

static void roll(uint32_t now)
{
    uint32_t flown = now - thrown_at;
    if (flown >= THROW_EVERY) {
        thrown_at = now;
        sensed.die[0] = sensed.die[1] = MJB_DIE_MOVES;
    } else if (flown >= FLIGHT && sensed.die[0] & MJB_DIE_MOVES) {
        for (int die = 0; die < 2; die++)
            sensed.die[die] = (uint8_t)(1 + next_random() % 6);
        broken = broken || sensed.machine == HW_PRESENTED;
        drawn_at = now;
    }
}

static void build(uint32_t now)
{
    uint32_t worked = now - machine_since;
    if (sensed.machine == HW_SHUFFLING && worked >= SHUFFLING) {
        sensed.machine = HW_BUILDING;
    } else if (sensed.machine == HW_BUILDING && worked >= BUILDING) {
        sensed.machine = HW_PRESENTED;
        for (int place = 0; place < mjb_places(&building); place++)
            sensed.tiles[place / 8] |= (uint8_t)(1 << place % 8);
    }
}

/* To the left along each side, then on to the next one clockwise; the upper tile of a stack first. */
static void draw(uint32_t now)
{
    if (!broken || now - drawn_at < DRAW_EVERY)
        return;
    drawn_at = now;
    for (int sides = 0; sides <= 4; sides++) {
        for (; stack < building.stacks[side]; stack++)
            for (int layer = 1; layer >= 0; layer--) {
                int place = stack * 2 + layer;
                for (int before = 0; before < side; before++)
                    place += building.stacks[before] * 2;
                if (sensed.tiles[place / 8] >> place % 8 & 1) {
                    sensed.tiles[place / 8] &= (uint8_t)~(1 << place % 8);
                    return;
                }
            }
        stack = 0;
        side = (uint8_t)((side + 3) % 4);
    }
}

void hw_sense(hw_input *input)
{
    uint32_t now = hw_now();
    if (!dice)
        dice = hw_random() | 1;
    roll(now);
    build(now);
    draw(now);
    *input = sensed;
}

void hw_act(const hw_output *output)
{
    if (output->action != HW_SHUFFLE)
        return;
    building = *output->wall;
    memset(sensed.tiles, 0, sizeof sensed.tiles);
    sensed.machine = HW_SHUFFLING;
    machine_since = hw_now();
    broken = false;
    side = output->dealer;
    stack = 0;
}
