# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs of two harts that post user interrupts to each other and to themselves, for lockstep.

Both run blocks in user mode. There are two threads for each hart, of which one runs; each block may post to any of the
four, by entries of tables of which some may not be used, and may read and change tables and UPIDs. By an ecall machine
mode switches threads, or changes registers of the running one. Whatever the results, each hart goes through its blocks:
only lockstep compares what the harts do. At the end the program prints its counters, see `report`.
"""

from __future__ import annotations

import random
from collections import Counter as Counts
from enum import IntEnum

from trapeze.platform.isa import EMRET, EURET, SENDUIPI, URET, Csr, Pmpcfg, Ucause, Uitt, UittControl, Upid, UpidControl
from verify.random.clic.handlers import Controller, pack
from verify.random.clic.program import controller
from verify.random.fastirq.layout import ENABLE, MFASTIRQ, NEST
from verify.random.harts import layout
from verify.random.harts import program as harts
from verify.random.harts.layout import NUMBER, OWN, ROUND, SCRAMBLED, SHARED
from verify.random.instructions import levels
from verify.random.instructions.addresses import platform
from verify.random.instructions.levels import MACHINE, USER
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Settings
from verify.random.programs import generator
from verify.random.programs.harness_lockstep import Parts, plain

CONFIGS = ("duo-user",)
"""Configurations whose harts can do that."""
BLOCKS = 40
"""Blocks of each hart."""
ROUNDS = 40
"""How often a hart goes over them."""
SENT = "x27"
"""Register: how many senduipi the hart has come to."""

# --- shared memory: offsets from its base
ARENA_WORDS = 16
UPIDS, UPID_BYTES, SAVED = 0x100, Upid.ALIGNMENT, Upid.BYTES
"""UPID of thread 0; threads 2 n and 2 n + 1 are hart n's. UIRR of a thread that does not run is behind its UPID."""
TABLES, TABLE_BYTES = 0x400, 0x200
"""The table of hart 0; as many bytes, so 32 entries, for each."""
TOTALS, DONE = 0x200, 0x280
"""Sums of the harts' counters; number of harts that have ended."""
PROTECTED = 0x900
"""A UPID that not even machine mode may write."""
THREADS = 4
_TRAPS_NEED = ("tvec", "scratch", "scratchcswl", "nxti")
_TIMER = 7
"""Its source."""
USERS = range(24, 48)
"""Lines that are user mode's."""
FIRST_NV = 20
"""Notification vector of thread 0: sources of machine mode."""


class Counter(IntEnum):
    """What each hart counts, in words at `own`."""

    SENT = 0
    """Instructions senduipi."""
    DELIVERED = 1
    """Vectors that user mode has handled."""
    REFUSED = 2
    """Posts that were exceptions."""
    WOKEN = 3
    """Interrupts of machine mode: notifications for a thread that did not run, and lines."""


_CURRENT = 4 * len(Counter)
"""Offset from `own`: address of the UPID of the thread that runs."""
_SERVICES = (
    "switch",
    "again",
    "look",
    "bound",
    "toggle",
    "away",
    "other",
    "owner",
    "registers",
    "alone",
    "ticks",
    "finish",
)
"""What machine mode does for user mode: by number, in x17."""
_MODE = 0xC0
"""In a source's attributes: it is machine mode's."""
_SN, _NOT_SN, _NOT_ON = UpidControl.SN, ~UpidControl.SN, ~UpidControl.ON


def report(console: bytes) -> dict[str, int]:
    """What a program printed: sums of `Counter` over all harts."""
    words = [int.from_bytes(console[at : at + 4], "little") for at in range(0, len(console), 4)]
    return {one.name.lower(): word for one, word in zip(Counter, words, strict=True)}


def _send(register: int) -> list[str]:
    return [f".4byte {SENDUIPI.match | register << 15:#x}"]


def _count(which: Counter) -> list[str]:
    return [f"lw x5, {4 * which}({OWN})", "addi x5, x5, 1", f"sw x5, {4 * which}({OWN})"]


