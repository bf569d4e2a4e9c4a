# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze check` as a table."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from trapeze.common import output
from trapeze.common.console import fitted, out, table
from trapeze.results import budget, store


def run(budget_file: Path, result_file: Path, junit: Path | None = None) -> int:
    """Print each budget with what was measured.

    Args:
        budget_file: The budgets.
        result_file: The figures.
        junit: File to write the verdicts to, as JUnit XML.

    Returns:
        0 if all are kept, else 1.

    Raises:
        TrapezeError: malformed input.
    """
    output.check_writable(junit)
    output.check_distinct({"the budgets": budget_file, "the result": result_file}, {"--junit": junit})
    result = store.load(result_file)
    verdicts = budget.check(budget.load(budget_file), result, str(result_file))
    listing = table("row", "metric", "statistic", ">measured", ">budget", "unit", "verdict")
    for one in verdicts:
        limit = one.limit
        broken = "UNDERCUT" if limit.least else "EXCEEDED"
        verdict = Text("kept") if one.kept else Text(broken, style="bold red")
        budgeted = f"{limit.sign} {limit.value:g}"
        listing.add_row(limit.row, limit.metric, limit.statistic, f"{one.measured:g}", budgeted, one.unit, verdict)
    console = out()
    for part in fitted(console, listing, ("unit",)):
        console.print(part, "")
    if junit is not None:
        output.write_atomic(junit, budget.junit(verdicts, result))
    count = sum(not one.kept for one in verdicts)
    console.print(f"{len(verdicts)} budget{'s' if len(verdicts) != 1 else ''}, {count} exceeded")
    return 1 if count else 0
