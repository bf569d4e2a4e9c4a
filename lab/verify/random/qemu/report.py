# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Reading what a random program printed, and saying where two machines parted."""

from __future__ import annotations

import re
from itertools import zip_longest

from verify.random.programs.harness import CSR_NAMES, RECORD_WORDS

_RECORD = re.compile(rf"^R ([0-9a-f]{{8,16}})((?: [0-9a-f]{{8,16}}){{{RECORD_WORDS}}})$", re.MULTILINE)
_FIELDS = (*(f"x{number}" for number in range(1, 32)), *CSR_NAMES)
_CAUSES = {
    0: "misaligned fetch",
    1: "fetch access fault",
    2: "illegal instruction",
    3: "breakpoint",
    4: "misaligned load",
    5: "load access fault",
    6: "misaligned store",
    7: "store access fault",
    8: "ecall from user mode",
    11: "ecall from machine mode",
    0x80000003: "software interrupt",
    0x80000007: "timer interrupt",
}


def records(console: bytes) -> list[list[int]]:
    """The trap log of a verbose run, RECORD_WORDS words a record."""
    text = console.decode("ascii", "replace")
    return [[int(word, 16) for word in match[2].split()] for match in _RECORD.finditer(text)]


def describe(index: int, record: list[int] | None) -> str:
    """One record in a line."""
    if record is None:
        return f"record {index}: none"
    fields = dict(zip(_FIELDS, record, strict=True))
    name = _CAUSES.get(fields["mcause"], "?")
    csrs = " ".join(f"{key} {fields[key]:08x}" for key in ("mcause", "mepc", "mtval", "mstatus", "mtvec"))
    return f"record {index}: {csrs} ({name})"


def first_difference(expected: bytes, actual: bytes, context: int = 2) -> str:
    """Say where two verbose runs part.

    Args:
        expected: console of the reference.
        actual: console of the machine under test.
        context: how many records before the difference are shown.

    Returns:
        Several lines; the code between the last common record's mepc and the first differing one's is to blame.
    """
    pairs = list(zip_longest(records(expected), records(actual)))
    for index, (want, got) in enumerate(pairs):
        if want == got:
            continue
        lines = [f"  {describe(at, pairs[at][0])}" for at in range(max(0, index - context), index)]
        lines += [f"- {describe(index, want)}", f"+ {describe(index, got)}"]
        if want is not None and got is not None:
            lines += [
                f"    {field:9} QEMU {left:08x}  RTL {right:08x}"
                for field, left, right in zip(_FIELDS, want, got, strict=True)
                if left != right and field not in ("hash",)
            ]
        return "\n".join(lines)
    return "the trap logs are equal; the ends differ:\n" + _ends(expected, actual)


def _ends(expected: bytes, actual: bytes) -> str:
    """The lines other than records that differ."""
    sides = [
        [line for line in console.decode("ascii", "replace").splitlines() if not line.startswith("R ")]
        for console in (expected, actual)
    ]
    different = [(want, got) for want, got in zip_longest(*sides, fillvalue="(nothing)") if want != got]
    return "\n".join(f"- {want}\n+ {got}" for want, got in different[:6])