def _post(rng: random.Random) -> list[str]:
    """Post, by an entry that is always the same or another one each time."""
    lines: list[str] = []
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        index = rng.choice((rng.randrange(8), rng.randrange(36), rng.getrandbits(32)))
        lines += [f"li x5, {index:#x}" if rng.random() < 0.5 else f"andi x5, {SCRAMBLED}, {rng.choice((7, 31, 63))}"]
        lines += [*_send(5), f"addi {SENT}, {SENT}, 1", *["nop"] * rng.choice((0, 0, 0, 1, 5))]
    return lines


def _flag(rng: random.Random) -> list[str]:
    """Interrupts of user mode are on, or off, from here on."""
    opens = [f"csrw {Csr.UINTTHRESH:#x}, x0"] if rng.random() < 0.6 else []
    return [*opens, f"csr{rng.choice('ssc')}i {Csr.USTATUS:#x}, 1"]


def _compute(rng: random.Random) -> list[str]:
    names = ("add", "sub", "xor", "mul", "divu", "rem")
    lines = [
        f"{rng.choice(names)} x{rng.randint(18, 23)}, x{rng.randint(18, 23)}, x26" for _ in range(rng.randint(1, 8))
    ]
    return [*lines, *["nop"] * rng.choice((0, 0, 20, 60))]


def _word(rng: random.Random) -> list[str]:
    """Let x5 point to a word that others use, too: of a UPID most often."""
    offset = UPIDS + UPID_BYTES * rng.randrange(THREADS) + rng.choice((0, 0, 4, 8, 8, 12, SAVED))
    return [f"addi x5, {SHARED}, {rng.choice((offset, offset, 4 * rng.randrange(ARENA_WORDS)))}"]


def _race(rng: random.Random) -> list[str]:
    """Loads, atomic operations and some stores where posts and notifications make theirs."""
    lines: list[str] = []
    for _ in range(rng.randint(1, 4)):
        lines += _word(rng)
        draw = rng.random()
        if draw < 0.4:
            lines += [f"{rng.choice(('lw', 'lw', 'lhu', 'lb'))} x6, 0(x5)"]
        elif draw < 0.7:
            name = rng.choice(("or", "and", "xor", "swap", "add"))
            value = rng.choice((0, 1, _SN, _NOT_SN, _NOT_ON, 1 << rng.randrange(31)))
            lines += [f"li x6, {value}", f"amo{name}.w x7, x6, (x5)"]
        elif draw < 0.9:
            lines += ["lr.w x6, (x5)", *["nop"] * rng.randint(0, 4), "sc.w x7, x6, (x5)"]
        else:
            lines += [f"addi x5, {SHARED}, {UPIDS + UPID_BYTES * rng.randrange(THREADS) + Upid.NDST_OFFSET}"]
            lines += [f"li x6, {rng.choice((0, 1, 0, 1, 7))}", "sw x6, 0(x5)"]
    return lines


def _entry_changes(rng: random.Random) -> list[str]:
    """Make an entry of a table valid, or no longer valid; sometimes its vector another one."""
    offset = TABLES + TABLE_BYTES * rng.randrange(2) + Uitt.BYTES * rng.randrange(32)
    value = rng.choice((1, 1, 1 << 8, 1 << 13, 1 << 14))
    return [f"addi x5, {SHARED}, {offset}", f"li x6, {value:#x}", "amoxor.w x6, x6, (x5)"]


def _service(rng: random.Random) -> list[str]:
    """Ask machine mode for something that does not end the program."""
    return [f"li x17, {rng.randrange(_SERVICES.index('alone'))}", "ecall"]


def _handled(a: str, rng: random.Random) -> list[str]:
    """Where interrupts of user mode go."""
    lines = [f"la {a}, user_table", f"csrw {Csr.UTVT:#x}, {a}", f"la {a}, user_entry", f"csrw {Csr.UTVEC:#x}, {a}"]
    return [*lines, f"la {a}, user_link + {ENABLE | rng.choice((0, NEST))}", f"csrw {Csr.UFASTIRQ:#x}, {a}"]


def _registers(rng: random.Random) -> list[str]:
    """Any value into CSRs of user mode, then what a thread needs."""
    return levels.user_stretch(rng, "x6", "x5", _handled("x6", rng))


