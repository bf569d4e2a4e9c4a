/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS with many tasks, objects, timers and nested interrupts at random - what its API promises holds at
  any time
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1, -DconfigUSE_TIMERS=1, -DconfigUSE_TIME_SLICING=1, -DconfigTICK_RATE_HZ=20000]
expect: |
  PASS
*/
#include <stdbool.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>
#include <timers.h>
#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif
#include <trapeze/timer.h>

#include "test.h"

/* Length of the run in cycles; SEED chooses the random numbers. */
#ifndef CYCLES
#define CYCLES 400000U
#endif
/* Cycles after which each task must have done everything. */
#define LONG (CYCLES >= 10000000U)
#ifndef SEED
#define SEED 1U
#endif

#define WORKERS     5U
#define MUTEXES     2U
#define TIMER_TICKS 3U
#define TOP         5U /* priority of the consumer; workers have priorities 1 to 4 */

struct message {
	uint32_t from;
	uint32_t number;
};

static QueueHandle_t queue;
static SemaphoreHandle_t mutexes[MUTEXES];
static SemaphoreHandle_t tokens;
static TaskHandle_t listener;
static TaskHandle_t workers[WORKERS];
static TimerHandle_t timer;

static volatile bool stop;
static volatile uint32_t stopped;

/* Counters in pairs, one for each side of a promise. */
static uint32_t sent[WORKERS + 1U];
static uint32_t received[WORKERS + 1U];
static volatile uint32_t tokens_given;
static volatile uint32_t tokens_taken[WORKERS];
static volatile uint32_t notified;
static volatile uint32_t heard;
static volatile uint32_t shared; /* changed by tasks and interrupts, in critical sections */
static volatile uint32_t shared_by[WORKERS + 1U];
static volatile uint32_t owner[MUTEXES];   /* 0: free, else number of the worker + 1 */
static volatile uint32_t pair[MUTEXES][2]; /* both words are changed together, by owners only */
static volatile uint32_t held[MUTEXES];
static volatile uint32_t expired;
static volatile uint32_t above;
static volatile uint32_t above_wanted;

static uint32_t draw(uint32_t *state, uint32_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state % below;
}

/* Lets time pass, with work in registers and in memory. */
static void work(uint32_t *state)
{
	volatile uint32_t sum = 0U;
	uint32_t mixed = *state;

	for (uint32_t step = draw(state, 24U); step > 0U; step--) {
		mixed = mixed * 5U + step;
		sum = sum + mixed / (step + 1U);
	}
}

/* ---------------------------------------------------------------- interrupts */
#ifdef TRAPEZE_IRQ_CLIC

#define LOWER IRQ_PLATFORM(0)
#define UPPER IRQ_PLATFORM(1)
#define ABOVE IRQ_PLATFORM(2)

static void on_above(void *arg)
{
	static uint32_t state = SEED * 77U + 1U;

	(void)arg;
	above++;
	if (draw(&state, 8U) == 0U) {
		irq_pending_set(UPPER, true);
	}
}

/* Counts in a critical section, which the interrupt of on_above() interrupts. */
static void count_shared(uint32_t who)
{
	uint32_t before = shared;

	if (before % 4U == 0U) {
		irq_pending_set(ABOVE, true);
	}
	shared = before + 1U;
	shared_by[who]++;
}

static void on_upper(void *arg)
{
	BaseType_t woken = pdFALSE;
	UBaseType_t saved = taskENTER_CRITICAL_FROM_ISR();

	(void)arg;
	count_shared(WORKERS);
	if (xSemaphoreGiveFromISR(tokens, &woken) == pdPASS) {
		tokens_given++;
	}
	taskEXIT_CRITICAL_FROM_ISR(saved);
	portYIELD_FROM_ISR(woken);
}

