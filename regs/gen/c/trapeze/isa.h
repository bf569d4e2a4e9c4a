/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from regs/isa by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Constants of the instruction set.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_ISA_H_
#define TRAPEZE_ISA_H_

/* Numbers of CSRs; of a run of registers that of its first one. */
#define CSR_USTATUS 0x000 /* User status */
#define CSR_FFLAGS 0x001 /* Floating-point accrued exceptions */
#define CSR_FRM 0x002 /* Floating-point dynamic rounding mode */
#define CSR_FCSR 0x003 /* Floating-point control and status */
#define CSR_UIE 0x004 /* User interrupt enable, zero with a CLIC */
#define CSR_UTVEC 0x005 /* User interrupt handler */
#define CSR_UTVT 0x007 /* Address of the table of user handlers */
#define CSR_USCRATCH 0x040 /* User scratch */
#define CSR_UEPC 0x041 /* User exception program counter */
#define CSR_UCAUSE 0x042 /* User cause */
#define CSR_UTVAL 0x043 /* User trap value */
#define CSR_UIP 0x044 /* User interrupt pending, zero with a CLIC */
#define CSR_UNXTI 0x045 /* Claims the next user interrupt (xnxti) */
#define CSR_UINTTHRESH 0x047 /* User interrupt threshold */
#define CSR_USCRATCHCSWL 0x049 /* Exchanges uscratch on a change of level from or to 0 */
#define CSR_SSTATUS 0x100 /* Supervisor status */
#define CSR_SIE 0x104 /* Supervisor interrupt enable */
#define CSR_STVEC 0x105 /* Supervisor trap handler */
#define CSR_SCOUNTEREN 0x106 /* Supervisor counter enable */
#define CSR_SENVCFG 0x10A /* Supervisor environment configuration */
#define CSR_SSCRATCH 0x140 /* Supervisor scratch */
#define CSR_SEPC 0x141 /* Supervisor exception program counter */
#define CSR_SCAUSE 0x142 /* Supervisor cause */
#define CSR_STVAL 0x143 /* Supervisor trap value */
#define CSR_SIP 0x144 /* Supervisor interrupt pending */
#define CSR_SATP 0x180 /* Supervisor address translation and protection */
#define CSR_MSTATUS 0x300 /* Machine status */
#define CSR_MISA 0x301 /* ISA and extensions */
#define CSR_MEDELEG 0x302 /* Machine exception delegation */
#define CSR_MIDELEG 0x303 /* Machine interrupt delegation */
#define CSR_MIE 0x304 /* Machine interrupt enable */
#define CSR_MTVEC 0x305 /* Machine trap handler */
#define CSR_MCOUNTEREN 0x306 /* Machine counter enable */
#define CSR_MTVT 0x307 /* Address of the table of handlers */
#define CSR_MENVCFG 0x30A /* Machine environment configuration */
#define CSR_MSTATUSH 0x310 /* Machine status, upper half (RV32) */
#define CSR_MENVCFGH 0x31A /* Machine environment configuration, upper half (RV32) */
#define CSR_MCOUNTINHIBIT 0x320 /* Machine counter inhibit */
#define CSR_MHPMEVENT3 0x323 /* Machine performance event selector */
#define CSR_MSCRATCH 0x340 /* Machine scratch */
#define CSR_MEPC 0x341 /* Machine exception program counter */
#define CSR_MCAUSE 0x342 /* Machine cause; the fields from MINHV to MPIL are the CLIC's */
#define CSR_MTVAL 0x343 /* Machine trap value */
#define CSR_MIP 0x344 /* Machine interrupt pending */
#define CSR_MNXTI 0x345 /* Claims the next interrupt (xnxti) */
#define CSR_MINTTHRESH 0x347 /* Interrupt threshold */
#define CSR_MSCRATCHCSW 0x348 /* Exchanges mscratch on a change of mode */
#define CSR_MSCRATCHCSWL 0x349 /* Exchanges mscratch on a change of level from or to 0 */
#define CSR_MTINST 0x34A /* Machine trap instruction */
#define CSR_MTVAL2 0x34B /* Machine second trap value */
#define CSR_PMPCFG0 0x3A0 /* Physical memory protection configuration */
#define CSR_PMPADDR0 0x3B0 /* Physical memory protection address */
#define CSR_MSECCFG 0x747 /* Machine security configuration */
#define CSR_MSECCFGH 0x757 /* Machine security configuration, upper half (RV32) */
#define CSR_TSELECT 0x7A0 /* Trigger select */
#define CSR_TDATA1 0x7A1 /* Trigger data 1 */
#define CSR_TDATA2 0x7A2 /* Trigger data 2 */
#define CSR_TDATA3 0x7A3 /* Trigger data 3 */
#define CSR_TINFO 0x7A4 /* Trigger information */
#define CSR_TCONTROL 0x7A5 /* Trigger control */
#define CSR_MCONTEXT 0x7A8 /* Machine context */
#define CSR_DCSR 0x7B0 /* Debug control and status */
#define CSR_DPC 0x7B1 /* Debug program counter */
#define CSR_DSCRATCH0 0x7B2 /* Debug scratch 0 */
#define CSR_DSCRATCH1 0x7B3 /* Debug scratch 1 */
#define CSR_MFASTIRQ 0x7C0 /* fastirq control */
#define CSR_MFRAME 0x7C1 /* Hint: the frame that emret will leave soon */
#define CSR_MUITT 0x7C2 /* Table of targets of senduipi (UITT) */
#define CSR_MUITTSZ 0x7C3 /* Entries of the table of targets */
#define CSR_MUPID 0x7C4 /* Descriptor of the running thread (UPID) */
#define CSR_MUNV 0x7C5 /* Notification vector of the running thread */
#define CSR_MUIRR 0x7C6 /* User interrupts that are to be delivered, vectors 0 to 31 (UIRR) */
#define CSR_MUIRRH 0x7C7 /* User interrupts that are to be delivered, vectors 32 to 63 (UIRR) */
#define CSR_JALMNXTI 0x7ED /* Claims the next interrupt, calls its handler and enables interrupts */
#define CSR_UFASTIRQ 0x800 /* fastirq control of U mode */
#define CSR_UFRAME 0x801 /* Hint: the frame that euret will leave soon */
#define CSR_MCYCLE 0xB00 /* Machine cycle counter */
#define CSR_MINSTRET 0xB02 /* Machine counter of retired instructions */
#define CSR_MHPMCOUNTER3 0xB03 /* Machine performance counter */
#define CSR_MCYCLEH 0xB80 /* Machine cycle counter, upper half (RV32) */
#define CSR_MINSTRETH 0xB82 /* Machine counter of retired instructions, upper half (RV32) */
#define CSR_MHPMCOUNTER3H 0xB83 /* Machine performance counter, upper half (RV32) */
#define CSR_CYCLE 0xC00 /* Cycle counter */
#define CSR_TIME 0xC01 /* Timer */
#define CSR_INSTRET 0xC02 /* Counter of retired instructions */
#define CSR_HPMCOUNTER3 0xC03 /* Performance counter */
#define CSR_CYCLEH 0xC80 /* Cycle counter, upper half (RV32) */
#define CSR_TIMEH 0xC81 /* Timer, upper half (RV32) */
#define CSR_INSTRETH 0xC82 /* Counter of retired instructions, upper half (RV32) */
#define CSR_HPMCOUNTER3H 0xC83 /* Performance counter, upper half (RV32) */
#define CSR_UINTSTATUS 0xCB1 /* Level of the user interrupt being handled */
#define CSR_MVENDORID 0xF11 /* Vendor */
#define CSR_MARCHID 0xF12 /* Architecture */
#define CSR_MIMPID 0xF13 /* Implementation */
#define CSR_MHARTID 0xF14 /* Number of the hart */
#define CSR_MCONFIGPTR 0xF15 /* Address of the configuration structure */
#define CSR_MINTSTATUS 0xFB1 /* Levels of the interrupts being handled */

