/* A device's session: the input is a script of what a host writes, what happens at the device, and how much time passes. It begins
 * without a host, as a device does that got power; the clock begins anywhere. firmware_bridge/fuzzing.py writes such scripts, too. */
#include "harness.h"

enum { BYTES, FRAME, TIME, WRITTEN, POST, HELLO, ACKNOWLEDGE, CLOSE, STEPS };
enum { ANSWER, ANSWER_AND_POST, POST_MANY, CLOSE_AT_ONCE, WAYS };

static mjb_session *session;
static mjb_reader host;
static uint32_t now;
static uint8_t way; /* how commands are answered */

static void handle(void *context, const mjb_message *asked)
{
    expect(context == &now && asked->seq, "what is asked is numbered");
    mjb_message m = {.type = MJB_TILE, .as.tile.t_ms = now};
    if (way == CLOSE_AT_ONCE)
        mjb_close(session, MJB_BYE_CLOSED, now);
    else
        expect(mjb_answer(session, asked, MJB_DONE, now), "there is room for an answer");
    for (int more = way == POST_MANY ? MJB_QUEUE : way == ANSWER_AND_POST; more; more--)
        mjb_post(session, &m, now);
}

static void hear(const uint8_t *data, size_t size)
{
    uint8_t *wire = malloc(size);
    if (size)
        memcpy(wire, data, size);
    mjb_receive(session, wire, size, now);
    free(wire);
}

static void hear_frame(const mjb_frame *frame, uint8_t damage)
{
    uint8_t wire[MJB_WIRE_MAX];
    size_t size = mjb_wrap(frame, wire);
    if (damage)
        wire[damage % size] ^= damage;
    hear(wire, size);
}

/* `how`: bits 0 and 1 of which session, 2 and 3 of which number, 4 whether the line damages it. */
static void send(pieces *input)
{
    uint8_t how = next(input), type = next(input), length = next(input);
    mjb_frame *frame = cut_frame(input, length, MJB_PAYLOAD_MAX);
    frame->type = type;
    frame->session = how & 3 ? how : session->session;
    const uint8_t numbers[4] = {0, session->expected, (uint8_t)(session->expected - 1), how};
    frame->seq = numbers[how >> 2 & 3];
    hear_frame(frame, how & 16 ? next(input) : 0);
    free(frame);
}

static void greet(pieces *input)
{
    mjb_message m = {.type = MJB_HELLO};
    m.as.hello.version_min = m.as.hello.version_max = 1;
    m.as.hello.nonce = (uint32_t)next(input) << 8 | 1;
    mjb_frame frame;
    expect(mjb_encode(&m, &frame), "a hello can be sent");
    hear_frame(&frame, 0);
}

static void acknowledge(uint8_t how)
{
    mjb_message m = {.type = MJB_ACK, .session = session->session};
    m.as.ack.next = (uint8_t)((session->oldest + how % 16 - 1) % 255 + 1);
    m.as.ack.resend = how >> 4 & 1;
    mjb_frame frame;
    expect(mjb_encode(&m, &frame), "an acknowledgement can be sent");
    hear_frame(&frame, 0);
}

/* Something happens at the device, or more than the line takes. */
static void post(pieces *input)
{
    uint8_t how = next(input), type = next(input), length = next(input);
    mjb_frame *frame = cut_frame(input, length, MJB_PAYLOAD_MAX);
    frame->type = type;
    frame->session = frame->seq = 0;
    mjb_message message;
    if (mjb_is_known(type) && mjb_decode(frame, &message))
        for (int times = how % 32; times >= 0; times--)
            how & 32 ? mjb_tell(session, &message, now) : mjb_post(session, &message, now);
    free(frame);
}

static void written(size_t size)
{
    expect_sound(&host, session->out, size < session->out_size ? size : session->out_size);
    mjb_written(session, size);
}

static void step(pieces *input)
{
    size_t size;
    uint8_t *bytes, shift;
    switch (next(input) % STEPS) {
    case BYTES:
        size = next(input);
        bytes = cut(input, &size);
        hear(bytes, size);
        free(bytes);
        break;
    case FRAME:
        send(input);
        break;
    case TIME:
        shift = next(input) % 25;
        now += (uint32_t)next(input) << shift;
        mjb_tick(session, now);
        break;
    case WRITTEN:
        written(next(input) * 4u);
        break;
    case POST:
        post(input);
        break;
    case HELLO:
        greet(input);
        break;
    case ACKNOWLEDGE:
        acknowledge(next(input));
        break;
    case CLOSE:
        mjb_close(session, MJB_BYE_CLOSED, now);
        break;
    }
    expect_counts(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const mjb_welcome about = {.kind = 2, .window = MJB_WINDOW, .serial = "FUZZ"};
    pieces input = {data, size};
    way = next(&input) % WAYS;
    now = (uint32_t)next(&input) << 24;
    memset(&host, 0, sizeof host);
    session = malloc(sizeof *session);
    mjb_start(session, &about, handle, &now, now);
    while (input.left)
        step(&input);
    written(session->out_size);
    expect(!host.size, "frames are written whole");
    free(session);
    return 0;
}
