/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Two tasks that switch, one way for each value of TEST. Marker 10 stands right before the call that leads to the
 * switch, marker 11 right behind the call that the other task returns from. README.md has the definitions.
 */
#include <stdlib.h>

#include <FreeRTOS.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>
#include <trapeze/exit.h>
#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif
#ifdef TRAPEZE_IRQ_FAST
#include <trapeze/bound_task.h>
#endif
#include <trapeze/marker.h>

#define YIELD     0
#define SEMAPHORE 1
#define QUEUE     2
#define NOTIFY    3
#define WAKE      4 /* the interrupt that wakes a task has a handler of irq_connect() */
#define WAKE_FAST 5 /* the same, with a handler in the vector table */
#define ABOVE     6 /* the interrupt is above the maximum level, whatever the kernel does */
#define BOUND     7 /* the same, and it wakes a task of its own, without the kernel */

#define FROM() TRAPEZE_MARKER(10)
#define TO()   TRAPEZE_MARKER(11)

#ifndef ROUNDS
#define ROUNDS 24
#endif
#define LINE IRQ_PLATFORM(7)

static TaskHandle_t tasks[2];
static SemaphoreHandle_t semaphore __attribute__((unused));
static QueueHandle_t queue __attribute__((unused));

#if TEST == YIELD

static void task(void *arg)
{
	for (int round = 0; round < ROUNDS; round++) {
		FROM();
		taskYIELD();
		TO();
	}
	(void)arg;
	exit(0);
}

#define first  task
#define second task

/* Priorities of the tasks */
#define FIRST  1U
#define SECOND 1U
#define PLACES 4U /* items of the queue */

#elif TEST == SEMAPHORE || TEST == QUEUE || TEST == NOTIFY

#if TEST == SEMAPHORE
#define GIVE() xSemaphoreGive(semaphore)
#define TAKE() xSemaphoreTake(semaphore, portMAX_DELAY)
#elif TEST == QUEUE
static uint32_t item;
#define GIVE() xQueueSend(queue, &item, portMAX_DELAY)
#define TAKE() xQueueReceive(queue, &item, portMAX_DELAY)
#else
#define GIVE() xTaskNotifyGive(tasks[1])
#define TAKE() ulTaskNotifyTake(pdTRUE, portMAX_DELAY)
#endif

/* Gives the object. The other task is more important and runs at once. */
static void first(void *arg)
{
	for (int round = 0; round < ROUNDS; round++) {
		FROM();
		(void)GIVE();
	}
	(void)arg;
	exit(0);
}

static void second(void *arg)
{
	for (;;) {
		(void)TAKE();
		TO();
	}
	(void)arg;
}
#define FIRST  1U
#define SECOND 2U
#define PLACES 4U

#else

/* Periods of the background before the run ends. */
#define PERIODS 8

/* Exit code if no task was woken by then. The woken task ends the run with 0. */
#define UNWOKEN 2

/*
 * The kernel's work while the line rises. Each tick wakes this task and finds the processor in a wfi, so that the same
 * work repeats from tick to tick: the tick, the switch by interrupt that it causes, calls that succeed, calls that
 * block, calls that wake another task, critical sections, a delay with the scheduler suspended, yields.
 */
static void first(void *arg)
{
	uint32_t item = 0U;

	for (int period = 0;; period++) {
		vTaskDelay(1);
		TRAPEZE_MARKER(TRAPEZE_MARKER_BACKGROUND_BEGIN);
		(void)xQueueSend(queue, &item, 0);
		taskENTER_CRITICAL();
		item += 3U;
		taskEXIT_CRITICAL();
		if (period == PERIODS) {
			trapeze_exit(TEST == ABOVE ? 0 : UNWOKEN);
		}
		(void)xSemaphoreTake(semaphore, portMAX_DELAY);
	}
	(void)arg;
}

static void companion(void *arg)
{
	uint32_t got;

	for (;;) {
		(void)xQueueReceive(queue, &got, portMAX_DELAY);
		(void)xSemaphoreGive(semaphore);
		taskYIELD();
	}
	(void)arg;
}

static void sleeper(void *arg)
{
	for (;;) {
		taskYIELD();
		__asm__ volatile("wfi");
	}
	(void)arg;
}

#if TEST == BOUND
BOUND_TASK_DEFINE(bound, 1024);

static void serve(void *arg)
{
	BOUND_TASK_WAIT(bound);
	TO();
	trapeze_exit(0);
	(void)arg;
}
/* In a fastirq handler the marker is the first instruction. The other handlers save registers first. */
#elif TEST == ABOVE
static void serve(void)
{
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER);
}
#else
static void serve(void)
{
	BaseType_t woken = pdFALSE;

	vTaskNotifyGiveFromISR(tasks[1], &woken);
	portYIELD_FROM_ISR(woken);
}
#endif

#if TEST == WAKE
static void connected(void *arg)
{
	(void)arg;
	serve();
}
#elif TEST != BOUND
#ifdef TRAPEZE_IRQ_FAST
__attribute__((aligned(4))) static void direct(void)
#else
__attribute__((aligned(4), interrupt("machine"))) static void direct(void)
#endif
{
	serve();
}
#endif

static void second(void *arg)
{
	(void)arg;
	(void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
	TO();
	trapeze_exit(0);
}
#define SLEEPER   1U
#define COMPANION 2U
#define FIRST     3U
#define SECOND    4U
#define PLACES    1U /* the same seed in each period */

static void line_setup(void)
{
#if TEST == BOUND
	(void)bound_task_start(&bound, LINE, 0xff, serve, NULL);
#else
#if TEST == WAKE
	(void)irq_connect(LINE, connected, NULL);
#else
	(void)irq_vector_set(LINE, direct);
#endif
#ifdef TRAPEZE_IRQ_CLIC
	irq_trigger_set(LINE, IRQ_TRIGGER_RISING);
	irq_level_set(LINE, TEST == ABOVE ? 0xff : configMAX_SYSCALL_INTERRUPT_PRIORITY);
#endif
	irq_enable(LINE);
#endif
}

#endif

int main(void)
{
	semaphore = xSemaphoreCreateBinary();
	queue = xQueueCreate(PLACES, sizeof(uint32_t));
	(void)xTaskCreate(first, "first", configMINIMAL_STACK_SIZE, NULL, FIRST, &tasks[0]);
	(void)xTaskCreate(second, "second", configMINIMAL_STACK_SIZE, NULL, SECOND, &tasks[1]);
#if TEST >= WAKE
	(void)xTaskCreate(companion, "companion", configMINIMAL_STACK_SIZE, NULL, COMPANION, NULL);
	(void)xTaskCreate(sleeper, "sleeper", configMINIMAL_STACK_SIZE, NULL, SLEEPER, NULL);
	line_setup();
#endif
	vTaskStartScheduler();
	return 1;
}
