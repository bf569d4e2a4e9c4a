# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""For work on the model: a program's ELF, a trace of it on Rocket, and where two traces part.

python -m trapeze.experiments.timing_accuracy trace PROGRAM FILE [--latency N]
python -m trapeze.experiments.timing_accuracy compare ELF RTL_TRACE MODEL_TRACE [--from F] [--to F] [--most N]
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError, choices
from trapeze.experiments.timing_accuracy import compare, programs, rocket
from trapeze.simulation import simulator

EXPERIMENTS = ("timing-accuracy", "timing-accuracy-linux")


def _trace(asked: argparse.Namespace) -> None:
    """Build a program, run it on Rocket, and say where the ELF is and what it took.

    Raises:
        TrapezeError: there is no such program, or it fails.
    """
    of = {programs.name(case): (case, one) for one in map(experiment_files.load, EXPERIMENTS) for case in one.cases}
    if asked.program not in of:
        raise TrapezeError(f"unknown program '{asked.program}'; {choices(asked.program, of)}")
    case, experiment = of[asked.program]
    memory = experiment.part("memory", rocket.Memory) or rocket.Memory()
    if asked.latency is not None:
        if asked.latency < 1:
            raise TrapezeError("--latency: has to be 1 at least")
        memory = replace(memory, latency=asked.latency)
    elf = programs.build(case, experiment.name)
    with simulator.scratch() as folder:
        found = rocket.execute(elf, memory, folder, asked.file)
    print(elf)
    for one in found.results:
        print(*one)
    for key, value in found.counters.items():
        print(key, value)


def _compare(asked: argparse.Namespace) -> None:
    """Print where two traces part.

    Raises:
        TrapezeError: a file is not as it should be, or a function is not there.
    """
    symbols = compare.Symbols.of(asked.elf)
    begin = symbols.entry if asked.begin is None else symbols.address(asked.begin)
    traces = []
    for path in (asked.rtl, asked.model):
        whole = compare.read(path).since(begin, asked.begin or "the program's entry")
        if asked.end is not None:
            whole = whole.part(0, whole.position(symbols.address(asked.end), asked.end))
        traces.append(whole)
    found = compare.compare(traces[0], traces[1], symbols)
    print("\n".join(compare.report(found, symbols, asked.most)))


def main(words: list[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(prog="timing_accuracy", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    trace = commands.add_parser("trace", help="run a program of the experiment on Rocket's RTL, with a trace")
    trace.add_argument("program")
    trace.add_argument("file", type=Path)
    trace.add_argument("--latency", type=int, help="of the memory, in place of the experiment's")
    trace.set_defaults(run=_trace)
    two = commands.add_parser("compare", help="say where two traces of one program part")
    two.add_argument("elf", type=Path)
    two.add_argument("rtl", type=Path)
    two.add_argument("model", type=Path)
    two.add_argument("--from", dest="begin", metavar="FUNCTION", help="begin with its first instruction")
    two.add_argument("--to", dest="end", metavar="FUNCTION", help="end before its first instruction")
    two.add_argument("--most", type=int, default=10, help="functions and blocks that are said")
    two.set_defaults(run=_compare)
    asked = parser.parse_args(words)
    try:
        asked.run(asked)
    except TrapezeError as error:
        print(f"timing_accuracy: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
