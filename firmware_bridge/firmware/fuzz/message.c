/* Type, session, number and payload into the decoder; what it takes must encode to bytes that mean the same. Then the same bytes as
 * the fields of a message, as a program might have filled them in: what the encoder takes must be decoded. */
#include "harness.h"

static mjb_frame *exact(const mjb_frame *frame)
{
    size_t size = offsetof(mjb_frame, payload) + frame->length;
    mjb_frame *copy = malloc(size);
    memcpy(copy, frame, size);
    return copy;
}

static void decode(const mjb_frame *frame)
{
    mjb_message *message = malloc(sizeof *message);
    if (mjb_decode(frame, message)) {
        mjb_frame encoded;
        expect(mjb_encode(message, &encoded), "what is decoded can be encoded");
        expect(encoded.length <= frame->length, "encoding adds nothing");
        mjb_frame *again = exact(&encoded);
        mjb_message second;
        expect(mjb_decode(again, &second), "what is encoded can be decoded");
        expect(!memcmp(message, &second, sizeof second), "what is encoded means the same");
        free(again);
    }
    free(message);
}

static void encode(const uint8_t *data, size_t size)
{
    mjb_message message, decoded;
    memset(&message, 0, sizeof message);
    memcpy(&message, data, size < sizeof message ? size : sizeof message);
    mjb_frame encoded, again;
    if (!mjb_encode(&message, &encoded))
        return;
    mjb_frame *sent = exact(&encoded);
    expect(mjb_decode(sent, &decoded) && mjb_encode(&decoded, &again), "what may be sent is allowed");
    expect(again.length == sent->length && !memcmp(again.payload, sent->payload, again.length),
           "what is sent has nothing that a reader passes over");
    free(sent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pieces input = {data, size};
    uint8_t type = next(&input), session = next(&input), seq = next(&input);
    mjb_frame *frame = cut_frame(&input, input.left, UINT8_MAX);
    frame->type = type;
    frame->session = session;
    frame->seq = seq;
    decode(frame);
    free(frame);
    if (size)
        encode(data, size);
    return 0;
}
