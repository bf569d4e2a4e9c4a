/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief How a failed check (hooks.c), and a task that returns (returned.S), end the run.
 */
#ifndef TRAPEZE_FREERTOS_HOOKS_H_
#define TRAPEZE_FREERTOS_HOOKS_H_

/* A place as text: GCC 12 with Zbs cannot pass the number 2048, which is a line of queue.c. */
#define configTRAPEZE_TEXT_(line) #line
#define configTRAPEZE_TEXT(line)  configTRAPEZE_TEXT_(line)
#define configTRAPEZE_PLACE       __FILE__ ":" configTRAPEZE_TEXT(__LINE__)

#ifndef __ASSEMBLER__
#ifdef __cplusplus
extern "C" {
#endif

/** Ends the run with a message that names the condition, the place and the task. */
__attribute__((noreturn)) void freertos_assert_failed(const char *place, const char *condition);

/** Where the function of a task returns to. Ends the run in the same way. */
__attribute__((noreturn)) void freertos_task_returned(void);

#ifdef __cplusplus
}
#endif
#endif

#endif /* TRAPEZE_FREERTOS_HOOKS_H_ */
