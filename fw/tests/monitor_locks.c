/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: in user mode the monitor's calls hold interrupts back and release them, lose none, and keep the registers
config: [mcu-user]
monitor: paper
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/timer.h>

#include "test.h"

/* A platform line without a signal, edge-triggered: software makes it pending. */
#define EDGE IRQ_PLATFORM(5)

static volatile uint32_t timers;
static volatile uint32_t softwares;
static volatile uint32_t edges;
static volatile uint32_t enabled_in_handler;

static void on_timer(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	enabled_in_handler |= monitor_irq_is_enabled();
	timers++;
}

static void on_software(void *arg)
{
	(void)arg;
	irq_software_set(false);
	softwares++;
}

static void on_edge(void *arg)
{
	(void)arg;
	edges++;
}

static void wait(uint32_t cycles)
{
	uint32_t begin = csr_read(CSR_CYCLE);

	while (csr_read(CSR_CYCLE) - begin < cycles) {
	}
}

/* The interrupt-enable state before and after each call. */
static void check_states(void)
{
	CHECK_EQ(monitor_irq_is_enabled(), 0U);
	CHECK_EQ(monitor_irq_disable(), 0U);
	monitor_irq_restore(0U);
	CHECK_EQ(monitor_irq_is_enabled(), 0U);
#ifndef TRAPEZE_MONITOR_SOFT /* with `soft` the program itself writes the state */
	monitor_irq_restore(5U);
	CHECK_EQ(monitor_irq_is_enabled(), 1U);
#endif
	monitor_irq_restore(1U);
	CHECK_EQ(monitor_irq_disable(), 1U);
	CHECK_EQ(monitor_irq_is_enabled(), 0U);
	CHECK_EQ(monitor_irq_disable(), 0U);
	monitor_irq_restore(1U);
	CHECK_EQ(monitor_irq_disable(), 1U);
	monitor_irq_restore(1U);
}

static void check_timer(void)
{
	timers = 0U;
	timer_set_alarm(timer_now() + 200U);
	wait(1000U);
	CHECK_EQ(timers, 1U);

	uint32_t state = monitor_irq_disable();

	timer_set_alarm(timer_now() + 200U);
	wait(1000U);
	CHECK_EQ(timers, 1U);
	CHECK(irq_is_enabled(IRQ_TIMER));
	monitor_irq_restore(0U);
	wait(100U);
	CHECK_EQ(timers, 1U);
	monitor_irq_restore(state);
	CHECK_EQ(timers, 2U);
	CHECK_EQ(enabled_in_handler, 0U);
}

/* An interrupt that is pending and then withdrawn is not taken. */
static void check_withdrawn(void)
{
	timers = 0U;

	uint32_t state = monitor_irq_disable();

	timer_set_alarm(timer_now() + 100U);
	wait(500U);
	timer_cancel_alarm();
	wait(20U);
	monitor_irq_restore(state);
	wait(100U);
	CHECK_EQ(timers, 0U);
	timer_set_alarm(timer_now() + 100U);
	wait(500U);
	CHECK_EQ(timers, 1U);
}

/* A source that is disabled while its interrupt is held back stays disabled. The interrupt is not lost. */
static void check_source(void)
{
	timers = 0U;

	uint32_t state = monitor_irq_disable();

	timer_set_alarm(timer_now());
	wait(100U);
	irq_disable(IRQ_TIMER);
	monitor_irq_restore(state);
	wait(100U);
	CHECK_EQ(timers, 0U);
	CHECK(!irq_is_enabled(IRQ_TIMER));
	irq_enable(IRQ_TIMER);
	wait(100U);
	CHECK_EQ(timers, 1U);
}

static void check_yield(void)
{
	softwares = 0U;
	monitor_yield();
	CHECK_EQ(softwares, 1U);

	uint32_t state = monitor_irq_disable();

	monitor_yield();
	CHECK_EQ(softwares, 1U);
	monitor_yield();
	wait(100U);
	CHECK_EQ(softwares, 1U);
	monitor_irq_restore(state);
	CHECK_EQ(softwares, 2U);
	irq_software_set(true);
	CHECK_EQ(softwares, 3U);
}

/* An edge causes one interrupt, however it is held back. */
static void check_edge(void)
{
	irq_trigger_set(EDGE, IRQ_TRIGGER_RISING);
	edges = 0U;
	irq_pending_set(EDGE, true);
	CHECK_EQ(edges, 1U);

	uint32_t state = monitor_irq_disable();

	irq_pending_set(EDGE, true);
	wait(50U);
	irq_enable(EDGE); /* again: the interrupt comes and is held back once more */
	wait(50U);
	irq_enable(EDGE);
	CHECK_EQ(edges, 1U);
	timers = 0U;
	timer_set_alarm(timer_now());
	monitor_yield();
	wait(50U);
	monitor_irq_restore(state);
	CHECK_EQ(edges, 2U);
	CHECK_EQ(timers, 1U);
	wait(50U);
	CHECK_EQ(edges, 2U);
}

