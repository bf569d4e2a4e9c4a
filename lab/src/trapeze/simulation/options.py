# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a run of the simulator is to do, as one value: options of `trapeze run`, parsed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trapeze.common import paths
from trapeze.common.edges import Edge, EdgeRange, Stimulus
from trapeze.common.errors import TrapezeError
from trapeze.common.limits import MAX_CYCLES
from trapeze.simulation import calls, events

WAVES = ("fst", "vcd")
"""Traces that the engine writes."""

TRACES = (*WAVES, "log", "json", "jsonl")
"""What a trace can be: suffixes, or words in front of the file."""

OPENOCD = paths.ROOT / "integrations" / "openocd" / "trapeze.cfg"
"""How OpenOCD finds the harts."""

STANDARD_INPUT = Path("-")
"""As the file of console input: of a terminal what is typed during the run."""


def word(value: object) -> str:
    """A value on a command line; a file whose name begins like an option is no option."""
    text = str(value)
    return f"./{text}" if isinstance(value, Path) and text.startswith("-") and value != STANDARD_INPUT else text


@dataclass(frozen=True)
class Options:
    """Options of one run, as on the command line of `trapeze run`."""

    irq: tuple[Edge, ...] = ()
    stimuli: tuple[Stimulus, ...] = ()
    stamps_of: int | None = None
    """An edge of a stimulus that rises in this cycle is recorded as one of `irq`, too."""

    sweep: EdgeRange | None = None
    sweep_part: tuple[int, int] | None = None
    """First and last cycle of `sweep` that this process runs, as one of several; its messages name the whole."""

    outer: EdgeRange | None = None
    """A second sweep: that one is made for each cycle of this one, see `sweeps`."""

    max_cycles: int | None = MAX_CYCLES
    budget: int | None = None
    """Cycles from an edge to its marker; the first interrupt that takes more ends the run."""

    trace: Path | None = None
    trace_from: int | None = None
    """What ends before this cycle is left out of the trace."""

    trace_to: int | None = None
    """Cycle after which the trace ends."""

    wait_instr: int = 0
    wait_data: int = 0
    seed: int = 0
    reset_seed: int = 0
    """Seed of registers and memory without reset; 0: zeros."""

    uart_in: Path | None = None
    keys: bool = False
    """The console receives every key that is typed on standard input, Ctrl-C among them."""

    uart_in_shown: Path | None = None
    """What the command line named, where that was not a file: `uart_in` holds a copy."""

    uart: str | None = None
    """`pty`: the console is a pseudo-terminal, whose name the simulator prints."""

    gdb: int | None = None
    """Port on which the run waits for GDB; 0: a free one, which the simulator prints."""

    halts: int | None = None
    """A debugger at the JTAG port halts all harts, again after about so many cycles, and lets them go on."""

    jtag: int | None = None
    """Port on which the run waits for OpenOCD, which gets the platform's JTAG port; 0: a free one."""

    engine: str = "rtl"
    """`rtl`, `model`, `timed` (the RTL of one hart on the model's platform), or `lockstep`: the RTL leads and the model
    follows."""

    others: tuple[Path, ...] = ()
    """Programs of harts 1 and up, if hart 0 has not the same one as all."""

    spans: tuple[events.Span, ...] = ()
    """What is measured from one event to another."""

    until: events.Until | None = None
    """What ends the run."""

    names_last: bool = False
    """Where a run ends badly, say which task ran, and whether its stack has overflowed."""

    turn: int | None = None
    """Instructions that each of several harts of the model executes in turn; None: 1."""

    last_hart: int | None = None
    """The run ends when this hart's program does, whatever other harts do."""

    restarts: tuple[tuple[int, int], ...] = ()
    """Harts of the model that are reset and get their program anew, each with the instruction of the run."""

    coherence: bool = False
    """Take the harts' caches as not coherent, and report accesses that lack cache maintenance."""

    symbols: tuple[tuple[int, Path], ...] = ()
    """Harts with files that have more symbols of their code, for such reports."""

    log: calls.EventLog | None = None
    """What is written down of calls of prepared jobs."""

    def arguments(self) -> list[str]:
        """As `trapeze run` takes them; what is not set is left out, and so are spans and `until`."""
        words = [part for one in self.irq for part in ("--irq", str(one))]
        words += [part for stimulus in self.stimuli for part in ("--stimulus", str(stimulus))]
        for name in (
            "outer",
            "sweep",
            "max_cycles",
            "budget",
            "trace",
            "trace_from",
            "trace_to",
            "uart_in",
            "uart",
            "gdb",
            "halts",
            "jtag",
            "turn",
        ):
            if (value := getattr(self, name)) is not None:
                words += [f"--{name.replace('_', '-').replace('outer', 'sweep')}", word(value)]
        for name in ("wait_instr", "wait_data", "seed", "reset_seed"):
            if value := getattr(self, name):
                words += [f"--{name.replace('_', '-')}", str(value)]
        return [*words, "--coherence"] if self.coherence else words

    @property
    def names_tasks(self) -> bool:
        """Whether a span begins or ends with a task, or one ends the run."""
        ends = [] if self.until is None or isinstance(self.until.what, str) else [self.until.what]
        return any(one.kind == "task" for one in [*ends, *(e for s in self.spans for e in (s.start, s.end))])

    @property
    def waves(self) -> bool:
        """Whether the run needs the variant of the RTL engine that writes waves and shows registers."""
        return self.gdb is not None or self.trace_kind == "fst"

    @property
    def trace_kind(self) -> str:
        """What is traced, of `TRACES`, as the suffix says or what stands in front; empty: nothing.

        Raises:
            TrapezeError: it is none of them.
        """
        if self.trace is None:
            return ""
        named, colon, _ = str(self.trace).partition(":")
        kind = named if colon and named in TRACES else self.trace.suffix.removeprefix(".")
        if kind not in TRACES:
            raise TrapezeError(
                f"--trace '{self.trace}': the suffix says what is written; use .fst or .vcd (waves), .log (listing), "
                ".json (Perfetto) or .jsonl (records), or name it in front: log:FILE, and log:- for standard output"
            )
        return kind

    @property
    def trace_path(self) -> Path | None:
        """The file of the trace, without the kind in front; `-`: standard output; None: there is no trace.

        Raises:
            TrapezeError: there is nothing behind the kind, or waves would go to standard output.
        """
        named, colon, file = str(self.trace or "").partition(":")
        if not colon or named not in TRACES:
            return self.trace
        if not file:
            raise TrapezeError(f"--trace '{self.trace}': there is no file; give one behind it, or - for the output")
        if file == str(STANDARD_INPUT) and named in WAVES:
            raise TrapezeError(f"--trace '{self.trace}': waves need a file; give its name")
        return Path(file)

    @property
    def trace_file(self) -> Path | None:
        """The same where it is a file."""
        return None if self.trace_path == STANDARD_INPUT else self.trace_path

    def to_json(self) -> dict[str, object]:
        """The fields of a request to the simulator that the options say; see `simulator.request`."""
        made: dict[str, object] = {"max_cycles": MAX_CYCLES if self.max_cycles is None else self.max_cycles}
        made["edges"] = [one.to_json() for one in self.irq]
        made["streams"] = [one.to_json() for one in self.stimuli]
        made["spans"] = [one.to_json() for one in self.spans]
        made["restarts"] = [{"hart": hart, "cycle": cycle} for hart, cycle in self.restarts]
        made["symbols"] = [{"hart": hart, "file": str(path)} for hart, path in self.symbols]
        made["coherence"] = self.coherence
        made["reset_seed"] = self.reset_seed
        made["wait"] = {"instr": self.wait_instr, "data": self.wait_data, "seed": self.seed}
        for name in ("stamps_of", "budget", "gdb", "halts", "turn", "last_hart"):
            if (value := getattr(self, name)) is not None:
                made[name] = value
        if self.jtag is not None:
            made["jtag"] = {"port": self.jtag, "script": str(OPENOCD)}
        if self.sweep is not None:
            part = {} if self.sweep_part is None else {"part": list(self.sweep_part)}
            made["sweep"] = self.sweep.to_json() | part
        if self.trace is not None:
            bounds = {"from": self.trace_from, "to": self.trace_to}
            kept = {name: cycle for name, cycle in bounds.items() if cycle is not None}
            made["trace"] = {"kind": self.trace_kind, "file": str(self.trace_path), **kept}
        if self.until is not None:
            made["until"] = self.until.to_json()
        if self.log is not None:
            made["log"] = self.log.to_json()
        if self.keys or self.uart is not None:
            made["console"] = {"talker": "keys" if self.keys else self.uart}
        elif self.uart_in is not None:
            made["console"] = {"file": str(self.uart_in)}
        return made
