/* A board for the sketch: what stands at standard input has come on its line, what it writes goes to standard output. Time passes
 * only while it waits. Its two dice lie, are in motion from 1.0 to 1.4 s, and then show 6 and 3; it is switched off after 3 s.
 */
#include <stdio.h>
#include <stdlib.h>

#include "Wire.h"

void setup();
void loop();

enum { THROWN_MS = 1000, STILL_MS = 1400, OFF_MS = 3000, ONE_G = 16384 };

TwoWire Wire;
SerialPort Serial;

static uint32_t now_ms;
static uint8_t registers[6];
static int die, next;

void TwoWire::begin() {}
void TwoWire::setClock(uint32_t) {}
void TwoWire::beginTransmission(uint8_t address) { die = address - 0x18; }
size_t TwoWire::write(int) { return 1; }
uint8_t TwoWire::endTransmission(bool) { return 0; }

uint8_t TwoWire::requestFrom(uint8_t, uint8_t count) {
    int16_t axes[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++)
        if (now_ms >= THROWN_MS && now_ms < STILL_MS)
            axes[axis] = (int16_t)(rand() % (2 * ONE_G) - ONE_G);
    if (now_ms < THROWN_MS || now_ms >= STILL_MS)
        axes[die ? 0 : 2] = (int16_t)(die ? -ONE_G : ONE_G);
    for (int axis = 0; axis < 3; axis++) {
        registers[2 * axis] = (uint8_t)axes[axis];
        registers[2 * axis + 1] = (uint8_t)((uint16_t)axes[axis] >> 8);
    }
    next = 0;
    return count;
}

int TwoWire::read() { return registers[next++]; }

void SerialPort::begin(long) {}
int SerialPort::available() {
    int byte = getchar();
    if (byte == EOF)
        return 0;
    ungetc(byte, stdin);
    return 1;
}
int SerialPort::read() { return getchar(); }
int SerialPort::availableForWrite() { return 63; }
size_t SerialPort::write(const uint8_t *data, size_t size) { return fwrite(data, 1, size, stdout); }

uint32_t millis() { return now_ms; }
uint32_t micros() { return 1000 * now_ms; }
int analogRead(int pin) { return 500 + pin; }
void delay(int ms) { now_ms += (uint32_t)ms; }
void tone(int, int, int) {}

int main() {
    for (setup(); now_ms < OFF_MS;)
        loop();
    return 0;
}
