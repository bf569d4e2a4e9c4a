/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Hart 1: sleeps.
 */
int main(void)
{
	for (;;) {
		__asm__ volatile("wfi");
	}
}
