/* The device's side of a session: PROTOCOL.md, sections 3 and 4. */
#include "mjb.h"

#include <string.h>

/* Whether it is time: `at` lies less than 24 days before or after. */
static bool due(uint32_t now, uint32_t at) { return (int32_t)(now - at) >= 0; }

/* Whether so much time has passed since `at`, be that weeks ago. */
static bool passed(uint32_t now, uint32_t at, uint32_t pause) { return now - at >= pause; }

static uint8_t after(uint8_t seq, unsigned steps) { return (uint8_t)((seq - 1u + steps) % 255u + 1u); }

static uint8_t distance(uint8_t from, uint8_t to) { return (uint8_t)((to + 255u - from) % 255u); }

static bool put(mjb_session *s, const mjb_frame *frame, uint32_t now)
{
    if (s->out_size + MJB_FRAME_BYTES + frame->length > MJB_OUT)
        return false; /* the line is slower than we are: whatever matters comes again */
    s->out_size = (uint16_t)(s->out_size + mjb_wrap(frame, s->out + s->out_size));
    s->spoken_at = now;
    return true;
}

static bool send(mjb_session *s, mjb_message *message, uint32_t now)
{
    mjb_frame frame;
    message->session = s->session;
    message->seq = 0;
    return mjb_encode(message, &frame) && put(s, &frame, now);
}

static void acknowledge(mjb_session *s, bool resend, uint32_t now)
{
    mjb_message ack = {.type = MJB_ACK};
    ack.as.ack.next = s->expected;
    ack.as.ack.resend = resend;
    send(s, &ack, now);
}

static void wish(mjb_session *s, uint32_t now)
{
    if (passed(now, s->wished_at, MJB_WISH_PAUSE)) {
        s->wished_at = now;
        acknowledge(s, true, now);
    }
}

static void attention(mjb_session *s, uint32_t now)
{
    if (s->attended && !passed(now, s->attention_at, MJB_ATTENTION))
        return;
    s->attended = true;
    s->attention_at = now;
    mjb_message m = {.type = MJB_ATTENTION_TYPE};
    m.as.attention.boot = s->about.boot;
    s->session = 0;
    if (s->out_size < MJB_OUT)
        s->out[s->out_size++] = 0;
    send(s, &m, now);
}

static void forget(mjb_session *s)
{
    s->expected = s->oldest = 1;
    s->first = s->waiting = s->way = s->sent = 0;
    s->resend_pause = 0;
}

void mjb_start(mjb_session *s, const mjb_welcome *about, mjb_handler handler, void *context, uint32_t now)
{
    memset(s, 0, sizeof *s);
    s->about = *about;
    s->handler = handler;
    s->context = context;
    forget(s);
    attention(s, now);
}

/* `m` is a hello; the answer is made in its place, for the stack of a small controller. */
static void welcome(mjb_session *s, mjb_message *m, uint32_t now)
{
    uint32_t nonce = m->as.hello.nonce;
    if (m->as.hello.version_min > MJB_VERSION || m->as.hello.version_max < MJB_VERSION) {
        m->type = MJB_REFUSED;
        m->as.refused.nonce = nonce;
        m->as.refused.reason = 1;
        m->as.refused.version_min = m->as.refused.version_max = MJB_VERSION;
        uint8_t session = s->session;
        s->session = (uint8_t)nonce;
        send(s, m, now);
        s->session = session;
        return;
    }
    if (s->state == MJB_WAITING || nonce != s->nonce) {
        forget(s);
        s->nonce = nonce;
        s->session = (uint8_t)nonce;
        s->state = MJB_WELCOMED;
        s->wished_at = s->asked_at = now - 1000;
    }
    s->heard_at = now;
    m->type = MJB_WELCOME;
    m->as.welcome = s->about;
    m->as.welcome.nonce = nonce;
    m->as.welcome.version = MJB_VERSION;
    m->as.welcome.t_ms = now;
    send(s, m, now);
}

