/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* FreeRTOS port with protected tasks: a task's context, start of the scheduler, tick, interrupts and exceptions behind
 * their entry (port.S), protection of memory from tasks in user mode. */
#include <FreeRTOS.h>
#include <freertos_hooks.h>
#include <string.h>
#include <task.h>

#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif
#include <trapeze/timer.h>

#include "port_context.h"

#define TICK_CYCLES ((uint32_t)(configCPU_CLOCK_HZ / configTICK_RATE_HZ))

/* port.S */
void freertos_trap(void);
__attribute__((noreturn)) void freertos_resume(struct port_context *context);

/* trapeze/trap.h's, start/ calls it */
void __irq_dispatch(csr_value_t cause);
void __trap_dispatch(struct trap_frame *frame);

/* For port.S. */
struct port_context *port_trap(struct port_context *context);
struct port_context port_kernel_context;

/* The kernel's pointer to the running task. The control block's first word leads to the task's context. */
extern struct port_context **volatile pxCurrentTCB;

/* Depth of critical sections. The initial value keeps it from becoming 0 until the scheduler has started. */
csr_value_t freertos_critical_depth = 0xaaaaaaaaU;

volatile bool freertos_switch_wanted;

/* mtime of the next tick. */
static uint64_t next_tick;

#if configTRAPEZE_BORROW
/* A task that runs in the time of the kernel's running task; NULL: none. */
static TaskHandle_t borrower;

/* Context of the idle task, for port.S. */
struct port_context *port_idle;
#else
#define borrower ((TaskHandle_t)NULL)
#endif

/* The task's rows that the registers of memory protection hold; NULL: no task's. */
static const struct port_rows *rows_loaded;

#ifdef TRAPEZE_IRQ_CLIC
/* Whether the core has user-level interrupts: bit N of misa. */
static bool has_user_interrupts;
#define MISA_N (1U << ('N' - 'A'))
/* Whether they have fastirq, which this port does not use, but user mode can. */
static bool has_user_fastirq;
#endif

/* What the kernel runs in: machine mode, interrupts enabled, and the program's own gp and tp. */
static void set_kernel(struct trap_frame *frame, uintptr_t pc, uintptr_t sp, void *parameters)
{
	__asm__ volatile("mv %0, gp\n\tmv %1, tp" : "=r"(frame->x[3]), "=r"(frame->x[4]));
	frame->x[1] = (uintptr_t)freertos_task_returned;
	frame->x[2] = sp;
	frame->x[10] = (uintptr_t)parameters;
	frame->mepc = pc;
	frame->mcause = 0U; /* with a CLIC: to level 0 */
	frame->mstatus = MSTATUS_MPP_M | MSTATUS_MPIE | PORT_FLOAT_ON;
}

StackType_t *pxPortInitialiseStack(StackType_t *top, TaskFunction_t code, void *parameters)
{
	struct port_context *context = (struct port_context *)top - 1;

	memset(context, 0, sizeof(*context));
	set_kernel(&context->frame, (uintptr_t)code, (uintptr_t)context, parameters);
	return (StackType_t *)context;
}

static void tick(void *arg)
{
	(void)arg;
	next_tick += TICK_CYCLES;
	timer_set_alarm(next_tick);
	if (xTaskIncrementTick() != pdFALSE) {
		freertos_switch_wanted = true;
	}
}

#ifdef TRAPEZE_IRQ_CLIC
/* Whether the core has ufastirq: misa does not say it, but without it the access traps. Uses up mtvec. */
static bool find_user_fastirq(void)
{
	uint32_t found = 1U;

	__asm__ volatile("la t0, 1f\n\t"
			 "addi t0, t0, %1\n\t"
			 "csrw mtvec, t0\n\t"
			 "csrw %2, zero\n\t"
			 "j 2f\n\t"
			 ".balign 64\n"
			 "1:\tli %0, 0\n"
			 "2:"
			 : "+r"(found)
			 : "i"(MTVEC_MODE_CLIC), "i"(CSR_UFASTIRQ)
			 : "t0");
	return found != 0U;
}
#endif

/* Interrupts and exceptions go to one entry from here on. */
static void entry_set(void)
{
#ifdef TRAPEZE_IRQ_CLIC
	has_user_interrupts = (csr_read(CSR_MISA) & MISA_N) != 0U;
	has_user_fastirq = has_user_interrupts && find_user_fastirq();
	for (unsigned int irq = 0U; irq < IRQ_COUNT; irq++) {
		irq_vectored_set(irq, false);
	}
#ifdef configTRAPEZE_QUICK_IRQ
	irq_vectored_set(configTRAPEZE_QUICK_IRQ, true);
#endif
	csr_write(CSR_MTVEC, (uintptr_t)freertos_trap | MTVEC_MODE_CLIC);
#else
	csr_write(CSR_MTVEC, (uintptr_t)freertos_trap);
#endif
}

