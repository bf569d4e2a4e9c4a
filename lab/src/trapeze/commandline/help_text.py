# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a newcomer meets first: the bare command, `--help` with commands by purpose, completion by the shell."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence

# typer's internals: scripts for completion are public only as options, `--show-completion`, that stand in every help,
# and what `TyperGroup.format_commands` takes has no public name. typer is pinned.
from typer import _completion_classes, _completion_shared
from typer._click import Context, HelpFormatter
from typer.core import TyperGroup

from trapeze.common import paths

PURPOSES: Mapping[str, Sequence[str]] = {
    "Your program": ("cc", "run", "isolate", "linux"),
    "Figures": ("bench", "probe", "campaign", "compare", "check"),
    "The platform": ("configs", "show", "synth", "fpga"),
    "This installation": ("doctor", "completion"),
}
"""The commands, grouped by purpose."""

BEGIN = f"""\
Trapeze: a RISC-V real-time platform and the laboratory that measures it.
From the edge on the pin, how many cycles until the code that wants the event runs?

A program of yours, main.c:
  {paths.COMMAND} cc --config mcu-fastirq main.c -o main.elf      compile it
  {paths.COMMAND} run main.elf --config mcu-fastirq --irq 3@2000  raise interrupt line 3 in cycle 2000

The platform's own figures, each beside the published one:
  {paths.COMMAND} bench irq-latency --quick

Read docs/getting-started.md next, or {paths.COMMAND} COMMAND --help.
"""

_COMPLETE = "_TRAPEZE_COMPLETE"


class Formatter(HelpFormatter):
    """Help for a terminal of any width; that of typer has 50 columns or more, and 32 of them for names."""

    NARROW = 60
    """Columns below which names have a quarter of them; a longer one has a line of its own."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        if width is None:
            width = min(shutil.get_terminal_size().columns, max_width or 80) - 2
        super().__init__(indent_increment, width, max_width)

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names, and what they are."""
        super().write_dl(rows, col_max if self.width >= self.NARROW else self.width // 4, col_spacing)


Context.formatter_class = Formatter


class ByPurpose(TyperGroup):
    """Commands whose help is grouped by purpose, in whole sentences."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands."""
        for purpose, names in PURPOSES.items():
            with formatter.section(purpose):
                formatter.write_dl([(name, _first_sentence(self.commands[name].help or "")) for name in names])


def _first_sentence(text: str) -> str:
    first = " ".join(text.partition("\n\n")[0].split())
    return first if len(first) < 2 or first.endswith("...") else first.rstrip(".")


def commands() -> str:
    """The commands, a line for each purpose."""
    width = max(map(len, PURPOSES)) + 2
    return "\n".join(f"{purpose + ':':{width}}{', '.join(names)}" for purpose, names in PURPOSES.items())


def completion_script(shell: str) -> str:
    """What a shell has to evaluate so that it completes commands and options of `trapeze`."""
    return _completion_shared.get_completion_script(prog_name="trapeze", complete_var=_COMPLETE, shell=shell)


def prepare_completion() -> None:
    """Get ready to answer a shell that completes a line, if one asks."""
    if _COMPLETE in os.environ:
        _completion_classes.completion_init()