#ifdef TRAPEZE_MONITOR_SOFT
/* The one call, twice with an interrupt held back: disable, raise, call. */
#define CALLS                                                                                      \
	"	.rept 2\n"                                                                               \
	"	sw zero, monitor_page + 16, t0\n"                                                        \
	"	lui t0, 0x2000\n"                                                                        \
	"	sw x9, 0(t0)\n" /* an odd number */                                                \
	"	lw t1, 0(t0)\n"                                                                          \
	"	sw x9, monitor_page + 16, t0\n"                                                          \
	"	ecall\n"                                                                                 \
	"	.endr\n"
#else
#define CALLS                                                                                      \
	"	li t0, 0\n	ecall\n"                                                                      \
	"	li t0, 2\n	ecall\n"                                                                      \
	"	li t0, 3\n	ecall\n"                                                                      \
	"	li a0, 1\n	li t0, 1\n	ecall\n"                                                           \
	"	li t0, 3\n	ecall\n"
#endif

/* Compares all registers but those that a call may change; over an interrupt t0 to t2 as well. 0: all are equal. */
uint32_t registers_over_call(void);
uint32_t registers_over_interrupt(void);
/* clang-format off */
#ifdef __riscv_32e
#define LEFT "1, 8, 9, 11, 12, 13, 14, 15"
#else
#define LEFT "1, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31"
#endif
__asm__(".text\n"
	".macro registers_in op\n"
	"	.set k, 0\n"
	"	.irp r, 1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	.if \\r < 16 || " TRAPEZE_STRINGIFY(TRAPEZE_REGISTER_COUNT) " > 16\n"
	"	\\op x\\r, (4 * k)(sp)\n"
	"	.endif\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	".endm\n"
	".macro registers_set which:vararg\n"
	"	.irp r, \\which\n"
	"	li x\\r, 0x5a000000 + \\r\n"
	"	.endr\n"
	".endm\n"
	".macro registers_check which:vararg\n"
	"	li a0, 0x5a000000\n"
	"	.irp r, \\which\n"
	"	sub x\\r, x\\r, a0\n"
	"	addi x\\r, x\\r, -\\r\n"
	"	or x1, x1, x\\r\n"
	"	.endr\n"
	"	mv a0, x1\n"
	".endm\n"
	"registers_over_call:\n"
	"	addi sp, sp, -64\n"
	"	registers_in sw\n"
	"	registers_set " LEFT "\n"
	CALLS
	"	registers_check " LEFT "\n"
	"	registers_in lw\n"
	"	addi sp, sp, 64\n"
	"	ret\n"
	"registers_over_interrupt:\n"
	"	addi sp, sp, -64\n"
	"	registers_in sw\n"
	"	lui a0, 0x2000\n" /* the CLINT's msip */
	"	registers_set " LEFT ", 5, 6, 7\n"
	"	sw x9, 0(a0)\n" /* an odd number */
	"	li a0, 0x5a000000\n"
	"	nop\n	nop\n	nop\n	nop\n"
	"	registers_check " LEFT ", 5, 6, 7\n"
	"	registers_in lw\n"
	"	addi sp, sp, 64\n"
	"	ret\n");
/* clang-format on */

static void check_registers(void)
{
	softwares = 0U;
	CHECK_EQ(registers_over_call(), 0U);
	CHECK_EQ(softwares, 2U);
	for (uint32_t again = 0U; again < 8U; again++) {
		CHECK_EQ(registers_over_interrupt(), 0U);
	}
	CHECK_EQ(softwares, 10U);
}

int main(void)
{
	test_begin();
	CHECK_EQ(monitor_page.mhartid, TEST_HART_ID);
	CHECK(csr_read(CSR_INSTRET) != csr_read(CSR_INSTRET));
	(void)irq_connect(IRQ_TIMER, on_timer, NULL);
	(void)irq_connect(IRQ_SOFTWARE, on_software, NULL);
	(void)irq_connect(EDGE, on_edge, NULL);
	irq_enable(IRQ_TIMER);
	irq_enable(IRQ_SOFTWARE);
	irq_enable(EDGE);
	check_states();
	check_timer();
	check_withdrawn();
	check_source();
	check_yield();
	check_edge();
	check_registers();
	return test_end();
}