def _claim(rng: random.Random) -> list[str]:
    """Unxti in a program, which raises its level; then back to level 0. Other accesses are reserved."""
    lines = [f"csrci {Csr.USTATUS:#x}, 1"]
    for _ in range(rng.randint(1, 3)):
        lines += [levels.claims(USER, rng, "x6", "x5") if rng.random() < 0.8 else levels.asks(USER, rng, "x6", "x0")]
        lines += [f"csrr x6, {csr:#x}" for csr in (Csr.UCAUSE, Csr.UINTSTATUS, Csr.USTATUS)]
    return [*lines, rng.choice(levels.reserved(USER)), f"csrci {Csr.USTATUS:#x}, 1", *levels.restored("x5")]


def _wait(rng: random.Random) -> list[str]:
    """WFI in user mode; the timer ends it at the latest, or nothing but a vector that waits for user mode."""
    if rng.random() < 0.5:
        calls = [[f"li x17, {_SERVICES.index(name)}", "ecall"] for name in ("alone", "ticks")]
        return [f"csrci {Csr.USTATUS:#x}, 1", f"csrw {Csr.UINTTHRESH:#x}, x0", *calls[0], "wfi", *calls[1], *_flag(rng)]
    lines = [f"li x5, {rng.choice((0, 0, 60, 200, 255))}", f"csrw {Csr.UINTTHRESH:#x}, x5"]
    lines += [*_flag(rng), *(_post(rng) if rng.random() < 0.4 else []), "wfi", f"csrw {Csr.UINTTHRESH:#x}, x0"]
    return [*lines, *_flag(rng)]


_BLOCKS = {_post: 20, _flag: 6, _compute: 6, _race: 10, _entry_changes: 2, _service: 6} | {
    _registers: 6,
    _claim: 3,
    _wait: 2,
}
"""What a block does, and how often."""


def _body(rng: random.Random, hart: int, blocks: int) -> list[list[str]]:
    """Blocks of a hart, from the beginning of a round to its end."""
    made = [[f"body{hart}:"]]
    for block in rng.choices(list(_BLOCKS), list(_BLOCKS.values()), k=blocks):
        lines = block(rng)
        made.append(
            [*lines, f"rori {SCRAMBLED}, {SCRAMBLED}, 7", f"addi {SCRAMBLED}, {SCRAMBLED}, {rng.randint(1, 2047)}"]
        )
    end = [f"addi {ROUND}, {ROUND}, -1", f"beqz {ROUND}, 1f", f"j body{hart}"]
    made.append([*end, "1:", f"li x17, {_SERVICES.index('finish')}", "ecall"])
    return made


# --- machine mode


def _out() -> list[str]:
    """The thread at x10 no longer runs; uses x6."""
    lines = [f"li x6, {_SN}", "amoor.w x0, x6, (x10)", f"csrw {Csr.MUPID:#x}, x0"]
    for word, csr in enumerate((Csr.MUIRR, Csr.MUIRRH)):
        lines += [f"csrrw x6, {csr:#x}, x0", f"sw x6, {SAVED + 4 * word}(x10)"]
    return lines


def _in() -> list[str]:
    """The thread at x10 runs; uses x5 to x7."""
    lines = [f"sw x10, {_CURRENT}({OWN})", f"sw {NUMBER}, {Upid.NDST_OFFSET}(x10)"]
    for word, csr in enumerate((Csr.MUIRR, Csr.MUIRRH)):
        lines += [f"lw x6, {SAVED + 4 * word}(x10)", f"csrw {csr:#x}, x6"]
    lines += [
        f"lbu x6, {UpidControl.NV_SHIFT // 8}(x10)",
        f"csrw {Csr.MUNV:#x}, x6",
        "ori x6, x10, 1",
        f"csrw {Csr.MUPID:#x}, x6",
    ]
    lines += [f"li x6, {_NOT_SN}", "amoand.w x0, x6, (x10)", f"li x6, {_NOT_ON}", "amoand.w x0, x6, (x10)"]
    for word, csr in enumerate((Csr.MUIRR, Csr.MUIRRH)):
        lines += [f"addi x7, x10, {Upid.PUIR_OFFSET + 4 * word}", "amoswap.w x6, x0, (x7)", f"csrs {csr:#x}, x6"]
    return lines


def _meanwhile(csr: int, value: list[str], pause: int) -> list[str]:
    """A register has another value, in x6, for a while."""
    return [*value, f"csrrw x7, {csr:#x}, x6", *["nop"] * pause, f"csrw {csr:#x}, x7"]


