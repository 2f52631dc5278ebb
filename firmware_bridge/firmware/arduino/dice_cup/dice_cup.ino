// A dice cup on an Arduino board (an Uno R4, a Nano ESP32, an RP2040): two dice with an accelerometer each, read over I2C.
//
// Put mjb.h, mjb_hardware.h, mjb_program.h, mjb_frame.c, mjb_message.c, mjb_session.c, mjb_dice.c, mjb_program.c and
// dice_cup.c beside this file; only the six functions below belong to the board. It needs 4 KiB of RAM: an Uno R3 has too little.
//
// The sensors here are LIS3DH (address 0x18 and 0x19, data sheet of STMicroelectronics, DocID17530): which face is up
// follows from the axis that gravity is on.

#include <Wire.h>

#include "mjb_hardware.h"

static const uint8_t SENSOR[2] = {0x18, 0x19};
static const int BUZZER = 5;
static const int16_t ONE_G = 16384;            // +-2 g over 16 bits
static const int16_t STILL = ONE_G / 16;       // change from reading to reading that is no motion
static const int16_t UPRIGHT = ONE_G / 4 * 3;  // less than this on every axis: it leans; an int may have 16 bits
static const int PAUSE_MS = 2;                 // in it 23 bytes come: some boards keep no more than 64

static int16_t last[2][3];

uint32_t hw_now(void) { return millis(); }

uint32_t hw_random(void) { return ((uint32_t)analogRead(A0) << 22) ^ ((uint32_t)analogRead(A1) << 11) ^ micros(); }

size_t hw_read(uint8_t *data, size_t size) {
  size_t got = 0;
  while (got < size && Serial.available() > 0) data[got++] = (uint8_t)Serial.read();
  return got;
}

size_t hw_write(const uint8_t *data, size_t size) {
  size_t room = (size_t)Serial.availableForWrite();
  return Serial.write(data, size < room ? size : room);
}

static bool read_axes(int die, int16_t axes[3]) {
  Wire.beginTransmission(SENSOR[die]);
  Wire.write(0x28 | 0x80);  // OUT_X_L, and the registers after it
  Wire.endTransmission(false);
  if (Wire.requestFrom(SENSOR[die], (uint8_t)6) < 6) return false;
  for (int axis = 0; axis < 3; axis++) {
    uint8_t low = (uint8_t)Wire.read(), high = (uint8_t)Wire.read();
    axes[axis] = (int16_t)((uint16_t)high << 8 | low);
  }
  return true;
}

void hw_sense(hw_input *input) {
  static const uint8_t face[3][2] = {{3, 4}, {2, 5}, {1, 6}};  // opposite faces add up to 7
  delay(PAUSE_MS);
  for (int die = 0; die < 2; die++) {
    int16_t axes[3];
    bool moves = false;
    uint8_t value = 0;  // it cannot be read: it leans, or its sensor does not answer
    bool heard = read_axes(die, axes);
    for (int axis = 0; heard && axis < 3; axis++) {
      int32_t change = (int32_t)axes[axis] - last[die][axis];
      moves = moves || change > STILL || change < -STILL;
      last[die][axis] = axes[axis];
      if (axes[axis] > UPRIGHT) value = face[axis][1];
      if (axes[axis] < -UPRIGHT) value = face[axis][0];
    }
    input->die[die] = value | (moves ? MJB_DIE_MOVES : 0);
  }
}

void hw_act(const hw_output *output) {
  if (output->action == HW_BEEP) tone(BUZZER, output->frequency_hz, output->duration_ms);
}

void setup() {
  Serial.begin(115200);
  Wire.begin();
  Wire.setClock(400000);
  for (int die = 0; die < 2; die++) {
    Wire.beginTransmission(SENSOR[die]);
    Wire.write(0x20);  // CTRL_REG1: 100 readings a second, all axes
    Wire.write(0x57);
    Wire.endTransmission();
  }
  delay(20);  // until the sensors have measured twice: a first reading is no motion
  for (int die = 0; die < 2; die++) read_axes(die, last[die]);
  program_start();
}

void loop() { program_turn(); }
