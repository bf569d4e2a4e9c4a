# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Under which conditions the simulator ran for a figure: firmware, stimuli, wait states and their seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapeze.common.errors import TrapezeError
from trapeze.simulation.options import Options

EDGES = 32
"""So many edges a result file names; of more it has the first ones, their number and a hash of all."""


@dataclass(frozen=True)
class Content:
    """A file that was read: its name without folders, and the SHA-256 of what was in it."""

    name: str
    sha256: str

    @classmethod
    def of(cls, path: Path) -> Content:
        """The content of a file as it is now.

        Raises:
            TrapezeError: it cannot be read.
        """
        try:
            with path.open("rb") as file:
                return cls(path.name, hashlib.file_digest(file, "sha256").hexdigest())
        except OSError as error:
            raise TrapezeError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None

    def to_json(self) -> dict[str, str]:
        """As in a result file."""
        return {"name": self.name, "sha256": self.sha256}


def _content(path: Path | None) -> Content | None:
    """That of a regular file; of anything else nothing is known afterwards."""
    return Content.of(path) if path is not None and path.is_file() else None


@dataclass(frozen=True)
class Conditions:
    """One call of the simulator: a run, or a sweep of many.

    Attributes:
        config: Name of the configuration.
        engine: `rtl`, `model` or `lockstep`.
        elf: The firmware.
        irq: The edges, as --irq takes them.
        sweep: As --sweep takes it, None without.
        max_cycles: The run ended there at the latest, None without a limit.
        budget: Cycles that an interrupt might take, None without.
        wait_instr: Chance of a wait state of a fetch, in 1/256 a cycle.
        wait_data: The same of a data access.
        seed: Of the wait states.
        uart_in: What the console received, None if nothing.
        others: The firmware of harts 1 and up, if each had its own.
        reset_seed: Of registers without reset and of memory; 0: they were zero.
        spans: Name, first and last event, and budget of each span.
        turn: Instructions that each of several harts of the model executed in turn, None: 1.
        until: What ended the run, as --until takes it, None without.
        outer: The other sweep of a pair, which is made for each cycle of this one; None without.
        stimuli: As --stimulus takes them, each with the file of its cycles.
    """

    config: str
    engine: str
    elf: Content
    irq: tuple[str, ...]
    sweep: str | None
    max_cycles: int | None
    budget: int | None
    wait_instr: int
    wait_data: int
    seed: int
    uart_in: Content | None
    others: tuple[Content, ...] = ()
    reset_seed: int = 0
    spans: tuple[tuple[str, str, str, int | None], ...] = ()
    turn: int | None = None
    stimuli: tuple[tuple[str, Content | None], ...] = ()
    outer: str | None = None
    until: str | None = None

    @classmethod
    def of(cls, elf: Path, config: str, options: Options) -> Conditions:
        """Those of a run that is about to begin."""
        names = ("engine", "max_cycles", "budget", "wait_instr", "wait_data", "seed", "reset_seed", "turn")
        return cls(
            config=config,
            elf=Content.of(elf),
            irq=tuple(map(str, options.irq)),
            sweep=None if options.sweep is None else str(options.sweep),
            outer=None if options.outer is None else str(options.outer),
            until=None if options.until is None else str(options.until),
            uart_in=_content(options.uart_in),
            others=tuple(Content.of(one) for one in options.others),
            stimuli=tuple((one.text, _content(one.file)) for one in options.stimuli),
            spans=tuple((one.name, str(one.start), str(one.end), one.budget) for one in options.spans),
            **{name: getattr(options, name) for name in names},
        )

    def to_json(self) -> dict[str, Any]:
        """As in a result file, without the rows."""
        edges = {
            "irq": list(self.irq[:EDGES]),
            "irq_count": len(self.irq),
            "irq_sha256": hashlib.sha256(" ".join(self.irq).encode()).hexdigest() if self.irq else None,
        }
        files = {"elf": self.elf.to_json(), "uart_in": None if self.uart_in is None else self.uart_in.to_json()}
        others = {"others": [one.to_json() for one in self.others]} if self.others else {}
        start = {"reset_seed": self.reset_seed} if self.reset_seed else {}
        spans = {"spans": [list(one) for one in self.spans]} if self.spans else {}
        turn = {"turn": self.turn} if self.turn is not None else {}
        stimuli = {
            "stimuli": [
                {"spec": text} | ({} if file is None else {"file": file.to_json()}) for text, file in self.stimuli
            ]
        }
        texts = {name: text for name in ("outer", "until") if (text := getattr(self, name)) is not None}
        rare = ("others", "reset_seed", "spans", "turn", "stimuli", "outer", "until")
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in rare}
        return plain | edges | files | others | start | spans | turn | texts | (stimuli if self.stimuli else {})


Noted = dict[Conditions, None]
"""Conditions in the order in which they came, each once."""

_noted: ContextVar[Noted | None] = ContextVar("noted", default=None)


@contextmanager
def noting() -> Iterator[Noted]:
    """Collect the conditions of all runs that this thread makes in the block."""
    found: Noted = {}
    before = _noted.set(found)
    try:
        yield found
    finally:
        _noted.reset(before)


def note(known: Mapping[Conditions, None]) -> None:
    """Say that figures of this thread come from runs under these conditions, whoever made them."""
    if (noted := _noted.get()) is not None:
        noted.update(known)
