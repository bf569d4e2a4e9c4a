/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an exit code of 8 bits through exit()
exit: 255
expect: ""
*/
#include <stdlib.h>

int main(void)
{
	exit(255);
}
