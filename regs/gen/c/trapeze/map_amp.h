/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Memory map `amp`: application hart and real-time hart.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_MAP_AMP_H_
#define TRAPEZE_MAP_AMP_H_

/** Host port: first address. Offsets without a register read as zero and ignore writes. */
#define TRAPEZE_HOST_BASE 0x00100000
/** Host port: size in bytes. */
#define TRAPEZE_HOST_SIZE 0x1000

/** CLINT: first address. Software interrupts and timers. Registers of absent harts, and offsets without a register, read as zero and ignore writes. */
#define TRAPEZE_CLINT_BASE 0x02000000
/** CLINT: size in bytes. */
#define TRAPEZE_CLINT_SIZE 0x10000

/** CLIC: first address. Absent in CLINT configurations. Absent registers and sources read as zero and ignore writes. */
#define TRAPEZE_CLIC_BASE 0x02800000
/** CLIC: size in bytes. */
#define TRAPEZE_CLIC_SIZE 0x8000

/** CLIC of user mode: first address. Sources of user mode; all others read as zero and ignore writes. Exists only with user-level interrupts. */
#define TRAPEZE_CLIC_USER_BASE 0x02808000
/** CLIC of user mode: size in bytes. */
#define TRAPEZE_CLIC_USER_SIZE 0x8000

/** PLIC: first address. For the harts with supervisor mode; no other hart sees it. Each has two contexts: the first hart has context 0 for machine mode and 1 for supervisor mode, the second has 2 and 3. Word accesses; offsets without a register read as zero and ignore writes. */
#define TRAPEZE_PLIC_BASE 0x0c000000
/** PLIC: size in bytes. */
#define TRAPEZE_PLIC_SIZE 0x4000000

/** UART: first address. 16550-compatible console: byte registers, byte accesses. While LCR.DLAB is 1, DLL and DLM are at offsets 0 and 1. */
#define TRAPEZE_UART_BASE 0x10000000
/** UART: size in bytes. */
#define TRAPEZE_UART_SIZE 0x100
/** UART: source of the PLIC. */
#define TRAPEZE_UART_PLIC_SOURCE 10

/** UART of hart 1: first address. Like `uart`. What hart 1 writes here reaches the run's console line by line. */
#define TRAPEZE_UART1_BASE 0x10001000
/** UART of hart 1: size in bytes. */
#define TRAPEZE_UART1_SIZE 0x100
/** UART of hart 1: source of the PLIC. */
#define TRAPEZE_UART1_PLIC_SOURCE 11

/** Latency measurement: first address. Two latency probes, and the devices that they are used with. Only word accesses. Other accesses, and offsets without a block, are bus errors. */
#define TRAPEZE_PROBE_BASE 0x10010000
/** Latency measurement: size in bytes. */
#define TRAPEZE_PROBE_SIZE 0x8000

/** Latency samples: first address. */
#define TRAPEZE_PROBE_SAMPLES0_BASE 0x10010000
/** Latency samples: size in bytes. */
#define TRAPEZE_PROBE_SAMPLES0_SIZE 0x800

/** Latency probe: first address. */
#define TRAPEZE_PROBE_REGS0_BASE 0x10011000
/** Latency probe: size in bytes. */
#define TRAPEZE_PROBE_REGS0_SIZE 0x1000

/** Latency samples: first address. */
#define TRAPEZE_PROBE_SAMPLES1_BASE 0x10012000
/** Latency samples: size in bytes. */
#define TRAPEZE_PROBE_SAMPLES1_SIZE 0x800

/** Latency probe: first address. */
#define TRAPEZE_PROBE_REGS1_BASE 0x10013000
/** Latency probe: size in bytes. */
#define TRAPEZE_PROBE_REGS1_SIZE 0x1000

/** Random data generator: first address. */
#define TRAPEZE_PROBE_RANDOM_BASE 0x10014000
/** Random data generator: size in bytes. */
#define TRAPEZE_PROBE_RANDOM_SIZE 0x1000

/** Triple timer: first address. */
#define TRAPEZE_PROBE_TIMER_BASE 0x10015000
/** Triple timer: size in bytes. */
#define TRAPEZE_PROBE_TIMER_SIZE 0x1000

/** Stress generator: first address. */
#define TRAPEZE_PROBE_STRESS_BASE 0x10016000
/** Stress generator: size in bytes. */
#define TRAPEZE_PROBE_STRESS_SIZE 0x1000

/** Latency measurement of application harts: first address. Two latency probes, and the devices that they are used with. Only word accesses. Other accesses, and offsets without a block, are bus errors. */
#define TRAPEZE_APP_PROBE_BASE 0x10018000
/** Latency measurement of application harts: size in bytes. */
#define TRAPEZE_APP_PROBE_SIZE 0x8000
/** Latency measurement of application harts: source of the PLIC. */
#define TRAPEZE_APP_PROBE_PLIC_SOURCE 13

/** Latency samples: first address. */
#define TRAPEZE_APP_PROBE_SAMPLES0_BASE 0x10018000
/** Latency samples: size in bytes. */
#define TRAPEZE_APP_PROBE_SAMPLES0_SIZE 0x800

