# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The fixed part of every random program: start, trap handler, log and final report, as assembly text.

One register, the *cursor*, belongs to the harness and points at the next free record of the trap log; a program
may read it but never writes it. Which register that is changes from program to program. Every synchronous trap
appends a record of RECORD_WORDS words:

    x1 .. x31, mcause, mepc, mtval, mstatus, mie & 0x888, mscratch, mtvec, entry tag, chained hash

An `ecall` is thus also a checkpoint. The word after it may be a command to the handler in the shape of the HINT
`lui x0, N`: N = 1 returns to machine mode, N = 2 to user mode. The handler returns to the next instruction after
exceptions; after a fetch fault to the address in the program's link register; after an interrupt to mepc, or past
it if the interrupted instruction is a jump to itself. Platform interrupts (cause 16 and up) leave no trace at all,
so a program interrupted at random cycles must end like one that was not.

The report on the console: `T` number of records, `H` the chained hash of every 16th record, `M` a hash of each
memory region, `E` the final hash; with the symbol VERBOSE set to 1 also `R`, every record in full. The exit code
is the low six bits of the final hash.

What is normalised, because QEMU 7.2 differs from the specification and the RTL must not: for a load or store that
straddles the end of a bank QEMU reports the first byte in mtval, the privileged specification (3.1.16) the first
byte of the portion that faulted; the handler rounds mtval up to the end of the bank in exactly that case. For an
ebreak mtval may be its address or zero (3.1.16): QEMU 10 writes the address, which the handler records as zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from trapeze.platform.isa import Pmpcfg
from verify.random.instructions.addresses import Platform, Region
from verify.random.instructions.isa import Base

RECORD_WORDS = 40
FS = 0x6000
"""Field of mstatus: the state of the floating-point registers."""
MAX_RECORDS = {32: 1500, 64: 1200}
"""By the width of a register: what the data bank has room for."""
CSR_NAMES = ("mcause", "mepc", "mtval", "mstatus", "mie", "mscratch", "mtvec", "tag", "hash")
"""The words of a record after x1 .. x31."""
DIRECT_ENTRIES = 3
"""How many direct trap entries there are: trap_d0 and so on; trap_vec is the vectored one."""


def record_bytes(base: Base) -> int:
    """Size of a record."""
    return base.word * RECORD_WORDS


@dataclass(frozen=True)
class Setup:
    """What differs between the harnesses of two programs.

    Attributes:
        base: integer base.
        cursor: number of the register that points at the log.
        link: number of the register that a fetch fault returns to.
        seed: mixed into the initial memory contents.
        vectored: start with the vectored trap entry.
        mstatus: value of mstatus when the body begins.
        mie: value of mie when the body begins.
        registers: initial values of x1 and up (the cursor's is ignored).
        prepare: lines of the start, for what a wider machine has beside.
        out_of_line: lines of text that control never enters by itself: handlers of other modes.
        tables: lines of the data bank that starts with zeros.
        observed: pairs of labels between which memory is in the report, too.
    """

    base: Base
    cursor: int
    link: int
    seed: int
    vectored: bool
    mstatus: int
    mie: int
    registers: tuple[int, ...]
    prepare: tuple[str, ...] = ()
    out_of_line: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    observed: tuple[tuple[str, str], ...] = ()


def slot(register: int, base: Base) -> int:
    """Byte offset of a general register in a record."""
    return base.word * (register - 1)


@dataclass(frozen=True)
class Frame:
    """Byte offsets in a record behind the registers, and the instructions that move a register's width."""

    base: Base

    def __getattr__(self, name: str) -> int:
        if name in CSR_NAMES:
            return self.base.word * (31 + CSR_NAMES.index(name))
        raise AttributeError(name)

    def slot(self, register: int) -> int:
        """Place of a general register."""
        return slot(register, self.base)

    @property
    def load(self) -> str:
        """Mnemonic of the load."""
        return "ld" if self.base.wide else "lw"

    @property
    def store(self) -> str:
        """Mnemonic of the store."""
        return "sd" if self.base.wide else "sw"


