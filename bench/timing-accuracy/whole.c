/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Runs one program once. Result: cycles, instructions, checksum. */
#include "platform.h"
#include "whole.h"

int main(void)
{
	prepare();

	uint64_t first_instruction = instructions();
	uint64_t first_cycle = cycles();
	uint64_t checksum = work();
	uint64_t last_cycle = cycles();
	uint64_t last_instruction = instructions();

	result("whole", last_cycle - first_cycle, last_instruction - first_instruction, checksum);
	return 0;
}
