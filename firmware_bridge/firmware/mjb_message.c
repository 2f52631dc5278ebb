/* Messages: fields to payload and back, and which fields are allowed. PROTOCOL.md, sections 5 to 7.
 *
 * Each layout is written once, in `fields`, for both directions: a cursor either reads or writes.
 */
#include "mjb.h"

#include <string.h>

typedef struct {
    uint8_t *at, *end;
    bool writing, failed;
} cursor;

static void bytes(cursor *c, uint8_t *value, size_t size)
{
    if (c->failed || (size_t)(c->end - c->at) < size) {
        c->failed = true;
        return;
    }
    if (c->writing)
        memcpy(c->at, value, size);
    else
        memcpy(value, c->at, size);
    c->at += size;
}

static void u8(cursor *c, uint8_t *value) { bytes(c, value, 1); }

/* A byte of which a reader passes over the bits beyond `mask`, so that newer versions may use them, and a writer leaves them 0. */
static void masked(cursor *c, uint8_t *value, uint8_t mask)
{
    *value &= mask;
    u8(c, value);
    *value &= mask;
}

static void u16(cursor *c, uint16_t *value)
{
    uint8_t raw[2] = {(uint8_t)*value, (uint8_t)(*value >> 8)};
    bytes(c, raw, 2);
    *value = (uint16_t)(raw[0] | (uint16_t)raw[1] << 8);
}

static void u32(cursor *c, uint32_t *value)
{
    uint8_t raw[4] = {(uint8_t)*value, (uint8_t)(*value >> 8), (uint8_t)(*value >> 16), (uint8_t)(*value >> 24)};
    bytes(c, raw, 4);
    *value = (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
}

/* UTF-8 (RFC 3629) without control characters */
static bool is_text(const uint8_t *s, size_t size)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000}; /* for each number of bytes after the first */
    for (size_t i = 0; i < size;) {
        if ((s[i] >= 0x80 && s[i] < 0xC0) || s[i] >= 0xF8)
            return false; /* no character begins so */
        size_t more = s[i] < 0x80 ? 0 : s[i] < 0xE0 ? 1 : s[i] < 0xF0 ? 2 : 3;
        if (more > size - i - 1)
            return false;
        uint32_t point = more ? s[i] & 0x3Fu >> more : s[i];
        for (size_t k = 1; k <= more; k++) {
            if ((s[i + k] & 0xC0) != 0x80)
                return false;
            point = point << 6 | (s[i + k] & 0x3Fu);
        }
        if (point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
            return false;
        if (point < 0x20 || (point >= 0x7F && point < 0xA0))
            return false;
        i += more + 1;
    }
    return true;
}

/* `text` has most + 1 bytes */
static void text(cursor *c, char *value, uint8_t most)
{
    uint8_t size = 0;
    if (c->writing)
        while (size <= most && value[size])
            size++;
    u8(c, &size);
    if (c->failed || size > most) {
        c->failed = true;
        return;
    }
    bytes(c, (uint8_t *)value, size);
    if (!c->failed && !is_text((const uint8_t *)value, size))
        c->failed = true;
    if (!c->failed && !c->writing)
        value[size] = 0;
}

int mjb_places(const mjb_wall *wall)
{
    int places = 0;
    for (int side = 0; side < 4; side++) {
        if (wall->stacks[side] > 36 || wall->layers[side] > 2 || !wall->stacks[side] != !wall->layers[side])
            return -1;
        places += wall->stacks[side] * wall->layers[side];
    }
    return places > MJB_PLACES_MAX ? -1 : places;
}

static void wall_fields(cursor *c, mjb_wall *w)
{
    u32(c, &w->t_ms);
    u8(c, &w->phase);
    for (int side = 0; side < 4; side++) {
        u8(c, &w->stacks[side]);
        u8(c, &w->layers[side]);
    }
    int places = c->failed ? -1 : mjb_places(w);
    if (places < 0) {
        c->failed = true;
        return;
    }
    bytes(c, w->tiles, (size_t)places / 8);
    if (places % 8)
        masked(c, &w->tiles[places / 8], (uint8_t)((1 << places % 8) - 1));
}

static void dice_fields(cursor *c, mjb_dice *d)
{
    u32(c, &d->t_ms);
    u16(c, &d->roll);
    u8(c, &d->phase);
    u8(c, &d->count);
    if (d->count < 1 || d->count > MJB_DICE_MAX)
        c->failed = true;
    for (int i = 0; !c->failed && i < d->count; i++)
        masked(c, &d->die[i], MJB_DIE_MOVES | MJB_DIE_VALUE);
}

