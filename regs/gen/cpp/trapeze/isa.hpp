// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Generated from regs/isa by regs/generate.py; do not edit.
/**
 * @file
 * Constants of the instruction set.
 */
#ifndef TRAPEZE_ISA_HPP_
#define TRAPEZE_ISA_HPP_

#include <array>
#include <cstdint>
#include <string_view>

namespace trapeze::isa {

/** Modes. */
namespace privilege {
inline constexpr unsigned kU = 0;
inline constexpr unsigned kS = 1;
inline constexpr unsigned kM = 3;
}  // namespace privilege

/** Numbers of CSRs; of a run of registers that of its first one. */
namespace csr {
inline constexpr unsigned kUstatus = 0x000;  ///< User status
inline constexpr unsigned kFflags = 0x001;  ///< Floating-point accrued exceptions
inline constexpr unsigned kFrm = 0x002;  ///< Floating-point dynamic rounding mode
inline constexpr unsigned kFcsr = 0x003;  ///< Floating-point control and status
inline constexpr unsigned kUie = 0x004;  ///< User interrupt enable, zero with a CLIC
inline constexpr unsigned kUtvec = 0x005;  ///< User interrupt handler
inline constexpr unsigned kUtvt = 0x007;  ///< Address of the table of user handlers
inline constexpr unsigned kUscratch = 0x040;  ///< User scratch
inline constexpr unsigned kUepc = 0x041;  ///< User exception program counter
inline constexpr unsigned kUcause = 0x042;  ///< User cause
inline constexpr unsigned kUtval = 0x043;  ///< User trap value
inline constexpr unsigned kUip = 0x044;  ///< User interrupt pending, zero with a CLIC
inline constexpr unsigned kUnxti = 0x045;  ///< Claims the next user interrupt (xnxti)
inline constexpr unsigned kUintthresh = 0x047;  ///< User interrupt threshold
inline constexpr unsigned kUscratchcswl = 0x049;  ///< Exchanges uscratch on a change of level from or to 0
inline constexpr unsigned kSstatus = 0x100;  ///< Supervisor status
inline constexpr unsigned kSie = 0x104;  ///< Supervisor interrupt enable
inline constexpr unsigned kStvec = 0x105;  ///< Supervisor trap handler
inline constexpr unsigned kScounteren = 0x106;  ///< Supervisor counter enable
inline constexpr unsigned kSenvcfg = 0x10a;  ///< Supervisor environment configuration
inline constexpr unsigned kSscratch = 0x140;  ///< Supervisor scratch
inline constexpr unsigned kSepc = 0x141;  ///< Supervisor exception program counter
inline constexpr unsigned kScause = 0x142;  ///< Supervisor cause
inline constexpr unsigned kStval = 0x143;  ///< Supervisor trap value
inline constexpr unsigned kSip = 0x144;  ///< Supervisor interrupt pending
inline constexpr unsigned kSatp = 0x180;  ///< Supervisor address translation and protection
inline constexpr unsigned kMstatus = 0x300;  ///< Machine status
inline constexpr unsigned kMisa = 0x301;  ///< ISA and extensions
inline constexpr unsigned kMedeleg = 0x302;  ///< Machine exception delegation
inline constexpr unsigned kMideleg = 0x303;  ///< Machine interrupt delegation
inline constexpr unsigned kMie = 0x304;  ///< Machine interrupt enable
inline constexpr unsigned kMtvec = 0x305;  ///< Machine trap handler
inline constexpr unsigned kMcounteren = 0x306;  ///< Machine counter enable
inline constexpr unsigned kMtvt = 0x307;  ///< Address of the table of handlers
inline constexpr unsigned kMenvcfg = 0x30a;  ///< Machine environment configuration
inline constexpr unsigned kMstatush = 0x310;  ///< Machine status, upper half (RV32)
inline constexpr unsigned kMenvcfgh = 0x31a;  ///< Machine environment configuration, upper half (RV32)
inline constexpr unsigned kMcountinhibit = 0x320;  ///< Machine counter inhibit
inline constexpr unsigned kMhpmevent3 = 0x323;  ///< Machine performance event selector
inline constexpr unsigned kMscratch = 0x340;  ///< Machine scratch
inline constexpr unsigned kMepc = 0x341;  ///< Machine exception program counter
inline constexpr unsigned kMcause = 0x342;  ///< Machine cause; the fields from MINHV to MPIL are the CLIC's
inline constexpr unsigned kMtval = 0x343;  ///< Machine trap value
inline constexpr unsigned kMip = 0x344;  ///< Machine interrupt pending
inline constexpr unsigned kMnxti = 0x345;  ///< Claims the next interrupt (xnxti)
inline constexpr unsigned kMintthresh = 0x347;  ///< Interrupt threshold
inline constexpr unsigned kMscratchcsw = 0x348;  ///< Exchanges mscratch on a change of mode
inline constexpr unsigned kMscratchcswl = 0x349;  ///< Exchanges mscratch on a change of level from or to 0
inline constexpr unsigned kMtinst = 0x34a;  ///< Machine trap instruction
inline constexpr unsigned kMtval2 = 0x34b;  ///< Machine second trap value
inline constexpr unsigned kPmpcfg0 = 0x3a0;  ///< Physical memory protection configuration
inline constexpr unsigned kPmpaddr0 = 0x3b0;  ///< Physical memory protection address
inline constexpr unsigned kMseccfg = 0x747;  ///< Machine security configuration
inline constexpr unsigned kMseccfgh = 0x757;  ///< Machine security configuration, upper half (RV32)
inline constexpr unsigned kTselect = 0x7a0;  ///< Trigger select
inline constexpr unsigned kTdata1 = 0x7a1;  ///< Trigger data 1
inline constexpr unsigned kTdata2 = 0x7a2;  ///< Trigger data 2
inline constexpr unsigned kTdata3 = 0x7a3;  ///< Trigger data 3
inline constexpr unsigned kTinfo = 0x7a4;  ///< Trigger information
inline constexpr unsigned kTcontrol = 0x7a5;  ///< Trigger control
inline constexpr unsigned kMcontext = 0x7a8;  ///< Machine context
inline constexpr unsigned kDcsr = 0x7b0;  ///< Debug control and status
inline constexpr unsigned kDpc = 0x7b1;  ///< Debug program counter
inline constexpr unsigned kDscratch0 = 0x7b2;  ///< Debug scratch 0
inline constexpr unsigned kDscratch1 = 0x7b3;  ///< Debug scratch 1
inline constexpr unsigned kMfastirq = 0x7c0;  ///< fastirq control
inline constexpr unsigned kMframe = 0x7c1;  ///< Hint: the frame that emret will leave soon
inline constexpr unsigned kMuitt = 0x7c2;  ///< Table of targets of senduipi (UITT)
inline constexpr unsigned kMuittsz = 0x7c3;  ///< Entries of the table of targets
inline constexpr unsigned kMupid = 0x7c4;  ///< Descriptor of the running thread (UPID)
inline constexpr unsigned kMunv = 0x7c5;  ///< Notification vector of the running thread
inline constexpr unsigned kMuirr = 0x7c6;  ///< User interrupts that are to be delivered, vectors 0 to 31 (UIRR)
inline constexpr unsigned kMuirrh = 0x7c7;  ///< User interrupts that are to be delivered, vectors 32 to 63 (UIRR)
inline constexpr unsigned kJalmnxti = 0x7ed;  ///< Claims the next interrupt, calls its handler and enables interrupts
inline constexpr unsigned kUfastirq = 0x800;  ///< fastirq control of U mode
inline constexpr unsigned kUframe = 0x801;  ///< Hint: the frame that euret will leave soon
inline constexpr unsigned kMcycle = 0xb00;  ///< Machine cycle counter
inline constexpr unsigned kMinstret = 0xb02;  ///< Machine counter of retired instructions
inline constexpr unsigned kMhpmcounter3 = 0xb03;  ///< Machine performance counter
inline constexpr unsigned kMcycleh = 0xb80;  ///< Machine cycle counter, upper half (RV32)
inline constexpr unsigned kMinstreth = 0xb82;  ///< Machine counter of retired instructions, upper half (RV32)
inline constexpr unsigned kMhpmcounter3h = 0xb83;  ///< Machine performance counter, upper half (RV32)
inline constexpr unsigned kCycle = 0xc00;  ///< Cycle counter
inline constexpr unsigned kTime = 0xc01;  ///< Timer
inline constexpr unsigned kInstret = 0xc02;  ///< Counter of retired instructions
inline constexpr unsigned kHpmcounter3 = 0xc03;  ///< Performance counter
inline constexpr unsigned kCycleh = 0xc80;  ///< Cycle counter, upper half (RV32)
inline constexpr unsigned kTimeh = 0xc81;  ///< Timer, upper half (RV32)
inline constexpr unsigned kInstreth = 0xc82;  ///< Counter of retired instructions, upper half (RV32)
inline constexpr unsigned kHpmcounter3h = 0xc83;  ///< Performance counter, upper half (RV32)
inline constexpr unsigned kUintstatus = 0xcb1;  ///< Level of the user interrupt being handled
inline constexpr unsigned kMvendorid = 0xf11;  ///< Vendor
inline constexpr unsigned kMarchid = 0xf12;  ///< Architecture
inline constexpr unsigned kMimpid = 0xf13;  ///< Implementation
inline constexpr unsigned kMhartid = 0xf14;  ///< Number of the hart
inline constexpr unsigned kMconfigptr = 0xf15;  ///< Address of the configuration structure
inline constexpr unsigned kMintstatus = 0xfb1;  ///< Levels of the interrupts being handled
}  // namespace csr

/** ustatus: lowest bits of fields, widths where it is not one bit, and values. */
namespace ustatus {
inline constexpr unsigned kUie = 0;  ///< interrupts are enabled in U mode
inline constexpr unsigned kUpie = 4;  ///< UIE before the interrupt
}  // namespace ustatus

/** ucause: lowest bits of fields, widths where it is not one bit, and values. */
namespace ucause {
constexpr unsigned interrupt(unsigned xlen) { return xlen - 1; }  ///< interrupt, else exception
inline constexpr unsigned kUinhv = 30;  ///< uepc is the address of an entry of the table of handlers
inline constexpr unsigned kUpie = 27;  ///< as ustatus.UPIE
inline constexpr unsigned kUpil = 16;  ///< the interrupted level
inline constexpr unsigned kUpilWidth = 8;
inline constexpr unsigned kPosted = 12;  ///< code is a vector that somebody posted (uintr), else a source
inline constexpr unsigned kCode = 0;  ///< number of the interrupt
inline constexpr unsigned kCodeWidth = 12;
}  // namespace ucause

/** uintthresh: lowest bits of fields, widths where it is not one bit, and values. */
namespace uintthresh {
inline constexpr unsigned kTh = 0;  ///< threshold
inline constexpr unsigned kThWidth = 8;
}  // namespace uintthresh

/** senvcfg: lowest bits of fields, widths where it is not one bit, and values. */
namespace senvcfg {
inline constexpr unsigned kCbie = 4;  ///< cbo.inval below this mode
inline constexpr unsigned kCbieWidth = 2;
inline constexpr unsigned kCbieIllegal = 0;
inline constexpr unsigned kCbieFlush = 1;
inline constexpr unsigned kCbieInval = 3;
inline constexpr unsigned kCbcfe = 6;  ///< cbo.clean and cbo.flush are legal below this mode
}  // namespace senvcfg

/** satp: lowest bits of fields, widths where it is not one bit, and values. */
namespace satp {
inline constexpr unsigned kPpn = 0;  ///< number of the physical page that holds the root of the page table
inline constexpr unsigned kPpnWidth = 44;
inline constexpr unsigned kAsid = 44;  ///< address space
inline constexpr unsigned kAsidWidth = 16;
inline constexpr unsigned kMode = 60;  ///< how addresses are translated
inline constexpr unsigned kModeWidth = 4;
inline constexpr unsigned kModeBare = 0;
inline constexpr unsigned kModeSv39 = 8;
}  // namespace satp

/** mstatus: lowest bits of fields, widths where it is not one bit, and values. */
namespace mstatus {
inline constexpr unsigned kUie = 0;  ///< as ustatus.UIE
inline constexpr unsigned kSie = 1;  ///< interrupts are enabled in S mode
inline constexpr unsigned kMie = 3;  ///< interrupts are enabled in M mode
inline constexpr unsigned kUpie = 4;  ///< as ustatus.UPIE
inline constexpr unsigned kSpie = 5;  ///< SIE before the trap
inline constexpr unsigned kMpie = 7;  ///< MIE before the trap
inline constexpr unsigned kSpp = 8;  ///< mode before the trap into S
inline constexpr unsigned kMpp = 11;  ///< mode before the trap into M
inline constexpr unsigned kMppWidth = 2;
inline constexpr unsigned kMppU = 0;
inline constexpr unsigned kMppS = 1;
inline constexpr unsigned kMppM = 3;
inline constexpr unsigned kFs = 13;  ///< state of the floating-point unit
inline constexpr unsigned kFsWidth = 2;
inline constexpr unsigned kFsOff = 0;
inline constexpr unsigned kFsInitial = 1;
inline constexpr unsigned kFsClean = 2;
inline constexpr unsigned kFsDirty = 3;
inline constexpr unsigned kMprv = 17;  ///< loads and stores have the privilege of MPP
inline constexpr unsigned kSum = 18;  ///< S mode reaches memory of U mode
inline constexpr unsigned kMxr = 19;  ///< executable memory can be read
inline constexpr unsigned kTvm = 20;  ///< satp and SFENCE.VMA trap in S mode
inline constexpr unsigned kTw = 21;  ///< WFI below M mode is illegal
inline constexpr unsigned kTsr = 22;  ///< SRET traps in S mode
inline constexpr unsigned kUxl = 32;  ///< width of registers in U mode
inline constexpr unsigned kUxlWidth = 2;
inline constexpr unsigned kUxlRv64 = 2;
inline constexpr unsigned kSxl = 34;  ///< width of registers in S mode
inline constexpr unsigned kSxlWidth = 2;
inline constexpr unsigned kSxlRv64 = 2;
inline constexpr unsigned kSd = 63;  ///< FS is dirty
}  // namespace mstatus

/** mie: lowest bits of fields, widths where it is not one bit, and values. */
namespace mie {
inline constexpr unsigned kSsie = 1;  ///< supervisor software interrupt
inline constexpr unsigned kMsie = 3;  ///< machine software interrupt
inline constexpr unsigned kStie = 5;  ///< supervisor timer interrupt
inline constexpr unsigned kMtie = 7;  ///< machine timer interrupt
inline constexpr unsigned kSeie = 9;  ///< supervisor external interrupt
inline constexpr unsigned kMeie = 11;  ///< machine external interrupt
}  // namespace mie

/** mtvec: lowest bits of fields, widths where it is not one bit, and values. */
namespace mtvec {
inline constexpr unsigned kMode = 0;  ///< how handlers are found
inline constexpr unsigned kModeWidth = 2;
inline constexpr unsigned kModeDirect = 0;
inline constexpr unsigned kModeVectored = 1;
inline constexpr unsigned kModeClic = 3;
inline constexpr unsigned kBase = 2;  ///< the upper bits of the handler's address
}  // namespace mtvec

/** mcounteren: lowest bits of fields, widths where it is not one bit, and values. */
namespace mcounteren {
inline constexpr unsigned kCy = 0;  ///< cycle
inline constexpr unsigned kTm = 1;  ///< time
inline constexpr unsigned kIr = 2;  ///< instret
}  // namespace mcounteren

/** menvcfg: lowest bits of fields, widths where it is not one bit, and values. */
namespace menvcfg {
inline constexpr unsigned kCbie = 4;  ///< cbo.inval below this mode
inline constexpr unsigned kCbieWidth = 2;
inline constexpr unsigned kCbieIllegal = 0;
inline constexpr unsigned kCbieFlush = 1;
inline constexpr unsigned kCbieInval = 3;
inline constexpr unsigned kCbcfe = 6;  ///< cbo.clean and cbo.flush are legal below this mode
}  // namespace menvcfg

/** mcountinhibit: lowest bits of fields, widths where it is not one bit, and values. */
namespace mcountinhibit {
inline constexpr unsigned kCy = 0;  ///< cycle
inline constexpr unsigned kTm = 1;  ///< time
inline constexpr unsigned kIr = 2;  ///< instret
}  // namespace mcountinhibit

/** mcause: lowest bits of fields, widths where it is not one bit, and values. */
namespace mcause {
constexpr unsigned interrupt(unsigned xlen) { return xlen - 1; }  ///< interrupt, else exception
inline constexpr unsigned kMinhv = 30;  ///< mepc is the address of an entry of the table of handlers
inline constexpr unsigned kMpp = 28;  ///< as mstatus.MPP
inline constexpr unsigned kMppWidth = 2;
inline constexpr unsigned kMpie = 27;  ///< as mstatus.MPIE
inline constexpr unsigned kMpil = 16;  ///< the interrupted level
inline constexpr unsigned kMpilWidth = 8;
inline constexpr unsigned kCode = 0;  ///< code of the exception or number of the interrupt
inline constexpr unsigned kCodeWidth = 12;
}  // namespace mcause

/** mip: lowest bits of fields, widths where it is not one bit, and values. */
namespace mip {
inline constexpr unsigned kSsip = 1;  ///< supervisor software interrupt
inline constexpr unsigned kMsip = 3;  ///< machine software interrupt
inline constexpr unsigned kStip = 5;  ///< supervisor timer interrupt
inline constexpr unsigned kMtip = 7;  ///< machine timer interrupt
inline constexpr unsigned kSeip = 9;  ///< supervisor external interrupt
inline constexpr unsigned kMeip = 11;  ///< machine external interrupt
}  // namespace mip

/** mintthresh: lowest bits of fields, widths where it is not one bit, and values. */
namespace mintthresh {
inline constexpr unsigned kTh = 0;  ///< threshold
inline constexpr unsigned kThWidth = 8;
}  // namespace mintthresh

/** mseccfg: lowest bits of fields, widths where it is not one bit, and values. */
namespace mseccfg {
inline constexpr unsigned kMml = 0;  ///< machine mode lockdown: rows are for one mode, or shared
inline constexpr unsigned kMmwp = 1;  ///< machine mode whitelist policy: what no row matches is refused
inline constexpr unsigned kRlb = 2;  ///< rule locking bypass: locked rows can be changed
}  // namespace mseccfg

/** mfastirq: lowest bits of fields, widths where it is not one bit, and values. */
namespace mfastirq {
inline constexpr unsigned kEnable = 0;  ///< interrupts save the context in hardware and emret is legal
inline constexpr unsigned kNest = 1;  ///< a vectored handler begins with interrupts enabled
inline constexpr unsigned kLink = 2;  ///< the upper bits of ra in a handler
}  // namespace mfastirq

/** muitt: lowest bits of fields, widths where it is not one bit, and values. */
namespace muitt {
inline constexpr unsigned kEnable = 0;  ///< senduipi is legal
inline constexpr unsigned kBase = 4;  ///< the upper bits of the table's address
inline constexpr unsigned kBaseWidth = 28;
}  // namespace muitt

/** muittsz: lowest bits of fields, widths where it is not one bit, and values. */
namespace muittsz {
inline constexpr unsigned kEntries = 0;  ///< how many
inline constexpr unsigned kEntriesWidth = 16;
}  // namespace muittsz

/** mupid: lowest bits of fields, widths where it is not one bit, and values. */
namespace mupid {
inline constexpr unsigned kEnable = 0;  ///< notifications are for that thread
inline constexpr unsigned kBase = 6;  ///< the upper bits of the descriptor's address
inline constexpr unsigned kBaseWidth = 26;
}  // namespace mupid

/** munv: lowest bits of fields, widths where it is not one bit, and values. */
namespace munv {
inline constexpr unsigned kVector = 0;  ///< as in its descriptor
inline constexpr unsigned kVectorWidth = 8;
}  // namespace munv

/** ufastirq: lowest bits of fields, widths where it is not one bit, and values. */
namespace ufastirq {
inline constexpr unsigned kEnable = 0;  ///< user interrupts save the context in hardware and euret is legal
inline constexpr unsigned kNest = 1;  ///< a vectored user handler begins with interrupts enabled
inline constexpr unsigned kLink = 2;  ///< the upper bits of ra in a user handler
}  // namespace ufastirq

/** uintstatus: lowest bits of fields, widths where it is not one bit, and values. */
namespace uintstatus {
inline constexpr unsigned kUil = 0;  ///< in U mode
inline constexpr unsigned kUilWidth = 8;
}  // namespace uintstatus

/** mintstatus: lowest bits of fields, widths where it is not one bit, and values. */
namespace mintstatus {
inline constexpr unsigned kUil = 0;  ///< in U mode
inline constexpr unsigned kUilWidth = 8;
inline constexpr unsigned kSil = 8;  ///< in S mode
inline constexpr unsigned kSilWidth = 8;
inline constexpr unsigned kMil = 24;  ///< in M mode
inline constexpr unsigned kMilWidth = 8;
}  // namespace mintstatus

/** A CSR, or a run of them whose names have a number in the middle, counted from `index`.
 * `of`: the extension or scheme that has it. */
struct CsrName {
  unsigned first;
  unsigned count;
  const char* name;
  unsigned index;
  const char* suffix;
  std::string_view of;
};

/** Every CSR, by ascending number. A single one has the whole of its name in `name`. */
inline constexpr std::array<CsrName, 97> kCsrNames = {{
    {0x000, 1, "ustatus", 0, "", "suclic"},
    {0x001, 1, "fflags", 0, "", "f"},
    {0x002, 1, "frm", 0, "", "f"},
    {0x003, 1, "fcsr", 0, "", "f"},
    {0x004, 1, "uie", 0, "", "suclic"},
    {0x005, 1, "utvec", 0, "", "suclic"},
    {0x007, 1, "utvt", 0, "", "suclic"},
    {0x040, 1, "uscratch", 0, "", "suclic"},
    {0x041, 1, "uepc", 0, "", "suclic"},
    {0x042, 1, "ucause", 0, "", "suclic"},
    {0x043, 1, "utval", 0, "", "suclic"},
    {0x044, 1, "uip", 0, "", "suclic"},
    {0x045, 1, "unxti", 0, "", "suclic"},
    {0x047, 1, "uintthresh", 0, "", "suclic"},
    {0x049, 1, "uscratchcswl", 0, "", "suclic"},
    {0x100, 1, "sstatus", 0, "", "s"},
    {0x104, 1, "sie", 0, "", "s"},
    {0x105, 1, "stvec", 0, "", "s"},
    {0x106, 1, "scounteren", 0, "", "s"},
    {0x10a, 1, "senvcfg", 0, "", "s"},
    {0x140, 1, "sscratch", 0, "", "s"},
    {0x141, 1, "sepc", 0, "", "s"},
    {0x142, 1, "scause", 0, "", "s"},
    {0x143, 1, "stval", 0, "", "s"},
    {0x144, 1, "sip", 0, "", "s"},
    {0x180, 1, "satp", 0, "", "s"},
    {0x300, 1, "mstatus", 0, "", "machine"},
    {0x301, 1, "misa", 0, "", "machine"},
    {0x302, 1, "medeleg", 0, "", "s"},
    {0x303, 1, "mideleg", 0, "", "s"},
    {0x304, 1, "mie", 0, "", "machine"},
    {0x305, 1, "mtvec", 0, "", "machine"},
    {0x306, 1, "mcounteren", 0, "", "machine"},
    {0x307, 1, "mtvt", 0, "", "clic"},
    {0x30a, 1, "menvcfg", 0, "", "machine"},
    {0x310, 1, "mstatush", 0, "", "machine"},
    {0x31a, 1, "menvcfgh", 0, "", "machine"},
    {0x320, 1, "mcountinhibit", 0, "", "machine"},
    {0x323, 29, "mhpmevent", 3, "", "machine"},
    {0x340, 1, "mscratch", 0, "", "machine"},
    {0x341, 1, "mepc", 0, "", "machine"},
    {0x342, 1, "mcause", 0, "", "machine"},
    {0x343, 1, "mtval", 0, "", "machine"},
    {0x344, 1, "mip", 0, "", "machine"},
    {0x345, 1, "mnxti", 0, "", "clic"},
    {0x347, 1, "mintthresh", 0, "", "clic"},
    {0x348, 1, "mscratchcsw", 0, "", "clic"},
    {0x349, 1, "mscratchcswl", 0, "", "clic"},
    {0x34a, 1, "mtinst", 0, "", "h"},
    {0x34b, 1, "mtval2", 0, "", "h"},
    {0x3a0, 16, "pmpcfg", 0, "", "pmp"},
    {0x3b0, 64, "pmpaddr", 0, "", "pmp"},
    {0x747, 1, "mseccfg", 0, "", "smepmp"},
    {0x757, 1, "mseccfgh", 0, "", "smepmp"},
    {0x7a0, 1, "tselect", 0, "", "sdtrig"},
    {0x7a1, 1, "tdata1", 0, "", "sdtrig"},
    {0x7a2, 1, "tdata2", 0, "", "sdtrig"},
    {0x7a3, 1, "tdata3", 0, "", "sdtrig"},
    {0x7a4, 1, "tinfo", 0, "", "sdtrig"},
    {0x7a5, 1, "tcontrol", 0, "", "sdtrig"},
    {0x7a8, 1, "mcontext", 0, "", "sdtrig"},
    {0x7b0, 1, "dcsr", 0, "", "sdext"},
    {0x7b1, 1, "dpc", 0, "", "sdext"},
    {0x7b2, 1, "dscratch0", 0, "", "sdext"},
    {0x7b3, 1, "dscratch1", 0, "", "sdext"},
    {0x7c0, 1, "mfastirq", 0, "", "fastirq"},
    {0x7c1, 1, "mframe", 0, "", "fastirq"},
    {0x7c2, 1, "muitt", 0, "", "uintr"},
    {0x7c3, 1, "muittsz", 0, "", "uintr"},
    {0x7c4, 1, "mupid", 0, "", "uintr"},
    {0x7c5, 1, "munv", 0, "", "uintr"},
    {0x7c6, 1, "muirr", 0, "", "uintr"},
    {0x7c7, 1, "muirrh", 0, "", "uintr"},
    {0x7ed, 1, "jalmnxti", 0, "", "jalxnxti"},
    {0x800, 1, "ufastirq", 0, "", "ufastirq"},
    {0x801, 1, "uframe", 0, "", "ufastirq"},
    {0xb00, 1, "mcycle", 0, "", "machine"},
    {0xb02, 1, "minstret", 0, "", "machine"},
    {0xb03, 29, "mhpmcounter", 3, "", "machine"},
    {0xb80, 1, "mcycleh", 0, "", "machine"},
    {0xb82, 1, "minstreth", 0, "", "machine"},
    {0xb83, 29, "mhpmcounter", 3, "h", "machine"},
    {0xc00, 1, "cycle", 0, "", "zicntr"},
    {0xc01, 1, "time", 0, "", "zicntr"},
    {0xc02, 1, "instret", 0, "", "zicntr"},
    {0xc03, 29, "hpmcounter", 3, "", "zihpm"},
    {0xc80, 1, "cycleh", 0, "", "zicntr"},
    {0xc81, 1, "timeh", 0, "", "zicntr"},
    {0xc82, 1, "instreth", 0, "", "zicntr"},
    {0xc83, 29, "hpmcounter", 3, "h", "zihpm"},
    {0xcb1, 1, "uintstatus", 0, "", "suclic"},
    {0xf11, 1, "mvendorid", 0, "", "machine"},
    {0xf12, 1, "marchid", 0, "", "machine"},
    {0xf13, 1, "mimpid", 0, "", "machine"},
    {0xf14, 1, "mhartid", 0, "", "machine"},
    {0xf15, 1, "mconfigptr", 0, "", "machine"},
    {0xfb1, 1, "mintstatus", 0, "", "clic"},
}};

/** A row's byte of pmpcfg: masks, positions, and values in their place. */
namespace pmpcfg {
inline constexpr unsigned kR = 0x1;  ///< reads are allowed
inline constexpr unsigned kRShift = 0;
inline constexpr unsigned kW = 0x2;  ///< writes are allowed
inline constexpr unsigned kWShift = 1;
inline constexpr unsigned kX = 0x4;  ///< execution is allowed
inline constexpr unsigned kXShift = 2;
inline constexpr unsigned kA = 0x18;  ///< how the row matches addresses
inline constexpr unsigned kAShift = 3;
inline constexpr unsigned kAOff = 0x0;
inline constexpr unsigned kATor = 0x8;
inline constexpr unsigned kANa4 = 0x10;
inline constexpr unsigned kANapot = 0x18;
inline constexpr unsigned kL = 0x80;  ///< the row is locked, and binds machine mode
inline constexpr unsigned kLShift = 7;
}  // namespace pmpcfg

/** Descriptor of a thread (UPID): offsets of its words, its size and its alignment, in bytes. */
namespace upid {
inline constexpr unsigned kControlOffset = 0;  ///< Control of notifications
inline constexpr unsigned kNdstOffset = 4;  ///< Number (mhartid) of the hart that the thread is on
inline constexpr unsigned kPuirOffset = 8;  ///< Posted vectors, one bit for each
inline constexpr unsigned kBytes = 16;  ///< size
inline constexpr unsigned kAlignment = 64;  ///< alignment
}  // namespace upid

/** Control of notifications: masks, positions, and values in their place. */
namespace upid_control {
inline constexpr unsigned kOn = 0x1;  ///< a notification is outstanding
inline constexpr unsigned kOnShift = 0;
inline constexpr unsigned kSn = 0x2;  ///< notifications are suppressed
inline constexpr unsigned kSnShift = 1;
inline constexpr unsigned kNv = 0xff0000;  ///< notification vector
inline constexpr unsigned kNvShift = 16;
}  // namespace upid_control

/** Entry of the table of targets (UITT): offsets of its words, its size and its alignment, in bytes. */
namespace uitt {
inline constexpr unsigned kControlOffset = 0;  ///< What is posted
inline constexpr unsigned kReservedOffset = 4;  ///< Zero
inline constexpr unsigned kUpidOffset = 8;  ///< Address of the UPID
inline constexpr unsigned kUpidHighOffset = 12;  ///< Zero: upper half of that address
inline constexpr unsigned kBytes = 16;  ///< size
inline constexpr unsigned kAlignment = 16;  ///< alignment
}  // namespace uitt

/** What is posted: masks, positions, and values in their place. */
namespace uitt_control {
inline constexpr unsigned kValid = 0x1;  ///< senduipi may use the entry
inline constexpr unsigned kValidShift = 0;
inline constexpr unsigned kVector = 0xff00;  ///< vector, 0 to 63
inline constexpr unsigned kVectorShift = 8;
}  // namespace uitt_control

/** Exceptions, by their code in mcause. */
namespace exception {
inline constexpr unsigned kFetchMisaligned = 0;  ///< the target of a jump is misaligned
inline constexpr unsigned kFetchFault = 1;  ///< an instruction could not be fetched
inline constexpr unsigned kIllegalInstruction = 2;  ///< illegal instruction
inline constexpr unsigned kBreakpoint = 3;  ///< ebreak
inline constexpr unsigned kLoadMisaligned = 4;  ///< misaligned load
inline constexpr unsigned kLoadFault = 5;  ///< a load failed
inline constexpr unsigned kStoreMisaligned = 6;  ///< misaligned store or atomic operation
inline constexpr unsigned kStoreFault = 7;  ///< a store or atomic operation failed
inline constexpr unsigned kEcallU = 8;  ///< ecall in U mode
inline constexpr unsigned kEcallS = 9;  ///< ecall in S mode
inline constexpr unsigned kEcallM = 11;  ///< ecall in M mode
inline constexpr unsigned kFetchPageFault = 12;  ///< no translation for a fetch
inline constexpr unsigned kLoadPageFault = 13;  ///< no translation for a load
inline constexpr unsigned kStorePageFault = 15;  ///< no translation for a store or atomic operation
inline constexpr unsigned kFrameStoreFault = 24;  ///< a word of a frame could not be stored
inline constexpr unsigned kFrameLoadFault = 25;  ///< emret could not load a word of the frame
inline constexpr unsigned kSendFault = 26;  ///< senduipi could not post
}  // namespace exception

/** Interrupts, by their code in mcause. */
namespace interrupt {
inline constexpr unsigned kUserPost = 0;  ///< a vector is in UIRR
inline constexpr unsigned kSupervisorSoftware = 1;  ///< software interrupt of S mode
inline constexpr unsigned kSoftware = 3;  ///< software interrupt (CLINT)
inline constexpr unsigned kSupervisorTimer = 5;  ///< timer interrupt of S mode
inline constexpr unsigned kTimer = 7;  ///< timer interrupt (CLINT)
inline constexpr unsigned kSupervisorExternal = 9;  ///< external interrupt of S mode
inline constexpr unsigned kExternal = 11;  ///< external interrupt
inline constexpr unsigned kPlatform = 16;  ///< platform line 0; line n is n more
}  // namespace interrupt

/** Bits that make an instruction. */
struct Encoding {
  std::uint32_t match;
  std::uint32_t mask;

