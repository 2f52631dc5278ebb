/* Plays a device's session in a time that the lines make. Each line is a time in ms, and "press", "wait", "restart", or what the
 * host wrote as hex; the device is asked to tick at each. Prints what it writes, the time and hex, and "restart" for one. */
#include "../mjb.h"

#include <stdio.h>
#include <string.h>

static mjb_session session;
static uint32_t now;

static void snapshot(uint8_t phase, uint8_t token)
{
    mjb_message m = {.type = MJB_SNAPSHOT};
    m.as.snapshot.t_ms = now;
    m.as.snapshot.phase = phase;
    m.as.snapshot.token = token;
    mjb_post(&session, &m, now);
}

static void handle(void *context, const mjb_message *asked)
{
    (void)context;
    if (asked->type == MJB_SNAPSHOT_REQUEST) {
        snapshot(MJB_SNAPSHOT_BEGIN, asked->as.snapshot_request.token);
        snapshot(MJB_SNAPSHOT_END, asked->as.snapshot_request.token);
    } else {
        mjb_answer(&session, asked, asked->type == MJB_BEEP ? MJB_DONE : MJB_UNSUPPORTED, now);
    }
}

static void press(void)
{
    mjb_message m = {.type = MJB_BUTTON, .as.button = {.t_ms = now, .button = 1}};
    mjb_post(&session, &m, now);
}

static void hear(const char *hex)
{
    uint8_t data[256];
    size_t size = 0;
    for (unsigned byte; size < sizeof data && sscanf(hex, "%2x", &byte) == 1; hex += 2)
        data[size++] = (uint8_t)byte;
    mjb_receive(&session, data, size, now);
}

int main(void)
{
    static const mjb_welcome about = {.kind = 1, .window = 4, .boot = 7, .serial = "SAME"};
    unsigned long time;
    char what[520];
    mjb_start(&session, &about, handle, NULL, now);
    while (scanf("%lu %519s", &time, what) == 2) {
        now = (uint32_t)time;
        if (!strcmp(what, "restart")) {
            mjb_start(&session, &about, handle, NULL, now);
            puts(what);
            continue;
        }
        if (!strcmp(what, "press"))
            press();
        else if (strcmp(what, "wait"))
            hear(what);
        mjb_tick(&session, now);
        if (!session.out_size)
            continue;
        printf("%lu ", time);
        for (uint16_t i = 0; i < session.out_size; i++)
            printf("%02x", session.out[i]);
        putchar('\n');
        mjb_written(&session, session.out_size);
    }
    return 0;
}