/* ustatus: masks, positions, and values in their place. */
#define USTATUS_UIE 0x00000001 /* interrupts are enabled in U mode */
#define USTATUS_UIE_SHIFT 0
#define USTATUS_UPIE 0x00000010 /* UIE before the interrupt */
#define USTATUS_UPIE_SHIFT 4

/* ucause: masks, positions, and values in their place. */
#if __riscv_xlen == 64
#define UCAUSE_INTERRUPT 0x8000000000000000 /* interrupt, else exception */
#else
#define UCAUSE_INTERRUPT 0x80000000 /* interrupt, else exception */
#endif
#if __riscv_xlen == 64
#define UCAUSE_INTERRUPT_SHIFT 63
#else
#define UCAUSE_INTERRUPT_SHIFT 31
#endif
#define UCAUSE_UINHV 0x40000000 /* uepc is the address of an entry of the table of handlers */
#define UCAUSE_UINHV_SHIFT 30
#define UCAUSE_UPIE 0x08000000 /* as ustatus.UPIE */
#define UCAUSE_UPIE_SHIFT 27
#define UCAUSE_UPIL 0x00ff0000 /* the interrupted level */
#define UCAUSE_UPIL_SHIFT 16
#define UCAUSE_POSTED 0x00001000 /* code is a vector that somebody posted (uintr), else a source */
#define UCAUSE_POSTED_SHIFT 12
#define UCAUSE_CODE 0x00000fff /* number of the interrupt */
#define UCAUSE_CODE_SHIFT 0

