/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: stdio on the console with integers, strings and floating point by soft float
expect: |
  hello, world
  -42 0x2a 'c' str 18446744073709551615
  3.141593 1.000000e-03 0.1 inf
  sum 5.187378
*/
#include <math.h>
#include <stdio.h>

int main(void)
{
	static volatile double third = 1.0 / 3.0;
	double sum = 0.0;

	printf("hello, %s\n", "world");
	printf("%d %#x '%c' %s %llu\n", -42, 42U, 'c', "str", 18446744073709551615ULL);
	printf("%f %e %g %f\n", 3.14159265, 0.001, 0.1, (double)INFINITY);
	for (int i = 1; i <= 100; i++) {
		sum += 1.0 / i;
	}
	printf("sum %f\n", sum + third - third);
	return 0;
}
