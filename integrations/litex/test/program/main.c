/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * A program that LiteX's BIOS boots: the timer interrupts a computation again and again, and each interrupt is counted.
 */
#include <irq.h>
#include <libbase/uart.h>
#include <libbase/console.h>
#include <stdint.h>
#include <stdio.h>
#include <generated/csr.h>
#include <generated/soc.h>

#define TICKS  50
#define PERIOD 3000 /* cycles */
#define ROUNDS 64

static volatile unsigned int ticks;

static void tick(void)
{
	timer0_ev_pending_write(1);
	ticks++;
	/* A function may leave anything in these registers. */
	__asm__ volatile(
	    "li t0, 1; li t1, 2; li t2, 3; li t3, 4; li t4, 5; li t5, 6; li t6, 7;"
	    "li a0, 8; li a1, 9; li a2, 10; li a3, 11; li a4, 12; li a5, 13; li a6, 14; li a7, 15"
	    :
	    :
	    : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3", "a4", "a5", "a6",
	      "a7");
	if (ticks == TICKS) {
		timer0_en_write(0);
	}
}

static void start(unsigned int load, unsigned int reload)
{
	timer0_en_write(0);
	timer0_load_write(load);
	timer0_reload_write(reload);
	timer0_ev_pending_write(1);
	timer0_ev_enable_write(1);
	timer0_en_write(1);
}

/* The registers that a function may change, and that an interrupt has to keep. */
#define EACH(X)                                                                                    \
	X(ra, 0)                                                                                   \
	X(t0, 1) X(t1, 2) X(t2, 3) X(t3, 4) X(t4, 5) X(t5, 6) X(t6, 7) X(a0, 8) X(a1, 9) X(a2, 10) \
	    X(a3, 11) X(a4, 12) X(a5, 13) X(a6, 14) X(a7, 15)
#define NAME(name, number)    #name,
#define CLOBBER(name, number) #name,
#define FILL(name, number)    "li " #name ", 0x5a5a0000 + 257 * " #number "\n"
#define STORE(name, number)   "sw " #name ", 4 * " #number "(s1)\n"

static const char *const names[] = {EACH(NAME)};
static uint32_t after[sizeof(names) / sizeof(names[0])];

/* Wait for the next tick with a value of its own in every register, and tell which of them came out changed. */
static unsigned int changed(void)
{
	register const volatile unsigned int *counter __asm__("s0") = &ticks;
	register uint32_t *out __asm__("s1") = after;
	unsigned int found = 0;

	/* s2 and s3 compare, so that nothing but the interrupt touches the others. */
	__asm__ volatile(EACH(FILL) "lw s2, 0(s0)\n"
				    "1: lw s3, 0(s0)\n"
				    "beq s2, s3, 1b\n" EACH(STORE)
			 :
			 : "r"(counter), "r"(out)
			 : EACH(CLOBBER) "s2", "s3", "memory");
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (after[i] != 0x5a5a0000 + 257 * i) {
			printf("program: %s changed\n", names[i]);
			found++;
		}
	}
	return found;
}

/* Many values at a time, so that the compiler has them in all registers. */
static uint32_t compute(uint32_t seed)
{
	uint32_t v[12];
	uint32_t sum = 0;

	for (int i = 0; i < 12; i++) {
		v[i] = seed * 2654435761u + (uint32_t)i;
	}
	for (int round = 0; round < ROUNDS; round++) {
		v[0] += v[1] ^ (v[11] >> 3);
		v[1] += v[2] ^ (v[0] << 5);
		v[2] += v[3] * 3;
		v[3] += v[4] ^ (v[2] >> 7);
		v[4] += v[5] ^ v[0];
		v[5] += v[6] * 5;
		v[6] += v[7] ^ (v[5] << 9);
		v[7] += v[8] ^ v[1];
		v[8] += v[9] * 7;
		v[9] += v[10] ^ (v[8] >> 11);
		v[10] += v[11] ^ v[2];
		v[11] += v[0] * 9;
	}
	for (int i = 0; i < 12; i++) {
		sum ^= v[i];
	}
	return sum;
}

int main(void)
{
	unsigned int mask;
	unsigned int rounds = 0;
	unsigned int wrong = 0;
	unsigned int kept = 0;
	uint32_t expected;
	unsigned long begin;
	unsigned long end;

	irq_setmask(0);
	irq_setie(1);
	uart_init();
	printf("program: begins\n");
	expected = compute(1);

	/* A masked line is pending and calls nothing. */
	irq_attach(TIMER0_INTERRUPT, tick);
	start(100, 0);
	while ((irq_pending() & (1 << TIMER0_INTERRUPT)) == 0) {
	}
	printf("program: masked: pending, %u ticks\n", ticks);
	timer0_ev_pending_write(1);
	(void)irq_pending(); /* mip shows a line one cycle later than it is */
	printf("program: cleared: pending %u\n", (irq_pending() >> TIMER0_INTERRUPT) & 1);

	/* Ticks in the middle of a computation. */
	start(PERIOD, PERIOD);
	mask = irq_getmask();
	begin = csrr(mcycle);
	irq_setmask(mask | (1 << TIMER0_INTERRUPT));
	while (ticks < TICKS) {
		wrong += compute(1) != expected;
		rounds++;
	}
	begin = csrr(mcycle) - begin;
	printf("program: %u ticks, %s, %u wrong\n", ticks,
	       rounds > TICKS / 10 ? "many rounds" : "few rounds", wrong);
	printf("program: period %s\n",
	       begin >= (TICKS - 1) * PERIOD && begin < (TICKS + 8) * PERIOD ? "right" : "wrong");
	printf("program: mask %s\n",
	       irq_getmask() == (mask | (1 << TIMER0_INTERRUPT)) ? "right" : "wrong");

	/* Every register across an interrupt, whatever the compiler does with them. */
	start(PERIOD, PERIOD);
	for (int i = 0; i < 4; i++) {
		kept += changed() == 0;
	}
	timer0_en_write(0);
	printf("program: %u of 4 interrupts kept all registers\n", kept);

	/* A line without a function: LiteX reports it and masks it. */
	irq_detach(TIMER0_INTERRUPT);
	start(100, 0);
	while (irq_getmask() & (1 << TIMER0_INTERRUPT)) {
	}
	printf("program: masked by LiteX\n");

	/* Characters arrive by the UART's interrupt. */
	printf("program: say something\n");
	printf("program: heard %c\n", readchar());

	/* 64 words of instructions that only have to be fetched. */
	__asm__ volatile(".option push\n"
			 ".option norvc\n"
			 ".balign 4\n"
			 "csrr %0, mcycle\n"
			 ".rept 64\n"
			 "nop\n"
			 ".endr\n"
			 "csrr %1, mcycle\n"
			 ".option pop\n"
			 : "=r"(begin), "=r"(end));
	printf("program: %lu cycles for 65 words\n", end - begin);

	/* Instructions are not fetched from devices. */
	uart_sync();
	((void (*)(void))CSR_BASE)();
	printf("program: never here\n");
	return 0;
}
