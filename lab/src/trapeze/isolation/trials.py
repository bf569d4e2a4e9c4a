# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Runs attempts and judges them by what the engine traced, never by what the program or the other side says."""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress, together
from trapeze.common.limits import MAX_CYCLES
from trapeze.isolation.attempts import CHAIN, Attempt, Code, chain
from trapeze.isolation.image import Image
from trapeze.isolation.partitions import Partition
from trapeze.platform.configurations import Config
from trapeze.platform.isa import Csr
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

ENGINE = "model"

BOOT = 50_000
"""Instructions in which the other side has started the program, at most: monitors take some hundred."""

ANSWER = 30_000
"""Instructions in which the other side has answered an attempt: a report takes some thousand."""

LATE = 10_000
"""Instructions from the end of a watchdog's period to the end of the run, or to a restart: the bounds of
fw/monitor/README.md, and the report."""

PATIENCE = 50_000_000
"""Instructions of a run that waits for a watchdog, at most."""

GAVE_UP = 124
"""Exit code of the simulator after --max-cycles."""

PROTECTION = (range(Csr.PMPCFG0, Csr.PMPADDR0), range(Csr.PMPADDR0, Csr.PMPADDR0 + 64), (Csr.MSECCFG,))
"""CSRs of memory protection."""


class End(StrEnum):
    """How an attempt ended."""

    REFUSED = "refused"
    THROUGH = "let through"
    UNKNOWN = "not known"
    ALLOWED = "allowed"


@dataclass(frozen=True)
class Verdict:
    """An attempt, how it ended, and what shows that."""

    attempt: Attempt
    end: End
    why: str


@dataclass(frozen=True)
class Reference:
    """The image as it is: what it said, and where and when the program begins.

    Attributes:
        exit_code: Of the run.
        console: What it said.
        place: Address of the first instruction of the program that the file holds as it was executed.
        began: Its number.
        protection: Values that the other side wrote to CSRs of memory protection before.
    """

    exit_code: int
    console: bytes
    place: int
    began: int
    protection: Mapping[int, frozenset[int]]


TURN = 50
"""Instructions that each of several harts executes in turn."""

_RETIRED = '{"type":"retire",'
"""How such a line begins."""


SEARCHED = 1 << 23
"""Instructions in which a program has begun whose other side takes long: a hypervisor loads 8 MiB, in 4.3 million."""

LOOKED = 20_000
"""Of those, the last ones are looked at: in them the other side sets memory protection."""

GLANCE = 200
"""Instructions in which it shows whether a loop runs."""

AS_IT_IS = 1_000_000
"""Instructions that the program as it is has, where somebody stops it."""

_LOOP = bytes.fromhex("6f000000")
"""A jump to itself."""


_PC = re.compile(r'"pc":(\d+)')


def _retired(lines: Iterable[str], hart: int) -> Iterator[dict[str, Any]]:
    """Instructions of a hart, those that raised an exception among them."""
    for line in lines:
        if line.startswith(_RETIRED):
            record = json.loads(line)
            if record["hart"] == hart:
                yield record


def _is_protection(number: int) -> bool:
    return any(number in some for some in PROTECTION)