/* uintthresh: masks, positions, and values in their place. */
#define UINTTHRESH_TH 0x000000ff /* threshold */
#define UINTTHRESH_TH_SHIFT 0

/* senvcfg: masks, positions, and values in their place. */
#define SENVCFG_CBIE 0x00000030 /* cbo.inval below this mode */
#define SENVCFG_CBIE_SHIFT 4
#define SENVCFG_CBIE_ILLEGAL 0x00000000
#define SENVCFG_CBIE_FLUSH 0x00000010
#define SENVCFG_CBIE_INVAL 0x00000030
#define SENVCFG_CBCFE 0x00000040 /* cbo.clean and cbo.flush are legal below this mode */
#define SENVCFG_CBCFE_SHIFT 6

/* satp: masks, positions, and values in their place. */
#if __riscv_xlen == 64
#define SATP_PPN 0x00000fffffffffff /* number of the physical page that holds the root of the page table */
#define SATP_PPN_SHIFT 0
#endif
#if __riscv_xlen == 64
#define SATP_ASID 0x0ffff00000000000 /* address space */
#define SATP_ASID_SHIFT 44
#endif
#if __riscv_xlen == 64
#define SATP_MODE 0xf000000000000000 /* how addresses are translated */
#define SATP_MODE_SHIFT 60
#define SATP_MODE_BARE 0x0000000000000000
#define SATP_MODE_SV39 0x8000000000000000
#endif

/* mstatus: masks, positions, and values in their place. */
#define MSTATUS_UIE 0x00000001 /* as ustatus.UIE */
#define MSTATUS_UIE_SHIFT 0
#define MSTATUS_SIE 0x00000002 /* interrupts are enabled in S mode */
#define MSTATUS_SIE_SHIFT 1
#define MSTATUS_MIE 0x00000008 /* interrupts are enabled in M mode */
#define MSTATUS_MIE_SHIFT 3
#define MSTATUS_UPIE 0x00000010 /* as ustatus.UPIE */
#define MSTATUS_UPIE_SHIFT 4
#define MSTATUS_SPIE 0x00000020 /* SIE before the trap */
#define MSTATUS_SPIE_SHIFT 5
#define MSTATUS_MPIE 0x00000080 /* MIE before the trap */
#define MSTATUS_MPIE_SHIFT 7
#define MSTATUS_SPP 0x00000100 /* mode before the trap into S */
#define MSTATUS_SPP_SHIFT 8
#define MSTATUS_MPP 0x00001800 /* mode before the trap into M */
#define MSTATUS_MPP_SHIFT 11
#define MSTATUS_MPP_U 0x00000000
#define MSTATUS_MPP_S 0x00000800
#define MSTATUS_MPP_M 0x00001800
#define MSTATUS_FS 0x00006000 /* state of the floating-point unit */
#define MSTATUS_FS_SHIFT 13
#define MSTATUS_FS_OFF 0x00000000
#define MSTATUS_FS_INITIAL 0x00002000
#define MSTATUS_FS_CLEAN 0x00004000
#define MSTATUS_FS_DIRTY 0x00006000
#define MSTATUS_MPRV 0x00020000 /* loads and stores have the privilege of MPP */
#define MSTATUS_MPRV_SHIFT 17
#define MSTATUS_SUM 0x00040000 /* S mode reaches memory of U mode */
#define MSTATUS_SUM_SHIFT 18
#define MSTATUS_MXR 0x00080000 /* executable memory can be read */
#define MSTATUS_MXR_SHIFT 19
#define MSTATUS_TVM 0x00100000 /* satp and SFENCE.VMA trap in S mode */
#define MSTATUS_TVM_SHIFT 20
#define MSTATUS_TW 0x00200000 /* WFI below M mode is illegal */
#define MSTATUS_TW_SHIFT 21
#define MSTATUS_TSR 0x00400000 /* SRET traps in S mode */
#define MSTATUS_TSR_SHIFT 22
#if __riscv_xlen == 64
#define MSTATUS_UXL 0x0000000300000000 /* width of registers in U mode */
#define MSTATUS_UXL_SHIFT 32
#define MSTATUS_UXL_RV64 0x0000000200000000
#endif
#if __riscv_xlen == 64
#define MSTATUS_SXL 0x0000000c00000000 /* width of registers in S mode */
#define MSTATUS_SXL_SHIFT 34
#define MSTATUS_SXL_RV64 0x0000000800000000
#endif
#if __riscv_xlen == 64
#define MSTATUS_SD 0x8000000000000000 /* FS is dirty */
#define MSTATUS_SD_SHIFT 63
#endif

