// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A board's JTAG pins: shifts 32 bits through the IDCODE register and prints what comes out, the register first and then
// those bits.
//
//   idcode BITS
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "Vtrapeze_ecp5_top.h"
#include "verilated.h"

namespace
{

constexpr int kInReset = 64;   // cycles until the system is out of reset
constexpr int kPerHalf = 3;    // cycles in half a period of tck
constexpr unsigned kBits = 32; // of the register

Vtrapeze_ecp5_top *top;

void cycles(int number)
{
	for (int cycle = 0; cycle < number; cycle++) {
		top->crystal_i = 0;
		top->eval();
		top->crystal_i = 1;
		top->eval();
	}
}

// A cycle of tck; returns tdo before its rising edge.
unsigned tick(unsigned tms, unsigned tdi = 0)
{
	top->jtag_tms_i = tms;
	top->jtag_tdi_i = tdi;
	top->jtag_tck_i = 0;
	cycles(kPerHalf);
	const unsigned tdo = top->jtag_tdo_o;
	top->jtag_tck_i = 1;
	cycles(kPerHalf);
	return tdo;
}

uint32_t shift(uint32_t bits, bool last)
{
	uint32_t out = 0;
	for (unsigned bit = 0; bit < kBits; bit++) {
		out |= tick(last && bit == kBits - 1, (bits >> bit) & 1U) << bit;
	}
	return out;
}

} // namespace

int main(int argc, char **argv)
{
	VerilatedContext context;
	Vtrapeze_ecp5_top design{&context};
	top = &design;
	top->serial_i = 1;
	top->jtag_tms_i = 1;
	cycles(kInReset);
	// To Run-Test/Idle, and from there to Shift-DR.
	for (const unsigned tms : {1, 1, 1, 1, 1, 0, 1, 0, 0}) {
		tick(tms);
	}
	const uint32_t code = shift(argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 0, false);
	const uint32_t through = shift(0, true);
	std::printf("%08" PRIx32 " %08" PRIx32 "\n", code, through);
	return 0;
}
