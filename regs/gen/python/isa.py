# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Constants of the instruction set.

Generated from regs/isa by regs/generate.py; do not edit.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Privilege(IntEnum):
    """Modes."""

    U = 0
    S = 1
    M = 3


class Csr(IntEnum):
    """Numbers of CSRs."""

    USTATUS = 0x000
    FFLAGS = 0x001
    FRM = 0x002
    FCSR = 0x003
    UIE = 0x004
    UTVEC = 0x005
    UTVT = 0x007
    USCRATCH = 0x040
    UEPC = 0x041
    UCAUSE = 0x042
    UTVAL = 0x043
    UIP = 0x044
    UNXTI = 0x045
    UINTTHRESH = 0x047
    USCRATCHCSWL = 0x049
    SSTATUS = 0x100
    SIE = 0x104
    STVEC = 0x105
    SCOUNTEREN = 0x106
    SENVCFG = 0x10A
    SSCRATCH = 0x140
    SEPC = 0x141
    SCAUSE = 0x142
    STVAL = 0x143
    SIP = 0x144
    SATP = 0x180
    MSTATUS = 0x300
    MISA = 0x301
    MEDELEG = 0x302
    MIDELEG = 0x303
    MIE = 0x304
    MTVEC = 0x305
    MCOUNTEREN = 0x306
    MTVT = 0x307
    MENVCFG = 0x30A
    MSTATUSH = 0x310
    MENVCFGH = 0x31A
    MCOUNTINHIBIT = 0x320
    MHPMEVENT3 = 0x323
    MHPMEVENT4 = 0x324
    MHPMEVENT5 = 0x325
    MHPMEVENT6 = 0x326
    MHPMEVENT7 = 0x327
    MHPMEVENT8 = 0x328
    MHPMEVENT9 = 0x329
    MHPMEVENT10 = 0x32A
    MHPMEVENT11 = 0x32B
    MHPMEVENT12 = 0x32C
    MHPMEVENT13 = 0x32D
    MHPMEVENT14 = 0x32E
    MHPMEVENT15 = 0x32F
    MHPMEVENT16 = 0x330
    MHPMEVENT17 = 0x331
    MHPMEVENT18 = 0x332
    MHPMEVENT19 = 0x333
    MHPMEVENT20 = 0x334
    MHPMEVENT21 = 0x335
    MHPMEVENT22 = 0x336
    MHPMEVENT23 = 0x337
    MHPMEVENT24 = 0x338
    MHPMEVENT25 = 0x339
    MHPMEVENT26 = 0x33A
    MHPMEVENT27 = 0x33B
    MHPMEVENT28 = 0x33C
    MHPMEVENT29 = 0x33D
    MHPMEVENT30 = 0x33E
    MHPMEVENT31 = 0x33F
    MSCRATCH = 0x340
    MEPC = 0x341
    MCAUSE = 0x342
    MTVAL = 0x343
    MIP = 0x344
    MNXTI = 0x345
    MINTTHRESH = 0x347
    MSCRATCHCSW = 0x348
    MSCRATCHCSWL = 0x349
    MTINST = 0x34A
    MTVAL2 = 0x34B
    PMPCFG0 = 0x3A0
    PMPCFG1 = 0x3A1
    PMPCFG2 = 0x3A2
    PMPCFG3 = 0x3A3
    PMPCFG4 = 0x3A4
    PMPCFG5 = 0x3A5
    PMPCFG6 = 0x3A6
    PMPCFG7 = 0x3A7
    PMPCFG8 = 0x3A8
    PMPCFG9 = 0x3A9
    PMPCFG10 = 0x3AA
    PMPCFG11 = 0x3AB
    PMPCFG12 = 0x3AC
    PMPCFG13 = 0x3AD
    PMPCFG14 = 0x3AE
    PMPCFG15 = 0x3AF
    PMPADDR0 = 0x3B0
    PMPADDR1 = 0x3B1
    PMPADDR2 = 0x3B2
    PMPADDR3 = 0x3B3
    PMPADDR4 = 0x3B4
    PMPADDR5 = 0x3B5
    PMPADDR6 = 0x3B6
    PMPADDR7 = 0x3B7
    PMPADDR8 = 0x3B8
    PMPADDR9 = 0x3B9
    PMPADDR10 = 0x3BA
    PMPADDR11 = 0x3BB
    PMPADDR12 = 0x3BC
    PMPADDR13 = 0x3BD
    PMPADDR14 = 0x3BE
    PMPADDR15 = 0x3BF
    PMPADDR16 = 0x3C0
    PMPADDR17 = 0x3C1
    PMPADDR18 = 0x3C2
    PMPADDR19 = 0x3C3
    PMPADDR20 = 0x3C4
    PMPADDR21 = 0x3C5
    PMPADDR22 = 0x3C6
    PMPADDR23 = 0x3C7
    PMPADDR24 = 0x3C8
    PMPADDR25 = 0x3C9
    PMPADDR26 = 0x3CA
    PMPADDR27 = 0x3CB
    PMPADDR28 = 0x3CC
    PMPADDR29 = 0x3CD
    PMPADDR30 = 0x3CE
    PMPADDR31 = 0x3CF
    PMPADDR32 = 0x3D0
    PMPADDR33 = 0x3D1
    PMPADDR34 = 0x3D2
    PMPADDR35 = 0x3D3
    PMPADDR36 = 0x3D4
    PMPADDR37 = 0x3D5
    PMPADDR38 = 0x3D6
    PMPADDR39 = 0x3D7
    PMPADDR40 = 0x3D8
    PMPADDR41 = 0x3D9
    PMPADDR42 = 0x3DA
    PMPADDR43 = 0x3DB
    PMPADDR44 = 0x3DC
    PMPADDR45 = 0x3DD
    PMPADDR46 = 0x3DE
    PMPADDR47 = 0x3DF
    PMPADDR48 = 0x3E0
    PMPADDR49 = 0x3E1
    PMPADDR50 = 0x3E2
    PMPADDR51 = 0x3E3
    PMPADDR52 = 0x3E4
    PMPADDR53 = 0x3E5
    PMPADDR54 = 0x3E6
    PMPADDR55 = 0x3E7
    PMPADDR56 = 0x3E8
    PMPADDR57 = 0x3E9
    PMPADDR58 = 0x3EA
    PMPADDR59 = 0x3EB
    PMPADDR60 = 0x3EC
    PMPADDR61 = 0x3ED
    PMPADDR62 = 0x3EE
    PMPADDR63 = 0x3EF
    MSECCFG = 0x747
    MSECCFGH = 0x757
    TSELECT = 0x7A0
    TDATA1 = 0x7A1
    TDATA2 = 0x7A2
    TDATA3 = 0x7A3
    TINFO = 0x7A4
    TCONTROL = 0x7A5
    MCONTEXT = 0x7A8
    DCSR = 0x7B0
    DPC = 0x7B1
    DSCRATCH0 = 0x7B2
    DSCRATCH1 = 0x7B3
    MFASTIRQ = 0x7C0
    MFRAME = 0x7C1
    MUITT = 0x7C2
    MUITTSZ = 0x7C3
    MUPID = 0x7C4
    MUNV = 0x7C5
    MUIRR = 0x7C6
    MUIRRH = 0x7C7
    JALMNXTI = 0x7ED
    UFASTIRQ = 0x800
    UFRAME = 0x801
    MCYCLE = 0xB00
    MINSTRET = 0xB02
    MHPMCOUNTER3 = 0xB03
    MHPMCOUNTER4 = 0xB04
    MHPMCOUNTER5 = 0xB05
    MHPMCOUNTER6 = 0xB06
    MHPMCOUNTER7 = 0xB07
    MHPMCOUNTER8 = 0xB08
    MHPMCOUNTER9 = 0xB09
    MHPMCOUNTER10 = 0xB0A
    MHPMCOUNTER11 = 0xB0B
    MHPMCOUNTER12 = 0xB0C
    MHPMCOUNTER13 = 0xB0D
    MHPMCOUNTER14 = 0xB0E
    MHPMCOUNTER15 = 0xB0F
    MHPMCOUNTER16 = 0xB10
    MHPMCOUNTER17 = 0xB11
    MHPMCOUNTER18 = 0xB12
    MHPMCOUNTER19 = 0xB13
    MHPMCOUNTER20 = 0xB14
    MHPMCOUNTER21 = 0xB15
    MHPMCOUNTER22 = 0xB16
    MHPMCOUNTER23 = 0xB17
    MHPMCOUNTER24 = 0xB18
    MHPMCOUNTER25 = 0xB19
    MHPMCOUNTER26 = 0xB1A
    MHPMCOUNTER27 = 0xB1B
    MHPMCOUNTER28 = 0xB1C
    MHPMCOUNTER29 = 0xB1D
    MHPMCOUNTER30 = 0xB1E
    MHPMCOUNTER31 = 0xB1F
    MCYCLEH = 0xB80
    MINSTRETH = 0xB82
    MHPMCOUNTER3H = 0xB83
    MHPMCOUNTER4H = 0xB84
    MHPMCOUNTER5H = 0xB85
    MHPMCOUNTER6H = 0xB86
    MHPMCOUNTER7H = 0xB87
    MHPMCOUNTER8H = 0xB88
    MHPMCOUNTER9H = 0xB89
    MHPMCOUNTER10H = 0xB8A
    MHPMCOUNTER11H = 0xB8B
    MHPMCOUNTER12H = 0xB8C
    MHPMCOUNTER13H = 0xB8D
    MHPMCOUNTER14H = 0xB8E
    MHPMCOUNTER15H = 0xB8F
    MHPMCOUNTER16H = 0xB90
    MHPMCOUNTER17H = 0xB91
    MHPMCOUNTER18H = 0xB92
    MHPMCOUNTER19H = 0xB93
    MHPMCOUNTER20H = 0xB94
    MHPMCOUNTER21H = 0xB95
    MHPMCOUNTER22H = 0xB96
    MHPMCOUNTER23H = 0xB97
    MHPMCOUNTER24H = 0xB98
    MHPMCOUNTER25H = 0xB99
    MHPMCOUNTER26H = 0xB9A
    MHPMCOUNTER27H = 0xB9B
    MHPMCOUNTER28H = 0xB9C
    MHPMCOUNTER29H = 0xB9D
    MHPMCOUNTER30H = 0xB9E
    MHPMCOUNTER31H = 0xB9F
    CYCLE = 0xC00
    TIME = 0xC01
    INSTRET = 0xC02
    HPMCOUNTER3 = 0xC03
    HPMCOUNTER4 = 0xC04
    HPMCOUNTER5 = 0xC05
    HPMCOUNTER6 = 0xC06
    HPMCOUNTER7 = 0xC07
    HPMCOUNTER8 = 0xC08
    HPMCOUNTER9 = 0xC09
    HPMCOUNTER10 = 0xC0A
    HPMCOUNTER11 = 0xC0B
    HPMCOUNTER12 = 0xC0C
    HPMCOUNTER13 = 0xC0D
    HPMCOUNTER14 = 0xC0E
    HPMCOUNTER15 = 0xC0F
    HPMCOUNTER16 = 0xC10
    HPMCOUNTER17 = 0xC11
    HPMCOUNTER18 = 0xC12
    HPMCOUNTER19 = 0xC13
    HPMCOUNTER20 = 0xC14
    HPMCOUNTER21 = 0xC15
    HPMCOUNTER22 = 0xC16
    HPMCOUNTER23 = 0xC17
    HPMCOUNTER24 = 0xC18
    HPMCOUNTER25 = 0xC19
    HPMCOUNTER26 = 0xC1A
    HPMCOUNTER27 = 0xC1B
    HPMCOUNTER28 = 0xC1C
    HPMCOUNTER29 = 0xC1D
    HPMCOUNTER30 = 0xC1E
    HPMCOUNTER31 = 0xC1F
    CYCLEH = 0xC80
    TIMEH = 0xC81
    INSTRETH = 0xC82
    HPMCOUNTER3H = 0xC83
    HPMCOUNTER4H = 0xC84
    HPMCOUNTER5H = 0xC85
    HPMCOUNTER6H = 0xC86
    HPMCOUNTER7H = 0xC87
    HPMCOUNTER8H = 0xC88
    HPMCOUNTER9H = 0xC89
    HPMCOUNTER10H = 0xC8A
    HPMCOUNTER11H = 0xC8B
    HPMCOUNTER12H = 0xC8C
    HPMCOUNTER13H = 0xC8D
    HPMCOUNTER14H = 0xC8E
    HPMCOUNTER15H = 0xC8F
    HPMCOUNTER16H = 0xC90
    HPMCOUNTER17H = 0xC91
    HPMCOUNTER18H = 0xC92
    HPMCOUNTER19H = 0xC93
    HPMCOUNTER20H = 0xC94
    HPMCOUNTER21H = 0xC95
    HPMCOUNTER22H = 0xC96
    HPMCOUNTER23H = 0xC97
    HPMCOUNTER24H = 0xC98
    HPMCOUNTER25H = 0xC99
    HPMCOUNTER26H = 0xC9A
    HPMCOUNTER27H = 0xC9B
    HPMCOUNTER28H = 0xC9C
    HPMCOUNTER29H = 0xC9D
    HPMCOUNTER30H = 0xC9E
    HPMCOUNTER31H = 0xC9F
    UINTSTATUS = 0xCB1
    MVENDORID = 0xF11
    MARCHID = 0xF12
    MIMPID = 0xF13
    MHARTID = 0xF14
    MCONFIGPTR = 0xF15
    MINTSTATUS = 0xFB1


