# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Which CSRs there are: numbers by binutils' assembler, access by the manual's tables, on RTL, model and QEMU.

`fw/tests/csrs/every_csr.c` accesses all 4096 numbers in both modes and prints those that did not trap.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from trapeze.common import paths, processes
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.platform.isa import Csr, Privilege
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.encodings import binutils

SOURCES = [paths.FIRMWARE / "tests" / "csrs" / name for name in ("every_csr.c", "accesses.S")]
CONFIGS = ("mcu-clint", "mcu-clic", "mcu-fastirq", "mcu-user")
MAX_CYCLES = 4_000_000
QEMU_SECONDS = 60

COUNTERS = [f"mhpmcounter{n}{half}" for n in range(3, 32) for half in ("", "h")]
MACHINE = [
    # Privileged ISA 20211203, table 2.5: what every hart with M and U modes has. menvcfg: with U mode (3.1.18).
    *("mvendorid", "marchid", "mimpid", "mhartid", "mconfigptr"),
    *("mstatus", "misa", "mie", "mtvec", "mcounteren", "mstatush", "menvcfg", "menvcfgh"),
    *("mscratch", "mepc", "mcause", "mtval", "mip"),
    # Table 2.6
    *("mcycle", "minstret", "mcycleh", "minstreth", *COUNTERS),
    *("mcountinhibit", *(f"mhpmevent{n}" for n in range(3, 32))),
]
"""Not there: medeleg, mideleg (3.1.8) without S mode; mtinst, mtval2 without H; mseccfg, pmpcfg0 and so on without PMP
(3.7); tselect and so on, dcsr and so on, which belong to debugging."""

USER = ["cycle", "cycleh", "instret", "instreth"]
"""Table 2.2. time: machine mode may emulate it (3.1.11); hpmcounter3 and so on are Zihpm's."""

CLIC = {Csr.MTVT, Csr.MNXTI, Csr.MINTTHRESH, Csr.MSCRATCHCSW, Csr.MSCRATCHCSWL, Csr.MINTSTATUS, Csr.JALMNXTI}
FASTIRQ = {Csr.MFASTIRQ, Csr.MFRAME}
SUCLIC = {
    *(Csr.USTATUS, Csr.UIE, Csr.UTVEC, Csr.UTVT, Csr.USCRATCH, Csr.UEPC, Csr.UCAUSE, Csr.UTVAL, Csr.UIP, Csr.UNXTI),
    *(Csr.UINTTHRESH, Csr.USCRATCHCSWL, Csr.UINTSTATUS),
}
UINTR = {Csr.MUITT, Csr.MUITTSZ, Csr.MUPID, Csr.MUNV, Csr.MUIRR, Csr.MUIRRH}
UFASTIRQ = {Csr.UFASTIRQ, Csr.UFRAME}
PMP = {*(Csr[f"PMPCFG{n}"] for n in range(4)), *(Csr[f"PMPADDR{n}"] for n in range(16))}
"""All of 16 rows, however many are built (3.7.1); RV32."""
SMEPMP = {Csr.MSECCFG, Csr.MSECCFGH}
NOT_IN_BINUTILS = CLIC | FASTIRQ | SUCLIC | UFASTIRQ | UINTR
"""Fast Interrupts is no ratified specification, and the others are custom."""

EXCHANGED = {Csr.MSCRATCHCSW, Csr.MSCRATCHCSWL, Csr.JALMNXTI, Csr.USCRATCHCSWL}
"""For csrrw alone (Fast Interrupts v0.10, mscratchcsw; docs/core.md)."""


def read_only(number: int) -> bool:
    """By the number (2.1)."""
    return number >> 10 == 3


def lowest_mode(number: int) -> int:
    """The mode that a CSR is for, by its number (2.1)."""
    return number >> 8 & 3