/* mie: masks, positions, and values in their place. */
#define MIE_SSIE 0x00000002 /* supervisor software interrupt */
#define MIE_SSIE_SHIFT 1
#define MIE_MSIE 0x00000008 /* machine software interrupt */
#define MIE_MSIE_SHIFT 3
#define MIE_STIE 0x00000020 /* supervisor timer interrupt */
#define MIE_STIE_SHIFT 5
#define MIE_MTIE 0x00000080 /* machine timer interrupt */
#define MIE_MTIE_SHIFT 7
#define MIE_SEIE 0x00000200 /* supervisor external interrupt */
#define MIE_SEIE_SHIFT 9
#define MIE_MEIE 0x00000800 /* machine external interrupt */
#define MIE_MEIE_SHIFT 11

/* mtvec: masks, positions, and values in their place. */
#define MTVEC_MODE 0x00000003 /* how handlers are found */
#define MTVEC_MODE_SHIFT 0
#define MTVEC_MODE_DIRECT 0x00000000
#define MTVEC_MODE_VECTORED 0x00000001
#define MTVEC_MODE_CLIC 0x00000003
#if __riscv_xlen == 64
#define MTVEC_BASE 0xfffffffffffffffc /* the upper bits of the handler's address */
#else
#define MTVEC_BASE 0xfffffffc /* the upper bits of the handler's address */
#endif
#define MTVEC_BASE_SHIFT 2

/* mcounteren: masks, positions, and values in their place. */
#define MCOUNTEREN_CY 0x00000001 /* cycle */
#define MCOUNTEREN_CY_SHIFT 0
#define MCOUNTEREN_TM 0x00000002 /* time */
#define MCOUNTEREN_TM_SHIFT 1
#define MCOUNTEREN_IR 0x00000004 /* instret */
#define MCOUNTEREN_IR_SHIFT 2

/* menvcfg: masks, positions, and values in their place. */
#define MENVCFG_CBIE 0x00000030 /* cbo.inval below this mode */
#define MENVCFG_CBIE_SHIFT 4
#define MENVCFG_CBIE_ILLEGAL 0x00000000
#define MENVCFG_CBIE_FLUSH 0x00000010
#define MENVCFG_CBIE_INVAL 0x00000030
#define MENVCFG_CBCFE 0x00000040 /* cbo.clean and cbo.flush are legal below this mode */
#define MENVCFG_CBCFE_SHIFT 6

/* mcountinhibit: masks, positions, and values in their place. */
#define MCOUNTINHIBIT_CY 0x00000001 /* cycle */
#define MCOUNTINHIBIT_CY_SHIFT 0
#define MCOUNTINHIBIT_TM 0x00000002 /* time */
#define MCOUNTINHIBIT_TM_SHIFT 1
#define MCOUNTINHIBIT_IR 0x00000004 /* instret */
#define MCOUNTINHIBIT_IR_SHIFT 2

/* mcause: masks, positions, and values in their place. */
#if __riscv_xlen == 64
#define MCAUSE_INTERRUPT 0x8000000000000000 /* interrupt, else exception */
#else
#define MCAUSE_INTERRUPT 0x80000000 /* interrupt, else exception */
#endif
#if __riscv_xlen == 64
#define MCAUSE_INTERRUPT_SHIFT 63
#else
#define MCAUSE_INTERRUPT_SHIFT 31
#endif
#define MCAUSE_MINHV 0x40000000 /* mepc is the address of an entry of the table of handlers */
#define MCAUSE_MINHV_SHIFT 30
#define MCAUSE_MPP 0x30000000 /* as mstatus.MPP */
#define MCAUSE_MPP_SHIFT 28
#define MCAUSE_MPIE 0x08000000 /* as mstatus.MPIE */
#define MCAUSE_MPIE_SHIFT 27
#define MCAUSE_MPIL 0x00ff0000 /* the interrupted level */
#define MCAUSE_MPIL_SHIFT 16
#define MCAUSE_CODE 0x00000fff /* code of the exception or number of the interrupt */
#define MCAUSE_CODE_SHIFT 0

