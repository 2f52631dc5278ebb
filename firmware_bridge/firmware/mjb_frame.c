/* Frames: CRC-16/GENIBUS, COBS, and a reader that finds frames in any stream. PROTOCOL.md, section 2. */
#include "mjb.h"

#include <string.h>

uint16_t mjb_crc(const uint8_t *data, size_t size)
{
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < size; i++) {
        crc = (uint16_t)(crc ^ ((uint16_t)data[i] << 8)); /* an int may have 16 bits */
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)((crc & 0x8000) ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return (uint16_t)(crc ^ 0xFFFF);
}

size_t mjb_stuff(const uint8_t *plain, size_t size, uint8_t *stuffed)
{
    size_t code_at = 0, end = 1;
    for (size_t i = 0; i < size; i++) {
        if (plain[i]) {
            stuffed[end++] = plain[i];
        } else {
            stuffed[code_at] = (uint8_t)(end - code_at);
            code_at = end++;
        }
    }
    stuffed[code_at] = (uint8_t)(end - code_at);
    return end;
}

int mjb_unstuff(const uint8_t *stuffed, size_t size, uint8_t *plain)
{
    size_t at = 0, end = 0;
    while (at < size) {
        size_t after = at + stuffed[at];
        if (!stuffed[at] || stuffed[at] == 0xFF || after > size)
            return -1;
        while (++at < after)
            plain[end++] = stuffed[at];
        if (after < size)
            plain[end++] = 0;
    }
    return (int)end;
}

size_t mjb_wrap(const mjb_frame *frame, uint8_t *wire)
{
    if (frame->length > MJB_PAYLOAD_MAX)
        return 0;
    uint8_t *plain = wire + 1;
    size_t size = 4u + frame->length;
    plain[0] = frame->type;
    plain[1] = frame->session;
    plain[2] = frame->seq;
    plain[3] = frame->length;
    memcpy(plain + 4, frame->payload, frame->length);
    uint16_t crc = mjb_crc(plain, size);
    plain[size++] = (uint8_t)(crc >> 8);
    plain[size++] = (uint8_t)crc;
    size = mjb_stuff(plain, size, wire);
    wire[size++] = 0;
    return size;
}

static mjb_found unwrap(uint8_t *stuffed, size_t size, mjb_frame *frame)
{
    const uint8_t *plain = stuffed;
    int got = mjb_unstuff(stuffed, size, stuffed);
    if (got < 0)
        return MJB_STUFFING;
    if (got < 6)
        return MJB_TOO_SHORT;
    if (plain[3] != got - 6)
        return MJB_LENGTH;
    uint16_t crc = mjb_crc(plain, (size_t)got - 2);
    if (plain[got - 2] != crc >> 8 || plain[got - 1] != (crc & 0xFF))
        return MJB_CHECKSUM;
    frame->type = plain[0];
    frame->session = plain[1];
    frame->seq = plain[2];
    frame->length = plain[3];
    memcpy(frame->payload, plain + 4, plain[3]);
    return MJB_FRAME;
}

mjb_found mjb_read(mjb_reader *reader, uint8_t byte, mjb_frame *frame)
{
    if (byte) {
        if (reader->skipping)
            return MJB_NOTHING;
        if (reader->size == MJB_STUFFED_MAX) {
            reader->skipping = true;
            reader->size = 0;
            return MJB_TOO_LONG;
        }
        reader->kept[reader->size++] = byte;
        return MJB_NOTHING;
    }
    size_t size = reader->size;
    bool skipping = reader->skipping;
    reader->size = 0;
    reader->skipping = false;
    return skipping || !size ? MJB_NOTHING : unwrap(reader->kept, size, frame);
}