class Trials:
    """The attempts against one image."""

    def __init__(self, image: Image, config: Config, partition: Partition, folder: Path) -> None:
        self._image, self._config, self._partition, self._folder = image, config, partition, folder
        # The request is the same for all runs but for the files, the trace and the limit.
        several = len(config.harts) > 1
        options = Options(
            engine=ENGINE, max_cycles=None, last_hart=0 if several else None, turn=TURN if several else None
        )
        self._request = simulator.request(image.path, config, options)

    def _run(self, elf: Path, name: str, most: int, traced: tuple[int, int] | None = None) -> tuple[int, bytes, Path]:
        """Exit code, console and trace of a run."""
        trace = self._folder / f"{name}.jsonl"
        what = self._request | {"programs": [str(elf)], "max_cycles": most}
        if traced is not None:
            what["trace"] = {"kind": "jsonl", "file": str(trace), "from": traced[0], "to": traced[1]}
        done = processes.run(simulator.command_of(self._folder, what), capture_output=True)
        if traced is not None and not trace.exists():
            raise TrapezeError(done.stderr.decode(errors="replace").strip().removeprefix("trapeze-sim: error: "))
        return done.returncode, done.stdout, trace

    def reference(self) -> Reference:
        """Run the image as it is.

        Raises:
            TrapezeError: the program never runs, or not from the file.
        """
        first, last = self._search()
        _, _, trace = self._run(self._image.path, "boot", last, (first, last))
        values: dict[int, set[int]] = {}
        with trace.open() as lines:
            for one in _retired(lines, self._partition.hart):
                if one["mode"] == self._partition.mode:
                    word = one["insn"].to_bytes(one["bytes"], "little")
                    if self._image.bytes_at(one["pc"] - self._partition.moved, one["bytes"]) == word:
                        place, began = one["pc"], one["cycle"]
                        break
                elif (csr := one.get("csr")) is not None and _is_protection(csr["number"]):
                    values.setdefault(csr["number"], set()).add(csr["value"])
            else:
                raise TrapezeError(
                    f"{self._image.path}: its program does not begin within {last:,} instructions; "
                    "see what it does with `trapeze run --engine model --trace FILE.log`",
                    1,
                )
        trace.unlink()
        as_it_is, most = self._image.path, MAX_CYCLES
        if self._partition.stop is not None:
            most = began + AS_IT_IS + self._partition.stop.late
            as_it_is = self._folder / "reference.elf"
            as_it_is.write_bytes(self._stopped(self._image, began + AS_IT_IS).content)
        code, console, _ = self._run(as_it_is, "reference", most)
        return Reference(code, console, place, began, {key: frozenset(some) for key, some in values.items()})

    def _search(self) -> tuple[int, int]:
        """Instructions between which the program begins, of which the other side has not too many to be traced."""
        begins, moved = self._partition.begins, self._partition.moved
        if begins is None:
            return 0, BOOT
        loop = self._folder / "loop.elf"
        loop.write_bytes(self._image.with_bytes(begins - moved, _LOOP))
        first, last = 0, SEARCHED
        while last - first > LOOKED // 4:
            middle = (first + last) // 2
            _, _, trace = self._run(loop, "loop", middle + GLANCE, (middle, middle + GLANCE))
            with trace.open() as lines:
                runs = any(one["pc"] == begins for one in _retired(lines, self._partition.hart))
            first, last = (first, middle) if runs else (middle, last)
        loop.unlink()
        return max(0, first - LOOKED), last + GLANCE

    def _stopped(self, image: Image, at: int) -> Image:
        """The image with a time at which the other side stops the program."""
        stop = self._partition.stop
        if stop is None:
            return image
        return replace(image, content=image.with_bytes(stop.place, at.to_bytes(8, "little")))

    def patched(self, attempt: Attempt, code: Code, reference: Reference) -> bytes:
        """The image with an attempt in the place of the program's first instructions."""
        image = self._stopped(self._image, reference.began + attempt.window)
        return image.with_bytes(reference.place - self._partition.moved, code.code)

    def try_one(self, attempt: Attempt, code: Code, number: int, reference: Reference) -> Verdict:
        """Run an attempt and judge it."""
        elf = self._folder / f"attempt{number}.elf"
        elf.write_bytes(self.patched(attempt, code, reference))
        began, watchdog, stop = reference.began, self._partition.watchdog, self._partition.stop
        most = began + attempt.window + (ANSWER if stop is None else stop.late)
        if attempt.hangs and stop is None:
            if watchdog is None:
                return Verdict(attempt, End.UNKNOWN, self._partition.no_watchdog)
            most = began + watchdog.starts * (watchdog.period + LATE)
            if most > PATIENCE:
                return Verdict(attempt, End.UNKNOWN, f"the watchdog's {watchdog.period:,} cycles are too long to wait")
        exit_code, _, trace = self._run(elf, f"attempt{number}", most, (began, began + attempt.window))
        elf.unlink()
        with trace.open() as lines:
            verdict = self._judge(attempt, code, reference, lines)
        trace.unlink()
        if verdict.end in (End.THROUGH, End.ALLOWED):
            return verdict
        if verdict.end is End.UNKNOWN and exit_code == self._partition.refused:
            verdict = Verdict(attempt, End.REFUSED, "the other side ended it before it came so far")
        if stop is not None and exit_code == GAVE_UP:
            return Verdict(attempt, End.THROUGH, "the other guest did not stop it in time")
        if exit_code not in (self._partition.refused, GAVE_UP):
            return Verdict(attempt, End.THROUGH, f"the run ended with exit code {exit_code}")
        if attempt.hangs and verdict.why.startswith("went on"):
            if exit_code == GAVE_UP:
                return Verdict(attempt, End.THROUGH, "the watchdog did not end it in time")
            by = "ended by the watchdog" if stop is None else "stopped by the other guest"
            return replace(verdict, end=End.REFUSED, why=by)
        return verdict

    def _judge(self, attempt: Attempt, code: Code, reference: Reference, lines: Iterable[str]) -> Verdict:
        probe = reference.place + code.probe
        began = reached = False
        answer = ""
        last = -1
        shown = reference.place + code.answer if attempt.shown is not None else None
        for one in _retired(lines, self._partition.hart):
            if one["mode"] > self._partition.mode:
                if began and (what := self._changes(one, reference)):
                    return Verdict(attempt, End.THROUGH, what)
                continue
            pc = one["pc"]
            began = began or pc == reference.place
            if not began:
                continue
            fault = one.get("exception")
            if attempt.frames and reached and one.get("first"):
                return Verdict(attempt, End.THROUGH, f"took an interrupt with its frame there, {attempt.where}")
            if fault is None and pc == shown and (value := one["rd"]["value"]) & ~(attempt.shown or 0):
                return Verdict(attempt, End.THROUGH, f"was shown {value:#x}, {attempt.where}")
            if fault is None and (what := self._oversteps(one, attempt.mapped if pc == probe else 0)):
                if attempt.own:
                    continue
                return Verdict(attempt, End.THROUGH, what)
            if pc == probe:
                reached = True
                if attempt.own:
                    end = End.UNKNOWN if fault is not None else End.ALLOWED
                    return Verdict(attempt, end, "refused, although it is the program's" if fault else "went through")
                answer = _named(fault, one) if fault is not None else "went on, without effect"
            elif last == probe and fault is not None and answer.startswith("went on"):
                answer = _named(fault, one)
            last = pc
        if not began or not reached:
            return Verdict(attempt, End.UNKNOWN, "the attempt did not run" if not began else "it did not come so far")
        return Verdict(attempt, End.REFUSED, answer)

    def _changes(self, one: Mapping[str, Any], reference: Reference) -> str:
        """What the other side did for the program that it must not; empty: nothing."""
        if self._partition.zone(one["pc"]).rights:
            return f"executed the program's memory at {one['pc']:#x}, with the rights of mode {one['mode']}"
        if (service := self._partition.service) is not None:
            for kind, right, verb in (("load", "r", "loads from"), ("store", "w", "stores to")):
                access = one.get(kind)
                if access is None:
                    continue
                if whose := service.oversteps(right, access["address"], access["bytes"], access["value"]):
                    return f"machine mode {verb} {access['address']:#x} for it, {whose}"
        csr = one.get("csr")
        if csr is None or not _is_protection(csr["number"]):
            return ""
        if csr["value"] in reference.protection.get(csr["number"], frozenset()):
            return ""
        return f"memory protection changed: {csr['name']} = {csr['value']:#x} at {one['pc']:#x}"

    def _oversteps(self, one: Mapping[str, Any], mapped: int) -> str:
        """What an instruction of the program did that it may not; empty: nothing. It means `mapped` bytes on."""
        partition, pc = self._partition, one["pc"]
        if not partition.may("x", pc, one["bytes"]):
            return f"executed {one['asm'].split(chr(9))[0]} at {pc:#x}, {partition.zone(pc).name}"
        for right, verb in (("load", "loaded"), ("store", "stored")):
            access = one.get(right)
            if access is not None and not partition.may(
                {"load": "r", "store": "w"}[right], access["address"] + mapped, access["bytes"]
            ):
                where = partition.zone(access["address"] + mapped).name
                return f"{verb} {access['value']:#x} at {access['address']:#x}, {where}"
        word = one["insn"]
        if word & 0x7F == 0x73 and word >> 12 & 3 and word >> 28 & 3 > partition.mode:
            return f"accessed the CSR {word >> 20:#x}, at {pc:#x}"
        if word & 0x7F == 0x73 and not word >> 12 & 7 and word >> 28 & 3 > partition.mode and word != _WFI:
            return f"executed {one['asm'].strip()} at {pc:#x}"
        return ""

    def _try_chain(
        self, attempts: Sequence[Attempt], codes: Sequence[Code], name: str, reference: Reference
    ) -> list[Verdict]:
        """Run attempts one behind the other. What is said of one that is not refused may be due to another one."""
        code, starts = chain(codes)
        window = sum(one.window for one in attempts)
        whole = Attempt("chain", name, "", window=window)
        elf = self._folder / f"{name}.elf"
        elf.write_bytes(self.patched(whole, Code(code, 0), reference))
        late = self._partition.stop.late if self._partition.stop is not None else ANSWER
        began = reference.began
        exit_code, _, trace = self._run(elf, name, began + window + late, (began, began + window))
        elf.unlink()
        parts: list[list[str]] = [[] for _ in attempts]
        bounds = [*(reference.place + start for start in starts), reference.place + len(code)]
        now = 0
        with trace.open() as lines:
            for line in lines:
                if (at := _PC.search(line)) is not None and bounds[0] <= int(at[1]) < bounds[-1]:
                    now = min(bisect.bisect(bounds, int(at[1])), len(attempts)) - 1
                parts[now].append(line)
        trace.unlink()
        if exit_code != self._partition.refused:
            return [Verdict(one, End.UNKNOWN, f"the run ended with exit code {exit_code}") for one in attempts]
        return [
            self._judge(one, code, replace(reference, place=reference.place + start), lines)
            for one, code, start, lines in zip(attempts, codes, starts, parts, strict=True)
        ]

    def all(
        self, attempts: Sequence[Attempt], codes: Sequence[Code], reference: Reference, progress: Progress
    ) -> list[Verdict]:
        """Try all, several at a time. What a chain does not show to be refused is tried again alone."""
        found: dict[int, Verdict] = {}

        def one(number: int) -> None:
            found[number] = self.try_one(attempts[number], codes[number], number, reference)

        def several(numbers: Sequence[int]) -> None:
            some = [attempts[number] for number in numbers], [codes[number] for number in numbers]
            verdicts = self._try_chain(*some, f"chain{numbers[0]}", reference)
            for number, verdict in zip(numbers, verdicts, strict=True):
                if verdict.end is End.REFUSED:
                    found[number] = verdict
                else:
                    one(number)

        chained = [number for number, attempt in enumerate(attempts) if attempt.chained]
        work: list[Callable[[], None]] = []
        for first in range(0, len(chained), CHAIN):
            work.append(partial(several, chained[first : first + CHAIN]))
        work += [partial(one, number) for number, attempt in enumerate(attempts) if not attempt.chained]
        together(work, progress)
        return [found[number] for number in range(len(attempts))]


_WFI = 0x10500073
"""Which user mode may execute (docs/core.md)."""


def _named(fault: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    return f"{fault['name']} at {one['pc']:#x}"
