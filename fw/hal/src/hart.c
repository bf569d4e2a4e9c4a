/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Starting harts. The start-up code calls __hart_release() on hart 0 and __hart_wait_released() on the
 * others; who does not run main() stays in __hart_park().
 *
 * A hart that waits is told to look at shared memory by its software interrupt, which stays pending until
 * it looks. The register is zero after reset, as no memory is known to be: so it is also what says that
 * shared memory may be looked at for the first time.
 */
#include <errno.h>
#include <stddef.h>

#include <trapeze/clint.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>

/* Entry points for start/. */
void __hart_release(void);
void __hart_wait_released(void);
__attribute__((noreturn)) void __hart_park(void);

/* start/harts.ld: the hart that runs main(), as an address. */
extern const char __main_hart[];

/* What a hart runs: a function that is not NULL is running, or will run. The object has the same address in every
 * image. */
struct order {
	hart_function_t function;
	void *arg;
};

__attribute__((section(".bss.tz_shared.runtime"))) static struct order orders[TRAPEZE_HARTS];

static volatile uint32_t *software_interrupt(unsigned int hart)
{
	return (volatile uint32_t *)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET +
				     TRAPEZE_CLINT_MSIP_STRIDE * hart);
}

void hart_interrupt(unsigned int hart)
{
	hart_fence();
	*software_interrupt(hart) = TRAPEZE_CLINT_MSIP_MSIP_MASK;
}

/* Sleeps until this hart's software interrupt is pending, and clears it. */
static void wait_for_software_interrupt(void)
{
	volatile uint32_t *pending = software_interrupt(hart_id());

	(void)irq_lock();
	irq_enable(IRQ_SOFTWARE);
	while ((*pending & TRAPEZE_CLINT_MSIP_MSIP_MASK) == 0U) {
		irq_wait();
	}
	irq_disable(IRQ_SOFTWARE);
	*pending = 0U;
	(void)*pending;
	hart_fence();
}

void __hart_release(void)
{
	for (unsigned int hart = 1U; hart < TRAPEZE_HARTS; hart++) {
		hart_interrupt(hart);
	}
}

void __hart_wait_released(void)
{
	wait_for_software_interrupt();
}

void __hart_park(void)
{
	struct order *order = &orders[hart_id()];

	for (;;) {
		wait_for_software_interrupt();

		hart_function_t function = __atomic_load_n(&order->function, __ATOMIC_ACQUIRE);

		if (function != NULL) {
			function(order->arg);
			__atomic_store_n(&order->function, NULL, __ATOMIC_RELEASE);
		}
	}
}

int hart_start(unsigned int hart, hart_function_t function, void *arg)
{
	if (hart >= TRAPEZE_HARTS || hart == hart_id() || hart == (uintptr_t)__main_hart ||
	    function == NULL) {
		return -EINVAL;
	}
	if (hart_is_running(hart)) {
		return -EBUSY;
	}
	/* Waits until the hart has taken notice of the last order. Then this order has an interrupt of its own,
	 * which cannot get lost in an earlier one, and cannot come when the function already runs.
	 */
	while ((*software_interrupt(hart) & TRAPEZE_CLINT_MSIP_MSIP_MASK) != 0U) {
	}
	orders[hart].arg = arg;
	__atomic_store_n(&orders[hart].function, function, __ATOMIC_RELEASE);
	hart_interrupt(hart);
	return 0;
}

bool hart_is_running(unsigned int hart)
{
	return __atomic_load_n(&orders[hart].function, __ATOMIC_ACQUIRE) != NULL;
}

void hart_wait(unsigned int hart)
{
	while (hart_is_running(hart)) {
	}
}
