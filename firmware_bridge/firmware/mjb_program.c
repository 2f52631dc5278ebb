/* The line of a program: bytes in and out, and the answer to a wish for a snapshot, which needs room in the queue. */
#include "mjb_program.h"

enum { READS_A_TURN = 8 }; /* a host that never stops writing must not hold up the sensors */

mjb_session line;

static const mjb_program *running;
static bool wanted;
static uint8_t token, asked_in; /* token and session of the request for a snapshot */

static void handle(void *context, const mjb_message *asked)
{
    (void)context;
    if (asked->type == MJB_SNAPSHOT_REQUEST) {
        wanted = true;
        token = asked->as.snapshot_request.token;
        asked_in = asked->session;
    } else {
        running->command(asked);
    }
}

static void frame_of_snapshot(uint8_t phase)
{
    mjb_message m = {.type = MJB_SNAPSHOT};
    m.as.snapshot.t_ms = hw_now();
    m.as.snapshot.phase = phase;
    m.as.snapshot.token = token;
    mjb_post(&line, &m, hw_now());
}

void line_start(const mjb_program *program)
{
    running = program;
    mjb_welcome about = program->about;
    about.boot = hw_random();
    mjb_start(&line, &about, handle, NULL, hw_now());
}

/* What mjb_cup_sense told: dice in motion may be lost, all else may not. */
void line_tell_dice(const mjb_dice *dice)
{
    mjb_message m = {.type = MJB_DICE};
    m.as.dice = *dice;
    if (dice->phase == MJB_DICE_MOVING)
        mjb_tell(&line, &m, hw_now());
    else
        mjb_post(&line, &m, hw_now());
}

void line_turn(void)
{
    uint8_t data[32];
    size_t size;
    for (int reads = 0; reads < READS_A_TURN && (size = hw_read(data, sizeof data)) > 0; reads++)
        mjb_receive(&line, data, size, hw_now());
    if (line.state != MJB_OPEN || line.session != asked_in) {
        wanted = false;
    } else if (wanted && mjb_room(&line) >= running->snapshot_size + 2) {
        wanted = false;
        frame_of_snapshot(MJB_SNAPSHOT_BEGIN);
        running->snapshot();
        frame_of_snapshot(MJB_SNAPSHOT_END);
    }
    mjb_tick(&line, hw_now());
    if (line.out_size)
        mjb_written(&line, hw_write(line.out, line.out_size));
}