def _services(rng: random.Random, clic: Controller) -> list[str]:
    current = [f"lw x10, {_CURRENT}({OWN})"]
    pause = rng.choice((0, 10, 40))
    does = {
        "switch": [*current, *_out(), *["nop"] * pause, f"xori x10, x10, {UPID_BYTES}", *_in()],
        "again": [*current, *_out(), *["nop"] * pause, *_in()],
        "look": [
            f"csrr x6, {Csr.MUIRRH:#x}",
            f"csrrw x6, {Csr.MUIRR:#x}, x0",
            f"csrs {Csr.MUIRR:#x}, x6",
            "csrr x6, mintthresh",
            "csrr x6, mstatus",
        ],
        "bound": [f"andi x6, {SCRAMBLED}, 31", f"csrw {Csr.MUITTSZ:#x}, x6"],
        "toggle": [f"csrrw x6, {Csr.MUITT:#x}, x0", *["nop"] * pause, f"csrw {Csr.MUITT:#x}, x6"],
        "away": _meanwhile(Csr.MUPID, [f"addi x6, {SHARED}, {PROTECTED - 0x200}", "addi x6, x6, 0x201"], pause),
        "other": _meanwhile(Csr.MUNV, [f"li x6, {rng.choice((0, FIRST_NV + 1, 255))}"], pause),
        # Source 0 is machine mode's, or user mode's again; vectored or not.
        "owner": [
            *(f"li x6, {clic.word(0):#x}", "lbu x7, 2(x6)", f"xori x7, x7, {rng.choice((_MODE, _MODE, 1, _MODE | 1))}"),
            "sb x7, 2(x6)",
        ],
        "registers": [
            *("csrr x10, mepc", *levels.any_value(USER, rng, "x6", "x5", "", most=12)),
            *levels.any_value(MACHINE, rng, "x6", "x5", levels.ENABLE, _TRAPS_NEED, 12),
            *("la x5, table", f"csrw {Csr.MTVT:#x}, x5", f"la x5, link + {ENABLE}", f"csrw {MFASTIRQ:#x}, x5"),
            *(*_handled("x5", rng), "addi x5, x10, 4", "j leave"),
        ],
        # A vector waits for user mode, and no interrupt of machine mode comes.
        "alone": [
            *(f"li x6, {clic.first:#x}", "lbu x7, 2(x6)", f"andi x7, x7, {~_MODE}", "sb x7, 2(x6)"),
            *(f"sb x0, {4 * source + 1}(x6)" for source in (_TIMER, *range(16, USERS.start))),
            *("li x6, 1", f"csrs {Csr.MUIRR:#x}, x6"),
        ],
        "ticks": [
            *(f"li x6, {clic.first:#x}", "li x7, 1"),
            *(f"sb x7, {4 * source + 1}(x6)" for source in (_TIMER, *range(16, USERS.start))),
        ],
        "finish": ["j finish"],
    }
    lines: list[str] = []
    for name in _SERVICES:
        lines += [f"service_{name}:", *does[name], "j skip"]
    return lines


def _timer(cycles: int) -> list[str]:
    """The timer's interrupt comes after so many cycles; uses x5 to x7."""
    machine = platform()
    lines = [f"li x5, {machine.mtime:#x}", "lw x6, 0(x5)", f"addi x6, x6, {cycles}", f"li x5, {machine.mtimecmp:#x}"]
    return [*lines, f"sh3add x5, {NUMBER}, x5", "sw x6, 0(x5)", "sw x0, 4(x5)"]