/* Send what the window has place for, and again what is due. */
static void flush(mjb_session *s, uint32_t now)
{
    if (s->resend_pause && due(now, s->resend_at)) {
        s->resend_pause = (uint16_t)(s->resend_pause * 2 > MJB_RESEND_MAX ? MJB_RESEND_MAX : s->resend_pause * 2);
        s->resend_at = now + s->resend_pause;
        s->resent += s->sent;
        s->sent = 0;
    }
    while (s->waiting > s->way && s->way < s->about.window) {
        if (!s->way)
            s->progress_at = now;
        s->way++;
    }
    while (s->sent < s->way) {
        unsigned at = (s->first + s->sent) % MJB_QUEUE;
        mjb_frame frame;
        frame.type = s->queue[at].type;
        frame.session = s->session;
        frame.seq = after(s->oldest, s->sent);
        frame.length = s->queue[at].length;
        memcpy(frame.payload, s->queue[at].payload, frame.length);
        if (!put(s, &frame, now))
            return;
        s->sent++;
        if (!s->resend_pause) {
            s->resend_pause = MJB_RESEND_FIRST;
            s->resend_at = now + MJB_RESEND_FIRST;
        }
    }
}

static void acknowledged(mjb_session *s, uint8_t upto, bool resend, uint32_t now)
{
    uint8_t arrived = distance(s->oldest, upto);
    if (arrived > s->way)
        return; /* an old one, or invented */
    s->first = (uint8_t)((s->first + arrived) % MJB_QUEUE);
    s->waiting = (uint8_t)(s->waiting - arrived);
    s->way = (uint8_t)(s->way - arrived);
    s->sent = (uint8_t)(s->sent > arrived ? s->sent - arrived : 0);
    s->oldest = upto;
    if (arrived) {
        s->progress_at = now;
        s->resend_pause = s->way ? MJB_RESEND_FIRST : 0;
        s->resend_at = now + MJB_RESEND_FIRST;
    }
    if (resend && s->way && passed(now, s->asked_at, MJB_WISH_PAUSE)) {
        s->asked_at = now;
        s->resent += s->sent;
        s->sent = 0;
    }
}

static bool is_command(uint8_t type) { return type >= MJB_START_SHUFFLE && type < MJB_RESULT; }

static bool is_asked(uint8_t type) { return type == MJB_SNAPSHOT_REQUEST || is_command(type); }

/* Keep the numbers; true if the frame is to be looked into. */
static bool is_next(mjb_session *s, uint8_t seq, uint32_t now)
{
    if (!seq)
        return true;
    uint8_t ahead = distance(s->expected, seq);
    if (!ahead && s->waiting == MJB_QUEUE)
        return false; /* no room for an answer: it will come again */
    if (!ahead) {
        s->expected = after(s->expected, 1);
        acknowledge(s, false, now);
        return true;
    }
    if (ahead >= 255 - MJB_WINDOW) {
        s->duplicates++;
        acknowledge(s, false, now);
    } else {
        wish(s, now);
    }
    return false;
}

static void take(mjb_session *s, const mjb_frame *frame, uint32_t now)
{
    mjb_message m;
    bool sound = mjb_decode(frame, &m);
    if (sound && m.type == MJB_HELLO) {
        welcome(s, &m, now);
        return;
    }
    if (s->state == MJB_WAITING || frame->session != s->session) {
        s->strangers++;
        bool of_a_device = frame->type >= MJB_WELCOME && frame->type <= MJB_ATTENTION_TYPE;
        if (s->state == MJB_WAITING && !of_a_device)
            attention(s, now);
        return;
    }
    s->state = MJB_OPEN;
    s->heard_at = now;
    if (!is_next(s, frame->seq, now))
        return;
    if (!sound || !mjb_is_known(m.type) || (is_asked(m.type) && !m.seq)) {
        s->malformed++;
        if (frame->seq && is_command(frame->type))
            mjb_answer(s, &m, sound ? MJB_UNSUPPORTED : MJB_BAD_VALUE, now);
    } else if (m.type == MJB_ACK) {
        acknowledged(s, m.as.ack.next, m.as.ack.resend, now);
    } else if (m.type == MJB_HEARTBEAT_TYPE) {
        acknowledged(s, m.as.heartbeat.next, false, now);
    } else if (m.type == MJB_BYE) {
        s->state = MJB_WAITING;
        forget(s);
    } else if (is_asked(m.type)) {
        s->handler(s->context, &m);
    } else {
        s->strangers++;
    }
}

