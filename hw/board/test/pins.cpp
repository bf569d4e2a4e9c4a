// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A board's pins, in every cycle: for the design in RTL and for its netlist alike, so that the two can be compared.
//
//   pins CYCLES INVERTED [BUTTON FIRST LAST]...
//
// The button is pressed from cycle FIRST to before LAST; INVERTED has a bit for each button whose pin is low then.
// Writes a line whenever an output changes: cycle, serial line, LEDs. Ends 100,000 cycles after the program has ended (LED 2),
// or after CYCLES.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Vtrapeze_ecp5_top.h"
#include "verilated.h"

namespace {

struct Press {
    uint32_t button;
    uint64_t first;
    uint64_t last;
};

constexpr uint64_t kAfter = 100000;  // what the UART still has goes out
constexpr unsigned kEnded = 2;

}  // namespace

int main(int argc, char **argv)
{
    const uint64_t limit = std::strtoull(argv[1], nullptr, 0);
    const uint32_t inverted = std::strtoul(argv[2], nullptr, 0);
    std::vector<Press> presses;
    for (int at = 3; at + 2 < argc; at += 3) {
        presses.push_back({static_cast<uint32_t>(std::strtoul(argv[at], nullptr, 0)),
                           std::strtoull(argv[at + 1], nullptr, 0), std::strtoull(argv[at + 2], nullptr, 0)});
    }

    VerilatedContext context;
    Vtrapeze_ecp5_top top{&context};
    uint32_t before = ~0U;
    uint64_t end = limit;
    top.serial_i = 1;
    for (uint64_t cycle = 0; cycle < end; cycle++) {
        uint32_t buttons = inverted;
        for (const Press &one : presses) {
            if (cycle >= one.first && cycle < one.last) {
                buttons ^= 1U << one.button;
            }
        }
        top.buttons_i = buttons;
        top.crystal_i = 0;
        top.eval();
        top.crystal_i = 1;
        top.eval();
        const uint32_t now = (top.leds_o << 1) | top.serial_o;
        if (now != before) {
            std::printf("%" PRIu64 " %u %02x\n", cycle, now & 1U, now >> 1);
            before = now;
        }
        if (end == limit && ((top.leds_o >> kEnded) & 1U) != 0 && cycle + kAfter < limit) {
            end = cycle + kAfter;
        }
    }
    return 0;
}