static void on_lower(void *arg)
{
	static uint32_t state = SEED * 99U + 1U;
	BaseType_t woken = pdFALSE;
	struct message message = {WORKERS, sent[WORKERS]};

	(void)arg;
	if (draw(&state, 2U) == 0U) {
		irq_pending_set(UPPER, true);
	}
	work(&state);
	if (xQueueSendFromISR(queue, &message, &woken) == pdPASS) {
		sent[WORKERS]++;
	}
	UBaseType_t saved = taskENTER_CRITICAL_FROM_ISR();
	notified++;
	vTaskNotifyGiveFromISR(listener, &woken);
	count_shared(WORKERS);
	taskEXIT_CRITICAL_FROM_ISR(saved);
	portYIELD_FROM_ISR(woken);
}

static void interrupt_setup(unsigned int irq, irq_handler_t handler, uint8_t level)
{
	(void)irq_connect(irq, handler, NULL);
	irq_trigger_set(irq, IRQ_TRIGGER_RISING);
	irq_level_set(irq, level);
	irq_enable(irq);
}

static void interrupts_setup(void)
{
	interrupt_setup(LOWER, on_lower, 0x2f);
	interrupt_setup(UPPER, on_upper, 0x6f);
	interrupt_setup(ABOVE, on_above, 0xef);
}

/* An interrupt above the maximum level comes at once when software raises it. */
static void interrupt_some(uint32_t *state)
{
	uint32_t which = draw(state, 4U);

	if (which == 0U) {
		uint32_t before = above;

		above_wanted++;
		irq_pending_set(ABOVE, true);
		CHECK(above != before);
	} else if (which == 1U) {
		irq_pending_set(UPPER, true);
	} else {
		irq_pending_set(LOWER, true);
	}
}

#else

static void count_shared(uint32_t who)
{
	uint32_t before = shared;

	shared = before + 1U;
	shared_by[who]++;
}

static void interrupts_setup(void)
{
}

static void interrupt_some(uint32_t *state)
{
	work(state);
	xTaskNotifyGive(listener);
	taskENTER_CRITICAL();
	notified++;
	taskEXIT_CRITICAL();
}

#endif

/* ---------------------------------------------------------------- tasks */

static void use_mutex(uint32_t me, uint32_t *state, UBaseType_t priority)
{
	uint32_t which = draw(state, MUTEXES);

	if (xSemaphoreTake(mutexes[which], draw(state, 2U) == 0U ? 2U : portMAX_DELAY) != pdPASS) {
		return;
	}
	CHECK_EQ(owner[which], 0U);
	owner[which] = me + 1U;
	CHECK_EQ(pair[which][0], pair[which][1]);
	pair[which][0]++;
	switch (draw(state, 16U)) {
	case 0:
	case 1:
		taskYIELD();
		break;
	case 2:
		vTaskDelay(1);
		break;
	case 3:
	case 4:
	case 5:
		interrupt_some(state);
		break;
	default:
		work(state);
		break;
	}
	pair[which][1]++;
	held[which]++;
	CHECK_EQ(owner[which], me + 1U);
	CHECK(xSemaphoreGetMutexHolder(mutexes[which]) == workers[me]);
	CHECK(uxTaskPriorityGet(NULL) >= priority);
	owner[which] = 0U;
	CHECK_EQ(xSemaphoreGive(mutexes[which]), pdPASS);
	CHECK_EQ(uxTaskPriorityGet(NULL), priority);
}

static void worker(void *arg)
{
	uint32_t me = (uint32_t)arg;
	uint32_t state = SEED * 2654435761U + me * 40503U + 1U;
	UBaseType_t priority = uxTaskPriorityGet(NULL);

	while (!stop) {
		struct message message = {me, sent[me]};

		switch (draw(&state, 9U)) {
		case 0:
			if (xQueueSend(queue, &message, 1) == pdPASS) {
				sent[me]++;
			}
			break;
		case 1:
		case 2:
			use_mutex(me, &state, priority);
			break;
		case 3:
			if (xSemaphoreTake(tokens, draw(&state, 8U) == 0U ? 1U : 0U) == pdPASS) {
				tokens_taken[me]++;
			}
			break;
		case 4:
			taskENTER_CRITICAL();
			if (draw(&state, 2U) == 0U) {
				taskYIELD(); /* takes effect behind the section */
			}
			count_shared(me);
			taskEXIT_CRITICAL();
			break;
		case 5:
			vTaskDelay(draw(&state, 16U) == 0U ? 2U : 0U);
			break;
		case 6:
			priority = 1U + draw(&state, TOP - 1U);
			vTaskPrioritySet(NULL, priority);
			break;
		case 7:
			vTaskSuspendAll();
			interrupt_some(&state);
			(void)xTaskResumeAll();
			break;
		default:
			interrupt_some(&state);
			taskYIELD();
			break;
		}
		work(&state);
	}
	taskENTER_CRITICAL();
	stopped++;
	taskEXIT_CRITICAL();
	vTaskSuspend(NULL);
}

