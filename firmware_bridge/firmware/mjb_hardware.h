/* All that a program needs of a board: six functions. host/ has them for a computer, arduino/ shows them on a board. */
#ifndef MJB_HARDWARE_H
#define MJB_HARDWARE_H

#include "mjb.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HW_STILL, HW_SHUFFLING, HW_BUILDING, HW_PRESENTED }; /* what the machine of a table does */

/* What the sensors say, debounced. A cup fills `die`, a table the rest, and `die` too if it has dice in its middle. */
typedef struct {
    uint8_t die[MJB_DICE_MAX];              /* as in the protocol: value 0…6, bit 7: moves */
    uint8_t machine, error;                 /* HW_…; error number of Table, 0 for none */
    uint8_t tiles[(MJB_PLACES_MAX + 7) / 8]; /* a bit for each place of the wall */
    uint16_t buttons[5];                    /* seats 0…3 and the middle: a bit for each button that is down, bit n: button n */
} hw_input;

typedef enum { HW_BEEP, HW_SHOW_SCORE, HW_SHUFFLE } hw_action;

typedef struct {
    hw_action action;
    uint16_t frequency_hz, duration_ms; /* HW_BEEP */
    int32_t points[4];                  /* HW_SHOW_SCORE */
    const mjb_wall *wall;               /* HW_SHUFFLE: its sides are the wall to build, */
    uint8_t dealer;                     /* and the side of whoever deals */
} hw_output;

uint32_t hw_now(void);                             /* milliseconds, wraps */
uint32_t hw_random(void);                          /* any number, another one after each start */
size_t hw_read(uint8_t *data, size_t size);        /* what the line has brought, at once, at most size bytes */
size_t hw_write(const uint8_t *data, size_t size); /* as much as the line takes at once */
void hw_sense(hw_input *input);                    /* the sensors; may wait up to 5 ms for something to happen */
void hw_act(const hw_output *output);              /* begin something; must not wait for its end */

/* What every program has, and a board's main loop calls: start once, then turn for ever. */
void program_start(void);
void program_turn(void);

#ifdef __cplusplus
}
#endif
#endif
