/* Runs a program for the ATmega328P in simavr, at the speed of the chip, with its UART on a pseudo-terminal.
 * Usage: simavr_line PROGRAM.elf; prints the path of the pseudo-terminal. Reads commands, one a line: reset | quit. At the end it prints
 * how many bytes of RAM were never used, between the variables and the deepest stack. */
#define _XOPEN_SOURCE 600
#define _DEFAULT_SOURCE

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { HZ = 16000000, STEP_US = 500, CYCLES_A_BYTE = HZ / 11520 };

static int master = -1;
static unsigned deepest = 0xFFFF; /* the lowest stack pointer */
static avr_irq_t *to_chip;
static bool takes = true;

static void from_chip(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uint8_t byte = (uint8_t)value;
    if (write(master, &byte, 1) != 1)
        return; /* nobody reads: what a line does with it too */
}

static void may_send(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value;
    takes = param != NULL;
}

/* One byte in the time that it takes at 115200 baud, as a line brings it. */
static avr_cycle_count_t bring(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)param;
    uint8_t byte;
    if (takes && read(master, &byte, 1) == 1)
        avr_raise_irq(to_chip, byte);
    return when + CYCLES_A_BYTE;
}

/* A reset forgets all timers. */
static void start_line(avr_t *avr)
{
    takes = true;
    avr_cycle_timer_register(avr, CYCLES_A_BYTE, bring, NULL);
}

static void say_nothing(avr_t *avr, const int level, const char *format, va_list values)
{
    (void)avr, (void)level, (void)format, (void)values;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool obey(avr_t *avr)
{
    static char text[16];
    struct pollfd typed = {.fd = 0, .events = POLLIN};
    if (poll(&typed, 1, 0) <= 0)
        return true;
    if (!fgets(text, sizeof text, stdin) || !strcmp(text, "quit\n"))
        return false;
    if (!strcmp(text, "reset\n")) {
        avr_reset(avr);
        start_line(avr);
    }
    return true;
}

int main(int argc, char **argv)
{
    avr_global_logger_set(say_nothing);
    elf_firmware_t program;
    memset(&program, 0, sizeof program);
    if (argc != 2 || elf_read_firmware(argv[1], &program))
        return 2;
    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) || unlockpt(master))
        return 3;
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY); /* kept open: the line outlives whoever listens */
    struct termios raw;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    puts(ptsname(master));
    fflush(stdout);
    setvbuf(stdin, NULL, _IONBF, 0);

    avr_t *avr = avr_make_mcu_by_name("atmega328p");
    if (!avr)
        return 3;
    avr_init(avr);
    program.frequency = HZ;
    avr_load_firmware(avr, &program);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    to_chip = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), from_chip, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), may_send, avr);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), may_send, NULL);
    start_line(avr);

    double started = now_s() - (double)avr->cycle / HZ;
    do {
        avr_cycle_count_t until = avr->cycle + HZ / 1000000 * STEP_US;
        while (avr->cycle < until) {
            if (avr_run(avr) == cpu_Crashed)
                return 4;
            unsigned stack = avr->data[R_SPL] | (unsigned)avr->data[R_SPH] << 8;
            if (stack > avr->ioend && stack < deepest)
                deepest = stack;
        }
        double ahead = (double)avr->cycle / HZ - (now_s() - started);
        if (ahead > 0)
            usleep((useconds_t)(ahead * 1e6));
        else if (ahead < -0.1)
            started -= ahead; /* this computer is too slow: the chip's time stands still, rather than running after it */
    } while (obey(avr));
    printf("%u\n", deepest - avr->ioend - program.datasize - program.bsssize);
    return 0;
}