/* ---------------------------------------------------------------- rows of memory protection */

#ifdef TRAPEZE_IRQ_CLIC
/* Sets user mode's level to 0, which only a return to user mode writes. The instruction that it returns to is machine
 * mode's, and the trap for it leads to itself. An interrupt that comes instead leads there, too, and stays pending.
 * Uses up what a trap writes; freertos_resume() writes that anew.
 */
static void user_level_clear(void)
{
	const csr_value_t entry = csr_read(CSR_MTVEC);

#ifdef configTRAPEZE_QUICK_IRQ
	irq_vectored_set(configTRAPEZE_QUICK_IRQ, false);
#endif
	csr_write(CSR_USTATUS, 0);
	csr_write(CSR_UCAUSE, 0);
	__asm__ volatile("la t0, 1f\n\t"
			 "csrw %1, t0\n\t"
			 "addi t0, t0, %2\n\t"
			 "csrw mtvec, t0\n\t"
			 ".4byte %3\n\t"
			 ".balign 64\n"
			 "1:\tcsrw mtvec, %0"
			 :
			 : "r"(entry), "i"(CSR_UEPC), "i"(MTVEC_MODE_CLIC), "i"(TRAPEZE_URET_MATCH)
			 : "t0", "memory");
#ifdef configTRAPEZE_QUICK_IRQ
	irq_vectored_set(configTRAPEZE_QUICK_IRQ, true);
#endif
}
#endif

/* Clears the registers of user-level interrupts. No task owns them, but user mode can write them: a task must not
 * find values of another task there.
 */
static void user_registers_clear(void)
{
#ifdef TRAPEZE_IRQ_CLIC
	if (!has_user_interrupts) {
		return;
	}
	if ((csr_read(CSR_MINTSTATUS) & MINTSTATUS_UIL) != 0U) {
		user_level_clear();
	}
	csr_write(CSR_USCRATCH, 0);
	csr_write(CSR_UEPC, 0);
	csr_write(CSR_UCAUSE, 0);
	csr_write(CSR_UTVAL, 0);
	csr_write(CSR_UTVEC, 0);
	csr_write(CSR_UTVT, 0);
	csr_write(CSR_UINTTHRESH, 0);
	if (has_user_fastirq) {
		csr_write(CSR_UFASTIRQ, 0);
	}
#endif
}

static void rows_load(const struct port_rows *rows)
{
	if (rows == rows_loaded) {
		return;
	}
	rows_loaded = rows;
	user_registers_clear();
	/* Rows do not bind machine mode, so writing them one by one does no harm. */
#define ROW(n) csr_write(CSR_PMPADDR0 + n, rows->address[n])
	ROW(0);
	ROW(1);
	ROW(2);
	ROW(3);
	ROW(4);
	ROW(5);
	ROW(6);
	ROW(7);
	ROW(8);
	ROW(9);
	ROW(10);
	ROW(11);
	ROW(12);
	ROW(13);
	ROW(14);
	ROW(15);
#undef ROW
#if __riscv_xlen == 64
	csr_write(CSR_PMPCFG0, rows->config[0]);
	csr_write(CSR_PMPCFG0 + 2, rows->config[1]);
#else
	csr_write(CSR_PMPCFG0, rows->config[0]);
	csr_write(CSR_PMPCFG0 + 1, rows->config[1]);
	csr_write(CSR_PMPCFG0 + 2, rows->config[2]);
	csr_write(CSR_PMPCFG0 + 3, rows->config[3]);
#endif
}

/* ---------------------------------------------------------------- start and end */

BaseType_t xPortStartScheduler(void)
{
	(void)irq_lock();
	(void)irq_connect(IRQ_TIMER, tick, NULL);
	next_tick = timer_now() + TICK_CYCLES;
	timer_set_alarm(next_tick);
	irq_enable(IRQ_TIMER);
#ifdef __riscv_zicbom
	/* Cache-block instructions are allowed in user mode, where cbo.inval writes back, too. */
	csr_write(CSR_MENVCFG, MENVCFG_CBIE_FLUSH | MENVCFG_CBCFE);
#endif
	entry_set();

	struct port_context *first = *pxCurrentTCB;

#if configTRAPEZE_BORROW
	port_idle = port_context_of(xTaskGetIdleTaskHandle());
#endif

	if (first->rows != NULL) {
		rows_load(first->rows);
	}
	freertos_critical_depth = 0U;
	freertos_resume(first);
}

