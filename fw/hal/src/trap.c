/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Interrupt and exception dispatch behind the entries in start/, and the report of traps that nobody
 * handles. In user mode exceptions are the monitor's. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/exit.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/mode.h>
#include <trapeze/trap.h>
#include <trapeze/uart.h>

struct irq_slot {
	irq_handler_t handler;
	void *arg;
};

/* Each hart has its own, also where the harts share this memory. */
static struct irq_slot irq_slots[TRAPEZE_HARTS][IRQ_COUNT];
#ifndef TRAPEZE_USER
static trap_handler_t trap_handlers[TRAPEZE_HARTS];
#endif

/* What mcause says of the cause alone: with the CLIC it holds more. */
#define CAUSE(mcause) ((mcause) & (MCAUSE_INTERRUPT | MCAUSE_CODE))

/* Interrupt without a handler: the exit code has room for this many. */
#define REPORTED_NUMBERS 32U

/* Entry points for start/. */
void __irq_dispatch(csr_value_t cause); /* mcause, or the number alone */
void __trap_dispatch(struct trap_frame *frame);
__attribute__((noreturn)) void __trap_nested(csr_value_t mcause, csr_value_t mepc,
					     csr_value_t mtval);

static const char *cause_name(csr_value_t mcause)
{
	static const char *const names[] = {
	    [MCAUSE_FETCH_MISALIGNED] = "misaligned fetch",
	    [MCAUSE_FETCH_FAULT] = "fetch access fault",
	    [MCAUSE_ILLEGAL_INSTRUCTION] = "illegal instruction",
	    [MCAUSE_BREAKPOINT] = "breakpoint",
	    [MCAUSE_LOAD_MISALIGNED] = "misaligned load",
	    [MCAUSE_LOAD_FAULT] = "load access fault",
	    [MCAUSE_STORE_MISALIGNED] = "misaligned store",
	    [MCAUSE_STORE_FAULT] = "store access fault",
	    [MCAUSE_ECALL_U] = "ecall from user mode",
	    [MCAUSE_ECALL_M] = "ecall from machine mode",
#ifdef TRAPEZE_IRQ_FAST
	    [MCAUSE_FRAME_STORE_FAULT] = "interrupt frame store fault",
	    [MCAUSE_FRAME_LOAD_FAULT] = "interrupt frame load fault",
#endif
	};

	if ((mcause & MCAUSE_INTERRUPT) != 0U) {
		return "interrupt without a handler";
	}
	if (mcause < sizeof(names) / sizeof(names[0]) && names[mcause] != NULL) {
		return names[mcause];
	}
	return "unknown exception";
}

/* A program may have left the UART in loop-back, or with its divisor in place of its data. LCR comes first: its DLAB
 * bit changes what the other addresses mean. */
static void reset_uart(void)
{
#ifndef TRAPEZE_SUPERVISOR /* there it is the hypervisor's */
	volatile uint8_t *uart = (volatile uint8_t *)(uintptr_t)CONSOLE_UART_BASE;

	uart[TRAPEZE_UART_LCR_OFFSET] = TRAPEZE_UART_LCR_WLS_MASK;
	uart[TRAPEZE_UART_MCR_OFFSET] = 0U;
#ifdef __riscv_compressed
	/* With it this is a multiple of 4 bytes: cycles of the functions behind it depend on their alignment. */
	__asm__ volatile("c.nop");
#endif
#endif
}

static void report(const char *what, csr_value_t mcause, csr_value_t mepc, csr_value_t mtval)
{
	reset_uart();
	console_puts(what);
	console_puts(cause_name(CAUSE(mcause)));
	console_puts(", mcause ");
	console_put_hex(CAUSE(mcause));
	console_puts(", pc ");
	console_put_hex(mepc);
	console_puts(", mtval ");
	console_put_hex(mtval);
	console_putc('\n');
}

int irq_connect(unsigned int irq, irq_handler_t handler, void *arg)
{
#ifndef TRAPEZE_IRQ_CLIC
	if (irq == 0U) { /* the vector of the exceptions */
		return -EINVAL;
	}
#endif
	if (irq >= IRQ_COUNT) {
		return -EINVAL;
	}

	unsigned int key = irq_lock();

	irq_slots[hart_slot()][irq] = (struct irq_slot){.handler = handler, .arg = arg};
#ifdef TRAPEZE_IRQ_FAST
	/* What the table leads to returns by emret. */
	irq_fast_require();
#endif
	irq_unlock(key);
	return 0;
}

/* Not part of the dispatch, so that this needs no stack. */
__attribute__((noinline, noreturn)) static void report_unconnected(uint32_t irq)
{
	report("\ntrapeze: ", MCAUSE_INTERRUPT | irq, csr_read(CSR_XEPC), csr_read(CSR_XTVAL));
	trapeze_exit(TRAPEZE_EXIT_INTERRUPT + (int)(irq % REPORTED_NUMBERS));
}

void __irq_dispatch(csr_value_t cause)
{
	uint32_t irq = cause & MCAUSE_CODE;
	const struct irq_slot *slots = irq_slots[hart_slot()];

	if (irq >= IRQ_COUNT || slots[irq].handler == NULL) {
		report_unconnected(irq);
	}
	slots[irq].handler(slots[irq].arg);
}

#ifndef TRAPEZE_USER
/* Exceptions without a handler have this many exit codes. */
#define EXCEPTION_CODES 31U

trap_handler_t trap_set_handler(trap_handler_t handler)
{
	trap_handler_t *own = &trap_handlers[hart_slot()];
	trap_handler_t old = *own;

	*own = handler;
	return old;
}

void trap_skip(struct trap_frame *frame)
{
	bool compressed = (*(const volatile uint16_t *)frame->mepc & 3U) != 3U;

	frame->mepc += compressed ? 2U : 4U;
}

void __trap_dispatch(struct trap_frame *frame)
{
	if ((frame->mcause & MCAUSE_INTERRUPT) != 0U) { /* mtvec in direct mode */
		__irq_dispatch(frame->mcause);
		return;
	}

	trap_handler_t handler = trap_handlers[hart_slot()];

	if (handler == NULL || !handler(frame)) {
		report("\ntrapeze: unexpected exception: ", frame->mcause, frame->mepc,
		       frame->mtval);
		trapeze_exit(TRAPEZE_EXIT_EXCEPTION + (int)(frame->mcause & EXCEPTION_CODES));
	}
}

void __trap_nested(csr_value_t mcause, csr_value_t mepc, csr_value_t mtval)
{
	report("\ntrapeze: exception inside the exception handler: ", mcause, mepc, mtval);
	trapeze_exit(TRAPEZE_EXIT_NESTED);
}
#endif /* TRAPEZE_USER */
