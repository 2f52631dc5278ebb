/* Plays a cup: each line is a time in ms and what each of two dice shows ("0-6", with "m" behind while it moves), as in
 * "120 0m 4". Between two lines the cup is asked every 10 ms. Prints what is told: time, phase, roll, dice. */
#include "../mjb.h"

#include <stdio.h>
#include <string.h>

static mjb_cup cup;

static void ask(const uint8_t *die, uint32_t now)
{
    static const char *const phases[] = {"moving", "settled", "nudged"};
    mjb_dice told;
    if (mjb_cup_sense(&cup, die, now, &told))
        printf("%lu %s %u %u %u\n", (unsigned long)now, phases[told.phase], told.roll, told.die[0] & MJB_DIE_VALUE,
               told.die[1] & MJB_DIE_VALUE);
}

static uint8_t die_of(const char *text)
{
    return (uint8_t)((text[0] - '0') | (strchr(text, 'm') ? MJB_DIE_MOVES : 0));
}

int main(void)
{
    uint8_t die[MJB_DICE_MAX] = {1, 1};
    uint32_t now = 0;
    unsigned long next;
    char first[4], second[4];
    mjb_cup_start(&cup, 2);
    while (scanf("%lu %3s %3s", &next, first, second) == 3) {
        for (; now < next; now += 10)
            ask(die, now);
        die[0] = die_of(first);
        die[1] = die_of(second);
    }
    for (uint32_t end = now + 2000; now < end; now += 10)
        ask(die, now);
    return 0;
}