/* mip: masks, positions, and values in their place. */
#define MIP_SSIP 0x00000002 /* supervisor software interrupt */
#define MIP_SSIP_SHIFT 1
#define MIP_MSIP 0x00000008 /* machine software interrupt */
#define MIP_MSIP_SHIFT 3
#define MIP_STIP 0x00000020 /* supervisor timer interrupt */
#define MIP_STIP_SHIFT 5
#define MIP_MTIP 0x00000080 /* machine timer interrupt */
#define MIP_MTIP_SHIFT 7
#define MIP_SEIP 0x00000200 /* supervisor external interrupt */
#define MIP_SEIP_SHIFT 9
#define MIP_MEIP 0x00000800 /* machine external interrupt */
#define MIP_MEIP_SHIFT 11

/* mintthresh: masks, positions, and values in their place. */
#define MINTTHRESH_TH 0x000000ff /* threshold */
#define MINTTHRESH_TH_SHIFT 0

/* mseccfg: masks, positions, and values in their place. */
#define MSECCFG_MML 0x00000001 /* machine mode lockdown: rows are for one mode, or shared */
#define MSECCFG_MML_SHIFT 0
#define MSECCFG_MMWP 0x00000002 /* machine mode whitelist policy: what no row matches is refused */
#define MSECCFG_MMWP_SHIFT 1
#define MSECCFG_RLB 0x00000004 /* rule locking bypass: locked rows can be changed */
#define MSECCFG_RLB_SHIFT 2

/* mfastirq: masks, positions, and values in their place. */
#define MFASTIRQ_ENABLE 0x00000001 /* interrupts save the context in hardware and emret is legal */
#define MFASTIRQ_ENABLE_SHIFT 0
#define MFASTIRQ_NEST 0x00000002 /* a vectored handler begins with interrupts enabled */
#define MFASTIRQ_NEST_SHIFT 1
#if __riscv_xlen == 64
#define MFASTIRQ_LINK 0xfffffffffffffffc /* the upper bits of ra in a handler */
#else
#define MFASTIRQ_LINK 0xfffffffc /* the upper bits of ra in a handler */
#endif
#define MFASTIRQ_LINK_SHIFT 2

/* muitt: masks, positions, and values in their place. */
#define MUITT_ENABLE 0x00000001 /* senduipi is legal */
#define MUITT_ENABLE_SHIFT 0
#define MUITT_BASE 0xfffffff0 /* the upper bits of the table's address */
#define MUITT_BASE_SHIFT 4

/* muittsz: masks, positions, and values in their place. */
#define MUITTSZ_ENTRIES 0x0000ffff /* how many */
#define MUITTSZ_ENTRIES_SHIFT 0

/* mupid: masks, positions, and values in their place. */
#define MUPID_ENABLE 0x00000001 /* notifications are for that thread */
#define MUPID_ENABLE_SHIFT 0
#define MUPID_BASE 0xffffffc0 /* the upper bits of the descriptor's address */
#define MUPID_BASE_SHIFT 6

/* munv: masks, positions, and values in their place. */
#define MUNV_VECTOR 0x000000ff /* as in its descriptor */
#define MUNV_VECTOR_SHIFT 0

/* ufastirq: masks, positions, and values in their place. */
#define UFASTIRQ_ENABLE 0x00000001 /* user interrupts save the context in hardware and euret is legal */
#define UFASTIRQ_ENABLE_SHIFT 0
#define UFASTIRQ_NEST 0x00000002 /* a vectored user handler begins with interrupts enabled */
#define UFASTIRQ_NEST_SHIFT 1
#if __riscv_xlen == 64
#define UFASTIRQ_LINK 0xfffffffffffffffc /* the upper bits of ra in a user handler */
#else
#define UFASTIRQ_LINK 0xfffffffc /* the upper bits of ra in a user handler */
#endif
#define UFASTIRQ_LINK_SHIFT 2

/* uintstatus: masks, positions, and values in their place. */
#define UINTSTATUS_UIL 0x000000ff /* in U mode */
#define UINTSTATUS_UIL_SHIFT 0

/* mintstatus: masks, positions, and values in their place. */
#define MINTSTATUS_UIL 0x000000ff /* in U mode */
#define MINTSTATUS_UIL_SHIFT 0
#define MINTSTATUS_SIL 0x0000ff00 /* in S mode */
#define MINTSTATUS_SIL_SHIFT 8
#define MINTSTATUS_MIL 0xff000000 /* in M mode */
#define MINTSTATUS_MIL_SHIFT 24