static void welcome_fields(cursor *c, mjb_welcome *w)
{
    u32(c, &w->nonce);
    u8(c, &w->version);
    u8(c, &w->kind);
    u32(c, &w->capabilities);
    u32(c, &w->boot);
    u8(c, &w->window);
    u32(c, &w->t_ms);
    text(c, w->serial, 24);
    text(c, w->model, 32);
    text(c, w->firmware, 16);
}

static void fields(cursor *c, mjb_message *m)
{
    static const uint8_t magic[4] = {'M', 'J', 'C', 'P'};
    uint8_t seen[4];
    switch (m->type) {
    case MJB_HELLO:
        memcpy(seen, magic, 4);
        bytes(c, seen, 4);
        if (!c->failed && memcmp(seen, magic, 4))
            c->failed = true;
        u8(c, &m->as.hello.version_min);
        u8(c, &m->as.hello.version_max);
        u32(c, &m->as.hello.nonce);
        break;
    case MJB_WELCOME:
        welcome_fields(c, &m->as.welcome);
        break;
    case MJB_REFUSED:
        u32(c, &m->as.refused.nonce);
        u8(c, &m->as.refused.reason);
        u8(c, &m->as.refused.version_min);
        u8(c, &m->as.refused.version_max);
        break;
    case MJB_ATTENTION_TYPE:
        u32(c, &m->as.attention.boot);
        break;
    case MJB_BYE:
        u8(c, &m->as.bye.reason);
        break;
    case MJB_ACK:
        u8(c, &m->as.ack.next);
        masked(c, &m->as.ack.resend, 1);
        break;
    case MJB_HEARTBEAT_TYPE:
        u32(c, &m->as.heartbeat.t_ms);
        u8(c, &m->as.heartbeat.next);
        break;
    case MJB_SNAPSHOT_REQUEST:
        u8(c, &m->as.snapshot_request.token);
        break;
    case MJB_SNAPSHOT:
        u32(c, &m->as.snapshot.t_ms);
        u8(c, &m->as.snapshot.phase);
        u8(c, &m->as.snapshot.token);
        break;
    case MJB_DICE:
        dice_fields(c, &m->as.dice);
        break;
    case MJB_WALL:
        wall_fields(c, &m->as.wall);
        break;
    case MJB_TILE:
        u32(c, &m->as.tile.t_ms);
        u8(c, &m->as.tile.action);
        u8(c, &m->as.tile.side);
        u8(c, &m->as.tile.stack);
        u8(c, &m->as.tile.layer);
        u8(c, &m->as.tile.remaining);
        break;
    case MJB_DISCARD:
        u32(c, &m->as.discard.t_ms);
        u8(c, &m->as.discard.action);
        u8(c, &m->as.discard.seat);
        u8(c, &m->as.discard.index);
        break;
    case MJB_BUTTON:
        u32(c, &m->as.button.t_ms);
        u8(c, &m->as.button.seat);
        u8(c, &m->as.button.button);
        u8(c, &m->as.button.action);
        break;
    case MJB_TABLE:
        u32(c, &m->as.table.t_ms);
        u8(c, &m->as.table.state);
        u8(c, &m->as.table.error);
        u8(c, &m->as.table.tile_count);
        u16(c, &m->as.table.hand);
        break;
    case MJB_START_SHUFFLE:
        u8(c, &m->as.start_shuffle.dealer);
        break;
    case MJB_SHOW_SCORE:
        for (int seat = 0; seat < 4; seat++) {
            uint32_t points = (uint32_t)m->as.show_score.points[seat];
            u32(c, &points);
            memcpy(&m->as.show_score.points[seat], &points, sizeof points);
        }
        break;
    case MJB_BEEP:
        u16(c, &m->as.beep.frequency_hz);
        u16(c, &m->as.beep.duration_ms);
        break;
    case MJB_SET_TILE_COUNT:
        u8(c, &m->as.set_tile_count.tiles);
        break;
    case MJB_RESULT:
        u32(c, &m->as.result.t_ms);
        u8(c, &m->as.result.command_seq);
        u8(c, &m->as.result.command_type);
        u8(c, &m->as.result.outcome);
        break;
    default:
        break;
    }
}

static bool versions(uint8_t least, uint8_t most) { return least >= 1 && least <= most; }

static bool dice_allowed(const mjb_dice *d)
{
    if (d->phase > MJB_DICE_NUDGED || (d->phase == MJB_DICE_SETTLED && !d->roll))
        return false;
    for (int i = 0; i < d->count; i++) {
        uint8_t value = d->die[i] & MJB_DIE_VALUE;
        if (value > 6 || (d->phase == MJB_DICE_SETTLED && (!value || (d->die[i] & MJB_DIE_MOVES))))
            return false;
    }
    return true;
}

