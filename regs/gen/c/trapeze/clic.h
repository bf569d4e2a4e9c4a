/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief CLIC: registers of the Trapeze SoC. Absent in CLINT configurations. Absent registers and sources read as zero and ignore writes.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_CLIC_H_
#define TRAPEZE_CLIC_H_

/** Configuration (rw), 32 bits: offset. Without user-level interrupts nmbits and unlbits read as zero, and all interrupts are machine mode's. */
#define TRAPEZE_CLIC_MCLICCFG_OFFSET 0x00
/** Configuration: value after reset. */
#define TRAPEZE_CLIC_MCLICCFG_RESET 0x0
/** Field (rw): level bits at the top of ctl, 0 to 8; more count as 8; with 0 every level is 255. */
#define TRAPEZE_CLIC_MCLICCFG_MNLBITS_MASK 0xf
#define TRAPEZE_CLIC_MCLICCFG_MNLBITS_SHIFT 0
/** Field (rw): 0: all interrupts are machine mode's; 1: attr.mode decides. Bit 5 reads as zero. */
#define TRAPEZE_CLIC_MCLICCFG_NMBITS_MASK 0x30
#define TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT 4
/** Field (rw): number of level bits of user interrupts, like mnlbits. */
#define TRAPEZE_CLIC_MCLICCFG_UNLBITS_MASK 0xf000000
#define TRAPEZE_CLIC_MCLICCFG_UNLBITS_SHIFT 24

/** Interrupt pending (clicintip) (rw), 8 bits: offset. Level-triggered: the wire, read-only. Edge-triggered: read-write. */
#define TRAPEZE_CLIC_IRQ_IP_OFFSET 0x1000
/** Interrupt pending (clicintip): how many there can be. */
#define TRAPEZE_CLIC_IRQ_IP_COUNT 4096
/** Interrupt pending (clicintip): bytes from each to the next. */
#define TRAPEZE_CLIC_IRQ_IP_STRIDE 4
/** Interrupt pending (clicintip): value after reset. */
#define TRAPEZE_CLIC_IRQ_IP_RESET 0x0
/** Field (rw): pending; an edge sets it, the claim of an edge-triggered interrupt clears it. */
#define TRAPEZE_CLIC_IRQ_IP_IP_MASK 0x1
#define TRAPEZE_CLIC_IRQ_IP_IP_SHIFT 0

/** Interrupt enable (clicintie) (rw), 8 bits: offset. */
#define TRAPEZE_CLIC_IRQ_IE_OFFSET 0x1001
/** Interrupt enable (clicintie): how many there can be. */
#define TRAPEZE_CLIC_IRQ_IE_COUNT 4096
/** Interrupt enable (clicintie): bytes from each to the next. */
#define TRAPEZE_CLIC_IRQ_IE_STRIDE 4
/** Interrupt enable (clicintie): value after reset. */
#define TRAPEZE_CLIC_IRQ_IE_RESET 0x0
/** Field (rw): enabled. */
#define TRAPEZE_CLIC_IRQ_IE_IE_MASK 0x1
#define TRAPEZE_CLIC_IRQ_IE_IE_SHIFT 0

/** Interrupt attributes (clicintattr) (rw), 8 bits: offset. Turning edge-triggered clears ip, unless the same access sets it. */
#define TRAPEZE_CLIC_IRQ_ATTR_OFFSET 0x1002
/** Interrupt attributes (clicintattr): how many there can be. */
#define TRAPEZE_CLIC_IRQ_ATTR_COUNT 4096
/** Interrupt attributes (clicintattr): bytes from each to the next. */
#define TRAPEZE_CLIC_IRQ_ATTR_STRIDE 4
/** Interrupt attributes (clicintattr): value after reset. */
#define TRAPEZE_CLIC_IRQ_ATTR_RESET 0xc0
/** Field (rw): hardware vectoring: the handler's address comes from the table at mtvt. */
#define TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK 0x1
#define TRAPEZE_CLIC_IRQ_ATTR_SHV_SHIFT 0
/** Field (rw): trigger. */
#define TRAPEZE_CLIC_IRQ_ATTR_TRIG_MASK 0x6
#define TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT 1
/** Field value: level, active high. */
#define TRAPEZE_CLIC_IRQ_ATTR_TRIG_HIGH 0x0
/** Field value: edge, rising. */
#define TRAPEZE_CLIC_IRQ_ATTR_TRIG_RISING 0x1
/** Field value: level, active low. */
#define TRAPEZE_CLIC_IRQ_ATTR_TRIG_LOW 0x2
/** Field value: edge, falling. */
#define TRAPEZE_CLIC_IRQ_ATTR_TRIG_FALLING 0x3
/** Field (rw): 3: machine mode, 0: user mode. Bit 7 decides; both read alike, with nmbits 0 as 3. */
#define TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK 0xc0
#define TRAPEZE_CLIC_IRQ_ATTR_MODE_SHIFT 6

/** Interrupt control (clicintctl) (rw), 8 bits: offset. Level above, priority below. Absent low bits read as ones. */
#define TRAPEZE_CLIC_IRQ_CTL_OFFSET 0x1003
/** Interrupt control (clicintctl): how many there can be. */
#define TRAPEZE_CLIC_IRQ_CTL_COUNT 4096
/** Interrupt control (clicintctl): bytes from each to the next. */
#define TRAPEZE_CLIC_IRQ_CTL_STRIDE 4
/** Interrupt control (clicintctl): value after reset. */
#define TRAPEZE_CLIC_IRQ_CTL_RESET 0x0
/** Field (rw): level in the top mnlbits bits, priority in the rest. */
#define TRAPEZE_CLIC_IRQ_CTL_CTL_MASK 0xff
#define TRAPEZE_CLIC_IRQ_CTL_CTL_SHIFT 0

#endif /* TRAPEZE_CLIC_H_ */
