/* The device's side of the protocol in ../PROTOCOL.md: frames, messages, session. C99, no heap, no dependency, no I/O.
 *
 * Times are milliseconds of any counter that wraps at 2^32. All memory is in the structures that the caller owns. Nothing here may
 * be called from an interrupt, nor from two threads at once.
 */
#ifndef MJB_H
#define MJB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MJB_VERSION = 1,
    MJB_PAYLOAD_MAX = 122,
    MJB_PLAIN_MAX = 4 + MJB_PAYLOAD_MAX + 2,
    MJB_STUFFED_MAX = MJB_PLAIN_MAX + 1,
    MJB_WIRE_MAX = MJB_STUFFED_MAX + 1,
    MJB_FRAME_BYTES = MJB_WIRE_MAX - MJB_PAYLOAD_MAX, /* what a frame on the wire has beside its payload */
#ifdef MJB_SMALL             /* a dice cup in 2 KiB of RAM */
    MJB_WINDOW = 2,
    MJB_QUEUE = 5,
    MJB_NUMBERED_MAX = 16,   /* Dice has 14 */
    MJB_OUT = MJB_WIRE_MAX + 64,
#else
    MJB_WINDOW = 8,          /* numbered messages on the way */
    MJB_QUEUE = 16,          /* these and those that wait: a whole snapshot beside a full window */
    MJB_NUMBERED_MAX = 40,   /* payload of a numbered message of a device: Wall has 31 */
    MJB_OUT = 4 * MJB_WIRE_MAX,
#endif
    MJB_DICE_MAX = 6,
    MJB_PLACES_MAX = 144
};

/* Times in ms: PROTOCOL.md, section 9 */
enum {
    MJB_RESEND_FIRST = 100,
    MJB_RESEND_MAX = 1000,
    MJB_WISH_PAUSE = 20,
    MJB_HEARTBEAT = 1000,
    MJB_SILENCE = 3500,
    MJB_UNACKNOWLEDGED = 5000,
    MJB_ATTENTION = 1000
};

typedef enum {
    MJB_HELLO = 0x01, MJB_WELCOME, MJB_REFUSED, MJB_ATTENTION_TYPE, MJB_BYE, MJB_ACK, MJB_HEARTBEAT_TYPE,
    MJB_SNAPSHOT_REQUEST = 0x10, MJB_SNAPSHOT,
    MJB_DICE = 0x20, MJB_WALL, MJB_TILE, MJB_DISCARD, MJB_BUTTON, MJB_TABLE,
    MJB_START_SHUFFLE = 0x40, MJB_SHOW_SCORE, MJB_BEEP, MJB_SET_TILE_COUNT, MJB_RESULT = 0x4F
} mjb_type;

enum { MJB_DICE_MOVING, MJB_DICE_SETTLED, MJB_DICE_NUDGED };
enum { MJB_WALL_NONE, MJB_WALL_BUILDING, MJB_WALL_BUILT, MJB_WALL_PRESENTED };
enum { MJB_TILE_DRAWN, MJB_TILE_RETURNED };
enum { MJB_SNAPSHOT_BEGIN, MJB_SNAPSHOT_END };
enum { MJB_TABLE_IDLE, MJB_TABLE_SHUFFLING, MJB_TABLE_BUILDING, MJB_TABLE_READY, MJB_TABLE_PLAYING, MJB_TABLE_ERROR };
enum { MJB_DONE, MJB_STARTED, MJB_UNSUPPORTED, MJB_REFUSED_NOW, MJB_BAD_VALUE };
enum { MJB_NOT_TOLD = 255 };
enum { MJB_BYE_CLOSED, MJB_BYE_TIMEOUT, MJB_BYE_STUCK };
enum { MJB_DIE_MOVES = 0x80, MJB_DIE_VALUE = 0x0F };
enum {
    MJB_CAN_DICE = 1, MJB_CAN_WALL = 2, MJB_CAN_TILE_POSITIONS = 4, MJB_CAN_DISCARDS = 8, MJB_CAN_BUTTONS = 16,
    MJB_CAN_TABLE_STATE = 32, MJB_CAN_SHUFFLE = 256, MJB_CAN_SHOW_SCORE = 512, MJB_CAN_BEEP = 1024,
    MJB_CAN_TILE_COUNT = 2048
};