class Ustatus:
    """ustatus of 32 bits: masks of fields, and values in their place."""

    UIE = 0x00000001
    UPIE = 0x00000010


class Ucause:
    """ucause of 32 bits: masks of fields, and values in their place."""

    INTERRUPT = 0x80000000
    UINHV = 0x40000000
    UPIE = 0x08000000
    UPIL = 0x00FF0000
    POSTED = 0x00001000
    CODE = 0x00000FFF


class Uintthresh:
    """uintthresh of 32 bits: masks of fields, and values in their place."""

    TH = 0x000000FF


class Senvcfg:
    """senvcfg of 32 bits: masks of fields, and values in their place."""

    CBIE = 0x00000030
    CBIE_ILLEGAL = 0x00000000
    CBIE_FLUSH = 0x00000010
    CBIE_INVAL = 0x00000030
    CBCFE = 0x00000040


class Mstatus:
    """mstatus of 32 bits: masks of fields, and values in their place."""

    UIE = 0x00000001
    SIE = 0x00000002
    MIE = 0x00000008
    UPIE = 0x00000010
    SPIE = 0x00000020
    MPIE = 0x00000080
    SPP = 0x00000100
    MPP = 0x00001800
    MPP_U = 0x00000000
    MPP_S = 0x00000800
    MPP_M = 0x00001800
    FS = 0x00006000
    FS_OFF = 0x00000000
    FS_INITIAL = 0x00002000
    FS_CLEAN = 0x00004000
    FS_DIRTY = 0x00006000
    MPRV = 0x00020000
    SUM = 0x00040000
    MXR = 0x00080000
    TVM = 0x00100000
    TW = 0x00200000
    TSR = 0x00400000


