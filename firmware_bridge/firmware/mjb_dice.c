/* When dice have been rolled: PROTOCOL.md, section 6, Dice. Only a settled throw of all dice counts. */
#include "mjb.h"

#include <string.h>

enum { LYING, STIRRED, THROWN };

void mjb_cup_start(mjb_cup *cup, uint8_t count)
{
    memset(cup, 0, sizeof *cup);
    cup->count = cup->last.count = count;
}

static bool tell(mjb_cup *cup, const uint8_t *die, uint8_t phase, uint32_t now, mjb_dice *told)
{
    told->t_ms = now;
    told->roll = cup->last.roll;
    told->phase = phase;
    told->count = cup->count;
    memcpy(told->die, die, cup->count);
    return true;
}

static bool at_rest(mjb_cup *cup, const uint8_t *die, uint32_t now, mjb_dice *told)
{
    bool thrown = cup->state == THROWN, readable = true;
    cup->state = LYING;
    cup->moved = 0;
    for (int i = 0; i < cup->count; i++)
        readable = readable && (die[i] & MJB_DIE_VALUE);
    if (!thrown || !readable)
        return tell(cup, die, MJB_DICE_NUDGED, now, told);
    cup->last.roll = (uint16_t)(cup->last.roll == 0xFFFF ? 1 : cup->last.roll + 1);
    tell(cup, die, MJB_DICE_SETTLED, now, told);
    cup->last = *told;
    return true;
}

bool mjb_cup_sense(mjb_cup *cup, const uint8_t *die, uint32_t now, mjb_dice *told)
{
    uint8_t moving = 0, all = (uint8_t)((1 << cup->count) - 1);
    for (int i = 0; i < cup->count; i++)
        if (die[i] & MJB_DIE_MOVES)
            moving = (uint8_t)(moving | 1u << i);
    if (moving) {
        cup->still_at = now;
        if (cup->state == LYING) {
            cup->state = STIRRED;
            cup->since = now;
            cup->moved = 0;
        }
        cup->moved |= moving;
        if (cup->state == STIRRED && cup->moved == all && now - cup->since <= MJB_DICE_THROW) {
            cup->state = THROWN;
            cup->told_at = now - MJB_DICE_REPEAT;
        }
        if (cup->state == THROWN && now - cup->told_at >= MJB_DICE_REPEAT) {
            cup->told_at = now;
            return tell(cup, die, MJB_DICE_MOVING, now, told);
        }
        return false;
    }
    if (cup->state != LYING && now - cup->still_at >= MJB_DICE_SETTLE)
        return at_rest(cup, die, now, told);
    return false;
}