typedef struct {
    uint32_t nonce, capabilities, boot, t_ms;
    uint8_t version, kind, window;
    char serial[24 + 1], model[32 + 1], firmware[16 + 1]; /* UTF-8, ended by 0 */
} mjb_welcome;

typedef struct { uint32_t t_ms; uint8_t phase, stacks[4], layers[4], tiles[(MJB_PLACES_MAX + 7) / 8]; } mjb_wall;
typedef struct { uint32_t t_ms; uint16_t roll; uint8_t phase, count, die[MJB_DICE_MAX]; } mjb_dice;
typedef struct { uint32_t t_ms; uint8_t state, error, tile_count; uint16_t hand; } mjb_table;

/* One message. `as` has the member of its type; `raw` for types that are not known here. */
typedef struct {
    uint8_t type, session, seq;
    union {
        struct { uint32_t nonce; uint8_t version_min, version_max; } hello;
        mjb_welcome welcome;
        struct { uint32_t nonce; uint8_t reason, version_min, version_max; } refused;
        struct { uint32_t boot; } attention;
        struct { uint8_t reason; } bye;
        struct { uint8_t next, resend; } ack;
        struct { uint32_t t_ms; uint8_t next; } heartbeat;
        struct { uint8_t token; } snapshot_request;
        struct { uint32_t t_ms; uint8_t phase, token; } snapshot;
        mjb_dice dice;
        mjb_wall wall;
        struct { uint32_t t_ms; uint8_t action, side, stack, layer, remaining; } tile;
        struct { uint32_t t_ms; uint8_t action, seat, index; } discard;
        struct { uint32_t t_ms; uint8_t seat, button, action; } button;
        mjb_table table;
        struct { uint8_t dealer; } start_shuffle; /* side 0…3, or MJB_NOT_TOLD */
        struct { int32_t points[4]; } show_score;
        struct { uint16_t frequency_hz, duration_ms; } beep;
        struct { uint8_t tiles; } set_tile_count;
        struct { uint32_t t_ms; uint8_t command_seq, command_type, outcome; } result;
        struct { uint8_t length, payload[MJB_PAYLOAD_MAX]; } raw;
    } as;
} mjb_message;

/* ---- frames: mjb_frame.c ---- */

typedef struct { uint8_t type, session, seq, length, payload[MJB_PAYLOAD_MAX]; } mjb_frame;

typedef enum {
    MJB_NOTHING, MJB_FRAME, /* and errors: */
    MJB_TOO_LONG, MJB_STUFFING, MJB_TOO_SHORT, MJB_LENGTH, MJB_CHECKSUM
} mjb_found;

typedef struct { uint8_t kept[MJB_STUFFED_MAX]; uint8_t size; bool skipping; } mjb_reader;

uint16_t mjb_crc(const uint8_t *data, size_t size);
/* COBS of at most 253 bytes: size + 1 bytes. `plain` may be `stuffed` + 1: then all happens in its place. */
size_t mjb_stuff(const uint8_t *plain, size_t size, uint8_t *stuffed);
/* Back; returns the plain size, at most size - 1, or -1 where it was not stuffed by mjb_stuff. `plain` may be `stuffed`. */
int mjb_unstuff(const uint8_t *stuffed, size_t size, uint8_t *plain);
/* A frame as it goes on the wire, delimiter included: its length + 8 bytes, or 0 for one that is too long. */
size_t mjb_wrap(const mjb_frame *frame, uint8_t *wire);
/* Feed one byte; at MJB_FRAME `frame` is filled. Begin with a reader of zeros. */
mjb_found mjb_read(mjb_reader *reader, uint8_t byte, mjb_frame *frame);

