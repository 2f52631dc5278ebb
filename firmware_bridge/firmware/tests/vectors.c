/* Reads bytes of the wire as hex, one line each, and says what it is: "damage NAME", "malformed TYPE", or the message as
 * JSON, a tab, and what encoding it again gives. */
#include "../mjb.h"

#include <stdio.h>
#include <string.h>

static void text(const char *name, const char *value)
{
    printf(",\"%s\":\"", name);
    for (; *value; value++)
        printf(*value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    putchar('"');
}

static void number(const char *name, long long value) { printf(",\"%s\":%lld", name, value); }

static void wall(const mjb_wall *w)
{
    number("t_ms", w->t_ms);
    number("phase", w->phase);
    printf(",\"sides\":[");
    for (int side = 0; side < 4; side++)
        printf("%s{\"stacks\":%d,\"layers\":%d}", side ? "," : "", w->stacks[side], w->layers[side]);
    int places = mjb_places(w);
    printf(places ? "],\"tiles\":\"" : "],\"tiles\":[");
    for (int place = 0; place < places; place++)
        putchar(w->tiles[place / 8] >> place % 8 & 1 ? '1' : '0');
    putchar(places ? '"' : ']');
}

static void fields(const mjb_message *m)
{
    static const char *const names[256] = {
        [MJB_HELLO] = "Hello", [MJB_WELCOME] = "Welcome", [MJB_REFUSED] = "Refused", [MJB_ATTENTION_TYPE] = "Attention",
        [MJB_BYE] = "Bye", [MJB_ACK] = "Ack", [MJB_HEARTBEAT_TYPE] = "Heartbeat",
        [MJB_SNAPSHOT_REQUEST] = "SnapshotRequest", [MJB_SNAPSHOT] = "Snapshot", [MJB_DICE] = "Dice", [MJB_WALL] = "Wall",
        [MJB_TILE] = "Tile", [MJB_DISCARD] = "Discard", [MJB_BUTTON] = "ButtonEvent", [MJB_TABLE] = "Table",
        [MJB_START_SHUFFLE] = "StartShuffle", [MJB_SHOW_SCORE] = "ShowScore", [MJB_BEEP] = "Beep",
        [MJB_SET_TILE_COUNT] = "SetTileCount", [MJB_RESULT] = "Result"};
    printf("{\"message\":\"%s\"", mjb_is_known(m->type) ? names[m->type] : "Unknown");
    switch (m->type) {
    case MJB_HELLO:
        number("version_min", m->as.hello.version_min);
        number("version_max", m->as.hello.version_max);
        number("nonce", m->as.hello.nonce);
        break;
    case MJB_WELCOME:
        number("nonce", m->as.welcome.nonce);
        number("version", m->as.welcome.version);
        number("kind", m->as.welcome.kind);
        number("capabilities", m->as.welcome.capabilities);
        number("boot", m->as.welcome.boot);
        number("window", m->as.welcome.window);
        number("t_ms", m->as.welcome.t_ms);
        text("serial", m->as.welcome.serial);
        text("model", m->as.welcome.model);
        text("firmware", m->as.welcome.firmware);
        break;
    case MJB_REFUSED:
        number("nonce", m->as.refused.nonce);
        number("reason", m->as.refused.reason);
        number("version_min", m->as.refused.version_min);
        number("version_max", m->as.refused.version_max);
        break;
    case MJB_ATTENTION_TYPE:
        number("boot", m->as.attention.boot);
        break;
    case MJB_BYE:
        number("reason", m->as.bye.reason);
        break;
    case MJB_ACK:
        number("next", m->as.ack.next);
        printf(",\"resend\":%s", m->as.ack.resend ? "true" : "false");
        break;
    case MJB_HEARTBEAT_TYPE:
        number("t_ms", m->as.heartbeat.t_ms);
        number("next", m->as.heartbeat.next);
        break;
    case MJB_SNAPSHOT_REQUEST:
        number("token", m->as.snapshot_request.token);
        break;
    case MJB_SNAPSHOT:
        number("t_ms", m->as.snapshot.t_ms);
        number("phase", m->as.snapshot.phase);
        number("token", m->as.snapshot.token);
        break;
    case MJB_DICE:
        number("t_ms", m->as.dice.t_ms);
        number("roll", m->as.dice.roll);
        number("phase", m->as.dice.phase);
        printf(",\"dice\":[");
        for (int i = 0; i < m->as.dice.count; i++)
            printf("%s{\"value\":%d,\"moving\":%s}", i ? "," : "", m->as.dice.die[i] & MJB_DIE_VALUE,
                   m->as.dice.die[i] & MJB_DIE_MOVES ? "true" : "false");
        putchar(']');
        break;
    case MJB_WALL:
        wall(&m->as.wall);
        break;
    case MJB_TILE:
        number("t_ms", m->as.tile.t_ms);
        number("action", m->as.tile.action);
        number("side", m->as.tile.side);
        number("stack", m->as.tile.stack);
        number("layer", m->as.tile.layer);
        number("remaining", m->as.tile.remaining);
        break;
    case MJB_DISCARD:
        number("t_ms", m->as.discard.t_ms);
        number("action", m->as.discard.action);
        number("seat", m->as.discard.seat);
        number("index", m->as.discard.index);
        break;
    case MJB_BUTTON:
        number("t_ms", m->as.button.t_ms);
        number("seat", m->as.button.seat);
        number("button", m->as.button.button);
        number("action", m->as.button.action);
        break;
    case MJB_TABLE:
        number("t_ms", m->as.table.t_ms);
        number("state", m->as.table.state);
        number("error", m->as.table.error);
        number("tile_count", m->as.table.tile_count);
        number("hand", m->as.table.hand);
        break;
    case MJB_SHOW_SCORE:
        printf(",\"points\":[%ld,%ld,%ld,%ld]", (long)m->as.show_score.points[0], (long)m->as.show_score.points[1],
               (long)m->as.show_score.points[2], (long)m->as.show_score.points[3]);
        break;
    case MJB_BEEP:
        number("frequency_hz", m->as.beep.frequency_hz);
        number("duration_ms", m->as.beep.duration_ms);
        break;
    case MJB_SET_TILE_COUNT:
        number("tiles", m->as.set_tile_count.tiles);
        break;
    case MJB_RESULT:
        number("t_ms", m->as.result.t_ms);
        number("command_seq", m->as.result.command_seq);
        number("command_type", m->as.result.command_type);
        number("outcome", m->as.result.outcome);
        break;
    case MJB_START_SHUFFLE:
        number("dealer", m->as.start_shuffle.dealer);
        break;
    default:
        number("type", m->type);
        printf(",\"payload\":\"");
        for (int i = 0; i < m->as.raw.length; i++)
            printf("%02x", m->as.raw.payload[i]);
        putchar('"');
    }
    printf("}\t");
}

static void tell(mjb_found found, const mjb_frame *frame)
{
    static const char *const damage[] = {
        [MJB_TOO_LONG] = "TOO_LONG", [MJB_STUFFING] = "STUFFING", [MJB_TOO_SHORT] = "TOO_SHORT",
        [MJB_LENGTH] = "LENGTH", [MJB_CHECKSUM] = "CHECKSUM"};
    mjb_message message;
    mjb_frame again;
    uint8_t wire[MJB_WIRE_MAX];
    if (found != MJB_FRAME) {
        printf("damage %s\n", damage[found]);
    } else if (!mjb_decode(frame, &message)) {
        printf("malformed %d\n", frame->type);
    } else {
        fields(&message);
        if (!mjb_encode(&message, &again))
            printf("cannot be encoded");
        size_t size = mjb_wrap(&again, wire);
        for (size_t i = 0; i < size; i++)
            printf("%02x", wire[i]);
        printf("\t%d\t%d\n", message.session, message.seq);
    }
}

int main(void)
{
    mjb_reader reader;
    mjb_frame frame;
    memset(&reader, 0, sizeof reader);
    for (unsigned byte; scanf("%2x", &byte) == 1;) {
        mjb_found found = mjb_read(&reader, (uint8_t)byte, &frame);
        if (found != MJB_NOTHING)
            tell(found, &frame);
    }
    return 0;
}