class Mie:
    """mie of 32 bits: masks of fields, and values in their place."""

    SSIE = 0x00000002
    MSIE = 0x00000008
    STIE = 0x00000020
    MTIE = 0x00000080
    SEIE = 0x00000200
    MEIE = 0x00000800


class Mtvec:
    """mtvec of 32 bits: masks of fields, and values in their place."""

    MODE = 0x00000003
    MODE_DIRECT = 0x00000000
    MODE_VECTORED = 0x00000001
    MODE_CLIC = 0x00000003
    BASE = 0xFFFFFFFC


class Mcounteren:
    """mcounteren of 32 bits: masks of fields, and values in their place."""

    CY = 0x00000001
    TM = 0x00000002
    IR = 0x00000004


class Menvcfg:
    """menvcfg of 32 bits: masks of fields, and values in their place."""

    CBIE = 0x00000030
    CBIE_ILLEGAL = 0x00000000
    CBIE_FLUSH = 0x00000010
    CBIE_INVAL = 0x00000030
    CBCFE = 0x00000040


class Mcountinhibit:
    """mcountinhibit of 32 bits: masks of fields, and values in their place."""

    CY = 0x00000001
    TM = 0x00000002
    IR = 0x00000004


class Mcause:
    """mcause of 32 bits: masks of fields, and values in their place."""

    INTERRUPT = 0x80000000
    MINHV = 0x40000000
    MPP = 0x30000000
    MPIE = 0x08000000
    MPIL = 0x00FF0000
    CODE = 0x00000FFF