static void consumer(void *arg)
{
	struct message message;

	(void)arg;
	for (;;) {
		CHECK_EQ(xQueueReceive(queue, &message, portMAX_DELAY), pdPASS);
		CHECK(message.from <= WORKERS);
		CHECK_EQ(message.number, received[message.from]);
		received[message.from]++;
	}
}

static void listen(void *arg)
{
	(void)arg;
	for (;;) {
		heard += ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
	}
}

static void expire(TimerHandle_t which)
{
	CHECK(which == timer);
	expired++;
}

/* Starts everything, and sums up at the end. */
static void referee(void *arg)
{
	uint32_t sum = 0U;
	TickType_t started = xTaskGetTickCount();

	(void)arg;
	CHECK_EQ(xTimerStart(timer, portMAX_DELAY), pdPASS);
	while ((uint32_t)timer_now() < CYCLES) {
		vTaskDelay(2);
	}
	stop = true;
	while (stopped < WORKERS) {
		vTaskDelay(2);
	}
	CHECK_EQ(xTimerStop(timer, portMAX_DELAY), pdPASS);
	TickType_t lasted = xTaskGetTickCount() - started;
	vTaskDelay(3);

	for (uint32_t who = 0; who <= WORKERS; who++) {
		CHECK_EQ(received[who], sent[who]);
		sum += shared_by[who];
	}
	CHECK_EQ(shared, sum);
	sum = (uint32_t)uxSemaphoreGetCount(tokens);
	for (uint32_t who = 0; who < WORKERS; who++) {
		CHECK(sent[who] > 0U || !LONG);
		sum += tokens_taken[who];
	}
	CHECK_EQ(tokens_given, sum);
	CHECK_EQ(heard, notified);
	CHECK(notified > 10U || !LONG);
	CHECK(above >= above_wanted);
	for (uint32_t which = 0; which < MUTEXES; which++) {
		CHECK_EQ(pair[which][0], held[which]);
		CHECK_EQ(pair[which][1], held[which]);
		CHECK(held[which] > 0U || !LONG);
	}
	CHECK(expired + 2U >= lasted / TIMER_TICKS && expired <= lasted / TIMER_TICKS + 1U);
	CHECK_NO_TRAP();
	exit(test_end());
}

static void create(TaskFunction_t code, void *arg, UBaseType_t priority, TaskHandle_t *handle)
{
	CHECK_EQ(xTaskCreate(code, "stress", configMINIMAL_STACK_SIZE * 2, arg, priority, handle),
		 pdPASS);
}

int main(void)
{
	test_begin();
	queue = xQueueCreate(3, sizeof(struct message));
	tokens = xSemaphoreCreateCounting(1000, 0);
	timer = xTimerCreate("stress", TIMER_TICKS, pdTRUE, NULL, expire);
	for (uint32_t which = 0; which < MUTEXES; which++) {
		mutexes[which] = xSemaphoreCreateMutex();
	}
	create(referee, NULL, TOP + 1U, NULL);
	create(consumer, NULL, TOP, NULL);
	create(listen, NULL, 2U, &listener);
	for (uint32_t me = 0; me < WORKERS; me++) {
		create(worker, (void *)me, 1U + me % (TOP - 1U), &workers[me]);
	}
	interrupts_setup();
	vTaskStartScheduler();
	return 1;
}
