/* A Cortex-M3: TI's LM3S6965 as it is after power on, at 12 MHz, with UART0 and SysTick; no library, no start-up code of others. Registers
 * are those of its data sheet (DS-LM3S6965) and of ARM's v7-M reference manual (DDI 0403). */
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define UART_DATA REGISTER(0x4000C000)
#define UART_FLAGS REGISTER(0x4000C018)
#define UART_INTEGER REGISTER(0x4000C024)
#define UART_FRACTION REGISTER(0x4000C028)
#define UART_LINE REGISTER(0x4000C02C)
#define UART_CONTROL REGISTER(0x4000C030)
#define UART_INTERRUPTS REGISTER(0x4000C038)
#define CLOCK_GATES_1 REGISTER(0x400FE104)
#define CLOCK_GATES_2 REGISTER(0x400FE108)
#define PORT_A_ALTERNATE REGISTER(0x40004420)
#define PORT_A_DIGITAL REGISTER(0x4000451C)
#define SYSTICK_CONTROL REGISTER(0xE000E010)
#define SYSTICK_RELOAD REGISTER(0xE000E014)
#define SYSTICK_COUNT REGISTER(0xE000E018)
#define INTERRUPTS_ON REGISTER(0xE000E100)

enum { CLOCK_HZ = 12000000, BAUD = 115200, SENDS_NOTHING_MORE = 1 << 5, BROUGHT_NOTHING = 1 << 4 };

extern uint32_t stack_top[], data_begin[], data_end[], data_in_flash[], zero_begin[], zero_end[];

static ring received;
static volatile uint32_t ticks;
/* Kept over a reset, so that no two starts are alike: the linker leaves it out of what is cleared. */
static uint32_t starts __attribute__((section(".kept")));

void start(void);
static void tick(void) { ticks++; }
static void receive(void)
{
    while (!(UART_FLAGS & BROUGHT_NOTHING))
        ring_put(&received, (uint8_t)UART_DATA);
}
static void stop(void)
{
    for (;;)
        ;
}

__attribute__((section(".vectors"), used)) static void *const vectors[16 + 6] = {
    [0] = stack_top, [1] = (void *)start, [2] = (void *)stop,      [3] = (void *)stop,
    [4] = (void *)stop, [5] = (void *)stop, [6] = (void *)stop, [15] = (void *)tick, [16 + 5] = (void *)receive,
};

uint32_t hw_now(void) { return ticks; }

uint32_t hw_random(void)
{
    static uint32_t state;
    if (!state)
        state = starts;
    state = state * 1664525u + 1013904223u; /* Numerical Recipes, 7.1 */
    return state ^ state >> 16;
}

size_t hw_read(uint8_t *data, size_t size) { return ring_take(&received, data, size); }

size_t hw_write(const uint8_t *data, size_t size)
{
    size_t put = 0;
    while (put < size && !(UART_FLAGS & SENDS_NOTHING_MORE))
        UART_DATA = data[put++];
    return put;
}

void start(void)
{
    for (uint32_t *from = data_in_flash, *to = data_begin; to < data_end;)
        *to++ = *from++;
    for (uint32_t *each = zero_begin; each < zero_end;)
        *each++ = 0;
    starts++;

    CLOCK_GATES_1 |= 1;
    CLOCK_GATES_2 |= 1;
    PORT_A_ALTERNATE |= 3;
    PORT_A_DIGITAL |= 3;
    UART_INTEGER = CLOCK_HZ / (16 * BAUD);
    UART_FRACTION = (CLOCK_HZ % (16 * BAUD) * 64 + 8 * BAUD) / (16 * BAUD);
    UART_LINE = 3 << 5; /* 8 bits; without its FIFO each byte interrupts */
    UART_INTERRUPTS = 1 << 4;
    UART_CONTROL = 1 | 1 << 8 | 1 << 9;
    SYSTICK_RELOAD = CLOCK_HZ / 1000 - 1;
    SYSTICK_COUNT = 0;
    SYSTICK_CONTROL = 7;
    INTERRUPTS_ON = 1 << 5;

    program_start();
    for (;;)
        program_turn();
}
