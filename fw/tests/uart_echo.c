/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: input from the host through stdin
uart_in: "first line\nsecond 123 -45\n"
expect: |
  got 'first line'
  second: 123 + -45 = 78
*/
#include <stdio.h>
#include <string.h>

int main(void)
{
	char line[64];
	int a;
	int b;

	if (fgets(line, sizeof(line), stdin) == NULL) {
		return 1;
	}
	line[strcspn(line, "\n")] = '\0';
	printf("got '%s'\n", line);
	if (scanf("%15s %d %d", line, &a, &b) != 3) {
		return 2;
	}
	printf("%s: %d + %d = %d\n", line, a, b, a + b);
	return 0;
}