class Mip:
    """mip of 32 bits: masks of fields, and values in their place."""

    SSIP = 0x00000002
    MSIP = 0x00000008
    STIP = 0x00000020
    MTIP = 0x00000080
    SEIP = 0x00000200
    MEIP = 0x00000800


class Mintthresh:
    """mintthresh of 32 bits: masks of fields, and values in their place."""

    TH = 0x000000FF


class Mseccfg:
    """mseccfg of 32 bits: masks of fields, and values in their place."""

    MML = 0x00000001
    MMWP = 0x00000002
    RLB = 0x00000004


class Mfastirq:
    """mfastirq of 32 bits: masks of fields, and values in their place."""

    ENABLE = 0x00000001
    NEST = 0x00000002
    LINK = 0xFFFFFFFC


class Muitt:
    """muitt of 32 bits: masks of fields, and values in their place."""

    ENABLE = 0x00000001
    BASE = 0xFFFFFFF0


class Muittsz:
    """muittsz of 32 bits: masks of fields, and values in their place."""

    ENTRIES = 0x0000FFFF


class Mupid:
    """mupid of 32 bits: masks of fields, and values in their place."""

    ENABLE = 0x00000001
    BASE = 0xFFFFFFC0


class Munv:
    """munv of 32 bits: masks of fields, and values in their place."""

    VECTOR = 0x000000FF


