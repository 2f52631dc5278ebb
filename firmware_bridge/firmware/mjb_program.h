/* What both programs share: the line, the session, snapshots. */
#ifndef MJB_PROGRAM_H
#define MJB_PROGRAM_H

#include "mjb_hardware.h"

typedef struct {
    mjb_welcome about;                         /* boot is filled in */
    uint8_t snapshot_size;                     /* messages that `snapshot` posts at most */
    void (*snapshot)(void);                    /* post all that there is */
    void (*command)(const mjb_message *asked); /* carry it out and answer it */
} mjb_program;

extern mjb_session line;

void line_start(const mjb_program *program);
void line_turn(void);
void line_tell_dice(const mjb_dice *dice);

#endif
