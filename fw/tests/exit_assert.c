/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a failed assertion names itself and ends the run
exit: 134
expect_regex: '\ntrapeze: assertion failed: 1 \+ 1 == three, .*exit_assert\.c:\d+, main\n'
*/
#include <trapeze/assert.h>

int main(void)
{
	volatile int three = 3;

	TRAPEZE_ASSERT(three == 3);
	TRAPEZE_ASSERT(1 + 1 == three);
	return 0;
}
