/* What the harnesses share: an input that is taken piece by piece, copies that end where their bytes end (a read beyond them is
 * found then), and checks. libFuzzer calls LLVMFuzzerTestOneInput, again and again in one process. */
#ifndef HARNESS_H
#define HARNESS_H

#include "../mjb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct { const uint8_t *at; size_t left; } pieces;

static inline void expect(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "does not hold: %s\n", what);
        abort();
    }
}

/* The next byte, 0 at the end. */
static inline uint8_t next(pieces *input)
{
    if (!input->left)
        return 0;
    input->left--;
    return *input->at++;
}

/* The next `size` bytes, or all that are left; free them. */
static inline uint8_t *cut(pieces *input, size_t *size)
{
    if (*size > input->left)
        *size = input->left;
    uint8_t *bytes = malloc(*size);
    if (*size)
        memcpy(bytes, input->at, *size);
    input->at += *size;
    input->left -= *size;
    return bytes;
}

/* A frame with the next bytes, at most `most`, as its payload, and no place behind it; free it. */
static inline mjb_frame *cut_frame(pieces *input, size_t length, size_t most)
{
    if (length > most)
        length = most;
    uint8_t *payload = cut(input, &length);
    mjb_frame *frame = malloc(offsetof(mjb_frame, payload) + length);
    frame->length = (uint8_t)length;
    if (length)
        memcpy(frame->payload, payload, length);
    free(payload);
    return frame;
}

/* What a device writes must be frames of messages that are allowed; begin with a reader of zeros. */
static inline void expect_sound(mjb_reader *reader, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        mjb_frame frame;
        mjb_message message;
        mjb_found found = mjb_read(reader, data[i], &frame);
        expect(found == MJB_NOTHING || found == MJB_FRAME, "what is written is frames");
        if (found == MJB_FRAME)
            expect(mjb_is_known(frame.type) && mjb_decode(&frame, &message), "what is written is allowed");
    }
}

static inline void expect_counts(const mjb_session *s)
{
    expect(s->waiting <= MJB_QUEUE && s->way <= s->waiting && s->sent <= s->way && s->way <= s->about.window,
           "the counts of the queue fit each other");
    expect(s->first < MJB_QUEUE && s->out_size <= MJB_OUT, "queue and output stay in their bounds");
    expect(s->expected && s->oldest, "a number is not 0");
    expect(s->state != MJB_WAITING || !s->waiting, "without a host nothing waits for one");
}

#endif
