/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: each way in which a program ends, with its exit code and what the console says
cases:
  code: # of 8 bits, by exit()
    exit: 255
    expect: ""
  main: # what main returns; atexit functions and constructors run
    exit: 7
    expect: |
      constructor
      main
      atexit
  abort: # names itself, also where a handler of SIGABRT returns, and runs no atexit() function
    exit: 134
    expect: |
      handler 6

      trapeze: ended by signal 6 (abort)
  assert: # a failed assertion names itself
    exit: 134
    expect_regex: '\ntrapeze: assertion failed: 1 \+ 1 == three, .*exit\.c:\d+, main\n'
  signal: # handled, ignored, back to default after one; the default ends the run
    exit: 143
    expect: |
      1 handled
      PASS

      trapeze: ended by signal 15
  exception: # that nobody handles: 64 + mcause
    exit: 69
    expect_regex: '\ntrapeze: unexpected exception: load access fault, mcause 0x00000005, pc
      0x8[0-9a-f]{7}, mtval 0x90000004\n'
  loop_back: # the same where the program has left the UART to send to itself, with its divisor in place of its data
    exit: 69
    expect_regex: '\ntrapeze: unexpected exception: load access fault, mcause 0x00000005, pc
      0x8[0-9a-f]{7}, mtval 0x90000004\n'
  interrupt: # without a handler: 96 + its number
    exit: 99
    expect_regex: '\ntrapeze: interrupt without a handler, mcause 0x80000003, pc 0x8[0-9a-f]{7}, mtval
      0x00000000\n'
  nested: # an exception inside the exception handler
    exit: 95
    expect_regex: '\ntrapeze: exception inside the exception handler: store access fault, mcause
      0x00000007, pc 0x8[0-9a-f]{7}, mtval 0x90000010\n'
  stack_overflow: # a stack that grows without end faults below its bank
    engines: [rtl]
    qemu: its memory has no hole below the stack bank
    exit: 71
    expect_regex: '\ntrapeze: unexpected exception: store access fault, mcause 0x00000007, pc 0x8[0-9a-f]{7},
      mtval 0x801[0-9a-f]{5}\n'
*/
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <trapeze/assert.h>
#include <trapeze/irq.h>
#include <trapeze/trap.h>
#include <trapeze/uart.h>

#include "test.h"

#if defined(CASE_CODE)

int main(void)
{
	exit(255);
}

#elif defined(CASE_MAIN)

__attribute__((constructor)) static void construct(void)
{
	puts("constructor");
}

static void at_exit(void)
{
	puts("atexit");
}

int main(void)
{
	atexit(at_exit);
	puts("main");
	return 7;
}

#elif defined(CASE_ABORT)

static void handler(int number)
{
	printf("handler %d\n", number);
}

static void never(void)
{
	puts("atexit");
}

int main(void)
{
	(void)atexit(never);
	(void)signal(SIGABRT, handler);
	abort();
}

#elif defined(CASE_ASSERT)

int main(void)
{
	volatile int three = 3;

	TRAPEZE_ASSERT(three == 3);
	TRAPEZE_ASSERT(1 + 1 == three);
	return 0;
}

#elif defined(CASE_SIGNAL)

static volatile sig_atomic_t handled;

static void handler(int number)
{
	CHECK_EQ(number, SIGTERM);
	handled++;
}

int main(void)
{
	test_begin();
	CHECK(signal(SIGTERM, handler) == SIG_DFL);
	CHECK_EQ(raise(SIGTERM), 0);
	CHECK(signal(SIGINT, SIG_IGN) == SIG_DFL);
	CHECK_EQ(raise(SIGINT), 0);
	CHECK(signal(SIGUSR2 + 1, handler) == SIG_ERR);
	printf("%d handled\n", (int)handled);
	(void)test_end();
	(void)raise(SIGTERM); /* the first raise() has set SIGTERM back to its default */
	return 1;
}

#elif defined(CASE_EXCEPTION)

int main(void)
{
	return *(volatile uint8_t *)0x90000004;
}

#elif defined(CASE_LOOP_BACK)

int main(void)
{
	volatile uint8_t *uart = (volatile uint8_t *)CONSOLE_UART_BASE;

	uart[TRAPEZE_UART_MCR_OFFSET] = TRAPEZE_UART_MCR_LOOPBACK_MASK;
	uart[TRAPEZE_UART_LCR_OFFSET] = TRAPEZE_UART_LCR_DLAB_MASK;
	return *(volatile uint8_t *)0x90000004;
}

#elif defined(CASE_INTERRUPT)

int main(void)
{
	irq_enable(IRQ_SOFTWARE);
	irq_unlock_all();
	irq_software_set(true);
	for (;;) {
		irq_wait();
	}
}

#elif defined(CASE_NESTED)

static bool handler(struct trap_frame *frame)
{
	*(volatile uint32_t *)0x90000010 = frame->mcause;
	return true;
}

int main(void)
{
	(void)trap_set_handler(handler);
	__asm__ volatile("ecall");
	return 0;
}

#elif defined(CASE_STACK_OVERFLOW)

static volatile uint32_t depth;

__attribute__((noinline)) static uint32_t recurse(uint32_t n)
{
	volatile uint32_t frame[32];

	frame[0] = n;
	frame[31] = depth++;
	return (depth != 0 ? recurse(n + 1) : 0) + frame[0] + frame[31];
}

int main(void)
{
	return (int)recurse(0);
}

#endif
