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
    mjb_message m = {.type = MJB_TILE, .as.tile.t_ms = now};
    mjb_answer(&session, asked, MJB_DONE, now);
    mjb_post(&session, &m, now);
}

/* Writes a text of a welcome, its length before it; returns the bytes written. Its length may be one too many. Most characters are
 * whole, of one to four bytes; the others begin with any byte, and up to 15 that only go on follow. */
static size_t text(uint8_t *at, uint8_t most)
{
    static const char *const whole[] = {"a", "\xC3\xA9", "\xE9\xBA\xBB", "\xF0\x9F\x80\x84"};
    uint8_t size = (uint8_t)(rnd() % (most + 2u));
    at[0] = size;
    for (size_t i = 1; i <= size;) {
        if (rnd() % 8) {
            for (const char *byte = whole[rnd() % 4]; *byte && i <= size; byte++)
                at[i++] = (uint8_t)*byte;
        } else {
            at[i++] = (uint8_t)rnd();
            for (unsigned more = rnd() % 16; more && i <= size; more--)
                at[i++] = (uint8_t)(0x80 | rnd() % 0x40);
        }
    }
    return 1u + size;
}

/* Payloads of small numbers seldom make a hello, a wall or a welcome: these come near to one. */
static void shape(mjb_frame *frame)
{
    uint8_t *p = frame->payload;
    if (frame->type == MJB_HELLO) {
        memcpy(p, "MJCP\1\1", 6);
        if (rnd() % 8 == 0)
            p[4] = p[5] = (uint8_t)(rnd() % 4);
        frame->length = 10;
    } else if (frame->type == MJB_WALL) {
        p[4] = (uint8_t)(rnd() % 5);
        for (int i = 5; i < 13; i += 2) {
            p[i] = (uint8_t)(rnd() % 20);
            p[i + 1] = (uint8_t)(p[i] ? 1 + rnd() % 2 : rnd() % 8 == 0);
        }
        frame->length = (uint8_t)(13 + rnd() % 19);
    } else if (frame->type == MJB_WELCOME) {
        p[4] = p[5] = p[14] = 1; /* version, kind, window */
        size_t end = 19;
        end += text(p + end, 24);
        end += text(p + end, 32);
        end += text(p + end, 16);
        frame->length = (uint8_t)(end - (rnd() % 8 ? 0 : rnd() % end)); /* or cut short */
    }
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
    for (size_t i = 0; i < sizeof frame.payload; i++)
        frame.payload[i] = rnd() % 3 ? (uint8_t)(rnd() % 4) : (uint8_t)rnd();
    if (rnd() % 4)
        shape(&frame);
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

/* What happens at the device itself: much at once, while a host may acknowledge nothing. */
static void happen(void)
{
    mjb_message m = {.type = MJB_DICE, .as.dice.count = 2};
    if (rnd() % 2)
        mjb_tell(&session, &m, now);
    m.as.dice.phase = MJB_DICE_NUDGED;
    for (unsigned more = rnd() % 24; more; more--)
        mjb_post(&session, &m, now);
}

int main(int count, char **values)
{
    unsigned long total = count > 1 ? strtoul(values[1], NULL, 10) : 1000000, fed = 0;
    state = count > 2 ? (uint32_t)strtoul(values[2], NULL, 10) | 1u : 1;
    static const mjb_welcome about = {.kind = 2, .window = 8, .serial = "FUZZ"};
    mjb_start(&session, &about, handle, NULL, now);
    bool clogged = false; /* the line takes nothing */
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
        if (rnd() % 32 == 0)
            happen();
        mjb_tick(&session, now);
        clogged = rnd() % 64 ? clogged : !clogged;
        if (!clogged)
            mjb_written(&session, rnd() % 2 ? session.out_size : rnd() % 64);
        if (session.waiting > MJB_QUEUE || session.way > session.waiting || session.sent > session.way ||
            session.way > MJB_WINDOW || session.out_size > MJB_OUT || !session.expected || !session.oldest)
            fail("a count is out of its bounds");
    }
    printf("%lu bytes, %lu frames, %lu commands taken, %lu damaged\n", fed, frames, taken, (unsigned long)session.damaged);
    return taken ? 0 : 1;
}