  constexpr bool is(std::uint32_t instruction) const { return (instruction & mask) == match; }
};

/** Instructions. */
namespace encoding {
inline constexpr Encoding kEmret = {0xbc200073, 0xffffffff};  ///< leaves an interrupt handler, or goes on to the next one
inline constexpr Encoding kUret = {0x00200073, 0xffffffff};  ///< returns from a user interrupt
inline constexpr Encoding kEuret = {0x8c200073, 0xffffffff};  ///< leaves a user interrupt, or goes on to the next one
inline constexpr Encoding kSenduipi = {0x8e000073, 0xfff07fff};  ///< posts a user interrupt to the target of entry rs1
inline constexpr Encoding kJalxnxti = {0x7ed01073, 0xfff0707f};  ///< csrrw of jalmnxti: claims, calls, enables interrupts
inline constexpr Encoding kMarker = {0x00002013, 0x800fffff};  ///< slti x0, x0, N: a point whose cycles the simulator records
}  // namespace encoding

/** Least and largest number in the instruction, and its lowest bit. */
namespace marker_operand {
inline constexpr unsigned kFrom = 1;
inline constexpr unsigned kTo = 2047;
inline constexpr unsigned kBit = 20;
}  // namespace marker_operand

/** Numbers of markers. */
namespace marker {
inline constexpr unsigned kHandler = 1;  ///< from here on an interrupt handler may call a C function
inline constexpr unsigned kBackgroundBegin = 2;  ///< the background window, in which interrupts are injected, begins
inline constexpr unsigned kBackgroundEnd = 3;  ///< the background window ends
inline constexpr unsigned kIteration = 4;  ///< stands before the first and behind every iteration of a benchmark
inline constexpr unsigned kHandlerEnd = 5;  ///< the last instruction of an interrupt handler's C function before it returns
}  // namespace marker

/** Frame of an interrupt, for the bases I and E: registers from word 0 on, then CSRs. Whole: all registers. */
namespace frame {
inline constexpr std::array<unsigned, 16> kRegistersI = {1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31};
inline constexpr unsigned kMepcI = 16;  ///< its word
inline constexpr unsigned kMcauseI = 17;  ///< its word
inline constexpr unsigned kWordsI = 18;
inline constexpr unsigned kBytesI = 80;  ///< what sp is lowered by
inline constexpr std::array<unsigned, 10> kRegistersE = {1, 5, 6, 7, 10, 11, 12, 13, 14, 15};
inline constexpr unsigned kMepcE = 10;  ///< its word
inline constexpr unsigned kMcauseE = 11;  ///< its word
inline constexpr unsigned kWordsE = 12;
inline constexpr unsigned kBytesE = 48;  ///< what sp is lowered by
inline constexpr std::array<unsigned, 28> kRegistersWholeI = {1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
inline constexpr unsigned kMepcWholeI = 28;  ///< its word
inline constexpr unsigned kMcauseWholeI = 29;  ///< its word
inline constexpr unsigned kWordsWholeI = 30;
inline constexpr unsigned kBytesWholeI = 128;  ///< what sp is lowered by
inline constexpr std::array<unsigned, 12> kRegistersWholeE = {1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
inline constexpr unsigned kMepcWholeE = 12;  ///< its word
inline constexpr unsigned kMcauseWholeE = 13;  ///< its word
inline constexpr unsigned kWordsWholeE = 14;
inline constexpr unsigned kBytesWholeE = 64;  ///< what sp is lowered by
}  // namespace frame

}  // namespace trapeze::isa

#endif  // TRAPEZE_ISA_HPP_
