/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: abort() names itself and ends the run, also where a handler of SIGABRT returns, and runs no atexit() function
exit: 134
expect: |
  handler 6

  trapeze: ended by signal 6 (abort)
*/
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(int number)
{
	printf("handler %d\n", number);
}

static void never(void)
{
	puts("atexit");
}

int main(void)
{
	(void)atexit(never);
	(void)signal(SIGABRT, handler);
	abort();
}