def fill_value(region: Region, address: int, seed: int) -> int:
    """Initial contents of a word of a scratch region."""
    return ((address - region.base) // 4 * 0x9E3779B1 + seed) & 0xFFFFFFFF


def linker_script(platform: Platform, reset: int | None = None) -> str:
    """The linker script: code in imem, from the address `reset` on if there is one, everything else in dmem."""
    begin = "" if reset is None else f" {reset:#x}"
    return f"""ENTRY(_start)
MEMORY {{
  imem (rwx) : ORIGIN = {platform.imem.base:#x}, LENGTH = {platform.imem.end - platform.imem.base:#x}
  dmem (rwx) : ORIGIN = {platform.dmem.base:#x}, LENGTH = {platform.dmem.end - platform.dmem.base:#x}
}}
PHDRS {{ text PT_LOAD; data PT_LOAD; bss PT_LOAD; }}
SECTIONS {{
  .text{begin} : {{ *(.text.start) *(.text) }} > imem :text
  .data : {{ *(.data) }} > dmem :data
  .bss (NOLOAD) : {{ *(.bss) }} > dmem :bss
  /DISCARD/ : {{ *(.riscv.attributes) *(.comment) *(.note*) }}
}}
"""


def _napot(region: Region) -> int:
    return region.base >> 2 | ((region.end - region.base >> 3) - 1)


def _holes(platform: Platform, base: Base) -> list[str]:
    """Lock the holes that QEMU backs with memory; a machine without PMP skips this by its own trap."""
    first, second, last = platform.any_holes
    values = (_napot(first), _napot(second), last.base >> 2, last.end >> 2, 0xFFFFFFFF)
    closed = (Pmpcfg.L | Pmpcfg.A_NAPOT, Pmpcfg.L | Pmpcfg.A_NAPOT, Pmpcfg.A_OFF, Pmpcfg.L | Pmpcfg.A_TOR)
    holes = sum(row << 8 * index for index, row in enumerate(closed))
    rest = Pmpcfg.A_NAPOT | Pmpcfg.R | Pmpcfg.W | Pmpcfg.X
    lines = ["la x5, 1f", "csrw mtvec, x5"]
    for index, value in enumerate(values):
        lines += [f"li x5, {value:#x}", f"csrw pmpaddr{index}, x5"]
    if base.wide:
        lines += [f"li x5, {rest << 32 | holes:#x}", "csrw pmpcfg0, x5"]
    else:
        lines += [f"li x5, {holes:#x}", "csrw pmpcfg0, x5", f"li x5, {rest:#x}", "csrw pmpcfg1, x5"]
    return [*lines, ".balign 4", "1:"]


def _start(setup: Setup, platform: Platform) -> list[str]:
    lines = ['.section .text.start, "ax"', ".globl _start", "_start:", *_holes(platform, setup.base)]
    lines += ["csrw mie, x0", "csrw mstatus, x0", "csrw mcounteren, x0", "csrw mcountinhibit, x0"]
    lines += [f"li x5, {platform.mtimecmp:#x}", "li x6, -1", "sw x6, 0(x5)", "sw x6, 4(x5)"]
    lines += [f"li x5, {platform.msip:#x}", "sw x0, 0(x5)"]
    for region in (*platform.scratch, platform.stack):
        lines += [f"li x5, {region.base:#x}", f"li x6, {region.end:#x}", f"li x7, {setup.seed:#x}", "li x8, 0x9e3779b1"]
        lines += ["1: sw x7, 0(x5)", "add x7, x7, x8", "addi x5, x5, 4", "bne x5, x6, 1b"]
    lines += ["la x5, trap_vec + 1" if setup.vectored else "la x5, trap_d0", "csrw mtvec, x5"]
    lines += [f"li x5, {setup.seed ^ 0x5A5A5A5A:#x}", "csrw mscratch, x5"]
    lines += [f"li x5, {setup.mie:#x}", "csrw mie, x5"]
    lines += setup.prepare
    for number, value in enumerate(setup.registers, start=1):
        lines.append(f"li x{number}, {value:#x}")
    lines.append(f"la x{setup.cursor}, log")
    other = 5 if setup.cursor != 5 else 6
    lines += [f"li x{other}, {setup.mstatus:#x}", f"csrw mstatus, x{other}", "j body"]
    return lines


def _entries(frame: Frame, cursor: int, temp: int) -> list[str]:
    """The trap entries: each stores its own tag, so that a wrong entry shows."""
    lines: list[str] = []

    def stub(tag: int) -> list[str]:
        save = f"{frame.store} x{temp}"
        return [f"{save}, {frame.slot(temp)}(x{cursor})", f"li x{temp}, {tag}", f"{save}, {frame.tag}(x{cursor})"]

    for index in range(DIRECT_ENTRIES):
        lines += [".balign 4", f"trap_d{index}:", *stub(index + 1), "j trap_common"]
    lines += [".balign 128", "trap_vec:"]
    lines += [f"j trap_v{index}" for index in range(32)]
    for index in range(32):
        lines += [f"trap_v{index}:", *stub(16 + index), "j trap_common"]
    return lines


def _edge_rounding(platform: Platform, frame: Frame, cursor: int, temps: list[int]) -> list[str]:
    cause, first, second, tval = (f"x{number}" for number in temps)
    lines = [f"ori {first}, {cause}, 2", f"addi {first}, {first}, -7", f"bnez {first}, 3f"]
    lines += [f"addi {first}, {tval}, {frame.base.word - 1}", f"andi {first}, {first}, {-frame.base.word}"]
    for edge in platform.edges:
        lines += [f"li {second}, {edge:#x}", f"beq {first}, {second}, 2f"]
    return [*lines, "j 3f", f"2: {frame.store} {first}, {frame.mtval}(x{cursor})", "3:"]


def _breakpoint_value(frame: Frame, cursor: int, temps: list[int]) -> list[str]:
    cause, first, _, tval = (f"x{number}" for number in temps)
    lines = [f"addi {first}, {cause}, -3", f"bnez {first}, 4f", f"csrr {first}, mepc", f"bne {first}, {tval}, 4f"]
    return [*lines, f"{frame.store} x0, {frame.mtval}(x{cursor})", "4:"]


def _record(setup: Setup, platform: Platform, temps: list[int]) -> list[str]:
    """Save all registers and CSRs in the record and chain the hash."""
    cursor, frame = setup.cursor, Frame(setup.base)
    load, store = frame.load, frame.store
    cause, first, second, tval = (f"x{number}" for number in temps)
    others = [n for n in range(1, setup.base.registers) if n != cursor and n not in temps[:2]]
    lines = [f"{store} x{number}, {frame.slot(number)}(x{cursor})" for number in others]
    lines += [f"{store} {cause}, {frame.mcause}(x{cursor})"]
    for name in ("mepc", "mstatus", "mscratch", "mtvec"):
        lines += [f"csrr {first}, {name}", f"{store} {first}, {getattr(frame, name)}(x{cursor})"]
    lines += [f"csrr {first}, mie", f"li {second}, 0x888", f"and {first}, {first}, {second}"]
    lines += [f"{store} {first}, {frame.mie}(x{cursor})", f"csrr {tval}, mtval"]
    lines += [f"{store} {tval}, {frame.mtval}(x{cursor})"]
    lines += _edge_rounding(platform, frame, cursor, temps)
    lines += _breakpoint_value(frame, cursor, temps)
    if setup.base.floating:
        lines += _floating(frame, cursor, first, second)
    lines += [f"{load} {first}, {-setup.base.word}(x{cursor})"]
    for number in range(1, setup.base.registers):
        if number == cursor:
            continue
        source = f"x{number}"
        if number in temps:
            source = second
            lines.append(f"{load} {second}, {frame.slot(number)}(x{cursor})")
        lines += [f"rori {first}, {first}, 27", f"xor {first}, {first}, {source}"]
    for name in CSR_NAMES[:-1]:
        lines += [f"{load} {second}, {getattr(frame, name)}(x{cursor})", f"rori {first}, {first}, 27"]
        lines += [f"add {first}, {first}, {second}"]
    return [*lines, f"{store} {first}, {frame.hash}(x{cursor})"]


def _floating(frame: Frame, cursor: int, first: str, second: str) -> list[str]:
    """Mix fcsr and the floating-point registers into the tag; mstatus.FS stays as it was."""
    lines = [f"li {second}, {FS:#x}", f"csrs mstatus, {second}", f"csrr {first}, fcsr"]
    for number in range(32):
        lines += [f"fmv.x.d {second}, f{number}", f"rori {first}, {first}, 27", f"xor {first}, {first}, {second}"]
    lines += [f"{frame.load} {second}, {frame.tag}(x{cursor})", f"xor {first}, {first}, {second}"]
    lines += [f"{frame.store} {first}, {frame.tag}(x{cursor})", f"li {first}, {FS:#x}", f"csrc mstatus, {first}"]
    lines += [f"{frame.load} {second}, {frame.mstatus}(x{cursor})", f"and {first}, {first}, {second}"]
    return [*lines, f"csrs mstatus, {first}"]


def _resume(setup: Setup, platform: Platform, temps: list[int]) -> list[str]:
    """Decide where to go on, and in which mode; `cause` still holds mcause."""
    cursor, frame, wide = setup.cursor, Frame(setup.base), setup.base.wide
    cause, first, second, epc = (f"x{number}" for number in temps)
    top = setup.base.xlen - 12
    # Code may run by another address, of which the lower 30 bits are those of memory.
    near = [f"slli {first}, {epc}, 34", f"srli {first}, {first}, 34", f"li {second}, 0x80000000"]
    near = [*near, f"add {epc}, {first}, {second}"] if wide else []
    far = [f"csrr {epc}, mepc"] if wide else []
    page_fault = [f"addi {first}, {cause}, -12", f"beqz {first}, 4b"] if wide else []
    return [
        f"csrr {epc}, mepc",
        f"bgez {cause}, 5f",
        # Interrupts: silence the source and wait until it is silent.
        f"andi {first}, {cause}, 4",
        f"bnez {first}, 3f",
        f"li {first}, {platform.msip:#x}",
        f"sw x0, 0({first})",
        f"2: csrr {first}, mip",
        f"andi {first}, {first}, 8",
        f"bnez {first}, 2b",
        "j 4f",
        f"3: li {first}, {platform.mtimecmp:#x}",
        f"li {second}, -1",
        f"sw {second}, 4({first})",
        f"2: csrr {first}, mip",
        f"andi {first}, {first}, 128",
        f"bnez {first}, 2b",
        f"4: lhu {first}, 0({epc})",
        f"li {second}, 0xa001",  # c.j .
        f"beq {first}, {second}, 6f",
        f"addi {first}, {first}, -0x6f",  # low half of jal x0, .
        f"bnez {first}, 9f",
        f"lhu {first}, 2({epc})",
        f"bnez {first}, 9f",
        "j 7f",
        # Exceptions.
        f"5: addi {first}, {cause}, -1",
        f"bnez {first}, 5f",
        f"4: {frame.load} {epc}, {frame.slot(setup.link)}(x{cursor})",
        "j 9f",
        "5:",
        *page_fault,
        *near,
        f"lhu {first}, 0({epc})",
        *far,
        f"andi {first}, {first}, 3",
        f"addi {first}, {first}, -3",
        f"beqz {first}, 7f",
        f"6: addi {epc}, {epc}, 2",
        "j 8f",
        f"7: addi {epc}, {epc}, 4",
        f"8: bltz {cause}, 9f",
        f"addi {first}, {cause}, -8",
        f"andi {first}, {first}, -4",
        f"bnez {first}, 9f",
        # An ecall: check whether a command stands behind it.
        *near,
        f"lhu {first}, 0({epc})",
        f"lhu {second}, 2({epc})",
        *([f"csrr {epc}, mepc", f"addi {epc}, {epc}, 4"] if wide else []),
        f"slli {second}, {second}, 16",
        f"or {first}, {first}, {second}",
        f"slli {second}, {first}, {top}",
        f"srli {second}, {second}, {top}",
        f"addi {second}, {second}, -0x37",
        f"bnez {second}, 9f",
        f"srli {first}, {first}, 12",
        f"li {second}, 0x21800",  # MPRV and MPP
        f"csrc mstatus, {second}",
        f"addi {first}, {first}, -2",
        f"beqz {first}, 9f",
        f"li {second}, 0x1800",
        *([f"bltz {first}, 1f", f"li {second}, 0x800", "1:"] if wide else []),
        f"csrs mstatus, {second}",
        f"9: csrw mepc, {epc}",
    ]


def _handler(setup: Setup, platform: Platform) -> list[str]:
    cursor = setup.cursor
    temps = [number for number in (10, 11, 12, 13, 14) if number != cursor][:4]
    cause, first = f"x{temps[0]}", f"x{temps[1]}"
    frame = Frame(setup.base)
    lines = [*_entries(frame, cursor, temps[0]), "trap_common:"]
    lines += [f"{frame.store} {first}, {frame.slot(temps[1])}(x{cursor})", f"csrr {cause}, mcause", f"bgez {cause}, 1f"]
    lines += [f"andi {first}, {cause}, 16", f"beqz {first}, 1f"]
    # A division that was interrupted must not leak into this one; if it does, the cursor goes astray.
    lines += [f"divu {first}, {cause}, {cause}", f"add x{cursor}, x{cursor}, {first}", f"addi x{cursor}, x{cursor}, -1"]
    lines += [f"{frame.load} x{temps[at]}, {frame.slot(temps[at])}(x{cursor})" for at in (1, 0)] + ["mret", "1:"]
    lines += _record(setup, platform, temps) + _resume(setup, platform, temps)
    # The next cursor goes into the cursor's own slot, to be loaded last.
    lines += [f"mv {first}, x{cursor}", f"la {cause}, log_last", f"beq {first}, {cause}, 1f"]
    lines += [f"addi {first}, {first}, {record_bytes(setup.base)}"]
    lines += [f"1: {frame.store} {first}, {frame.slot(cursor)}(x{cursor})"]
    restored = [number for number in range(1, setup.base.registers) if number != cursor]
    lines += [f"{frame.load} x{number}, {frame.slot(number)}(x{cursor})" for number in (*restored, cursor)]
    return [*lines, "mret"]


def _finish(setup: Setup, platform: Platform) -> list[str]:
    """The report. x8 log end, x9 running hash, x3 record, x4 count; x10 .. x15, x1, x5 .. x7 are temporaries."""
    frame, size, word = Frame(setup.base), record_bytes(setup.base), setup.base.word
    load = frame.load
    lines = ["finish:", "csrw mie, x0", f"mv x8, x{setup.cursor}", f"{load} x9, {-word}(x8)", "la x3, log", "li x4, 0"]
    lines += ["1: beq x3, x8, 4f", "la x5, verbose", "lw x5, 0(x5)", "beqz x5, 3f"]
    lines += ["li x10, 'R'", "jal x1, putc", "mv x10, x4", "jal x1, puthex"]
    lines += [f"addi x7, x3, {size}", f"2: {load} x10, 0(x3)", "jal x1, puthex", f"addi x3, x3, {word}"]
    lines += ["bne x3, x7, 2b", f"addi x3, x3, -{size}", "jal x1, newline"]
    lines += ["3: andi x5, x4, 15", "bnez x5, 2f", "li x10, 'H'", "jal x1, putc", "mv x10, x4", "jal x1, puthex"]
    lines += [f"{load} x10, {frame.hash}(x3)", "jal x1, puthex", "jal x1, newline"]
    lines += [f"2: addi x3, x3, {size}", "addi x4, x4, 1", "j 1b"]
    lines += ["4: li x10, 'T'", "jal x1, putc", "mv x10, x4", "jal x1, puthex", "jal x1, newline"]
    shown = [(f"li {{}}, {one.base:#x}", f"li {{}}, {one.end:#x}") for one in (*platform.scratch, platform.stack)]
    shown += [(f"la {{}}, {first}", f"la {{}}, {last}") for first, last in setup.observed]
    for first, last in shown:
        lines += [first.format("x5"), last.format("x6"), "li x11, 0"]
        lines += ["1: lw x10, 0(x5)", "rori x11, x11, 27", "add x11, x11, x10", "addi x5, x5, 4", "bne x5, x6, 1b"]
        lines += ["rori x9, x9, 27", "add x9, x9, x11"]
        lines += ["li x10, 'M'", "jal x1, putc", first.format("x10"), "jal x1, puthex"]
        lines += ["mv x10, x11", "jal x1, puthex", "jal x1, newline"]
    lines += ["li x10, 'E'", "jal x1, putc", "mv x10, x9", "jal x1, puthex", "jal x1, newline"]
    lines += [f"li x5, {platform.finisher:#x}", "andi x9, x9, 63", "li x6, 0x5555", "beqz x9, 1f"]
    lines += ["slli x6, x9, 16", "li x7, 0x3333", "or x6, x6, x7", "1: sw x6, 0(x5)", "j ."]
    # puthex prints a blank and eight digits of x10; all clobber x5, x6, x10 .. x15 as named.
    lines += ["puthex: mv x12, x10", "mv x13, x1", "li x10, ' '", "jal x1, putc", f"li x14, {setup.base.xlen - 4}"]
    lines += ["1: srl x10, x12, x14", "andi x10, x10, 15", "addi x10, x10, '0'", "li x15, '9' + 1"]
    lines += ["blt x10, x15, 2f", "addi x10, x10, 'a' - '0' - 10", "2: jal x1, putc", "addi x14, x14, -4"]
    lines += ["bgez x14, 1b", "jr x13"]
    lines += ["newline: li x10, '\\n'", f"putc: li x15, {platform.uart:#x}"]
    wait = [f"1: lbu x2, {platform.uart_lsr - platform.uart}(x15)", "andi x2, x2, 0x20", "beqz x2, 1b"]
    return [*lines, *wait, "sb x10, 0(x15)", "ret"]


def render(setup: Setup, platform: Platform, body: list[str], templates: list[str]) -> str:
    """The whole program.

    Args:
        setup: what the harness needs to know.
        platform: the machine.
        body: lines of the random part; control enters at its first line.
        templates: lines for the data bank (code that the body copies and executes).
    """
    words = [
        fill_value(platform.scratch[0], a, setup.seed)
        for a in range(platform.scratch[0].base, platform.scratch[0].end, 4)
    ]
    lines = [".option norelax", ".option norvc"]
    for line in (*_start(setup, platform), *_handler(setup, platform), *_finish(setup, platform)):
        lines.append(line if line.endswith(":") else f"\t{line}")
    lines += ["\t.text", *setup.out_of_line, "body:", *body]
    lines += ["\t.data", "scratch:", *(f"\t.4byte {word:#x}" for word in words)]
    lines += ["verbose: .4byte VERBOSE", *templates]
    word, size = setup.base.word, record_bytes(setup.base)
    lines += ["\t.bss", *setup.tables, "\t.balign 64", f"\t.skip {64 - word}", f"log_seed: .skip {word}"]
    lines += [f"log: .skip {size * (MAX_RECORDS[setup.base.xlen] - 1)}", f"log_last: .skip {size}"]
    return "\n".join(lines) + "\n"