def _handlers(rng: random.Random, clic: Controller) -> list[str]:
    lines = [
        ".balign 64",
        "entry:",
        "addi sp, sp, -32",
        *(f"sw x{n}, {4 * i}(sp)" for i, n in enumerate((5, 6, 7, 10))),
    ]
    lines += ["csrr x5, mcause", "bltz x5, entered", "slli x5, x5, 20", "srli x5, x5, 20", "li x6, 8"]
    lines += ["beq x5, x6, service"]
    lines += ["li x6, 26", "beq x5, x6, refused", "li x6, 2", "beq x5, x6, refused"]
    lines += [f"li x6, {(layout.FAILURE << 16) | 0x3333:#x}", f"li x5, {platform().finisher:#x}", "sw x6, 0(x5)", "j ."]
    lines += ["refused:", "csrr x6, mtval", *_count(Counter.REFUSED)]
    lines += ["skip:", "csrr x5, mepc", "addi x5, x5, 4", "csrw mepc, x5"]
    back = [*(f"lw x{n}, {4 * i}(sp)" for i, n in enumerate((5, 6, 7, 10))), "addi sp, sp, 32"]
    lines += [*back, "mret", "leave:", f"csrw {Csr.UEPC:#x}, x5", f"li x5, {Ucause.UPIE:#x}"]
    lines += [f"csrw {Csr.UCAUSE:#x}, x5", f"csrw {Csr.UINTTHRESH:#x}, x0", *back, f".4byte {URET.match:#x}"]
    lines += ["service:", "la x6, services", "sh2add x6, x17, x6", "lw x6, 0(x6)", "jr x6", *_services(rng, clic)]
    lines += [".balign 4", "link:", f".4byte {EMRET.match:#x}", "user_link:", f".4byte {EURET.match:#x}"]
    lines += ["woken:", *_count(Counter.WOKEN), f".4byte {EMRET.match:#x}"]
    # Source 0 is machine mode's: it stays pending while there are vectors.
    lines += ["owned:", "csrr x5, mcause", f"csrrw x6, {Csr.MUIRR:#x}, x0", f"csrrw x6, {Csr.MUIRRH:#x}, x0", "j woken"]
    # unxti does not see what mnxti claims, nor does mnxti see what is pending for user mode behind it.
    lines += ["entered:", f"csrr x6, {Csr.UNXTI:#x}", "csrrci x6, mnxti, 8", "csrrci x6, mnxti, 8"]
    lines += [f"csrrw x6, {Csr.MUIRR:#x}, x0", f"csrrw x6, {Csr.MUIRRH:#x}, x0", *_count(Counter.WOKEN)]
    lines += [*back, f".4byte {EMRET.match:#x}"]
    lines += ["tick:", *_timer(rng.choice((300, 700))), "j woken"]
    lines += [".balign 64", "user_entry:", *levels.entered(rng, "x5", "x6"), f".4byte {EURET.match:#x}"]
    lines += ["masked:", *levels.masked("x5"), f".4byte {EURET.match:#x}"]
    # One of four handlers posts again: it ends, as each vector is one that was posted.
    lines += ["delivered:", f"csrr x6, {Csr.UCAUSE:#x}", *_count(Counter.DELIVERED), "andi x5, x5, 3", "bnez x5, 1f"]
    lines += ["andi x5, x6, 31", *_send(5), f"addi {SENT}, {SENT}, 1"]
    return [*lines, "1:", *rng.choice((["ret"], [f".4byte {EURET.match:#x}"], ["nop", "ret"]))]


def _finish() -> list[str]:
    """All counts are added up; hart 0 prints the sums when the others have done it."""
    machine = platform()
    lines = ["finish:", f"lw x10, {_CURRENT}({OWN})", *_out(), f"sw {SENT}, {4 * Counter.SENT}({OWN})"]
    for which in Counter:
        lines += [f"lw x6, {4 * which}({OWN})", f"addi x7, {SHARED}, {TOTALS + 4 * which}", "amoadd.w x0, x6, (x7)"]
    lines += [f"addi x7, {SHARED}, {DONE}", "li x6, 1", "amoadd.w x0, x6, (x7)", f"beqz {NUMBER}, 2f", "1: wfi", "j 1b"]
    lines += ["2:", f"lw x6, {DONE}({SHARED})", "li x5, 2", "bne x6, x5, 2b", f"li x5, {machine.uart:#x}"]
    for which in Counter:
        lines += [f"lw x6, {TOTALS + 4 * which}({SHARED})", *["sb x6, 0(x5)", "srli x6, x6, 8"] * 4]
    return [*lines, f"li x5, {machine.finisher:#x}", "li x6, 0x5555", "sw x6, 0(x5)", "j ."]


# --- the start


