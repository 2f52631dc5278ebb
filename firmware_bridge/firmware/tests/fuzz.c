/* Feeds a device's session with garbage that often comes near to frames, under sanitizers. fuzz BYTES SEED
 *
 * Checks that what is decoded encodes to the same bytes, and that the session's counts stay in their bounds. */
#include "../mjb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state;

static uint32_t rnd(void) /* xorshift32: G. Marsaglia, Journal of Statistical Software 8(14), 2003 */
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static unsigned long taken, frames;
static mjb_session session;
static uint32_t now = 0xFFFFF000u; /* the clock wraps soon */

static void fail(const char *what)
{
    printf("failed: %s\n", what);
    exit(1);
}

static void handle(void *context, const mjb_message *asked)
{
    (void)context;
    taken++;
    mjb_message m = {.type = MJB_TILE};
    m.as.tile.t_ms = now;
    mjb_answer(&session, asked, MJB_DONE, now);
    mjb_post(&session, &m, now);
}

static size_t make(uint8_t wire[MJB_WIRE_MAX])
{
    static const uint8_t types[] = {1, 1, 2, 3, 4, 5, 6, 6, 7, 0x10, 0x11, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25,
                                    0x40, 0x41, 0x42, 0x43, 0x44, 0x4F, 0x7F, 0xFF};
    mjb_frame frame;
    frame.type = types[rnd() % sizeof types];
    frame.session = rnd() % 8 ? session.session : (uint8_t)rnd();
    frame.seq = rnd() % 4 ? session.expected : (uint8_t)rnd();
    frame.length = (uint8_t)(rnd() % (MJB_PAYLOAD_MAX + 1));
    if (rnd() % 2)
        frame.length = (uint8_t)(rnd() % 20);
    for (int i = 0; i < frame.length; i++)
        frame.payload[i] = rnd() % 3 ? (uint8_t)(rnd() % 4) : (uint8_t)rnd();
    if (frame.type == MJB_HELLO && rnd() % 4) {
        memcpy(frame.payload, "MJCP\1\1", 6);
        frame.length = 10;
    }
    if (frame.type == MJB_ACK && rnd() % 2)
        frame.payload[0] = (uint8_t)(session.oldest + rnd() % 3);
    mjb_message message;
    mjb_frame again, twice;
    if (mjb_decode(&frame, &message)) {
        mjb_message second;
        if (!mjb_encode(&message, &again) || !mjb_decode(&again, &second) || !mjb_encode(&second, &twice))
            fail("what is decoded cannot be encoded");
        if (again.length != twice.length || memcmp(again.payload, twice.payload, again.length))
            fail("encoding is not stable");
    }
    frames++;
    size_t size = mjb_wrap(&frame, wire);
    if (rnd() % 4 == 0)
        wire[rnd() % size] ^= (uint8_t)(1 << rnd() % 8);
    return size;
}

int main(int count, char **values)
{
    unsigned long total = count > 1 ? strtoul(values[1], NULL, 10) : 1000000, fed = 0;
    state = count > 2 ? (uint32_t)strtoul(values[2], NULL, 10) | 1u : 1;
    static const mjb_welcome about = {.kind = 2, .window = 8, .serial = "FUZZ"};
    mjb_start(&session, &about, handle, NULL, now);
    while (fed < total) {
        uint8_t data[256];
        size_t size = rnd() % sizeof data;
        if (rnd() % 8)
            size = make(data);
        else
            for (size_t i = 0; i < size; i++)
                data[i] = (uint8_t)rnd();
        mjb_receive(&session, data, size, now);
        fed += size;
        now += rnd() % 64 ? rnd() % 30 : rnd() % 6000;
        mjb_tick(&session, now);
        mjb_written(&session, rnd() % 2 ? session.out_size : rnd() % 64);
        if (session.waiting > MJB_QUEUE || session.way > session.waiting || session.sent > session.way ||
            session.way > MJB_WINDOW || session.out_size > MJB_OUT || !session.expected || !session.oldest)
            fail("a count is out of its bounds");
    }
    printf("%lu bytes, %lu frames, %lu commands taken, %lu damaged\n", fed, frames, taken, (unsigned long)session.damaged);
    return taken ? 0 : 1;
}
