# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A run as a value with a key: its request, in which digests of files stand in the place of their paths."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trapeze.campaigns.delivery import digest
from trapeze.campaigns.plan import Case, Plan
from trapeze.campaigns.worker import FILES, Chunk, Work
from trapeze.common.errors import TrapezeError
from trapeze.firmware import toolchain
from trapeze.simulation import building, records, simulator

VERSIONS = {
    "request": simulator.SCHEMA,
    "record": str(json.loads(records.SCHEMA.read_text())["properties"]["schema"]["const"]),
}
"""Of the schemas that give a request and its figures their meaning."""


class Requests:
    """The requests of a campaign's cases; builds programs and engines as the first case wants them.

    Args:
        plan: The campaign.
        programs: Folder for the programs.
    """

    def __init__(self, plan: Plan, programs: Path) -> None:
        self._plan = plan
        self._folder = programs
        self._elfs: dict[tuple[str, tuple[str, ...]], Path] = {}
        self._frames: dict[tuple[Path, str], tuple[dict[str, Any], dict[str, Any]]] = {}

    def elf(self, case: Case) -> Path:
        """The program of a case, compiled if need be.

        Raises:
            TrapezeError: it is not there, or does not compile.
        """
        program, folder = self._plan.raw["program"], self._plan.path.parent
        known = (case.config.name, case.flags)
        if known not in self._elfs:
            if "elf" in program:
                self._elfs[known] = _file(self._plan, folder / program["elf"], "program.elf")
            else:
                sources = [_file(self._plan, folder / one, "program.sources") for one in program["sources"]]
                flags = re.sub(r"[^A-Za-z0-9]+", "-", "".join(case.flags)).strip("-")
                number = self._plan.flags.index(case.flags)
                name = "-".join(filter(None, (case.config.name, str(number), flags[:40])))
                self._elfs[known] = toolchain.build(
                    case.config, sources, (self._folder / f"{name}.elf").absolute(), case.flags
                )
        return self._elfs[known]

    def _frame(self, case: Case) -> tuple[Path, dict[str, Any], dict[str, Any]]:
        """What the requests of all cases with a program and a configuration share, and the same with digests."""
        elf = self.elf(case)
        known = (elf, case.config.name)
        if known not in self._frames:
            request = simulator.request(elf, case.config, self._plan.options(case))
            self._frames[known] = (request, _keyed(request))
        return elf, *self._frames[known]

    def work(self, case: Case) -> Work:
        """The run of a case."""
        elf, request, _ = self._frame(case)
        options = self._plan.options(case)
        command = shlex.join(simulator.repeated(elf, case.config, options))
        return Work(case.number, request | {"command": command} | options.to_json())

    def chunk(self, cases: Sequence[Case]) -> Chunk:
        """The runs of some cases, with what they read."""
        files: dict[str, str] = {}
        for case in cases:
            files |= self.files(case)
        return Chunk([self.work(case) for case in cases], files, str(_simulator()))

    def files(self, case: Case) -> dict[str, str]:
        """What the run of a case reads, by path, with digests."""
        _, request, _ = self._frame(case)
        paths = [str(_simulator()), *(request[name] for name in FILES if name in request)]
        return {path: digest(Path(path)) for path in (*paths, *request["programs"])}

    def identity(self, case: Case) -> str:
        """What the key of a case is the digest of, as JSON in one form: the same text for the same run."""
        _, _, keyed = self._frame(case)
        return json.dumps(keyed | self._plan.options(case).to_json(), sort_keys=True, separators=(",", ":"))


def key(identity: str) -> str:
    """The key of a run."""
    return hashlib.sha256(identity.encode()).hexdigest()


def _keyed(request: Mapping[str, Any]) -> dict[str, Any]:
    """A request with digests in the place of paths, and without the words for people."""
    made: dict[str, Any] = {name: value for name, value in request.items() if name not in ("schema", "command")}
    made |= {name: digest(Path(request[name])) for name in FILES if name in request}
    made["programs"] = [digest(Path(one)) for one in request["programs"]]
    made["simulator"] = digest(_simulator())
    return made | {"versions": VERSIONS}


def _simulator() -> Path:
    return building.BUILD / "bin" / "trapeze-sim"


def _file(plan: Plan, path: Path, where: str) -> Path:
    if not path.is_file():
        raise TrapezeError(f"{plan.path}: {where}: {path}: no such file")
    return path
