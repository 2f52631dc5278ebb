/* What every board here has beside the six functions: a ring for what its UART brings. The interrupt moves `end`, hw_read `begin`. */
#ifndef BOARD_H
#define BOARD_H

#include "../mjb_hardware.h"

enum { RING = 128 }; /* a power of two: 11 ms at 115200 baud */

typedef struct {
    volatile uint8_t begin, end;
    volatile uint8_t data[RING];
} ring;

static inline void ring_put(ring *r, uint8_t byte)
{
    uint8_t next = (uint8_t)((r->end + 1) % RING);
    if (next == r->begin)
        return; /* the line is faster than the program: the protocol notices what is lost */
    r->data[r->end] = byte;
    r->end = next;
}

static inline size_t ring_take(ring *r, uint8_t *data, size_t size)
{
    size_t got = 0;
    while (got < size && r->begin != r->end) {
        data[got++] = r->data[r->begin];
        r->begin = (uint8_t)((r->begin + 1) % RING);
    }
    return got;
}

#endif
