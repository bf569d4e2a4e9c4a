/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: signals - handled, ignored, back to default after one, and the default ends the run
exit: 143
expect: |
  1 handled
  PASS

  trapeze: ended by signal 15
*/
#include <signal.h>
#include <stdio.h>

#include "test.h"

static volatile sig_atomic_t handled;

static void handler(int number)
{
	CHECK_EQ(number, SIGTERM);
	handled++;
}

int main(void)
{
	test_begin();
	CHECK(signal(SIGTERM, handler) == SIG_DFL);
	CHECK_EQ(raise(SIGTERM), 0);
	CHECK(signal(SIGINT, SIG_IGN) == SIG_DFL);
	CHECK_EQ(raise(SIGINT), 0);
	CHECK(signal(NSIG, handler) == SIG_ERR);
	printf("%d handled\n", (int)handled);
	(void)test_end();
	(void)raise(SIGTERM); /* the first one took the handler away */
	return 1;
}
