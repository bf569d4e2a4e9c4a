# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Options that several commands of the command line have."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Engine(StrEnum):
    """The engines of the design's section 5."""

    RTL = "rtl"
    MODEL = "model"
    TIMED = "timed"
    LOCKSTEP = "lockstep"


class LinuxEngine(StrEnum):
    """The engines that have a hart for Linux."""

    MODEL = "model"
    TIMED = "timed"


ConfigOption = Annotated[
    str,
    typer.Option(
        "--config", metavar="C", help="Platform configuration; see `configs`; or a file, such as ./mine.yaml."
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A parameter of the configuration, such as banks=4. Repeatable."),
]
EngineOption = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help="What executes the firmware: the RTL; the model, which is fast and knows no cycles; timed: in cycles, an "
        "RV32 hart as RTL and RV64 harts modelled; or RTL and model in lockstep.",
    ),
]
StatisticsOption = Annotated[
    str | None,
    typer.Option(
        "--statistics",
        metavar="[FILE.html]",
        help="Say where the cycles of modelled harts went; with a file as a page, too. Engine timed.",
    ),
]
JsonOption = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write a result file.")]
