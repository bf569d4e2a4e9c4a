/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What a test of rtos-throughput consists of: each defines `test` and test_prepare() in a source of its own.
 * throughput.c has the rest of the program.
 */
#ifndef THROUGHPUT_H_
#define THROUGHPUT_H_

#include <stdbool.h>
#include <stdint.h>

#include <FreeRTOS.h>
#include <task.h>

/** Priority of a test's least important task. The task that reads the counters is above all of a test's. */
#define LOWEST 1U

/** Counters that there are. */
#define COUNTERS 5U

/** Count what has been done, each in one place of the test's tasks and handlers. */
extern volatile uint32_t counters[COUNTERS];

/** Set by a test when a call did not do what it has to. */
extern volatile bool failed;

/** How a test counts. */
struct test {
	uint32_t used;   /**< the first so many counters */
	uint32_t events; /**< the sum of the first so many is what the test has done */
	uint32_t apart;  /**< two of those in use never differ by more */
};
extern const struct test test;

/** Creates the test's tasks and objects; the scheduler does not run yet. */
void test_prepare(void);

/** Creates a task of the test; @p number is passed to it as its argument. */
TaskHandle_t test_task(TaskFunction_t code, uint32_t number, UBaseType_t priority);

/** Ends the program if a task or an object could not be created. */
void test_require(bool created);

#endif /* THROUGHPUT_H_ */
