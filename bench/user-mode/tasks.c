/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The cost of protection if the kernel runs in machine mode and its tasks in user mode, each with rows of its own: a
 * switch from one task to the other, and a call of the kernel that does nothing. With TASKS_IN_MACHINE_MODE the same
 * tasks run in machine mode, and the call is a function call. Prints one line for each: cycles and instructions of one,
 * without the loop around it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <FreeRTOS.h>
#include <port_context.h>
#include <port_rows.h>
#include <task.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

#define CALLS 64U
#define STACK 1024U

/* Reason of a task's call of the kernel: a7 of its ecall. */
enum {
	CALL_YIELD,
	CALL_NOTHING,
	CALL_END
};

struct stamp {
	uint32_t cycle;
	uint32_t instruction;
};

/* Memory of a task: the only part, besides code, that it may access. */
struct area {
	struct stamp loop;
	struct stamp yields;
	struct stamp calls;
	uint8_t stack[STACK] __attribute__((aligned(16)));
};

static struct area areas[2];

static inline struct stamp now(void)
{
	return (struct stamp){csr_read(CSR_CYCLE), csr_read(CSR_INSTRET)};
}

static struct stamp since(struct stamp begin)
{
	struct stamp end = now();

	return (struct stamp){end.cycle - begin.cycle, end.instruction - begin.instruction};
}

static void show(const char *name, struct stamp took, struct stamp loop, uint32_t each)
{
	printf("%s cycles %lu instructions %lu\n", name,
	       (unsigned long)((took.cycle - loop.cycle) / each),
	       (unsigned long)((took.instruction - loop.instruction) / each));
}

static void end(void)
{
	const struct area *first = &areas[0];

	/* Each iteration switches to the other task and back. */
	show("task-switch", first->yields, first->loop, 2U * CALLS);
	show("system-call", first->calls, first->loop, CALLS);
	exit(0);
}

#ifdef TASKS_IN_MACHINE_MODE
__attribute__((noinline)) static uint32_t call_nothing(uint32_t argument)
{
	__asm__ volatile("" : : : "memory");
	return argument;
}

#define call(why)                                                                                  \
	do {                                                                                       \
		if ((why) == CALL_YIELD) {                                                         \
			taskYIELD();                                                               \
		} else if ((why) == CALL_NOTHING) {                                                \
			(void)call_nothing(CALL_NOTHING);                                          \
		} else {                                                                           \
			end();                                                                     \
		}                                                                                  \
	} while (0)
#else
#define call(why)                                                                                  \
	do {                                                                                       \
		register uint32_t why_ __asm__("a7") = (why);                                      \
                                                                                                   \
		__asm__ volatile("ecall" : : "r"(why_) : "memory");                                \
	} while (0)

void port_user_exception(struct port_context *context)
{
	if (port_cause(context) != MCAUSE_ECALL_U) {
		exit(1);
	}
	context->frame.mepc += 4U;
	switch (context->frame.x[17]) {
	case CALL_YIELD:
		freertos_switch_wanted = true;
		break;
	case CALL_NOTHING:
		break;
	default:
		end();
	}
}
#endif

#define MEASURE(why)                                                                               \
	({                                                                                         \
		struct stamp begin_ = now();                                                       \
                                                                                                   \
		for (uint32_t i_ = 0; i_ < CALLS; i_++) {                                          \
			call(why);                                                                 \
			__asm__ volatile("" : : : "memory");                                       \
		}                                                                                  \
		since(begin_);                                                                     \
	})

static void measure(void *arg)
{
	struct area *mine = arg;
	struct stamp begin = now();

	for (uint32_t i = 0; i < CALLS; i++) {
		__asm__ volatile("" : : : "memory");
	}
	mine->loop = since(begin);
	mine->calls = MEASURE(CALL_NOTHING);
	mine->yields = MEASURE(CALL_YIELD);
	call(CALL_END);
}

static void give_way(void *arg)
{
	(void)arg;
	for (;;) {
		call(CALL_YIELD);
	}
}

static void create(TaskFunction_t function, struct area *area, struct port_rows *rows)
{
	TaskHandle_t task;

	(void)xTaskCreate(function, "task", configMINIMAL_STACK_SIZE * 4, area, 1, &task);
#ifdef TASKS_IN_MACHINE_MODE
	(void)rows;
#else
	struct port_context *context;
	unsigned int row =
	    port_rows_add(rows, 0U, TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, PMP_READ | PMP_EXECUTE);

	(void)port_rows_add(rows, row, (uintptr_t)area, sizeof(*area), PMP_READ | PMP_WRITE);
	context = port_enter_user(task, (uintptr_t)function, (uintptr_t)(area + 1), 0U, rows);
	context->frame.x[10] = (uintptr_t)area;
#endif
}

int main(void)
{
	static struct port_rows rows[2];

	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_IR);
	create(measure, &areas[0], &rows[0]);
	create(give_way, &areas[1], &rows[1]);
	vTaskStartScheduler();
	return 1;
}
