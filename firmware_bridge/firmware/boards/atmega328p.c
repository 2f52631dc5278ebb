/* An ATmega328P at 16 MHz (an Uno R3, a Nano): UART0 at 115200 baud, a tick of 1 ms, the watchdog. Pages are those of the data sheet
 * DS40002061B. */
#include "board.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/atomic.h>

enum { STARTS = 0 }; /* in EEPROM: how often the board was started, so that no two starts are alike */

static ring received;
static volatile uint32_t ticks;

ISR(TIMER0_COMPA_vect) { ticks++; }
ISR(USART_RX_vect) { ring_put(&received, UDR0); }

uint32_t hw_now(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = ticks; }
    return now;
}

uint32_t hw_random(void)
{
    static uint32_t state;
    if (!state) {
        uint32_t starts = eeprom_read_dword((const uint32_t *)STARTS) + 1;
        eeprom_update_dword((uint32_t *)STARTS, starts);
        state = starts;
    }
    state = state * 1664525u + 1013904223u; /* Numerical Recipes, 7.1 */
    return state ^ state >> 16;
}

size_t hw_read(uint8_t *data, size_t size) { return ring_take(&received, data, size); }

size_t hw_write(const uint8_t *data, size_t size)
{
    size_t put = 0;
    while (put < size && UCSR0A & _BV(UDRE0))
        UDR0 = data[put++];
    return put;
}

int main(void)
{
    UBRR0 = 16; /* with U2X0: 115200 baud, 2.1% fast (20.10) */
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
    TCCR0A = _BV(WGM01); /* counts to OCR0A, 250 times 4 us (15.7.2) */
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    wdt_enable(WDTO_500MS);
    sei();
    program_start();
    for (;;) {
        program_turn();
        wdt_reset();
    }
}