class Ufastirq:
    """ufastirq of 32 bits: masks of fields, and values in their place."""

    ENABLE = 0x00000001
    NEST = 0x00000002
    LINK = 0xFFFFFFFC


class Uintstatus:
    """uintstatus of 32 bits: masks of fields, and values in their place."""

    UIL = 0x000000FF


class Mintstatus:
    """mintstatus of 32 bits: masks of fields, and values in their place."""

    UIL = 0x000000FF
    SIL = 0x0000FF00
    MIL = 0xFF000000


class Pmpcfg:
    """A row's byte of pmpcfg: masks of fields, positions, and values in their place."""

    R = 0x01
    W = 0x02
    X = 0x04
    A = 0x18
    A_SHIFT = 3
    A_OFF = 0x00
    A_TOR = 0x08
    A_NA4 = 0x10
    A_NAPOT = 0x18
    L = 0x80


class Upid:
    """Descriptor of a thread (UPID): offsets of its words, its size and its alignment, in bytes."""

    CONTROL_OFFSET = 0
    NDST_OFFSET = 4
    PUIR_OFFSET = 8
    BYTES = 16
    ALIGNMENT = 64


class UpidControl:
    """Control of notifications: masks of fields, positions, and values in their place."""

    ON = 0x00000001
    SN = 0x00000002
    NV = 0x00FF0000
    NV_SHIFT = 16


class Uitt:
    """Entry of the table of targets (UITT): offsets of its words, its size and its alignment, in bytes."""

    CONTROL_OFFSET = 0
    RESERVED_OFFSET = 4
    UPID_OFFSET = 8
    UPID_HIGH_OFFSET = 12
    BYTES = 16
    ALIGNMENT = 16


class UittControl:
    """What is posted: masks of fields, positions, and values in their place."""

    VALID = 0x00000001
    VECTOR = 0x0000FF00
    VECTOR_SHIFT = 8