/* A row's byte of pmpcfg. */
#define PMPCFG_R 0x01 /* reads are allowed */
#define PMPCFG_R_SHIFT 0
#define PMPCFG_W 0x02 /* writes are allowed */
#define PMPCFG_W_SHIFT 1
#define PMPCFG_X 0x04 /* execution is allowed */
#define PMPCFG_X_SHIFT 2
#define PMPCFG_A 0x18 /* how the row matches addresses */
#define PMPCFG_A_SHIFT 3
#define PMPCFG_A_OFF 0x00
#define PMPCFG_A_TOR 0x08
#define PMPCFG_A_NA4 0x10
#define PMPCFG_A_NAPOT 0x18
#define PMPCFG_L 0x80 /* the row is locked, and binds machine mode */
#define PMPCFG_L_SHIFT 7

/* Descriptor of a thread (UPID). */
#define UPID_CONTROL_OFFSET 0 /* Control of notifications */
#define UPID_NDST_OFFSET 4 /* Number (mhartid) of the hart that the thread is on */
#define UPID_PUIR_OFFSET 8 /* Posted vectors, one bit for each */
#define UPID_BYTES 16 /* size */
#define UPID_ALIGNMENT 64 /* alignment */
#define UPID_CONTROL_ON 0x00000001 /* a notification is outstanding */
#define UPID_CONTROL_ON_SHIFT 0
#define UPID_CONTROL_SN 0x00000002 /* notifications are suppressed */
#define UPID_CONTROL_SN_SHIFT 1
#define UPID_CONTROL_NV 0x00ff0000 /* notification vector */
#define UPID_CONTROL_NV_SHIFT 16

/* Entry of the table of targets (UITT). */
#define UITT_CONTROL_OFFSET 0 /* What is posted */
#define UITT_RESERVED_OFFSET 4 /* Zero */
#define UITT_UPID_OFFSET 8 /* Address of the UPID */
#define UITT_UPID_HIGH_OFFSET 12 /* Zero: upper half of that address */
#define UITT_BYTES 16 /* size */
#define UITT_ALIGNMENT 16 /* alignment */
#define UITT_CONTROL_VALID 0x00000001 /* senduipi may use the entry */
#define UITT_CONTROL_VALID_SHIFT 0
#define UITT_CONTROL_VECTOR 0x0000ff00 /* vector, 0 to 63 */
#define UITT_CONTROL_VECTOR_SHIFT 8

/* Exceptions, by their code in mcause. */
#define MCAUSE_FETCH_MISALIGNED 0 /* the target of a jump is misaligned */
#define MCAUSE_FETCH_FAULT 1 /* an instruction could not be fetched */
#define MCAUSE_ILLEGAL_INSTRUCTION 2 /* illegal instruction */
#define MCAUSE_BREAKPOINT 3 /* ebreak */
#define MCAUSE_LOAD_MISALIGNED 4 /* misaligned load */
#define MCAUSE_LOAD_FAULT 5 /* a load failed */
#define MCAUSE_STORE_MISALIGNED 6 /* misaligned store or atomic operation */
#define MCAUSE_STORE_FAULT 7 /* a store or atomic operation failed */
#define MCAUSE_ECALL_U 8 /* ecall in U mode */
#define MCAUSE_ECALL_S 9 /* ecall in S mode */
#define MCAUSE_ECALL_M 11 /* ecall in M mode */
#define MCAUSE_FETCH_PAGE_FAULT 12 /* no translation for a fetch */
#define MCAUSE_LOAD_PAGE_FAULT 13 /* no translation for a load */
#define MCAUSE_STORE_PAGE_FAULT 15 /* no translation for a store or atomic operation */
#define MCAUSE_FRAME_STORE_FAULT 24 /* a word of a frame could not be stored */
#define MCAUSE_FRAME_LOAD_FAULT 25 /* emret could not load a word of the frame */
#define MCAUSE_SEND_FAULT 26 /* senduipi could not post */

/* Interrupts, by their code in mcause. */
#define IRQ_USER_POST 0 /* a vector is in UIRR */
#define IRQ_SUPERVISOR_SOFTWARE 1 /* software interrupt of S mode */
#define IRQ_SOFTWARE 3 /* software interrupt (CLINT) */
#define IRQ_SUPERVISOR_TIMER 5 /* timer interrupt of S mode */
#define IRQ_TIMER 7 /* timer interrupt (CLINT) */
#define IRQ_SUPERVISOR_EXTERNAL 9 /* external interrupt of S mode */
#define IRQ_EXTERNAL 11 /* external interrupt */
#define TRAPEZE_IRQ_PLATFORM_0 16 /* platform line 0; line n is n more */