void vPortEndScheduler(void)
{
	freertos_assert_failed(configTRAPEZE_PLACE, "the scheduler does not end");
}

/* ---------------------------------------------------------------- user mode */

struct port_context *port_enter_user(TaskHandle_t task, uintptr_t pc, uintptr_t sp, uintptr_t ra,
				     const struct port_rows *rows)
{
	struct port_context *context = port_context_of(task);

	memset(context, 0, sizeof(*context));
	port_enter_user_again(context, pc, sp, ra, rows);
	if (rows_loaded == rows) { /* the memory of others before */
		rows_loaded = NULL;
	}
	return context;
}

void port_leave_user(struct port_context *context, TaskFunction_t function, void *parameters)
{
	set_kernel(&context->frame, (uintptr_t)function, (uintptr_t)context, parameters);
	context->rows = NULL;
}

__attribute__((weak)) void port_user_exception(struct port_context *context)
{
	__trap_dispatch(&context->frame);
}

#if configTRAPEZE_BORROW
bool port_borrow(TaskHandle_t task, UBaseType_t priority)
{
	if (borrower != NULL || freertos_switch_wanted ||
	    xTaskGetSchedulerState() != taskSCHEDULER_RUNNING ||
	    uxTaskPriorityGetFromISR(NULL) >= priority) {
		return false;
	}
	borrower = task;
	port_context_of(task)->quick = 1U;
	return true;
}

bool port_borrow_end(TaskHandle_t task)
{
	if (borrower != task) {
		return false;
	}
	borrower = NULL;
	return true;
}

__attribute__((weak)) struct port_context *port_quick_end(struct port_context *context,
							  csr_value_t a0, csr_value_t a1)
{
	(void)a0;
	(void)a1;
	return context; /* no program marks a context as quick and does not define this */
}

bool port_quick_can(void)
{
	return xTaskGetSchedulerState() == taskSCHEDULER_RUNNING;
}

struct port_context *port_quick_enter(TaskHandle_t task)
{
	struct port_context *context = port_context_of(task);

	(*pxCurrentTCB)->critical_depth = freertos_critical_depth;
	context->quick = 1U;
	borrower = task;
	rows_load(context->rows);
	return context;
}

struct port_context *port_quick_leave(void)
{
	borrower = NULL;
	return *pxCurrentTCB;
}

void port_borrow_settle(TaskHandle_t task)
{
	if (borrower == task) {
		borrower = NULL;
		port_context_of(task)->quick = 0U;
		portYIELD_FROM_ISR(xTaskResumeFromISR(task));
	}
}

/* The borrower becomes one task among the others. */
static void borrower_settle(void)
{
	port_borrow_settle(borrower);
}
#else
static void borrower_settle(void)
{
}
#endif

TaskHandle_t port_user_task(void)
{
	return borrower != NULL ? borrower : xTaskGetCurrentTaskHandle();
}

struct port_context *port_trap(struct port_context *context)
{
	csr_value_t cause = port_cause(context);

	/* Who counts critical sections in here must not enable interrupts. */
	context->critical_depth = freertos_critical_depth;
	if (configTRAPEZE_BORROW) {
		context->quick = 0U; /* it holds other registers now */
	}
	freertos_critical_depth = 1U;
	if ((cause & MCAUSE_INTERRUPT) != 0U) {
#ifdef TRAPEZE_IRQ_CLIC
		/* Taken, which hardware does for vectored ones alone; nothing to one that a level triggers. */
		irq_pending_set((unsigned int)(cause & MCAUSE_CODE), false);
#endif
		__irq_dispatch(cause);
	} else if (cause == MCAUSE_ECALL_M) { /* portYIELD() */
		context->frame.mepc += 4U;
		freertos_switch_wanted = true;
	} else {
		port_user_exception(context);
	}
	if (freertos_switch_wanted) {
		if (borrower != NULL) {
			borrower_settle();
		}
		freertos_switch_wanted = false;
		vTaskSwitchContext();
	}

	struct port_context *next = borrower != NULL ? port_context_of(borrower) : *pxCurrentTCB;

	if (next->rows != NULL) {
		rows_load(next->rows);
	}
	freertos_critical_depth = next->critical_depth;
	return next;
}
