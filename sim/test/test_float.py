# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""F and D of the model's RV64 hart against QEMU: random operands through every operation in every rounding mode.

A program has a kernel for each operation and rounding mode, static and dynamic. A kernel runs 64 times, each time with
other operands, and prints a checksum of results and flags. `TRAPEZE_FLOAT_SEEDS=n` runs n programs instead of one.
"""

from __future__ import annotations

import os
import random
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from trapeze.simulation import building

PREFIX = "riscv64-unknown-elf-"
SEEDS = int(os.environ.get("TRAPEZE_FLOAT_SEEDS", "1"))
RUNS = 64
"""Number of operations between two checksums."""

OPERANDS = 4096
"""Number of sets of operands: three floating-point registers and an integer one."""

MODES = ("rne", "rtz", "rdn", "rup", "rmm")
BOX = 0xFFFFFFFF << 32


class Kernel(NamedTuple):
    """Text of the instruction that a kernel executes 64 times, and the value of frm meanwhile."""

    instruction: str
    mode: int


def rounded(one: str) -> Iterator[str]:
    """Instructions of a format (`s` or `d`) that round, without the rounding mode."""
    for name in ("fadd", "fsub", "fmul", "fdiv"):
        yield f"{name}.{one} fa3, fa0, fa1"
    yield f"fsqrt.{one} fa3, fa0"
    for name in ("fmadd", "fmsub", "fnmsub", "fnmadd"):
        yield f"{name}.{one} fa3, fa0, fa1, fa2"
    for integer in ("w", "wu", "l", "lu"):
        yield f"fcvt.{integer}.{one} a0, fa0"
        if one == "s" or integer.startswith("l"):
            yield f"fcvt.{one}.{integer} fa3, a0"


def exact(one: str) -> Iterator[str]:
    """Instructions of a format that have no rounding mode."""
    for name in ("fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax"):
        yield f"{name}.{one} fa3, fa0, fa1"
    for name in ("feq", "flt", "fle"):
        yield f"{name}.{one} a0, fa0, fa1"
    bits = "w" if one == "s" else "d"
    yield from (f"fclass.{one} a0, fa0", f"fmv.x.{bits} a0, fa0", f"fmv.{bits}.x fa3, a0")
    access, offset = ("w", 4) if one == "s" else ("d", 3)
    yield f"fs{access} fa0, {offset}(s5); fl{access} fa3, {offset}(s5)"
    yield f"fsd fa0, 0(s5); fs{access} fa1, {offset}(s5); fld fa3, {offset - 3}(s5)"


def kernels() -> list[Kernel]:
    """All kernels."""
    found = []
    for text in (*rounded("s"), *rounded("d"), "fcvt.s.d fa3, fa0"):
        found += [Kernel(f"{text}, {mode}", 4 - number) for number, mode in enumerate(MODES)]
        found += [Kernel(f"{text}, dyn", number) for number in range(len(MODES))]
    for text in (*exact("s"), *exact("d"), "fcvt.d.s fa3, fa0", "fcvt.d.w fa3, a0", "fcvt.d.wu fa3, a0"):
        found.append(Kernel(text, 0))
    for name, base in (("", "s5"), ("sp", "sp")):
        found.append(Kernel(f"mv a3, s5; c.fsd{name} fa0, 8({base.replace('s5', 'a3')}); fld fa3, 8({base})", 0))
        found.append(Kernel(f"mv a3, s5; fsd fa0, 16({base}); c.fld{name} fa3, 16({base.replace('s5', 'a3')})", 0))
    # Reserved rounding modes, and the dynamic mode while frm has a reserved value.
    found += [Kernel(f".insn r 0x53, {mode}, {funct7}, fa3, fa0, fa1", 0) for mode in (5, 6) for funct7 in (0, 1, 8)]
    found += [
        Kernel(text, mode)
        for mode in (5, 6, 7)
        for text in ("fadd.s fa3, fa0, fa1", ".insn r 0x53, 7, 0x69, fa3, a0, x0")
    ]
    found += [Kernel(text, mode) for mode in (5, 7) for text in ("fadd.d fa3, fa0, fa1, rtz", "fmin.d fa3, fa0, fa1")]
    return found


class Format(NamedTuple):
    """Number of bits of the exponent and of the fraction."""

    exponent: int
    fraction: int

    def draw(self, noise: random.Random, near: int | None) -> int:
        """Bits of a number: of a random kind, or a number close to one."""
        bias = (1 << (self.exponent - 1)) - 1
        top = (1 << self.exponent) - 1
        sign = noise.getrandbits(1)
        exponent, fraction = noise.getrandbits(self.exponent), noise.getrandbits(self.fraction)
        edge = noise.choice((0, 1, (1 << self.fraction) - 1, 1 << (self.fraction - 1)))
        kind = noise.randrange(12)
        if kind == 0:
            exponent, fraction = 0, noise.choice((0, fraction, edge))
        elif kind == 1:
            exponent, fraction = top, noise.choice((0, fraction, edge))
        elif kind == 2:
            exponent, fraction = noise.choice((1, top - 1, top - 2)), noise.choice((fraction, edge))
        elif kind == 3:
            exponent, fraction = bias + noise.randrange(-3, 4), edge
        elif kind in (4, 5):  # around the limits of integers, with halves
            bits = noise.choice((0, 1, 2, 8, 31, 32, 33, 52, 53, 63, 64))
            exponent = bias + bits + noise.randrange(-1, 1)
            mask = (1 << max(self.fraction - bits - 1, 0)) - 1
            fraction = noise.choice((fraction & ~mask, edge, fraction))
        elif kind in (6, 7, 8):
            exponent = bias + noise.randrange(-self.fraction, self.fraction)
        elif kind in (9, 10) and near is not None:
            return (near ^ noise.getrandbits(1) << (self.exponent + self.fraction)) + noise.randrange(-2, 3) & self.mask
        return sign << (self.exponent + self.fraction) | exponent << self.fraction | fraction

    @property
    def mask(self) -> int:
        """All bits of a number."""
        return (1 << (1 + self.exponent + self.fraction)) - 1


SINGLE, DOUBLE = Format(8, 23), Format(11, 52)


def operands(noise: random.Random) -> Iterator[int]:
    """Three registers and an integer: singles in some sets, doubles in the others."""
    for number in range(OPERANDS):
        own = SINGLE if number % 2 else DOUBLE
        before: int | None = None
        for _ in range(3):
            before = own.draw(noise, before)
            box = BOX if noise.randrange(16) else noise.getrandbits(32) << 32
            yield before | (box if own is SINGLE else 0)
        yield noise.getrandbits(64) >> noise.choice((0, 0, 1, 11, 31, 32, 33, 40, 63)) ^ noise.choice(
            (0, BOX, -1 % 2**64)
        )


HEAD = """
  .option norelax
  .globl _start
