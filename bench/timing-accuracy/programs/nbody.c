/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Bodies that attract each other, in doubles: chains of additions and multiplications, divides and square roots. */
#include "../platform.h"
#include "../whole.h"

#define BODIES 6
#define STEPS  60

static struct {
	double place[3], speed[3], mass;
} bodies[BODIES];

void prepare(void)
{
	uint64_t state = 0xbb67ae8584caa73bU;

	for (int i = 0; i < BODIES; i++) {
		for (int k = 0; k < 3; k++) {
			bodies[i].place[k] = (double)(int64_t)(random_next(&state) >> 44) / 4096;
			bodies[i].speed[k] = (double)(int64_t)(random_next(&state) >> 54) / 4096;
		}
		bodies[i].mass = 1 + (double)i;
	}
}

static double root(double value)
{
	double found;

	__asm__("fsqrt.d %0, %1" : "=f"(found) : "f"(value));
	return found;
}

static void attract(int i, int j, double step)
{
	double distance[3];
	double square = 0.01;

	for (int k = 0; k < 3; k++) {
		distance[k] = bodies[i].place[k] - bodies[j].place[k];
		square += distance[k] * distance[k];
	}

	double force = step / (square * root(square));

	for (int k = 0; k < 3; k++) {
		bodies[i].speed[k] -= distance[k] * bodies[j].mass * force;
		bodies[j].speed[k] += distance[k] * bodies[i].mass * force;
	}
}

uint64_t work(void)
{
	const double step = 0.01;
	uint64_t checksum = 0;

	for (int n = 0; n < STEPS; n++) {
		for (int i = 0; i < BODIES; i++) {
			for (int j = i + 1; j < BODIES; j++) {
				attract(i, j, step);
			}
		}
		for (int i = 0; i < BODIES; i++) {
			for (int k = 0; k < 3; k++) {
				bodies[i].place[k] += step * bodies[i].speed[k];
			}
		}
	}
	for (int i = 0; i < BODIES; i++) {
		checksum = (checksum * 5U) + double_bits(bodies[i].place[0]);
	}
	return checksum;
}