static bool allowed(const mjb_message *m)
{
    switch (m->type) {
    case MJB_HELLO:
        return versions(m->as.hello.version_min, m->as.hello.version_max) && (uint8_t)m->as.hello.nonce;
    case MJB_WELCOME:
        return m->as.welcome.version && m->as.welcome.kind && m->as.welcome.window >= 1 && m->as.welcome.window <= MJB_WINDOW &&
               m->as.welcome.serial[0];
    case MJB_REFUSED:
        return versions(m->as.refused.version_min, m->as.refused.version_max);
    case MJB_ACK:
        return m->as.ack.next;
    case MJB_HEARTBEAT_TYPE:
        return m->as.heartbeat.next;
    case MJB_SNAPSHOT:
        return m->as.snapshot.phase <= MJB_SNAPSHOT_END;
    case MJB_DICE:
        return dice_allowed(&m->as.dice);
    case MJB_WALL:
        return m->as.wall.phase <= MJB_WALL_PRESENTED && (m->as.wall.phase != MJB_WALL_NONE || !mjb_places(&m->as.wall));
    case MJB_TILE:
        return m->as.tile.action <= MJB_TILE_RETURNED && m->as.tile.side < 4 && m->as.tile.stack < 36 && m->as.tile.layer < 2 &&
               m->as.tile.remaining <= MJB_PLACES_MAX;
    case MJB_DISCARD:
        return m->as.discard.action <= 1 && m->as.discard.seat < 4;
    case MJB_BUTTON:
        return m->as.button.seat <= 4 && m->as.button.button && m->as.button.action <= 2;
    case MJB_TABLE: {
        uint8_t tiles = m->as.table.tile_count;
        return m->as.table.state <= MJB_TABLE_ERROR && (m->as.table.state == MJB_TABLE_ERROR) == (m->as.table.error != 0) &&
               (!tiles || (tiles >= 84 && tiles <= 144));
    }
    case MJB_START_SHUFFLE:
        return m->as.start_shuffle.dealer < 4 || m->as.start_shuffle.dealer == MJB_NOT_TOLD;
    case MJB_BEEP:
        return m->as.beep.frequency_hz >= 50 && m->as.beep.frequency_hz <= 10000 && m->as.beep.duration_ms >= 1 &&
               m->as.beep.duration_ms <= 5000;
    case MJB_SET_TILE_COUNT:
        return m->as.set_tile_count.tiles >= 84 && m->as.set_tile_count.tiles <= 144;
    case MJB_RESULT:
        return m->as.result.command_seq;
    default:
        return true;
    }
}

bool mjb_is_known(uint8_t type)
{
    return (type >= MJB_HELLO && type <= MJB_HEARTBEAT_TYPE) || type == MJB_SNAPSHOT_REQUEST || type == MJB_SNAPSHOT ||
           (type >= MJB_DICE && type <= MJB_TABLE) || (type >= MJB_START_SHUFFLE && type <= MJB_SET_TILE_COUNT) ||
           type == MJB_RESULT;
}

bool mjb_decode(const mjb_frame *frame, mjb_message *message)
{
    memset(message, 0, sizeof *message);
    message->type = frame->type;
    message->session = frame->session;
    message->seq = frame->seq;
    if (frame->length > MJB_PAYLOAD_MAX)
        return false;
    if (!mjb_is_known(frame->type)) {
        message->as.raw.length = frame->length;
        memcpy(message->as.raw.payload, frame->payload, frame->length);
        return true;
    }
    cursor c = {(uint8_t *)frame->payload, (uint8_t *)frame->payload + frame->length, false, false};
    fields(&c, message);
    return !c.failed && allowed(message);
}

bool mjb_encode(const mjb_message *message, mjb_frame *frame)
{
    mjb_message copy = *message;
    frame->type = copy.type;
    frame->session = copy.session;
    frame->seq = copy.seq;
    if (!mjb_is_known(copy.type)) {
        if (copy.as.raw.length > MJB_PAYLOAD_MAX)
            return false;
        frame->length = copy.as.raw.length;
        memcpy(frame->payload, copy.as.raw.payload, copy.as.raw.length);
        return true;
    }
    cursor c = {frame->payload, frame->payload + MJB_PAYLOAD_MAX, true, false};
    fields(&c, &copy);
    frame->length = (uint8_t)(c.at - frame->payload);
    return !c.failed && allowed(&copy);
}
