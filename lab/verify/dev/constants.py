# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""No number of a CSR, no cause, no encoding of our own, no byte of pmpcfg is typed by hand: `regs/isa` has them.

Looks at RTL, C, C++, assembly and Python outside of `regs`, without comments and docstrings. A number that only looks
like that of a CSR is an exception, too, and needs a comment that says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from trapeze.common import paths
from trapeze.platform.isa import EMRET, Csr
from verify.dev import words

_LEAST = Csr.MSTATUS
"""CSRs below are of modes and units that no core here has; their numbers, such as 0x100, mean other things."""

_ROUND = (Csr.UFASTIRQ, Csr.UFRAME)
"""0x800 is a power of two, and it and what follows mean other things more often."""

_NUMBERS = "|".join(
    sorted(f"{csr:03x}" for csr in Csr if csr >= _LEAST and csr not in _ROUND and not re.search(r"\d", csr.name))
)
_RULES = (
    (re.compile(rf"\b(?:0x|12'h)(?:{_NUMBERS})\b", re.IGNORECASE), "the number of a CSR"),
    (re.compile(rf"\b(?:0x|32'h){EMRET.match:08x}", re.IGNORECASE), "the encoding of emret"),
    (re.compile(r"#\s*define\s+(?:CSR|MCAUSE|MSTATUS|MTVEC|MFASTIRQ|IRQ)_[A-Z_]+\s+\d"), "a constant of trapeze/isa.h"),
    (
        re.compile(
            r"#\s*define\s+(?:\w*_)?(?:TOR|NA4|NAPOT|PMP_(?:R|W|X|L|READ|WRITE|EXECUTE|LOCK|ALL))\s+\d"
            r"|\b\w*(?:NAPOT|Napot|NA4|Na4|ModeTor)\s*=\s*\d"
            r"|(?i:pmpcfg)\w*[^;\n]{0,8},\s*0x[19][89a-f]U?\b"  # TOR with rights, NAPOT
        ),
        "a byte of pmpcfg",
    ),
    (re.compile(r"\b(?:Csr|Exc)[A-Z]\w*\s*=\s*\d+'[hd]"), "a constant of isa_pkg"),
)
_SLASHES = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PYTHON = re.compile(r'"""(?:\\.|[^\\])*?"""|(?m:^\s*#[^\n]*)')
_COMMENTS = dict.fromkeys((".sv", ".svh", ".c", ".h", ".S", ".s", ".cpp", ".hpp"), _SLASHES) | {".py": _PYTHON}

_ALONE = "it is installed without the rest, and its names are those of LiteX"
_DIRECTED = "a test: its numbers come from the specification, so that a wrong description fails it"
_STORED = "a program as it was found"

EXCEPTIONS = {
    "hw/core/rtl/tz_decoder.sv": "the function of mret looks like the number of a CSR",
    "lab/tests/dev/test_constants.py": "what the check is tested with",
    "fw/tests/clic_atomic.c": _DIRECTED,
    "fw/tests/clic_csr_illegal.c": _DIRECTED,
    "fw/tests/clic_jalxnxti.c": _DIRECTED,
    "fw/tests/clic_scratch.c": _DIRECTED,
    "fw/tests/clic_table_fault.c": _DIRECTED,
    "fw/tests/clic_unmask_wfi.c": _DIRECTED,
    "fw/tests/clic_xnxti.c": _DIRECTED,
    "fw/tests/csr_warl_trapeze.c": _DIRECTED,
    "fw/tests/fast_absent.c": _DIRECTED,
    "fw/tests/fast_csr.c": _DIRECTED,
    "integrations/litex/trapeze_litex/crt0.S": _ALONE,
    "integrations/litex/trapeze_litex/csr-defs.h": _ALONE,
    "lab/tests/explaining/test_breakdown.py": _DIRECTED,
    "lab/tests/random/pmp/against.c": "it compares with QEMU alone, and includes nothing",
    "lab/tests/random/corpus/core-divide-frozen.s": _STORED,
    "lab/tests/random/corpus/core-irq-mid-store.s": _STORED,
    "lab/tests/random/corpus/csr-instret-written.s": _STORED,
    "lab/tests/random/corpus/fast-order-hole.s": _STORED,
    "lab/tests/random/corpus/fast-table-in-device.s": _STORED,
    "lab/tests/random/corpus/fast-table-unfetchable.s": _STORED,
    "lab/tests/random/corpus/fast-vector-behind-store.s": _STORED,
    "lab/tests/random/corpus/harts-timer-and-store.s": _STORED,
    "lab/tests/simulation/test_traces.py": _DIRECTED,
    "sim/test/boundary.h": _DIRECTED,
    "sim/test/boundary_fast_test.cpp": _DIRECTED,
    "sim/test/disasm_test.cpp": _DIRECTED,
    "sim/test/fake_engine.cpp": _DIRECTED,
    "sim/test/fast_hart.h": _DIRECTED,
    "sim/test/lockstep_claims_test.cpp": _DIRECTED,
    "sim/test/lockstep_clic_test.cpp": _DIRECTED,
    "sim/test/lockstep_fast_test.cpp": _DIRECTED,
    "sim/test/lockstep_test.cpp": _DIRECTED,
    "sim/test/lockstep_user_test.cpp": "addresses look like numbers of CSRs",
    "sim/test/user_hart.h": "addresses look like numbers of CSRs",
    "sim/test/model_pmp_test.cpp": _DIRECTED,
    "sim/test/model_machine_test.cpp": _DIRECTED,
    "sim/test/trace_test.cpp": _DIRECTED,
    "sim/test/tracks_test.cpp": _DIRECTED,
}
"""Files that may, and why."""


def complaints(path: Path, text: str) -> Iterator[str]:
    """The lines of a file that type such a number."""
    comment = _COMMENTS.get(path.suffix)
    if comment is None or path.parts[0] == "regs":
        return
    bare = comment.sub(lambda found: "\n" * found[0].count("\n"), text)
    for pattern, what in _RULES:
        for found in pattern.finditer(bare):
            line = bare.count("\n", 0, found.start()) + 1
            yield f"{path}:{line}: {found[0]} is {what}; use its name from regs/gen"


def check(root: Path = paths.ROOT) -> list[str]:
    """All complaints, and exceptions that nothing needs."""
    found: list[str] = []
    needed = set()
    for path in words.tracked(root):
        name = path.relative_to(root)
        if name.suffix not in _COMMENTS:
            continue
        said = list(complaints(name, path.read_text()))
        if said and str(name) in EXCEPTIONS:
            needed.add(str(name))
        else:
            found += said
    idle = sorted(EXCEPTIONS.keys() - needed)
    return found + [f"{name}: needs no exception in lab/verify/dev/constants.py any more" for name in idle]
