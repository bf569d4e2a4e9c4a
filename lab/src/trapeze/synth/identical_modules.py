# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Instances of a netlist that are alike share a module, so that a tool works on it once.

The frontend makes a module for each instance. What it makes of the same source with the same parameters differs in the
module's name and, but for `rename -enumerate`, in the names that were made up.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_MODULE = re.compile(r"^(?:attribute [^\n]*\n)*module \\(\S+)\n.*?^end\n", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"^(  +cell \\)(\S+)(?= )", re.MULTILINE)


def modules(netlist: str) -> dict[str, str]:
    """The texts of the modules of a netlist, by name."""
    return {found[1]: found[0] for found in _MODULE.finditer(netlist)}


def merge(netlist: str, apart: Collection[str]) -> str:
    """A netlist in which only the first of the modules that are alike is left.

    Args:
        netlist: As Yosys's `write_rtlil` writes it, private names enumerated.
        apart: Modules that are left even if others are like them.
    """
    texts = modules(netlist)
    head = netlist[: netlist.index(next(iter(texts.values())))]
    while same := _same(texts, apart):
        # Those above may be alike now.
        texts = {name: _pointed(text, same) for name, text in texts.items() if name not in same}
    return head + "".join(texts.values())


def _same(texts: Mapping[str, str], apart: Collection[str]) -> dict[str, str]:
    """Modules that are like an earlier one, and which."""
    first: dict[str, str] = {}
    same: dict[str, str] = {}
    for name, text in texts.items():
        if name not in apart:
            kept = first.setdefault(text.replace(f"\nmodule \\{name}\n", "\nmodule\n", 1), name)
            if kept != name:
                same[name] = kept
    return same


def _pointed(text: str, same: Mapping[str, str]) -> str:
    """A module with instances of other modules."""
    return _CELL.sub(lambda cell: cell[1] + same.get(cell[2], cell[2]), text)