QEMU_HAS = [
    *("medeleg", "mideleg"),  # although it has no S mode
    *("tselect", "tdata1", "tdata2", "tdata3", "tinfo"),
    *("time", "timeh"),
    *(f"hpmcounter{n}{half}" for n in range(3, 19) for half in ("", "h")),  # it counts 16 events
]
QEMU_LACKS = [f"mhpmcounter{n}{half}" for n in range(19, 32) for half in ("", "h")]


@cache
def numbers() -> dict[str, int]:
    """Numbers of all names that binutils knows."""
    with simulator.scratch() as folder:
        return binutils.csr_numbers(binutils.csr_names(folder), folder)


def test_numbers_are_those_of_the_assembler() -> None:
    known = {one: numbers().get(one.name.lower()) for one in Csr}
    assert {one for one, number in known.items() if number is None} == NOT_IN_BINUTILS
    assert {one: int(one) for one in Csr if one not in NOT_IN_BINUTILS} == {
        one: number for one, number in known.items() if number is not None
    }


def expected(existing: set[int]) -> dict[str, set[int]]:
    """What the program prints, from the CSRs that exist."""
    readable = existing - EXCHANGED
    writable = {number for number in existing if not read_only(number)} - {Csr.MNXTI, Csr.UNXTI}
    counters = {number for number in readable - SUCLIC if number >> 8 == Csr.CYCLE >> 8}
    user = {number for number in existing if lowest_mode(number) == Privilege.U}
    return {
        "M read": readable,
        "M write": writable,
        "U read": (user & readable) - counters,
        "U write": user & writable,
        "U read, counters on": user & readable,
        "U write, counters on": user & writable,
    }


def read(console: str) -> dict[str, set[int]]:
    """What the program has printed."""
    lines = (line.partition(":") for line in console.splitlines())
    return {kind: {int(number, 16) for number in found.split()} for kind, _, found in lines}


def assert_same(console: str, right: dict[str, set[int]]) -> None:
    found = read(console)
    assert found.keys() == right.keys(), console
    for kind, those in right.items():
        more, less = (sorted(f"{number:03x}" for number in one) for one in (found[kind] - those, those - found[kind]))
        assert not more + less, f"{kind}: {more} should trap, {less} should not"


def existing(name: str) -> set[int]:
    """The CSRs of a configuration."""
    hart = configurations.load(name).first
    own = {"clint": set(), "clic": CLIC, "fastirq": CLIC | FASTIRQ}[hart.scheme]
    rows = (PMP if hart.regions else set()) | (SMEPMP if hart.smepmp else set())
    if hart.user:
        own |= SUCLIC | (UFASTIRQ if hart.scheme == "fastirq" else set())
    return {numbers()[one] for one in (*MACHINE, *USER)} | own | rows


def build(name: str, folder: Path) -> Path:
    return toolchain.build(configurations.load(name), SOURCES, folder / "every_csr.elf")


@pytest.mark.parametrize("engine", ["rtl", "model"])
@pytest.mark.parametrize("name", CONFIGS)
def test_those_of_the_manual_are_there(name: str, engine: str, tmp_path: Path) -> None:
    options = Options(max_cycles=MAX_CYCLES, engine=engine)
    outcome = simulator.measure(build(name, tmp_path), configurations.load(name), options)
    assert outcome.exit_code == 0
    assert_same(outcome.console.decode(), expected(existing(name)))


def test_those_of_qemu_are_the_same(tmp_path: Path) -> None:
    """Apart from what QEMU has beside, and the counters that it has not."""
    config = configurations.load("mcu-clint")
    command = toolchain.qemu(config, build("mcu-clint", tmp_path))
    done = processes.run(command, capture_output=True, timeout=QEMU_SECONDS)
    assert done.returncode == 0
    own = existing("mcu-clint") | {numbers()[one] for one in QEMU_HAS}
    assert_same(done.stdout.decode(), expected(own - {numbers()[one] for one in QEMU_LACKS}))