class Cause(IntEnum):
    """Exceptions, by their code in mcause."""

    FETCH_MISALIGNED = 0
    FETCH_FAULT = 1
    ILLEGAL_INSTRUCTION = 2
    BREAKPOINT = 3
    LOAD_MISALIGNED = 4
    LOAD_FAULT = 5
    STORE_MISALIGNED = 6
    STORE_FAULT = 7
    ECALL_U = 8
    ECALL_S = 9
    ECALL_M = 11
    FETCH_PAGE_FAULT = 12
    LOAD_PAGE_FAULT = 13
    STORE_PAGE_FAULT = 15
    FRAME_STORE_FAULT = 24
    FRAME_LOAD_FAULT = 25
    SEND_FAULT = 26


class Interrupt(IntEnum):
    """Interrupts, by their code in mcause."""

    USER_POST = 0
    SUPERVISOR_SOFTWARE = 1
    SOFTWARE = 3
    SUPERVISOR_TIMER = 5
    TIMER = 7
    SUPERVISOR_EXTERNAL = 9
    EXTERNAL = 11
    PLATFORM = 16


class Marker(IntEnum):
    """Numbers of markers."""

    HANDLER = 1
    BACKGROUND_BEGIN = 2
    BACKGROUND_END = 3
    ITERATION = 4
    HANDLER_END = 5


class Encoding(NamedTuple):
    """One is meant when (instruction & mask) == match."""

    match: int
    mask: int


EMRET = Encoding(0xBC200073, 0xFFFFFFFF)
URET = Encoding(0x00200073, 0xFFFFFFFF)
EURET = Encoding(0x8C200073, 0xFFFFFFFF)
SENDUIPI = Encoding(0x8E000073, 0xFFF07FFF)
JALXNXTI = Encoding(0x7ED01073, 0xFFF0707F)
MARKER = Encoding(0x00002013, 0x800FFFFF)

REGISTERS = (
    "zero",
    "ra",
    "sp",
    "gp",
    "tp",
    "t0",
    "t1",
    "t2",
    "s0",
    "s1",
    "a0",
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "a6",
    "a7",
    "s2",
    "s3",
    "s4",
    "s5",
    "s6",
    "s7",
    "s8",
    "s9",
    "s10",
    "s11",
    "t3",
    "t4",
    "t5",
    "t6",
)
"""Names of the integer registers, by number."""

FRAME_I = (
    "ra",
    "t0",
    "t1",
    "t2",
    "a0",
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "a6",
    "a7",
    "t3",
    "t4",
    "t5",
    "t6",
    "mepc",
    "mcause",
)
"""Words of the frame of an interrupt, from sp upwards, of the base I."""

FRAME_I_BYTES = 80
"""What sp is lowered by."""

FRAME_E = (
    "ra",
    "t0",
    "t1",
    "t2",
    "a0",
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "mepc",
    "mcause",
)
"""Words of the frame of an interrupt, from sp upwards, of the base E."""

FRAME_E_BYTES = 48
"""What sp is lowered by."""

FRAME_WHOLE_I = (
    "ra",
    "t0",
    "t1",
    "t2",
    "s0",
    "s1",
    "a0",
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "a6",
    "a7",
    "s2",
    "s3",
    "s4",
    "s5",
    "s6",
    "s7",
    "s8",
    "s9",
    "s10",
    "s11",
    "t3",
    "t4",
    "t5",
    "t6",
    "mepc",
    "mcause",
)
"""Words of the frame of an interrupt, from sp upwards, of the base I, where it holds all registers."""

FRAME_WHOLE_I_BYTES = 128
"""What sp is lowered by."""

FRAME_WHOLE_E = (
    "ra",
    "t0",
    "t1",
    "t2",
    "s0",
    "s1",
    "a0",
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "mepc",
    "mcause",
)
"""Words of the frame of an interrupt, from sp upwards, of the base E, where it holds all registers."""

FRAME_WHOLE_E_BYTES = 64
"""What sp is lowered by."""
