# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Nothing reaches into the hierarchy of the design but for loading memories, and for a debugger's reads of devices.

What a simulator, a debugger or a bench needs to see of a hart is a port: `rvfi_pkg` and `observe_pkg` in `hw/common`.
So Verilator is told to keep the memory arrays and nothing else, the simulator names no other signal by its path, and
no bench looks into a core. The exception is the engine with waves, in which a debugger makes requests of its own at a
hart's bus matrix (`sim/rtl/device_port.vlt`): a port would put a multiplexer into the path of every access of the
design. (Proofs may: their invariants are about flip-flops.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from trapeze.common import paths
from verify.dev import words

MEMORY = "mem"
"""Name of the array in each memory of the SoC."""

_KEPT = re.compile(r"^[ \t]*(public\w*|forceable|isolate_assignments)\b.*$", re.MULTILINE)
_MEMORIES = re.compile(rf'\s*public_flat_rw -module "tz_sram" -var "{MEMORY}"\s*')
_DEVICES = re.compile(
    r'\s*(forceable -module "tz_tile" -var "mgr_req"|public_flat_rd -module "tz_tile" -var "mgr_rsp")\s*'
)
_COMMENT = re.compile(r"/\*\s*verilator\s+public\w*")
_PATH = re.compile(r"[\w${}#]*__DOT__[\w${}#]*")
_CORE = re.compile(r"\bu_core\b")


def _said(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Places of a file, relative to the repository, that reach too far, with what is wrong."""
    if path.suffix == ".vlt":
        for found in _KEPT.finditer(text):
            if not (_MEMORIES.fullmatch(found[0]) or _DEVICES.fullmatch(found[0])):
                yield found.start(), f"'{found[0].strip()}' keeps more than memories"
    elif path.suffix in (".sv", ".svh"):
        yield from ((found.start(), "keeps a signal by a comment") for found in _COMMENT.finditer(text))
    elif path.parts[0] == "sim":
        ends = ("", MEMORY) if path.suffix == ".cmake" else ()
        for found in _PATH.finditer(text):
            if found[0].rpartition("__DOT__")[2] not in ends:
                yield found.start(), f"{found[0]} is a path into the design"
    elif path.parts[0] == "hw" and path.suffix == ".py":
        yield from ((found.start(), "looks into a core") for found in _CORE.finditer(text))


def complaints(path: Path, text: str) -> list[str]:
    """What is wrong in a file.

    Args:
        path: Relative to the repository.
        text: What is in it.
    """
    return [
        f"{path}:{text.count(chr(10), 0, place) + 1}: {what}; make it a port (hw/common/rtl/observe_pkg.sv)"
        for place, what in _said(path, text)
    ]


def check(root: Path = paths.ROOT) -> list[str]:
    """All complaints."""
    kinds = (".vlt", ".sv", ".svh", ".cpp", ".h", ".in", ".cmake", ".py")
    found = []
    for path in words.tracked(root):
        name = path.relative_to(root)
        if name.suffix in kinds and name.parts[0] in ("hw", "sim", "synth"):
            found += complaints(name, path.read_text())
    return found
