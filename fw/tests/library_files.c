/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: write() and read() access the console, and nothing else
uart_in: "abc"
expect: |
  out
  err
  PASS
*/
#include <errno.h>
#include <unistd.h>

#include "test.h"

int main(void)
{
	char got[3] = {0};

	test_begin();
	CHECK_EQ(write(STDOUT_FILENO, "out\n", 4), 4);
	CHECK_EQ(write(STDERR_FILENO, "err\n", 4), 4);
	CHECK_EQ(write(STDOUT_FILENO, "", 0), 0);
	errno = 0;
	CHECK_EQ(write(STDIN_FILENO, "x", 1), -1);
	CHECK_EQ(errno, EBADF);
	errno = 0;
	CHECK_EQ(write(3, "x", 1), -1);
	CHECK_EQ(errno, EBADF);
	CHECK_EQ(read(STDOUT_FILENO, got, 1), -1);
	for (size_t done = 0; done < 3U;) {
		ssize_t more = read(STDIN_FILENO, got + done, 3U - done);

		CHECK(more > 0);
		done += (size_t)more;
	}
	CHECK(got[0] == 'a' && got[1] == 'b' && got[2] == 'c');
	return test_end();
}