/* Instructions: one is meant when (instruction & MASK) == MATCH. */
#define TRAPEZE_EMRET_MATCH 0xbc200073 /* leaves an interrupt handler, or goes on to the next one */
#define TRAPEZE_EMRET_MASK 0xffffffff
#define TRAPEZE_URET_MATCH 0x00200073 /* returns from a user interrupt */
#define TRAPEZE_URET_MASK 0xffffffff
#define TRAPEZE_EURET_MATCH 0x8c200073 /* leaves a user interrupt, or goes on to the next one */
#define TRAPEZE_EURET_MASK 0xffffffff
#define TRAPEZE_SENDUIPI_MATCH 0x8e000073 /* posts a user interrupt to the target of entry rs1 */
#define TRAPEZE_SENDUIPI_MASK 0xfff07fff
#define TRAPEZE_JALXNXTI_MATCH 0x7ed01073 /* csrrw of jalmnxti: claims, calls, enables interrupts */
#define TRAPEZE_JALXNXTI_MASK 0xfff0707f
#define TRAPEZE_MARKER_MATCH 0x00002013 /* slti x0, x0, N: a point whose cycles the simulator records */
#define TRAPEZE_MARKER_MASK 0x800fffff

/* emret: in assembly sources a statement, in C its text for asm. */
#ifdef __ASSEMBLER__
#define TRAPEZE_EMRET .insn i 0x73, 0, x0, x0, -1086
#else
#define TRAPEZE_EMRET ".insn i 0x73, 0, x0, x0, -1086"
#endif

/* uret: in assembly sources a statement, in C its text for asm. */
#ifdef __ASSEMBLER__
#define TRAPEZE_URET .insn i 0x73, 0, x0, x0, 2
#else
#define TRAPEZE_URET ".insn i 0x73, 0, x0, x0, 2"
#endif

/* euret: in assembly sources a statement, in C its text for asm. */
#ifdef __ASSEMBLER__
#define TRAPEZE_EURET .insn i 0x73, 0, x0, x0, -1854
#else
#define TRAPEZE_EURET ".insn i 0x73, 0, x0, x0, -1854"
#endif

/* Numbers of markers. From the first free one on they belong to programs. */
#define TRAPEZE_MARKER_HANDLER 1 /* from here on an interrupt handler may call a C function */
#define TRAPEZE_MARKER_BACKGROUND_BEGIN 2 /* the background window, in which interrupts are injected, begins */
#define TRAPEZE_MARKER_BACKGROUND_END 3 /* the background window ends */
#define TRAPEZE_MARKER_ITERATION 4 /* stands before the first and behind every iteration of a benchmark */
#define TRAPEZE_MARKER_HANDLER_END 5 /* the last instruction of an interrupt handler's C function before it returns */
#define TRAPEZE_MARKER_FREE 6

/* Frame of an interrupt: offset of each word from sp, in bytes. */
#ifdef __riscv_32e
#define TRAPEZE_IRQ_FRAME 48 /* what sp is lowered by */
#define TRAPEZE_IRQ_FRAME_REGISTERS 10 /* how many registers */
#define TRAPEZE_IRQ_FRAME_RA 0
#define TRAPEZE_IRQ_FRAME_T0 4
#define TRAPEZE_IRQ_FRAME_T1 8
#define TRAPEZE_IRQ_FRAME_T2 12
#define TRAPEZE_IRQ_FRAME_A0 16
#define TRAPEZE_IRQ_FRAME_A1 20
#define TRAPEZE_IRQ_FRAME_A2 24
#define TRAPEZE_IRQ_FRAME_A3 28
#define TRAPEZE_IRQ_FRAME_A4 32
#define TRAPEZE_IRQ_FRAME_A5 36
#define TRAPEZE_IRQ_FRAME_MEPC 40
#define TRAPEZE_IRQ_FRAME_MCAUSE 44
#else
#define TRAPEZE_IRQ_FRAME 80 /* what sp is lowered by */
#define TRAPEZE_IRQ_FRAME_REGISTERS 16 /* how many registers */
#define TRAPEZE_IRQ_FRAME_RA 0
#define TRAPEZE_IRQ_FRAME_T0 4
#define TRAPEZE_IRQ_FRAME_T1 8
#define TRAPEZE_IRQ_FRAME_T2 12
#define TRAPEZE_IRQ_FRAME_A0 16
#define TRAPEZE_IRQ_FRAME_A1 20
#define TRAPEZE_IRQ_FRAME_A2 24
#define TRAPEZE_IRQ_FRAME_A3 28
#define TRAPEZE_IRQ_FRAME_A4 32
#define TRAPEZE_IRQ_FRAME_A5 36
#define TRAPEZE_IRQ_FRAME_A6 40
#define TRAPEZE_IRQ_FRAME_A7 44
#define TRAPEZE_IRQ_FRAME_T3 48
#define TRAPEZE_IRQ_FRAME_T4 52
#define TRAPEZE_IRQ_FRAME_T5 56
#define TRAPEZE_IRQ_FRAME_T6 60
#define TRAPEZE_IRQ_FRAME_MEPC 64
#define TRAPEZE_IRQ_FRAME_MCAUSE 68
#endif