def _target(rng: random.Random, shared: int) -> list[int]:
    """An entry: most can be used."""
    vector = rng.choice((0, 1, 31, 32, 40, 63, rng.randrange(64)))
    upid = shared + UPIDS + UPID_BYTES * rng.randrange(THREADS)
    words = [UittControl.VALID | vector << UittControl.VECTOR_SHIFT, 0, upid, 0]
    wrong = {
        0: [0, 0, upid, 0],
        1: [words[0] | 1 << rng.choice((*range(1, 8), *range(14, 32))), 0, upid, 0],
        2: [words[0], 1 << rng.randrange(32), upid, 0],
        3: [words[0], 0, upid | 1 << rng.randrange(6), 0],
        4: [words[0], 0, upid, 1 << rng.randrange(32)],
        5: [words[0], 0, shared + PROTECTED, 0],
        6: [words[0], 0, rng.choice((platform().msip, platform().uart & ~63, 0xFFFFFFC0, 0)), 0],
    }
    return wrong[rng.randrange(len(wrong))] if rng.random() < 0.2 else words


def _store(offset: int, words: list[int]) -> list[str]:
    """Set words of shared memory."""
    lines = [f"li x5, {offset:#x}", f"add x5, x5, {SHARED}"]
    for index, word in enumerate(words):
        lines += [f"li x6, {word:#x}", f"sw x6, {4 * index}(x5)"]
    return lines


