# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`--statistics`: where the cycles of modelled harts went, as tables on a terminal and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from trapeze.commandline.single_options import OPTIONAL
from trapeze.common import output
from trapeze.common.console import err, fitted, table
from trapeze.common.errors import TrapezeError
from trapeze.platform.configurations import Config
from trapeze.reports.pages import cycles as cycles_page
from trapeze.reports.tables import number
from trapeze.simulation.cycle_causes import MODES, HartCycles
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run

NAME = "--statistics"

TABLE, _ = OPTIONAL[NAME]
"""The value of the option where no file stands behind it."""

SHARE = "% of all"
RATE = "per 1,000"
"""Head of a column: how often in a thousand instructions."""

WITHOUT = "for tables alone, let another option or nothing come behind it"


@dataclass(frozen=True)
class Wanted:
    """What the option asks for: tables, and perhaps a page.

    Attributes:
        page: The page's file.
    """

    page: Path | None = None

    @classmethod
    def parse(cls, value: str | None) -> Wanted | None:
        """What stands on the command line; None: nothing.

        Raises:
            TrapezeError: the page's name does not end with .html.
        """
        if value is None or value == TABLE:
            return None if value is None else cls()
        page = Path(value)
        if page.suffix != ".html":
            raise TrapezeError(f"{NAME} {value}: a page's name must end with .html; {WITHOUT}")
        return cls(page)

    def prepare(self, config: Config, options: Options) -> None:
        """Refuse what has no such statistics, and a page that cannot be written, before the run.

        Raises:
            TrapezeError: says why.
        """
        if options.engine != "timed":
            raise TrapezeError(
                f"{NAME}: the engine '{options.engine}' does not count where cycles go; use --engine timed"
            )
        if all(hart.timing is None for hart in config.harts):
            raise TrapezeError(
                f"{NAME}: {config.name} has no hart whose time is modelled; its cycles are those of the RTL, "
                "which counts no causes"
            )
        if options.sweep is not None:
            raise TrapezeError(f"{NAME} counts one run and --sweep makes many; use --irq LINE@CYCLE for the run to see")
        if options.gdb is not None:
            raise TrapezeError(f"--gdb stops where you say, and {NAME} counts a whole run; use one of them")
        output.check_writable(self.page)

    def show(self, record: Run, config: Config, command: Sequence[str]) -> None:
        """Print the tables, and write the page.

        Raises:
            TrapezeError: it cannot be written.
        """
        show(err(), record.statistics)
        if self.page is not None:
            cycles_page.write(self.page, record, config.name, command)
            err().print(f"Page: {self.page}", markup=False, soft_wrap=True)


def show(console: Console, harts: Sequence[HartCycles]) -> None:
    """Print a table for each hart; by privilege, too, where there is room."""
    for hart in harts:
        console.print(hart.sentence, soft_wrap=True)
        whole, *more = fitted(console, _listing(hart, MODES))
        console.print(whole if not more else next(fitted(console, _listing(hart, ()), (RATE, SHARE))))


def _listing(hart: HartCycles, modes: Sequence[str]) -> Table:
    listing = table("cause", ">times", ">cycles", f">{SHARE}", f">{RATE}", *(f">{mode}" for mode in modes))
    for cause in hart.shown:
        listing.add_row(
            cause.name,
            number(cause.all_times) if cause.all_times else "",
            number(cause.all_cycles),
            hart.share(cause.all_cycles),
            hart.rate(cause) if cause.all_times else "",
            *(hart.share(cause.cycles[mode]) for mode in modes),
        )
    return listing
