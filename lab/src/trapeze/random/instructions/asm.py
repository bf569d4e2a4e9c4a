# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Assembly text with the book-keeping a random program needs.

Purpose: collects lines, makes labels, switches compression on only around explicit `c.` mnemonics (so that the
assembler never chooses an encoding by itself) and counts the mnemonics that are certain to be executed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from trapeze.platform.isa import Csr

NAMES = tuple(
    f".set {csr.name.lower()}, {csr:#x}"
    for csr in (Csr.MTVT, Csr.MNXTI, Csr.MINTTHRESH, Csr.MSCRATCHCSW, Csr.MSCRATCHCSWL, Csr.MINTSTATUS, Csr.JALMNXTI)
)
"""Names of CSRs that no assembler knows, as symbols: lines for the beginning of a file."""


class Asm:
    """A growing assembly file.

    Attributes:
        lines: the text so far.
        counts: mnemonic to number of static occurrences that every run executes.
    """

    def __init__(self) -> None:
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
        self._set_rvc(name.startswith("c."))
        self.lines.append(f"\t{name} {', '.join(str(arg) for arg in args)}")
        if not self._unsure:
            self.counts[name] += 1

    def text(self, *lines: str) -> None:
        """Emit lines verbatim, uncompressed and uncounted (pseudo-instructions, directives)."""
        self._set_rvc(False)
        self.lines.extend(f"\t{line}" for line in lines)

    def half(self, *values: int) -> None:
        """Emit raw 16-bit parcels in the instruction stream."""
        self._set_rvc(False)
        self.lines.append("\t.2byte " + ", ".join(f"0x{value:04x}" for value in values))

    def word(self, value: int) -> None:
        """Emit a raw 32-bit word without aligning it to four bytes."""
        self.half(value & 0xFFFF, value >> 16)

    def label(self, hint: str = "l") -> str:
        """Return a new label name."""
        self._labels += 1
        return f".L{hint}{self._labels}"

    def place(self, name: str) -> None:
        """Define a label here."""
        self.lines.append(f"{name}:")

    def child(self) -> Asm:
        """A separate text with label names of its own lot, counted as this one is."""
        other = Asm()
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