_start:
  la   sp, stack
  la   s5, scratch
  la   t0, handler
  csrw mtvec, t0
  li   t0, 0x2000
  csrs mstatus, t0
"""

KERNEL = """
  la   s0, operands + {offset}
  li   s1, {runs}
  li   s2, 0
  csrwi frm, {mode}
1:
  fld  fa0, 0(s0)
  fld  fa1, 8(s0)
  fld  fa2, 16(s0)
  ld   a0, 24(s0)
  fmv.d fa3, fa0
  csrwi fflags, 0
  {instruction}
  csrr a1, fflags
  fmv.x.d a2, fa3
  rori s2, s2, 51
  xor  s2, s2, a0
  add  s2, s2, a2
  rori s2, s2, 57
  add  s2, s2, a1
  addi s0, s0, 32
  addi s1, s1, -1
  bnez s1, 1b
  mv   a0, s2
  call print
"""

TAIL = """
  li   t0, 0x100000
  li   t1, 0x5555
  sw   t1, 0(t0)
  j    .

  .balign 4
handler:
  csrr a0, mcause
  csrr t0, mepc
  addi t0, t0, 4
  csrw mepc, t0
  mret

print:
  li   t0, 0x10000000
  li   t1, 64
1:
  addi t1, t1, -4
  srl  t2, a0, t1
  andi t2, t2, 15
  addi t2, t2, 'A'
  sb   t2, 0(t0)
  bnez t1, 1b
  li   t2, 10
  sb   t2, 0(t0)
  ret

  .balign 16
scratch:
  .zero 64
stack:
  .zero 64
operands:
"""


def program() -> str:
    """The program, which reads its operands from a file `operands`."""
    text = HEAD
    for number, one in enumerate(kernels()):
        offset = number * RUNS % OPERANDS * 32
        text += KERNEL.format(offset=offset, runs=RUNS, mode=one.mode, instruction=one.instruction)
    return f'{text}{TAIL}  .incbin "operands"\n'


@pytest.mark.parametrize("seed", range(SEEDS))
def test_computes_what_qemu_computes(seed: int, tmp_path: Path) -> None:
    elf, binary = tmp_path / "float.elf", tmp_path / "float.bin"
    (tmp_path / "operands").write_bytes(struct.pack(f"<{4 * OPERANDS}Q", *operands(random.Random(seed))))
    (tmp_path / "float.S").write_text(program())
    flags = ["-misa-spec=2.2", "-march=rv64imafdc_zba_zbb_zbs", "-mabi=lp64d", "-nostdlib", "-nostartfiles"]
    link = ["-Wl,-Ttext=0x80000000", f"-Wa,-I{tmp_path}"]
    subprocess.run([f"{PREFIX}gcc", *flags, *link, tmp_path / "float.S", "-o", elf], check=True)
    subprocess.run([f"{PREFIX}objcopy", "-O", "binary", elf, binary], check=True)
    machine = ["-machine", "virt", "-bios", "none", "-m", "4M", "-nographic", "-cpu", "rv64,zba=on,zbb=on,zbs=on"]
    qemu = subprocess.run(
        ["qemu-system-riscv64", *machine, "-kernel", elf], capture_output=True, stdin=subprocess.DEVNULL, timeout=60
    )
    building.ensure(["rv64-run-float"])
    run = building.BUILD / "bin" / "rv64-run-float"
    model = subprocess.run([run, binary], capture_output=True, timeout=60)

    assert (qemu.returncode, model.returncode) == (0, 0), model.stderr
    every = kernels()
    right, own = qemu.stdout.decode().split(), model.stdout.decode().split()
    assert len(right) == len(own) == len(every)
    assert RUNS * len(every) > 20_000
    found = [f"{one.instruction} with frm {one.mode}" for one, a, b in zip(every, right, own, strict=True) if a != b]
    assert not found, f"seed {seed}: {found}"