/* The same where it holds all registers, which mframe tells. */
#ifdef __riscv_32e
#define TRAPEZE_IRQ_WHOLE_FRAME 64 /* what sp is lowered by */
#define TRAPEZE_IRQ_WHOLE_FRAME_REGISTERS 12 /* how many registers */
#define TRAPEZE_IRQ_WHOLE_FRAME_RA 0
#define TRAPEZE_IRQ_WHOLE_FRAME_T0 4
#define TRAPEZE_IRQ_WHOLE_FRAME_T1 8
#define TRAPEZE_IRQ_WHOLE_FRAME_T2 12
#define TRAPEZE_IRQ_WHOLE_FRAME_S0 16
#define TRAPEZE_IRQ_WHOLE_FRAME_S1 20
#define TRAPEZE_IRQ_WHOLE_FRAME_A0 24
#define TRAPEZE_IRQ_WHOLE_FRAME_A1 28
#define TRAPEZE_IRQ_WHOLE_FRAME_A2 32
#define TRAPEZE_IRQ_WHOLE_FRAME_A3 36
#define TRAPEZE_IRQ_WHOLE_FRAME_A4 40
#define TRAPEZE_IRQ_WHOLE_FRAME_A5 44
#define TRAPEZE_IRQ_WHOLE_FRAME_MEPC 48
#define TRAPEZE_IRQ_WHOLE_FRAME_MCAUSE 52
#else
#define TRAPEZE_IRQ_WHOLE_FRAME 128 /* what sp is lowered by */
#define TRAPEZE_IRQ_WHOLE_FRAME_REGISTERS 28 /* how many registers */
#define TRAPEZE_IRQ_WHOLE_FRAME_RA 0
#define TRAPEZE_IRQ_WHOLE_FRAME_T0 4
#define TRAPEZE_IRQ_WHOLE_FRAME_T1 8
#define TRAPEZE_IRQ_WHOLE_FRAME_T2 12
#define TRAPEZE_IRQ_WHOLE_FRAME_S0 16
#define TRAPEZE_IRQ_WHOLE_FRAME_S1 20
#define TRAPEZE_IRQ_WHOLE_FRAME_A0 24
#define TRAPEZE_IRQ_WHOLE_FRAME_A1 28
#define TRAPEZE_IRQ_WHOLE_FRAME_A2 32
#define TRAPEZE_IRQ_WHOLE_FRAME_A3 36
#define TRAPEZE_IRQ_WHOLE_FRAME_A4 40
#define TRAPEZE_IRQ_WHOLE_FRAME_A5 44
#define TRAPEZE_IRQ_WHOLE_FRAME_A6 48
#define TRAPEZE_IRQ_WHOLE_FRAME_A7 52
#define TRAPEZE_IRQ_WHOLE_FRAME_S2 56
#define TRAPEZE_IRQ_WHOLE_FRAME_S3 60
#define TRAPEZE_IRQ_WHOLE_FRAME_S4 64
#define TRAPEZE_IRQ_WHOLE_FRAME_S5 68
#define TRAPEZE_IRQ_WHOLE_FRAME_S6 72
#define TRAPEZE_IRQ_WHOLE_FRAME_S7 76
#define TRAPEZE_IRQ_WHOLE_FRAME_S8 80
#define TRAPEZE_IRQ_WHOLE_FRAME_S9 84
#define TRAPEZE_IRQ_WHOLE_FRAME_S10 88
#define TRAPEZE_IRQ_WHOLE_FRAME_S11 92
#define TRAPEZE_IRQ_WHOLE_FRAME_T3 96
#define TRAPEZE_IRQ_WHOLE_FRAME_T4 100
#define TRAPEZE_IRQ_WHOLE_FRAME_T5 104
#define TRAPEZE_IRQ_WHOLE_FRAME_T6 108
#define TRAPEZE_IRQ_WHOLE_FRAME_MEPC 112
#define TRAPEZE_IRQ_WHOLE_FRAME_MCAUSE 116
#endif

#endif /* TRAPEZE_ISA_H_ */