/** Latency probe: first address. */
#define TRAPEZE_APP_PROBE_REGS0_BASE 0x10019000
/** Latency probe: size in bytes. */
#define TRAPEZE_APP_PROBE_REGS0_SIZE 0x1000

/** Latency samples: first address. */
#define TRAPEZE_APP_PROBE_SAMPLES1_BASE 0x1001a000
/** Latency samples: size in bytes. */
#define TRAPEZE_APP_PROBE_SAMPLES1_SIZE 0x800

/** Latency probe: first address. */
#define TRAPEZE_APP_PROBE_REGS1_BASE 0x1001b000
/** Latency probe: size in bytes. */
#define TRAPEZE_APP_PROBE_REGS1_SIZE 0x1000

/** Random data generator: first address. */
#define TRAPEZE_APP_PROBE_RANDOM_BASE 0x1001c000
/** Random data generator: size in bytes. */
#define TRAPEZE_APP_PROBE_RANDOM_SIZE 0x1000

/** Triple timer: first address. */
#define TRAPEZE_APP_PROBE_TIMER_BASE 0x1001d000
/** Triple timer: size in bytes. */
#define TRAPEZE_APP_PROBE_TIMER_SIZE 0x1000

/** Stress generator: first address. */
#define TRAPEZE_APP_PROBE_STRESS_BASE 0x1001e000
/** Stress generator: size in bytes. */
#define TRAPEZE_APP_PROBE_STRESS_SIZE 0x1000

/** Mailbox, side of hart 0: first address. Only word accesses. Other accesses, and offsets without a register, are bus errors. The interrupt is level-triggered: it is high while irq_enable & irq_pending is not 0, or an enabled doorbell is set, but low for 2,000 cycles after a word was received or a doorbell cleared on this side. */
#define TRAPEZE_MAILBOX_A_BASE 0x10020000
/** Mailbox, side of hart 0: size in bytes. */
#define TRAPEZE_MAILBOX_A_SIZE 0x1000
/** Mailbox, side of hart 0: source of the PLIC. */
#define TRAPEZE_MAILBOX_A_PLIC_SOURCE 12

/** Mailbox, side of hart 1: first address. Only word accesses. Other accesses, and offsets without a register, are bus errors. The interrupt is level-triggered: it is high while irq_enable & irq_pending is not 0, or an enabled doorbell is set, but low for 2,000 cycles after a word was received or a doorbell cleared on this side. */
#define TRAPEZE_MAILBOX_B_BASE 0x10021000
/** Mailbox, side of hart 1: size in bytes. */
#define TRAPEZE_MAILBOX_B_SIZE 0x1000
/** Mailbox, side of hart 1: platform line of its interrupt. */
#define TRAPEZE_MAILBOX_B_LINE 14

/** Doorbells, side of the hart that is rung: first address. Only word accesses. Other accesses, and offsets without a register, are bus errors. The interrupt is level-triggered: it is high while an enabled doorbell is set, but low for `interval` cycles after a doorbell was cleared. So a storm costs the hart that is rung one interrupt in this time. */
#define TRAPEZE_BELLS_BASE 0x10027000
/** Doorbells, side of the hart that is rung: size in bytes. */
#define TRAPEZE_BELLS_SIZE 0x1000
/** Doorbells, side of the hart that is rung: platform line of its interrupt. */
#define TRAPEZE_BELLS_LINE 11

/** Doorbells, pages of those who ring: first address. Page n has one register, which sets doorbell n. Only word accesses. Other accesses, and offsets without a register, are bus errors. */
#define TRAPEZE_BELL_PAGES_BASE 0x10028000
/** Doorbells, pages of those who ring: size in bytes. */
#define TRAPEZE_BELL_PAGES_SIZE 0x8000

/** Main memory: first address. Main memory of an application hart; the reset vector is its first word. */
#define TRAPEZE_DRAM_BASE 0x80000000
/** Main memory: size in bytes. */
#define TRAPEZE_DRAM_SIZE 0x4000000

/** Instruction bank: first address. Vectors, code; the reset vector is its first word. */
#define TRAPEZE_IMEM_BASE 0x84000000
/** Instruction bank: size in bytes. */
#define TRAPEZE_IMEM_SIZE 0x80000

/** Stack bank: first address. Stack; the initial stack pointer is its end. */
#define TRAPEZE_SMEM_BASE 0x84200000
/** Stack bank: size in bytes. */
#define TRAPEZE_SMEM_SIZE 0x10000

/** Ring: first address. Queues between the harts (docs/remote-jobs.md), coherent. */
#define TRAPEZE_RING_BASE 0x84300000
/** Ring: size in bytes. */
#define TRAPEZE_RING_SIZE 0x10000

/** Data: first address. The real-time hart's constants, data, heap. */
#define TRAPEZE_DMEM_BASE 0x84400000
/** Data: size in bytes. */
#define TRAPEZE_DMEM_SIZE 0x400000

#endif /* TRAPEZE_MAP_AMP_H_ */
