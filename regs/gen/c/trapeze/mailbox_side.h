/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Mailbox, one side: registers. Only word accesses. Other accesses, and offsets without a register, are bus errors. The interrupt is level-triggered: it is high while irq_enable & irq_pending is not 0, or an enabled doorbell is set, but low for 2,000 cycles after a word was received or a doorbell cleared on this side.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_MAILBOX_SIDE_H_
#define TRAPEZE_MAILBOX_SIDE_H_

/** Status (rw), 32 bits: offset. */
#define TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET 0x00
/** Status: value after reset. */
#define TRAPEZE_MAILBOX_SIDE_STATUS_RESET 0x800
/** Field (r): words that wait to be received here. */
#define TRAPEZE_MAILBOX_SIDE_STATUS_WAITING_MASK 0xff
#define TRAPEZE_MAILBOX_SIDE_STATUS_WAITING_SHIFT 0
/** Field (r): words that can be sent before the other side's queue is full. */
#define TRAPEZE_MAILBOX_SIDE_STATUS_PLACES_MASK 0xff00
#define TRAPEZE_MAILBOX_SIDE_STATUS_PLACES_SHIFT 8
/** Field (rw): a word was sent to a full queue and is lost; stays until 1 is written. */
#define TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_MASK 0x10000
#define TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_SHIFT 16

/** Send (w), 32 bits: offset. Reads as zero. */
#define TRAPEZE_MAILBOX_SIDE_SEND_OFFSET 0x04
/** Send: value after reset. */
#define TRAPEZE_MAILBOX_SIDE_SEND_RESET 0x0
/** Field (w): word for the end of the other side's queue. */
#define TRAPEZE_MAILBOX_SIDE_SEND_WORD_MASK 0xffffffff
#define TRAPEZE_MAILBOX_SIDE_SEND_WORD_SHIFT 0

/** Receive (r), 32 bits: offset. A read takes the oldest word of this side's queue; 0 when there is none. */
#define TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET 0x08
/** Receive: value after reset. */
#define TRAPEZE_MAILBOX_SIDE_RECEIVE_RESET 0x0
/** Field (r (read clears)): oldest word. */
#define TRAPEZE_MAILBOX_SIDE_RECEIVE_WORD_MASK 0xffffffff
#define TRAPEZE_MAILBOX_SIDE_RECEIVE_WORD_SHIFT 0

/** Ring (w), 32 bits: offset. Reads as zero. */
#define TRAPEZE_MAILBOX_SIDE_RING_OFFSET 0x0c
/** Ring: value after reset. */
#define TRAPEZE_MAILBOX_SIDE_RING_RESET 0x0
/** Field (w): ones set these doorbells of the other side. */
#define TRAPEZE_MAILBOX_SIDE_RING_BELLS_MASK 0xffffffff
#define TRAPEZE_MAILBOX_SIDE_RING_BELLS_SHIFT 0

/** Doorbells (rw), 32 bits: offset. */
#define TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET 0x10
/** Doorbells: value after reset. */
#define TRAPEZE_MAILBOX_SIDE_BELLS_RESET 0x0
/** Field (rw): doorbells that the other side has set; write 1 to clear. */
#define TRAPEZE_MAILBOX_SIDE_BELLS_BELLS_MASK 0xffffffff
#define TRAPEZE_MAILBOX_SIDE_BELLS_BELLS_SHIFT 0

/** Doorbell enable (rw), 32 bits: offset. */
#define TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET 0x14
/** Doorbell enable: value after reset. */
#define TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_RESET 0x0
/** Field (rw): doorbells that raise the interrupt. */
#define TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_BELLS_MASK 0xffffffff
#define TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_BELLS_SHIFT 0

/** Interrupt enable (rw), 32 bits: offset. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET 0x18
/** Interrupt enable: value after reset. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_RESET 0x0
/** Field (rw): raised while a word waits to be received. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_MASK 0x1
#define TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_SHIFT 0
/** Field (rw): raised while a word can be sent. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_PLACE_MASK 0x2
#define TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_PLACE_SHIFT 1

/** Interrupt pending (r), 32 bits: offset. Shows each condition whether or not it is enabled. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_OFFSET 0x1c
/** Interrupt pending: value after reset. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_RESET 0x2
/** Field (r): a word waits to be received. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_WORD_MASK 0x1
#define TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_WORD_SHIFT 0
/** Field (r): a word can be sent. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_PLACE_MASK 0x2
#define TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_PLACE_SHIFT 1
/** Field (r): a doorbell that bells_enable enables is set. */
#define TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_BELL_MASK 0x4
#define TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_BELL_SHIFT 2

#endif /* TRAPEZE_MAILBOX_SIDE_H_ */
