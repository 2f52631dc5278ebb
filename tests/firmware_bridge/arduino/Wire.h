/* As much of the Arduino interface as the sketch uses, so that it can be built on any computer; core.cpp plays the board. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct TwoWire {
    void begin();
    void setClock(uint32_t hz);
    void beginTransmission(uint8_t address);
    size_t write(int value);
    uint8_t endTransmission(bool stop = true);
    uint8_t requestFrom(uint8_t address, uint8_t count);
    int read();
};
extern TwoWire Wire;

struct SerialPort {
    void begin(long baud);
    int available();
    int read();
    int availableForWrite();
    size_t write(const uint8_t *data, size_t size);
};
extern SerialPort Serial;

enum { A0, A1 };
uint32_t millis();
uint32_t micros();
int analogRead(int pin);
void delay(int ms);
void tone(int pin, int hz, int ms);
