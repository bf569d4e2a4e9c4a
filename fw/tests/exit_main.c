/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the value main returns is the exit code; atexit functions and constructors run
exit: 7
expect: |
  constructor
  main
  atexit
*/
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void construct(void)
{
	puts("constructor");
}

static void at_exit(void)
{
	puts("atexit");
}

int main(void)
{
	atexit(at_exit);
	puts("main");
	return 7;
}
