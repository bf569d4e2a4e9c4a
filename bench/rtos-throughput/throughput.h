/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Interface of a test of rtos-throughput. Each test defines `test` and test_prepare() in a source of its own;
 * throughput.c is the rest of the program.
 */
#ifndef THROUGHPUT_H_
#define THROUGHPUT_H_

#include <stdbool.h>
#include <stdint.h>

#include <FreeRTOS.h>
#include <task.h>

/**
 * Priority of a test's least important task. The task that reads the counters has a higher priority than all tasks of
 * the test.
 */
#define LOWEST 1U

/** Number of counters. */
#define COUNTERS 5U

/** Counters of events. Each belongs to one place in the test's tasks and handlers. */
extern volatile uint32_t counters[COUNTERS];

/** A test sets it when a call has a wrong result. */
extern volatile bool failed;

/** How a test counts. */
struct test {
	uint32_t used;   /**< number of counters in use, from the first one on */
	uint32_t events; /**< the sum of the first so many is the number of events */
	uint32_t apart;  /**< most by which two of the counters in use may differ */
};
extern const struct test test;

/** Creates the test's tasks and objects; the scheduler does not run yet. */
void test_prepare(void);

/** Creates a task of the test; @p number is passed to it as its argument. */
TaskHandle_t test_task(TaskFunction_t code, uint32_t number, UBaseType_t priority);

/** Ends the program if a task or an object could not be created. */
void test_require(bool created);

#endif /* THROUGHPUT_H_ */
