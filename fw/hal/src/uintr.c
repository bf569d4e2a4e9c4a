/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* User interrupts from hart to hart: threads, and what machine mode does when they change (docs/user-interrupts.md). */
#include <errno.h>
#include <stddef.h>

#include <trapeze/clic.h>
#include <trapeze/irq_clic.h>
#include <trapeze/map.h>
#include <trapeze/uintr.h>
#include <trapeze/user.h>

#define BYTE(shift) ((shift) / 8)

_Static_assert(sizeof(struct uintr_target) == UITT_BYTES, "an entry of the UITT");
_Static_assert(_Alignof(struct uintr_target) == UITT_ALIGNMENT, "an entry of the UITT");
_Static_assert(offsetof(struct uintr_target, valid) == BYTE(UITT_CONTROL_VALID_SHIFT), "V");
_Static_assert(offsetof(struct uintr_target, vector) == BYTE(UITT_CONTROL_VECTOR_SHIFT), "vector");
_Static_assert(offsetof(struct uintr_target, upid) == UITT_UPID_OFFSET, "an entry of the UITT");
_Static_assert(offsetof(struct uintr_target, upid_high) == UITT_UPID_HIGH_OFFSET,
	       "an entry of the UITT");
_Static_assert(_Alignof(struct uintr_upid) == UPID_ALIGNMENT, "a UPID");
_Static_assert(offsetof(struct uintr_upid, control) == UPID_CONTROL_OFFSET, "a UPID");
_Static_assert(offsetof(struct uintr_upid, ndst) == UPID_NDST_OFFSET, "a UPID");
_Static_assert(offsetof(struct uintr_upid, puir) == UPID_PUIR_OFFSET, "a UPID");
_Static_assert(TRAPEZE_SENDUIPI_MATCH == (0x47U << 25 | 0x73U), "senduipi");

/* start/uintr.S */
void __uintr_entry(void);
extern const char __uintr_return[];

void uintr_thread_init(struct uintr_thread *thread, unsigned int notification)
{
	*thread = (struct uintr_thread){
	    .upid.control = UINTR_SN | (notification << UPID_CONTROL_NV_SHIFT),
	    .notification = notification,
	};
}

int uintr_connect(struct uintr_thread *sender, unsigned int index, struct uintr_thread *receiver,
		  unsigned int vector)
{
	if (index >= UINTR_TARGETS || vector >= UINTR_VECTORS) {
		return -EINVAL;
	}

	struct uintr_target *target = &sender->targets[index];

	uintr_disconnect(sender, index);
	target->vector = (uint8_t)vector;
	target->upid = (uint32_t)&receiver->upid;
	__atomic_store_n(&target->valid, 1U, __ATOMIC_RELEASE);
	return 0;
}

void uintr_disconnect(struct uintr_thread *sender, unsigned int index)
{
	__atomic_store_n(&sender->targets[index].valid, 0U, __ATOMIC_SEQ_CST);
}

void uintr_begin(uintr_handler_t handler, uint8_t level)
{
	csr_write(CSR_USCRATCH, (uint32_t)handler);
	uintr_begin_direct(__uintr_entry, level);
}

void uintr_begin_direct(void (*handler)(void), uint8_t level)
{
	volatile uint32_t *setting =
	    (volatile uint32_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_MCLICCFG_OFFSET);

	/* Levels of user mode have all bits; modes of sources count. Every other source is machine mode's. */
	for (unsigned int irq = 0U; irq < IRQ_COUNT; irq++) {
		volatile uint8_t *attr = irq_register(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET);

		*attr = *attr | TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK;
	}
	user_vectors[IRQ_USER_POST] = handler;
	__asm__ volatile("fence.i" : : : "memory"); /* the core fetches the table */
	*setting = (*setting & ~(uint32_t)TRAPEZE_CLIC_MCLICCFG_UNLBITS_MASK) |
		   (1U << TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT) |
		   (8U << TRAPEZE_CLIC_MCLICCFG_UNLBITS_SHIFT);
	*irq_register(IRQ_USER_POST, TRAPEZE_CLIC_IRQ_ATTR_OFFSET) = TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK;
	irq_control_set(IRQ_USER_POST, level);
	irq_enable(IRQ_USER_POST);
	csr_write(CSR_UTVT, (uint32_t)user_vectors);
	csr_write(CSR_UFASTIRQ, (uint32_t)__uintr_return + UFASTIRQ_ENABLE);
	csr_write(CSR_USTATUS, 0U);
	csr_write(CSR_UCAUSE, 0U);
}

/* Writes NV alone: others may change ON in the same word meanwhile. */
static void notify_by(struct uintr_thread *thread, unsigned int vector)
{
	((volatile uint8_t *)&thread->upid.control)[BYTE(UPID_CONTROL_NV_SHIFT)] = (uint8_t)vector;
}

/* What is posted to the thread joins this hart's UIRR. The hardware may do the same meanwhile: each vector is taken by
 * one of both. ON first, so that a post behind it notifies again.
 */
static void take_posted(struct uintr_thread *thread)
{
	(void)__atomic_fetch_and(&thread->upid.control, ~UINTR_ON, __ATOMIC_SEQ_CST);
	csr_set(CSR_MUIRR, __atomic_exchange_n(&thread->upid.puir[0], 0U, __ATOMIC_SEQ_CST));
	csr_set(CSR_MUIRRH, __atomic_exchange_n(&thread->upid.puir[1], 0U, __ATOMIC_SEQ_CST));
}

void uintr_switch_in(struct uintr_thread *thread)
{
	/* While SN is set nobody looks at where notifications go. */
	(void)__atomic_fetch_or(&thread->upid.control, UINTR_SN, __ATOMIC_SEQ_CST);
	thread->upid.ndst = hart_id();
	notify_by(thread, thread->notification);
	csr_write(CSR_MUIRR, thread->uirr[0]);
	csr_write(CSR_MUIRRH, thread->uirr[1]);
	thread->uirr[0] = 0U;
	thread->uirr[1] = 0U;
	csr_write(CSR_MUITT, (uint32_t)thread->targets | MUITT_ENABLE);
	csr_write(CSR_MUITTSZ, UINTR_TARGETS);
	csr_write(CSR_MUNV, thread->notification);
	csr_write(CSR_MUPID, (uint32_t)&thread->upid | MUPID_ENABLE);
	(void)__atomic_fetch_and(&thread->upid.control, ~UINTR_SN, __ATOMIC_SEQ_CST);
	take_posted(thread);
}

void uintr_switch_out(struct uintr_thread *thread)
{
	(void)__atomic_fetch_or(&thread->upid.control, UINTR_SN, __ATOMIC_SEQ_CST);
	csr_write(CSR_MUPID, 0U);
	csr_write(CSR_MUITT, 0U);
	thread->uirr[0] = csr_swap(CSR_MUIRR, 0U);
	thread->uirr[1] = csr_swap(CSR_MUIRRH, 0U);
}

bool uintr_watch(struct uintr_thread *thread, unsigned int irq)
{
	thread->upid.ndst = hart_id();
	notify_by(thread, irq);
	(void)__atomic_fetch_and(&thread->upid.control, ~(UINTR_SN | UINTR_ON), __ATOMIC_SEQ_CST);
	return (thread->uirr[0] | thread->uirr[1] |
		__atomic_load_n(&thread->upid.puir[0], __ATOMIC_SEQ_CST) |
		__atomic_load_n(&thread->upid.puir[1], __ATOMIC_SEQ_CST)) == 0U;
}
