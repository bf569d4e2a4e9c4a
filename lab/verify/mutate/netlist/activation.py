# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Which mutations a program activates: those whose bit has another value in some cycle than in the right design.

A program that does not activate a mutation runs on the wrong design as on the right one, so it need not be run there.
The netlist itself reports activations: with `VARIABLE` in the environment it compares, at each clock edge while
mutation 0 is on, both inputs of each mutation's multiplexer, and appends the mutation's number to that file when they
differ for the first time.
"""

from __future__ import annotations

import re
from pathlib import Path

from trapeze.common.errors import TrapezeError

VARIABLE = "TRAPEZE_MUTATION_ACTIVE"
"""Variable of the environment: the file."""
CLOCKS = ("clk_i", "clk_bench_i")

_APPEND = (
    '([](int number) { if (FILE* file = fopen(getenv(\\"'
    + VARIABLE
    + '\\"), \\"a\\")) { fprintf(file, \\"%d\\\\n\\", number); fclose(file); } })('
)


def watched(body: str, select: str) -> str:
    """A module with the reporting code inserted before its end.

    Args:
        body: The module as Yosys writes it, flat, without `endmodule`.
        select: Signal with the number of the mutation that is on.

    Raises:
        TrapezeError: a mutation is not chosen as Yosys chooses it.
    """
    chosen = re.findall(rf"^  assign (\S+) = \S*{select} +== \d+'h([0-9a-f]+);$", body, re.MULTILINE)
    numbers = {net: int(number, 16) for net, number in chosen}
    choices = re.findall(r"^  assign .* = (\S+) \? (.*) : (.*);$", body, re.MULTILINE)
    sides = {numbers[net]: (wrong, right) for net, wrong, right in choices if net in numbers}
    if missing := sorted(set(numbers.values()) - set(sides)):
        raise TrapezeError(f"mutation {missing[0]} is not chosen by a multiplexer of its own", exit_code=1)
    edges = " or ".join(f"{edge} {clock}" for clock in CLOCKS for edge in ("posedge", "negedge"))
    lines = [
        "  bit watching;",
        f'  initial watching = 1\'($c("getenv(\\"{VARIABLE}\\") != nullptr"));',
        f"  bit active [{max(sides, default=0) + 1}];",
        f"  always @({edges}) if (watching) begin",
    ]
    for number, (wrong, right) in sorted(sides.items()):
        append = f'$c("{_APPEND}", 32\'d{number}, ");");'
        lines.append(f"    if (!active[{number}] && ({wrong} ^ {right})) begin active[{number}] = 1; {append} end")
    return body + "\n".join([*lines, "  end", ""])


def read(path: Path) -> frozenset[int]:
    """The numbers in a file that was named in `VARIABLE`; none if nothing was activated."""
    return frozenset(map(int, path.read_text().split())) if path.exists() else frozenset()
