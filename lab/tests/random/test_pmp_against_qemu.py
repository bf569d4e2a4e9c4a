# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random rows of memory protection, and accesses around their edges, on the model and on QEMU: the same came of both.

What QEMU 7.2 has otherwise than the specification is left out, and said where (`pmp/against.c`).
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from trapeze.firmware import compiler, toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

SOURCE = Path(__file__).parent / "pmp" / "against.c"
CONFIG = configurations.load("mcu-user")
QEMU = "qemu-system-riscv32"
CPU = "rv32,pmp=on,x-epmp=on,mmu=off,a=off,f=off,d=off,s=off,h=off,zbc=off,sstc=off"
DRAWS = 40
LOCKS = [None, *range(8)]
"""No locks, or locks with what mseccfg is then: MML 1, MMWP 2, RLB 4."""
BUILD = [
    *(
        "-misa-spec=2.2",
        "-march=rv32imc",
        "-mabi=ilp32",
        "-O1",
        "-ffreestanding",
        "-msmall-data-limit=0",
        "-Wall",
        "-Wextra",
    ),
    *(
        "-Werror",
        "-nostdlib",
        "-nostartfiles",
        "-Wl,--no-warn-rwx-segments",
        "-Wl,-n",
        "-Wl,--section-start=.boot=0x80000000",
    ),
    *("-Wl,-Ttext=0x80000100", "-Wl,-Tbss=0x80208000"),
]


def seeds() -> list[int]:
    """`TRAPEZE_PMP_SEEDS=1..100`; without it one seed."""
    first, _, last = os.environ.get("TRAPEZE_PMP_SEEDS", "8..8").partition("..")
    return list(range(int(first), int(last) + 1))


@pytest.mark.parametrize("seed", seeds())
@pytest.mark.parametrize("locks", LOCKS)
def test_same_as_qemu(tmp_path: Path, locks: int | None, seed: int) -> None:
    elf = tmp_path / "rows.elf"
    values = {"SEED": seed, "DRAWS": DRAWS, "LOCKS": int(locks is not None), "SECCFG": locks or 0, "SHOW": 0}
    defines = [f"-D{name}={value}" for name, value in values.items()]
    subprocess.run([compiler.gcc(), *BUILD, *defines, str(SOURCE), "-o", str(elf)], check=True)
    later = toolchain.qemu_later()
    cpu = (CPU.replace("x-epmp", "smepmp") if later else CPU) + later  # its name since it is ratified
    machine = [QEMU, "-machine", "virt", "-bios", "none", "-m", "16M", "-nographic", "-monitor", "none", "-cpu", cpu]
    qemu = subprocess.run([*machine, "-kernel", elf], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    model = simulator.watch(elf, CONFIG, Options(engine="model", max_cycles=20_000_000))
    assert (qemu.returncode, model.exit_code) == (0, 0)
    expected = qemu.stdout.decode().split()
    assert len(expected) == 2 * DRAWS
    assert len({*expected}) > DRAWS // 2, "draws differ"
    assert model.console.decode().split() == expected