void mjb_receive(mjb_session *s, const uint8_t *data, size_t size, uint32_t now)
{
    mjb_frame frame;
    for (size_t i = 0; i < size; i++) {
        mjb_found found = mjb_read(&s->reader, data[i], &frame);
        if (found == MJB_FRAME) {
            take(s, &frame, now);
        } else if (found != MJB_NOTHING) {
            s->damaged++;
            if (s->state == MJB_OPEN)
                wish(s, now);
        }
    }
    if (s->state == MJB_OPEN)
        flush(s, now);
}

void mjb_close(mjb_session *s, uint8_t reason, uint32_t now)
{
    if (s->state == MJB_WAITING)
        return;
    mjb_message bye = {.type = MJB_BYE};
    bye.as.bye.reason = reason;
    send(s, &bye, now);
    s->state = MJB_WAITING;
    forget(s);
}

void mjb_tick(mjb_session *s, uint32_t now)
{
    if (s->state == MJB_WAITING)
        return;
    if (due(now, s->heard_at + MJB_SILENCE)) {
        mjb_close(s, MJB_BYE_TIMEOUT, now);
    } else if (s->way && due(now, s->progress_at + MJB_UNACKNOWLEDGED)) {
        mjb_close(s, MJB_BYE_STUCK, now);
    } else {
        flush(s, now);
        if (due(now, s->spoken_at + MJB_HEARTBEAT)) {
            mjb_message beat = {.type = MJB_HEARTBEAT_TYPE};
            beat.as.heartbeat.t_ms = now;
            beat.as.heartbeat.next = s->expected;
            send(s, &beat, now);
        }
    }
}

bool mjb_post(mjb_session *s, const mjb_message *message, uint32_t now)
{
    mjb_frame frame;
    if (s->state != MJB_OPEN || !mjb_encode(message, &frame) || frame.length > MJB_NUMBERED_MAX)
        return false;
    if (s->waiting == MJB_QUEUE) {
        mjb_close(s, MJB_BYE_STUCK, now);
        return false;
    }
    unsigned at = (s->first + s->waiting) % MJB_QUEUE;
    s->queue[at].type = frame.type;
    s->queue[at].length = frame.length;
    memcpy(s->queue[at].payload, frame.payload, frame.length);
    s->waiting++;
    return true;
}

bool mjb_tell(mjb_session *s, const mjb_message *message, uint32_t now)
{
    mjb_message copy = *message;
    return s->state == MJB_OPEN && send(s, &copy, now);
}

bool mjb_answer(mjb_session *s, const mjb_message *command, uint8_t outcome, uint32_t now)
{
    mjb_message m = {.type = MJB_RESULT};
    m.as.result.t_ms = now;
    m.as.result.command_seq = command->seq;
    m.as.result.command_type = command->type;
    m.as.result.outcome = outcome;
    return mjb_post(s, &m, now);
}

uint8_t mjb_room(const mjb_session *s) { return (uint8_t)(MJB_QUEUE - s->waiting); }

void mjb_written(mjb_session *s, size_t size)
{
    if (size > s->out_size)
        size = s->out_size;
    memmove(s->out, s->out + size, s->out_size - size);
    s->out_size = (uint16_t)(s->out_size - size);
}
