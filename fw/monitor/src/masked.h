/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, schemes `paper` and `soft`: the list of sources that the monitor has masked until the program enables
 * interrupts again. For assembly.
 */
#ifndef MONITOR_MASKED_H_
#define MONITOR_MASKED_H_

#include <trapeze/clic.h>
#include <trapeze/map.h>
#include <trapeze/monitor.h>

#include "state.h"

/* clang-format off */

#define CLIC_IP (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET)
#define CLIC_IE (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IE_OFFSET)

/* Empties the list, and enables those of its sources that the page says the program wants. sp: the state. Uses up t0,
 * t1, t2 and a0.
 */
	.macro	unmask_all
	lw	t1, STATE_MASKED(sp)
	beq	t1, sp, .Lnone\@
.Lnext\@:
	sub	t0, t1, sp			/* STATE_NEXT + 4 * source */
	srli	t2, t0, 2
	lui	a0, %hi(monitor_page + MONITOR_PAGE_MIE - STATE_NEXT / 4)
	add	a0, a0, t2
	lbu	a0, %lo(monitor_page + MONITOR_PAGE_MIE - STATE_NEXT / 4)(a0)
	lui	t2, %hi(CLIC_IE - STATE_NEXT)
	add	t2, t2, t0
	sb	a0, %lo(CLIC_IE - STATE_NEXT)(t2)
	lw	t0, 0(t1)
	sw	zero, 0(t1)
	mv	t1, t0
	bne	t1, sp, .Lnext\@
	sw	t1, STATE_MASKED(sp)
.Lnone\@:
	.endm

/* Puts a source into the list unless it is already there. place: address of the source's element of `next`; other: a
 * register that is used up.
 */
	.macro	note place, other
	lw	\other, 0(\place)
	bnez	\other, .Lnoted\@
	lw	\other, STATE_MASKED(sp)
	sw	\other, 0(\place)
	sw	\place, STATE_MASKED(sp)
.Lnoted\@:
	.endm

/* clang-format on */

#endif /* MONITOR_MASKED_H_ */
