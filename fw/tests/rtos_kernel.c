/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS objects as its API promises - priorities, queue, mutex inheritance, semaphores, notifications,
  events, timers
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1, -DconfigUSE_TIMERS=1, -DconfigTICK_RATE_HZ=10000]
expect: |
  PASS
*/
#include <stdbool.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <event_groups.h>
#include <queue.h>
#include <semphr.h>
#include <stream_buffer.h>
#include <task.h>
#include <timers.h>

#include "test.h"

#define LOW    1U
#define MIDDLE 2U
#define HIGH   3U
#define ITEMS  40U

/* The story: each task writes its letter, in order. */
static char story[64];
static uint32_t told;

static void tell(char letter)
{
	taskENTER_CRITICAL();
	story[told++] = letter;
	story[told] = '\0';
	taskEXIT_CRITICAL();
}

static void forget(void)
{
	told = 0U;
	story[0] = '\0';
}

static void check_story(int line, const char *expected)
{
	uint32_t at = 0U;

	while (expected[at] != '\0' && expected[at] == story[at]) {
		at++;
	}
	if (expected[at] != story[at]) {
		console_puts(story);
		console_putc('\n');
	}
	test_check(line, "story", (uint32_t)story[at], (uint32_t)expected[at]);
	forget();
}
#define CHECK_STORY(expected) check_story(__LINE__, expected)

static TaskHandle_t start(TaskFunction_t code, UBaseType_t priority)
{
	TaskHandle_t made = NULL;

	CHECK_EQ(xTaskCreate(code, "t", configMINIMAL_STACK_SIZE, NULL, priority, &made), pdPASS);
	return made;
}

/* ---------------------------------------------------------------- priorities, suspension */

static void teller_b(void *arg)
{
	(void)arg;
	tell('b');
	vTaskSuspend(NULL);
	tell('B');
	vTaskDelete(NULL);
}

static void priorities(void)
{
	tell('1');
	TaskHandle_t high = start(teller_b, HIGH); /* the new task runs at once */
	tell('2');
	CHECK_EQ(eTaskGetState(high), eSuspended);
	vTaskResume(high);
	tell('3');
	TaskHandle_t low = start(teller_b, LOW); /* the new task does not run yet */
	tell('4');
	vTaskPrioritySet(low, HIGH);
	tell('5');
	vTaskSuspendAll();
	vTaskResume(low);
	tell('6');
	CHECK_EQ(xTaskResumeAll(), pdTRUE); /* switches to the other task, and returns that */
	tell('7');
	CHECK_STORY("1b2B34b56B7");
}

/* ---------------------------------------------------------------- queue */

static QueueHandle_t queue;

static void producer(void *arg)
{
	(void)arg;
	for (uint32_t item = 0; item < ITEMS; item++) {
		CHECK_EQ(xQueueSend(queue, &item, portMAX_DELAY), pdPASS);
	}
	vTaskDelete(NULL);
}

static void queues(UBaseType_t priority)
{
	uint32_t item;

	queue = xQueueCreate(3, sizeof(item));
	CHECK(queue != NULL);
	CHECK_EQ(xQueueReceive(queue, &item, 0), errQUEUE_EMPTY);
	TickType_t before = xTaskGetTickCount();
	CHECK_EQ(xQueueReceive(queue, &item, 3), errQUEUE_EMPTY);
	CHECK(xTaskGetTickCount() - before >= 3U);
	(void)start(producer, priority);
	for (uint32_t expected = 0; expected < ITEMS; expected++) {
		CHECK_EQ(xQueueReceive(queue, &item, portMAX_DELAY), pdPASS);
		CHECK_EQ(item, expected);
	}
	CHECK_EQ(uxQueueMessagesWaiting(queue), 0U);
	vQueueDelete(queue);
}

/* ---------------------------------------------------------------- mutex: priority inheritance */

static SemaphoreHandle_t mutex;
static TaskHandle_t holder;

static void hold(void *arg)
{
	(void)arg;
	CHECK_EQ(xSemaphoreTake(mutex, portMAX_DELAY), pdPASS);
	tell('h');
	ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
	tell('i');
	CHECK_EQ(uxTaskPriorityGet(NULL), HIGH);
	CHECK_EQ(xSemaphoreGive(mutex), pdPASS);
	CHECK_EQ(uxTaskPriorityGet(NULL), LOW);
	tell('l');
	vTaskDelete(NULL);
}

static void want(void *arg)
{
	(void)arg;
	tell('w');
	CHECK_EQ(xSemaphoreTake(mutex, portMAX_DELAY), pdPASS);
	tell('W');
	CHECK_EQ(xSemaphoreGive(mutex), pdPASS);
	vTaskDelete(NULL);
}

