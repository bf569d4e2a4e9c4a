/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Names of registers that fit the mode in which the program and its interrupts run. For C and assembly. A name
 * with X stands for machine mode's register, or with TRAPEZE_USER for user mode's (user-level interrupts), so that one
 * source serves both modes. Fields that both modes have, such as MCAUSE_CODE, MCAUSE_MPIL and those of mfastirq, keep
 * machine mode's names.
 *
 * Only registers that both modes have are here; jalmnxti and exceptions belong to machine mode. The HAL uses mscratch
 * for exceptions. It does not use uscratch, which is free for the program.
 *
 * With TRAPEZE_MONITOR_CALLS, too, the program is in user mode, but its interrupts are machine mode's, which a monitor
 * hands on (trapeze/monitor.h): the names stand for machine mode's registers then, and the program can access only
 * those of the CLIC.
 *
 * With TRAPEZE_SUPERVISOR the names stand for supervisor mode's registers: the program is a cell of the hypervisor, which
 * it calls as Linux does (fw/hypervisor/README.md). There is no CLIC.
 *
 * Sources: docs/user-level-interrupts.md; RISC-V Privileged Architecture, chapter 4.
 */
#ifndef TRAPEZE_MODE_H_
#define TRAPEZE_MODE_H_

#include <trapeze/csr.h>

/* clang-format off */

/* Objects of programs in user mode record the monitor scheme for which they are compiled; monitor.ld compares. */
#ifdef TRAPEZE_USER
#if defined(TRAPEZE_MONITOR_SOFT)
#define TRAPEZE_MADE_FOR_ program_for_soft
#elif defined(TRAPEZE_MONITOR_CALLS)
#define TRAPEZE_MADE_FOR_ program_for_paper
#else
#define TRAPEZE_MADE_FOR_ program_for_direct
#endif
#ifdef __ASSEMBLER__
	.weak	TRAPEZE_MADE_FOR_
	.set	TRAPEZE_MADE_FOR_, 1
#else
__asm__(".weak " TRAPEZE_STRINGIFY(TRAPEZE_MADE_FOR_) "\n\t.set " TRAPEZE_STRINGIFY(TRAPEZE_MADE_FOR_) ", 1");
#endif
#endif

#if defined(TRAPEZE_USER) && !defined(TRAPEZE_MONITOR_CALLS)

#define CSR_XSTATUS    CSR_USTATUS
#define CSR_XTVEC      CSR_UTVEC
#define CSR_XTVT       CSR_UTVT
#define CSR_XSCRATCH   CSR_USCRATCH
#define CSR_XEPC       CSR_UEPC
#define CSR_XCAUSE     CSR_UCAUSE
#define CSR_XTVAL      CSR_UTVAL
#define CSR_XNXTI      CSR_UNXTI
#define CSR_XINTTHRESH CSR_UINTTHRESH
#define CSR_XINTSTATUS CSR_UINTSTATUS
#define CSR_XFASTIRQ   CSR_UFASTIRQ
#define CSR_XFRAME     CSR_UFRAME

#define XSTATUS_XIE          USTATUS_UIE
#define XINTSTATUS_XIL_SHIFT UINTSTATUS_UIL_SHIFT

/* Value of xcause, without the interrupt's bits, if an interrupt took a program at level 0 with interrupts enabled. */
#define XCAUSE_ENABLED UCAUSE_UPIE

#define TRAPEZE_XRET  TRAPEZE_URET
#define TRAPEZE_EXRET TRAPEZE_EURET

/* The view of the CLIC, laid out as machine mode's, and where its configuration has the number of level bits. */
#define TRAPEZE_XCLIC_BASE         TRAPEZE_CLIC_USER_BASE
#define TRAPEZE_XCLIC_NLBITS_MASK  TRAPEZE_CLIC_USER_UCLICCFG_UNLBITS_MASK
#define TRAPEZE_XCLIC_NLBITS_SHIFT TRAPEZE_CLIC_USER_UCLICCFG_UNLBITS_SHIFT

#elif defined(TRAPEZE_SUPERVISOR)

#define CSR_XSTATUS  CSR_SSTATUS
#define CSR_XIE      CSR_SIE
#define CSR_XIP      CSR_SIP
#define CSR_XTVEC    CSR_STVEC
#define CSR_XSCRATCH CSR_SSCRATCH
#define CSR_XEPC     CSR_SEPC
#define CSR_XCAUSE   CSR_SCAUSE
#define CSR_XTVAL    CSR_STVAL

#define XSTATUS_XIE MSTATUS_SIE

#ifdef __ASSEMBLER__
#define TRAPEZE_XRET sret
#else
#define TRAPEZE_XRET "sret"
#endif

#else

#define CSR_XSTATUS    CSR_MSTATUS
#define CSR_XIE        CSR_MIE
#define CSR_XIP        CSR_MIP
#define CSR_XTVEC      CSR_MTVEC
#define CSR_XTVT       CSR_MTVT
#define CSR_XSCRATCH   CSR_MSCRATCH
#define CSR_XEPC       CSR_MEPC
#define CSR_XCAUSE     CSR_MCAUSE
#define CSR_XTVAL      CSR_MTVAL
#define CSR_XNXTI      CSR_MNXTI
#define CSR_XINTTHRESH CSR_MINTTHRESH
#define CSR_XINTSTATUS CSR_MINTSTATUS
#define CSR_XFASTIRQ   CSR_MFASTIRQ
#define CSR_XFRAME     CSR_MFRAME

#define XSTATUS_XIE          MSTATUS_MIE
#define XINTSTATUS_XIL_SHIFT MINTSTATUS_MIL_SHIFT

#define XCAUSE_ENABLED (MCAUSE_MPP | MCAUSE_MPIE)

#ifdef __ASSEMBLER__
#define TRAPEZE_XRET mret
#else
#define TRAPEZE_XRET "mret"
#endif
#define TRAPEZE_EXRET TRAPEZE_EMRET

#define TRAPEZE_XCLIC_BASE         TRAPEZE_CLIC_BASE
#define TRAPEZE_XCLIC_NLBITS_MASK  TRAPEZE_CLIC_MCLICCFG_MNLBITS_MASK
#define TRAPEZE_XCLIC_NLBITS_SHIFT TRAPEZE_CLIC_MCLICCFG_MNLBITS_SHIFT

#endif

/* The counters have other names in every mode below machine mode. */
#if defined(TRAPEZE_USER) || defined(TRAPEZE_SUPERVISOR)
#define CSR_XCYCLE    CSR_CYCLE
#define CSR_XCYCLEH   CSR_CYCLEH
#define CSR_XINSTRET  CSR_INSTRET
#define CSR_XINSTRETH CSR_INSTRETH
#else
#define CSR_XCYCLE    CSR_MCYCLE
#define CSR_XCYCLEH   CSR_MCYCLEH
#define CSR_XINSTRET  CSR_MINSTRET
#define CSR_XINSTRETH CSR_MINSTRETH
#endif

/* clang-format on */

#endif /* TRAPEZE_MODE_H_ */