def _prepare(rng: random.Random, shared: int) -> list[str]:
    """Shared memory, which starts with any values; then hart 1 goes on."""
    lines = _store(0, [rng.getrandbits(32) for _ in range(ARENA_WORDS)])
    for thread in range(THREADS):
        control = _SN | (FIRST_NV + thread) << UpidControl.NV_SHIFT
        lines += _store(UPIDS + UPID_BYTES * thread, [control, thread // 2, 0, 0, 0, 0])
    lines += [*_store(TOTALS, [0] * len(Counter)), *_store(DONE, [0]), *_store(PROTECTED, [0, 0, 0, 0])]
    for hart in range(2):
        entries = [word for _ in range(32) for word in _target(rng, shared)]
        lines += _store(TABLES + TABLE_BYTES * hart, entries)
    return [*lines, "fence rw, io", f"li x5, {platform().msip + 4:#x}", "li x6, 1", "sw x6, 0(x5)"]


def _sources(rng: random.Random, clic: Controller) -> list[int]:
    """Words of the CLIC's sources: source 0 is user mode's, unless a service changes it, and so are some lines."""
    words = [0] * clic.sources
    words[0] = pack(0, 1, 1, rng.randint(1, 254))
    for source in (_TIMER, *range(16, USERS.start)):
        shv = rng.randrange(2) if 16 <= source < FIRST_NV else 1
        words[source] = pack(0, 1, shv | 2 | _MODE, rng.randint(1, 254))
    for source in USERS:
        trigger = rng.choice((0, 2)) if source % 4 == levels.BY_LEVEL else 2
        words[source] = pack(
            0, int(rng.random() < 0.6), rng.randrange(2) | trigger | rng.choice((0, 4)), rng.randrange(255)
        )
    return words


def _own(rng: random.Random, hart: int, clic: Controller) -> list[str]:
    """Registers of a hart, and the way to its first block."""
    lines = [f"start{hart}:", "la x5, entry", "csrw mtvec, x5", "la x5, table", f"csrw {Csr.MTVT:#x}, x5"]
    lines += [f"la x5, link + {ENABLE}", f"csrw {MFASTIRQ:#x}, x5"]
    lines += [*_handled("x5", rng), *_timer(2000)]
    lines += [f"csrw {Csr.USTATUS:#x}, x0", f"csrw {Csr.UCAUSE:#x}, x0", f"csrw {Csr.UINTTHRESH:#x}, x0"]
    lines += [f"li x5, {clic.base:#x}", f"li x6, {8 | 1 << 4 | 8 << 24:#x}", "sw x6, 0(x5)"]
    lines += [f"la x5, sources{hart}", f"li x6, {clic.first:#x}", f"li x7, {clic.first + 4 * clic.sources:#x}"]
    lines += ["1: lw x10, 0(x5)", "sw x10, 0(x6)", "addi x5, x5, 4", "addi x6, x6, 4", "bne x6, x7, 1b"]
    lines += [f"li x5, {PROTECTED >> 2}", f"srli x6, {SHARED}, 2", "add x5, x5, x6", "ori x5, x5, 7"]
    lines += ["csrw pmpaddr0, x5", f"li x5, {Pmpcfg.L | Pmpcfg.A_NAPOT | Pmpcfg.R:#x}", "csrw pmpcfg0, x5", "li x5, -1"]
    opened = (Pmpcfg.A_NAPOT | Pmpcfg.R | Pmpcfg.W | Pmpcfg.X) << 24
    lines += ["csrw pmpaddr15, x5", f"li x5, {opened:#x}", "csrw pmpcfg3, x5"]
    lines += [f"li x5, {TABLES + TABLE_BYTES * hart:#x}", f"add x5, x5, {SHARED}", "ori x5, x5, 1"]
    lines += [f"csrw {Csr.MUITT:#x}, x5", f"li x5, {rng.randint(24, 32)}", f"csrw {Csr.MUITTSZ:#x}, x5"]
    lines += [*(f"sw x0, {4 * which}({OWN})" for which in Counter), f"li {SENT}, 0", f"li {ROUND}, {ROUNDS}"]
    lines += [f"addi x10, {SHARED}, {UPIDS + 2 * UPID_BYTES * hart}", *_in()]
    lines += [f"li x{n}, {rng.getrandbits(32):#x}" for n in (*range(18, 24), 26)]
    return [*lines, f"la x5, body{hart}", "csrw mepc, x5", "li x5, 0x1800", "csrc mstatus, x5", "mret"]


def generate(seed: int, config: str, blocks: int = BLOCKS) -> generator.Program:
    """Make a program.

    Args:
        seed: any non-negative integer.
        config: platform configuration of two harts, with user interrupts between them and a shared bank.
        blocks: of each hart.
    """
    rng = random.Random(f"posts/{seed}/{blocks}")
    shape, clic, machine = layout.shape(config), controller(config), platform()
    start = [f"csrr {NUMBER}, mhartid", f"la {OWN}, own", f"li {SHARED}, {shape.shared:#x}"]
    start += [f"li sp, {machine.smem.end - 1024:#x}"]
    # Interrupts of machine mode save the context there.
    start += [
        f"li x5, {machine.smem.end - 4096:#x}",
        "csrw mscratch, x5",
        f"beqz {NUMBER}, prepare",
        f"li x5, {machine.msip + 4:#x}",
    ]
    start += ["1: lw x6, 0(x5)", "beqz x6, 1b", "sw x0, 0(x5)", "fence io, rw", "j start1"]
    start += ["prepare:", *_prepare(rng, shape.shared), *_own(rng, 0, clic), *_own(rng, 1, clic)]
    bodies = [_body(rng, hart, blocks) for hart in range(2)]
    data = ["\t.data", "own:", f"\t.skip {layout.OWN_BYTES}", "services:"]
    data += [f"\t.4byte service_{name}" for name in _SERVICES]
    special = {0: "owned", _TIMER: "tick"}
    data += ["\t.balign 1024", "table:", *(f"\t.4byte {special.get(at, 'woken')}" for at in range(clic.sources))]
    masked = [at in USERS and at % 4 == levels.BY_LEVEL for at in range(clic.sources)]
    data += ["\t.balign 1024", "user_table:", *(f"\t.4byte {'masked' if one else 'delivered'}" for one in masked)]
    for hart in range(2):
        data += [f"sources{hart}:", *(f"\t.4byte {word:#x}" for word in _sources(rng, clic))]
    parts = Parts(
        start=('\t.section .text.start, "ax"', "\t.globl _start", "_start:", *_lines(start), "\t.text"),
        blocks=tuple(_lines(block) for block in bodies[0]),
        end=(),
        functions=tuple(_lines(block) for block in bodies[1]),
        handler=_lines([*_handlers(rng, clic), *_finish()]),
        data=tuple(data),
    )
    base = engines.base_of(config)
    return generator.Program(seed, base, generator.Options(blocks, lockstep=True), parts.text(), Counts(), parts)


def make(seed: int, config: str, blocks: int = BLOCKS) -> tuple[generator.Program, Settings]:
    """The program of a seed and its circumstances, which are those of other programs of several harts."""
    return generate(seed, config, blocks), harts.circumstances(seed, config, blocks)


def _lines(lines: list[str]) -> tuple[str, ...]:
    """As lines of a file; a line that ends in a colon is a label."""
    return plain(line if line.endswith(":") else f"\t{line}" for line in lines)