/* ---- messages: mjb_message.c ---- */

bool mjb_is_known(uint8_t type);
/* Whether the fields make sense; the message is filled only then. Unknown types are filled into `raw`. */
bool mjb_decode(const mjb_frame *frame, mjb_message *message);
/* False for a field that is not allowed. */
bool mjb_encode(const mjb_message *message, mjb_frame *frame);
/* The places of a wall, or -1 where its sides are not allowed. */
int mjb_places(const mjb_wall *wall);

/* ---- session of a device: mjb_session.c ---- */

typedef enum { MJB_WAITING, MJB_WELCOMED, MJB_OPEN } mjb_state;

/* A command came, number message->seq. Called from mjb_receive. */
typedef void (*mjb_handler)(void *context, const mjb_message *message);

typedef struct {
    mjb_state state;
    mjb_welcome about;
    mjb_handler handler;
    void *context;
    mjb_reader reader;
    uint32_t nonce;
    uint8_t session;
    uint8_t expected;                       /* number that the host sends next */
    uint8_t oldest;                         /* number of queue[first] */
    uint8_t first, waiting, way, sent;      /* queued in all; of these on the way; of these sent since the last resend */
    struct { uint8_t type, length, payload[MJB_NUMBERED_MAX]; } queue[MJB_QUEUE];
    uint32_t heard_at, spoken_at, wished_at, asked_at, progress_at, resend_at, attention_at;
    uint16_t resend_pause;                  /* 0: nothing is on the way */
    bool attended;
    uint8_t out[MJB_OUT];
    uint16_t out_size;
    uint32_t damaged, malformed, strangers, duplicates, resent; /* for a display or a debugger */
} mjb_session;

/* Begin; `about` says what the device is (nonce, version and t_ms are filled in by the session). */
void mjb_start(mjb_session *s, const mjb_welcome *about, mjb_handler handler, void *context, uint32_t now);
void mjb_receive(mjb_session *s, const uint8_t *data, size_t size, uint32_t now);
/* Do what the time demands; call it often (every 10 ms or so). */
void mjb_tick(mjb_session *s, uint32_t now);
/* Queue a message that must not be lost. False without a host (the next snapshot tells it), for fields that are not
 * allowed, and when the host acknowledges nothing: then the session ends too. */
bool mjb_post(mjb_session *s, const mjb_message *message, uint32_t now);
/* Send a message that may be lost. */
bool mjb_tell(mjb_session *s, const mjb_message *message, uint32_t now);
/* The answer to a command. */
bool mjb_answer(mjb_session *s, const mjb_message *command, uint8_t outcome, uint32_t now);
/* How many more messages the queue takes. */
uint8_t mjb_room(const mjb_session *s);
/* Bytes that wait to be written: s->out, s->out_size; call this with how many were. */
void mjb_written(mjb_session *s, size_t size);
void mjb_close(mjb_session *s, uint8_t reason, uint32_t now);

/* ---- what a cup does: mjb_dice.c ---- */

enum { MJB_DICE_SETTLE = 300, MJB_DICE_THROW = 500, MJB_DICE_REPEAT = 100 };

typedef struct {
    mjb_dice last;                  /* the last settled roll; roll 0: none yet */
    uint8_t count, state, moved;    /* `moved`: a bit for each die that has moved */
    uint32_t since, still_at, told_at;
} mjb_cup;

/* `count`: 1…MJB_DICE_MAX */
void mjb_cup_start(mjb_cup *cup, uint8_t count);
/* What the sensors say now: a die byte each as in the protocol. True when `told` is to be sent: posted if settled or
 * nudged, told if moving. */
bool mjb_cup_sense(mjb_cup *cup, const uint8_t *die, uint32_t now, mjb_dice *told);

#ifdef __cplusplus
}
#endif
#endif
