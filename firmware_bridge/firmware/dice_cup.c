/* A cup with two dice that tell their faces. */
#include "mjb_program.h"

enum { DICE = 2 };

static mjb_cup cup;

static void snapshot(void)
{
    if (cup.last.roll)
        line_tell_dice(&cup.last);
}

static void command(const mjb_message *asked)
{
    if (asked->type != MJB_BEEP) {
        mjb_answer(&line, asked, MJB_UNSUPPORTED, hw_now());
        return;
    }
    hw_output out = {.action = HW_BEEP};
    out.frequency_hz = asked->as.beep.frequency_hz;
    out.duration_ms = asked->as.beep.duration_ms;
    hw_act(&out);
    mjb_answer(&line, asked, MJB_DONE, hw_now());
}

static const mjb_program program = {
    .about = {.kind = 1,
              .window = MJB_WINDOW,
              .capabilities = MJB_CAN_DICE | MJB_CAN_BEEP,
              .serial = "CUP-REFERENCE",
              .model = "Reference dice cup",
              .firmware = "1.0.0"},
    .snapshot_size = 1,
    .snapshot = snapshot,
    .command = command,
};

void program_start(void)
{
    mjb_cup_start(&cup, DICE);
    line_start(&program);
}

void program_turn(void)
{
    hw_input input;
    mjb_dice told;
    hw_sense(&input);
    if (mjb_cup_sense(&cup, input.die, hw_now(), &told))
        line_tell_dice(&told);
    line_turn();
}
