# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Assembly text with the book-keeping a random program needs.

Purpose: collects lines, makes labels, switches compression on only around explicit `c.` mnemonics (so that the
assembler never chooses an encoding by itself) and counts the mnemonics that are certain to be executed. For a core
without C it writes each compressed instruction at full size, so that programs differ only in that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from trapeze.platform.isa import Csr
from verify.random.instructions.isa import RV32I, Base

NAMES = tuple(
    f".set {csr.name.lower()}, {csr:#x}"
    for csr in (Csr.MTVT, Csr.MNXTI, Csr.MINTTHRESH, Csr.MSCRATCHCSW, Csr.MSCRATCHCSWL, Csr.MINTSTATUS, Csr.JALMNXTI)
)
"""Names of CSRs that no assembler knows, as symbols: lines for the beginning of a file."""


def full_size(name: str, arguments: Sequence[object]) -> tuple[str, tuple[object, ...]]:
    """The instruction that a compressed one stands for.

    Args:
        name: its mnemonic, with `c.`.
        arguments: its operands.
    """
    name, operands = name.removeprefix("c."), tuple(arguments)
    if name in ("addi", "slli", "srli", "srai", "andi", "add", "sub", "xor", "or", "and"):
        return name, (operands[0], *operands)
    if name in ("beqz", "bnez"):
        return name[:3], (operands[0], "x0", operands[1])
    if name in ("jr", "jalr"):
        return "jalr", ("x0" if name == "jr" else "x1", f"0({operands[0]})")
    others: dict[str, tuple[str, tuple[object, ...]]] = {
        "nop": ("addi", ("x0", "x0", 0)),
        "li": ("addi", (*operands[:1], "x0", *operands[1:])),
        "mv": ("addi", (*operands, 0)),
        "addi16sp": ("addi", ("sp", *operands)),
        "addi4spn": ("addi", operands),
        "lwsp": ("lw", operands),
        "swsp": ("sw", operands),
        "j": ("jal", ("x0", *operands)),
        "jal": ("jal", ("x1", *operands)),
    }
    return others.get(name, (name, operands))


class Asm:
    """A growing assembly file.

    Attributes:
        base: the instructions that there are.
        lines: the text so far.
        counts: mnemonic to number of static occurrences that every run executes.
    """

    def __init__(self, base: Base = RV32I) -> None:
        self.base = base
        self.lines: list[str] = [".option norelax", ".option norvc"]
        self.counts: Counter[str] = Counter()
        self._labels = 0
        self._rvc = False
        self._unsure = 0

    def _set_rvc(self, on: bool) -> None:
        if on != self._rvc:
            self.lines.append(".option rvc" if on else ".option norvc")
            self._rvc = on

    def op(self, name: str, *args: object) -> None:
        """Emit one instruction; arguments are printed as they are, joined by commas."""
        if name.startswith("c.") and not self.base.compressed:
            name, args = full_size(name, args)
        self._set_rvc(name.startswith("c."))
        self.lines.append(f"\t{name} {', '.join(str(arg) for arg in args)}")
        if not self._unsure:
            self.counts[name] += 1

    def text(self, *lines: str) -> None:
        """Emit lines verbatim, uncompressed and uncounted (pseudo-instructions, directives)."""
        self._set_rvc(False)
        self.lines.extend(f"\t{line}" for line in lines)

    def half(self, *values: int) -> None:
        """Emit raw 16-bit parcels in the instruction stream; without C each one as the lower half of a word."""
        if not self.base.compressed:
            values = tuple(part for value in values for part in (value, 0))
        self._parcels(values)

    def word(self, value: int) -> None:
        """Emit a raw 32-bit word without aligning it to four bytes."""
        self._parcels((value & 0xFFFF, value >> 16))

    def _parcels(self, values: Sequence[int]) -> None:
        self._set_rvc(False)
        self.lines.append("\t.2byte " + ", ".join(f"0x{value:04x}" for value in values))

    def label(self, hint: str = "l") -> str:
        """Return a new label name."""
        self._labels += 1
        return f".L{hint}{self._labels}"

    def place(self, name: str) -> None:
        """Define a label here."""
        self.lines.append(f"{name}:")

    def child(self) -> Asm:
        """A separate text with label names of its own lot, counted as this one is."""
        other = Asm(self.base)
        other._labels = self._labels
        other._unsure = self._unsure
        return other

    def adopt(self, other: Asm) -> None:
        """Take over the label numbers and counts of a child."""
        self._labels = max(self._labels, other._labels)
        self.counts.update(other.counts)

    @contextmanager
    def unsure(self) -> Iterator[None]:
        """Within this context nothing is counted as executed (the shadow of a branch)."""
        self._unsure += 1
        try:
            yield
        finally:
            self._unsure -= 1

    def render(self) -> str:
        """Return the whole file."""
        return "\n".join(self.lines) + "\n"
