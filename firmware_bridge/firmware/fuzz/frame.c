/* Any bytes as a stream, as the COBS form of something, as something to put into that form, and as a frame. */
#include "harness.h"

static void expect_same(const mjb_frame *frame)
{
    size_t size = frame->length + (size_t)MJB_FRAME_BYTES;
    uint8_t *wire = malloc(size);
    expect(mjb_wrap(frame, wire) == size, "a frame takes 8 bytes more than its payload");
    mjb_reader reader = {.size = 0};
    mjb_frame again;
    for (size_t i = 0; i + 1 < size; i++)
        expect(mjb_read(&reader, wire[i], &again) == MJB_NOTHING, "a frame ends at its delimiter");
    expect(mjb_read(&reader, wire[size - 1], &again) == MJB_FRAME, "what is wrapped is read");
    expect(!memcmp(&again, frame, offsetof(mjb_frame, payload) + frame->length), "what is read is what was wrapped");
    free(wire);
}

static void read_stream(const uint8_t *data, size_t size)
{
    mjb_reader *reader = calloc(1, sizeof *reader);
    mjb_frame frame;
    for (size_t i = 0; i < size; i++) {
        if (mjb_read(reader, data[i], &frame) == MJB_FRAME)
            expect_same(&frame);
        expect(reader->size <= MJB_STUFFED_MAX, "a reader keeps one frame at most");
    }
    free(reader);
}

static void stuff(const uint8_t *data, size_t size)
{
    uint8_t *stuffed = malloc(size + 1), *plain = malloc(size);
    expect(mjb_stuff(data, size, stuffed) == size + 1, "stuffing adds one byte");
    expect(!memchr(stuffed, 0, size + 1), "what is stuffed has no zero");
    expect(mjb_unstuff(stuffed, size + 1, plain) == (int)size, "what is stuffed can be unstuffed");
    expect(!size || !memcmp(plain, data, size), "unstuffing gives back what was stuffed");
    free(stuffed);
    free(plain);
}

static void unstuff(const uint8_t *data, size_t size)
{
    uint8_t *plain = malloc(size - 1);
    int got = mjb_unstuff(data, size, plain);
    expect(got < (int)size, "what is unstuffed is shorter");
    free(plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pieces input = {data, size};
    size_t whole = size;
    uint8_t *bytes = cut(&input, &whole);
    read_stream(bytes, size);
    if (size <= 253)
        stuff(bytes, size);
    if (size)
        unstuff(bytes, size);
    free(bytes);
    input = (pieces){data, size};
    uint8_t type = next(&input), session = next(&input), seq = next(&input);
    mjb_frame *frame = cut_frame(&input, input.left, UINT8_MAX);
    frame->type = type;
    frame->session = session;
    frame->seq = seq;
    if (frame->length <= MJB_PAYLOAD_MAX)
        expect_same(frame);
    else
        expect(!mjb_wrap(frame, NULL), "a frame that is too long is not wrapped");
    free(frame);
    return 0;
}