static void inheritance(void)
{
	mutex = xSemaphoreCreateMutex();
	holder = start(hold, LOW);
	vTaskDelay(2); /* the holder takes the mutex and waits */
	(void)start(want, HIGH);
	CHECK_EQ(uxTaskPriorityGet(holder), HIGH);
	tell('m');
	xTaskNotifyGive(holder); /* it runs before this task, then the task that wants the mutex */
	tell('n');
	vTaskDelay(2);
	CHECK_STORY("hwmiWnl");
	CHECK_EQ(xSemaphoreTake(mutex, 0), pdPASS);
	CHECK_EQ(xSemaphoreGive(mutex), pdPASS);
	vSemaphoreDelete(mutex);
}

/* ---------------------------------------------------------------- notifications, semaphores, events, streams */

static TaskHandle_t main_task;
static SemaphoreHandle_t semaphore;
static EventGroupHandle_t events;
static StreamBufferHandle_t stream;

static void answer(void *arg)
{
	uint32_t value;
	char text[4];

	(void)arg;
	CHECK_EQ(xTaskNotifyWait(0, UINT32_MAX, &value, portMAX_DELAY), pdTRUE);
	CHECK_EQ(value, 0x1234U);
	CHECK_EQ(xTaskNotify(main_task, value + 1U, eSetValueWithOverwrite), pdPASS);
	for (uint32_t count = 0; count < 3U; count++) {
		CHECK_EQ(xSemaphoreTake(semaphore, portMAX_DELAY), pdPASS);
		tell('s');
	}
	CHECK_EQ(xEventGroupWaitBits(events, 3U, pdTRUE, pdTRUE, portMAX_DELAY) & 3U, 3U);
	tell('e');
	CHECK_EQ(xStreamBufferReceive(stream, text, 4, portMAX_DELAY), 4U);
	CHECK_EQ((uint32_t)text[3], (uint32_t)'d');
	tell('x');
	vTaskDelete(NULL);
}

static void signals(void)
{
	uint32_t value = 0U;

	main_task = xTaskGetCurrentTaskHandle();
	semaphore = xSemaphoreCreateCounting(3, 0);
	events = xEventGroupCreate();
	stream = xStreamBufferCreate(16, 4);
	TaskHandle_t other = start(answer, HIGH);
	CHECK_EQ(xTaskNotify(other, 0x1234U, eSetValueWithOverwrite), pdPASS);
	CHECK_EQ(xTaskNotifyWait(0, UINT32_MAX, &value, portMAX_DELAY), pdTRUE);
	CHECK_EQ(value, 0x1235U);
	for (uint32_t count = 0; count < 3U; count++) {
		CHECK_EQ(xSemaphoreGive(semaphore), pdPASS);
		tell('g');
	}
	(void)xEventGroupSetBits(events, 1U);
	tell('1');
	(void)xEventGroupSetBits(events, 2U);
	tell('2');
	CHECK_EQ(xStreamBufferSend(stream, "ab", 2, 0), 2U);
	tell('3');
	CHECK_EQ(xStreamBufferSend(stream, "cd", 2, 0), 2U);
	tell('4');
	CHECK_STORY("sgsgsg1e23x4");
}

/* ---------------------------------------------------------------- timers */

static uint32_t expired[2];

static void expire(TimerHandle_t timer)
{
	expired[(uint32_t)pvTimerGetTimerID(timer)]++;
}

static void timers(void)
{
	TimerHandle_t once = xTimerCreate("once", 3, pdFALSE, (void *)0, expire);
	TimerHandle_t often = xTimerCreate("often", 2, pdTRUE, (void *)1, expire);

	CHECK_EQ(xTimerStart(once, 0), pdPASS);
	CHECK_EQ(xTimerStart(often, 0), pdPASS);
	TickType_t at = xTaskGetTickCount();
	xTaskDelayUntil(&at, 11);
	CHECK_EQ(expired[0], 1U);
	CHECK(expired[1] == 5U || expired[1] == 6U);
	CHECK_EQ(xTimerStop(often, 0), pdPASS);
}

static void play(void *arg)
{
	(void)arg;
	size_t heap = xPortGetFreeHeapSize();

	priorities();
	queues(LOW);
	queues(HIGH);
	inheritance();
	vTaskDelay(2); /* the idle task frees the memory of deleted tasks */
	CHECK_EQ(xPortGetFreeHeapSize(), heap);
	signals();
	timers();
	CHECK_NO_TRAP();
	exit(test_end());
}

int main(void)
{
	test_begin();
	(void)start(play, MIDDLE);
	vTaskStartScheduler();
	return 1;
}
