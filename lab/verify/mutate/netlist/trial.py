# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What becomes of drawn mutations.

They go through short programs, the simple proof that nothing changes, longer programs, more proofs, further random
programs. The order only saves time. A program that found a mutation of the same source goes first for the next ones,
and one that does not activate a mutation (activation.py) is left out.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from trapeze.common.errors import TrapezeError
from verify.mutate.gates import Found, Program, Programs
from verify.mutate.netlist import activation, equivalence
from verify.mutate.netlist.equivalence import Proof, Prover
from verify.mutate.netlist.sampling import Drawn
from verify.mutate.netlist.yosys import VARIABLE, CombinationalLoopError, Netlist
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Engines

SHORT = 30_000
"""Cycles of a program that is run before a proof is tried."""
_SLACK = 2000
"""A wrong design may take twice the right one's cycles and so many more before it counts as one that hangs."""
_ASLEEP = 70_000
"""Cycles in which the simulator has found out that a program sleeps for ever, where that is its end."""


@dataclass(frozen=True)
class Effort:
    """How much is done for a mutation.

    Attributes:
        longest: Cycles of a program that is run at all; None: every program is.
        proofs: Seconds of each proof, as equivalence.SECONDS.
        further: Further random programs are run for what is left.
    """

    longest: int | None = None
    proofs: tuple[int, ...] = equivalence.SECONDS
    further: bool = True


FULL = Effort(100_000)
THOROUGH = Effort()
QUICK = Effort(60_000, equivalence.SECONDS[:1], further=False)


@dataclass(frozen=True)
class Outcome:
    """What became of a mutation.

    Attributes:
        drawn: It.
        found: What found it, None: nothing.
        proof: That it changes nothing, or why there is none; None: it was found before one was tried.
        reason: Why it is open, as the list says; None: it is not on the list.
        seconds: It took.
    """

    drawn: Drawn
    found: Found | None
    proof: Proof | None
    reason: str | None
    seconds: float

    @property
    def equivalent(self) -> bool:
        """It is proven to change nothing."""
        return self.proof is not None and self.proof.holds

    @property
    def survived(self) -> bool:
        """Neither found nor proven to change nothing."""
        return self.found is None and not self.equivalent

    def row(self) -> str:
        """One line for people."""
        if self.found is not None:
            outcome = f"{self.found.gate}: {self.found.by}: {self.found.how}"
        elif self.proof is not None and self.proof.holds:
            outcome = f"equivalent: {self.proof.how}"
        else:
            why = f" ({self.proof.how})" if self.proof is not None else ""
            outcome = f"open: {self.reason}" if self.reason is not None else f"SURVIVED{why}"
        return f"{self.drawn.place} {self.drawn.what}: {outcome}"


@dataclass(frozen=True)
class _Run:
    """What the right design does with a program.

    Attributes:
        cycles: That it takes.
        active: Numbers of the mutations that it activates.
    """

    cycles: int
    active: frozenset[int]


class Measured:
    """The programs of a configuration with what the right design does with them.

    Attributes:
        programs: They.
        sound: Engines with the right design.
        longest: Cycles of a program that is run at all; None: every program is.
    """

    def __init__(self, programs: Programs, sound: Engines, longest: int | None = None) -> None:
        self.programs, self.sound, self.longest = programs, sound, longest
        self._runs: dict[Program, _Run] = {}
        self._lock = threading.Lock()
        self._near: dict[str, Counter[Program]] = {}

    def _run(self, program: Program) -> _Run:
        """Run a program when it is first asked for.

        Raises:
            TrapezeError: the right design fails.
        """
        with self._lock:
            if program not in self._runs:
                with tempfile.TemporaryDirectory(prefix="trapeze-active-") as folder:
                    self._runs[program] = self._watched(program, Path(folder) / "active.txt")
            return self._runs[program]

    def _watched(self, program: Program, file: Path) -> _Run:
        watch = (*self.sound.environment, (activation.VARIABLE, str(file)))
        found, verdict = program.run(replace(self.sound, environment=watch), self.longest)
        active = activation.read(file)
        if self.longest is not None and verdict.kind == engines.HANG and verdict.code is None:
            return _Run(self.longest + 1, active)
        if found is not None:
            raise TrapezeError(
                f"the netlist without a mutation fails on {self.sound.config}: {found.gate} {found.by}: {found.how}",
                exit_code=1,
            )
        return _Run(verdict.cycles if verdict.kind == engines.PASS else _ASLEEP, active)

    def cycles(self, program: Program) -> int:
        """Cycles that a program takes, more than `longest` for one that is too long."""
        return self._run(program).cycles

    def is_run(self, program: Program, number: int) -> bool:
        """Whether a program is not too long and activates a mutation."""
        run = self._run(program)
        return number in run.active and (self.longest is None or run.cycles <= self.longest)

    def further(self, drawn: Drawn) -> Iterator[Program]:
        """The further random programs that are run for a mutation."""
        return (program for program in self.programs.further or () if self.is_run(program, drawn.number))

    def of(self, drawn: Drawn) -> Iterator[Program]:
        """The programs that are run for a mutation, those that found most in its source first."""
        near = [program for program, _ in self._near.setdefault(drawn.file, Counter()).most_common()]
        every = chain(near, (program for program in self.programs if program not in near))
        return (program for program in every if self.is_run(program, drawn.number))

    def try_these(self, on: Engines, drawn: Drawn, these: Iterable[Program]) -> Found | None:
        """Run programs until one finds something."""
        for program in these:
            if found := program.run(on, 2 * self.cycles(program) + _SLACK)[0]:
                self._near.setdefault(drawn.file, Counter())[program] += 1
                return found
        return None


class Trial:
    """Tries mutations of one netlist.

    Attributes:
        netlist: It.
        chosen: Its mutations.
    """

    def __init__(
        self, netlist: Netlist, chosen: Sequence[Drawn], made: Engines, programs: Programs, effort: Effort = FULL
    ) -> None:
        """Prepare.

        Args:
            netlist: For proofs.
            chosen: Its mutations.
            made: Engines, of the netlist.
            programs: Of its configuration.
            effort: For each of them.
        """
        self.netlist, self.chosen, self._made, self._effort = netlist, chosen, made, effort
        self._measured = Measured(programs, self._of(0), effort.longest)
        self._prover: Prover | None = None
        self._loops = False
        self._lock = threading.Lock()

    def _of(self, number: int) -> Engines:
        return replace(self._made, environment=((VARIABLE, str(number)),))

    def _prove(self, drawn: Drawn, seconds: int) -> Proof:
        with self._lock:  # one graph for all
            try:
                return self._prover_of(drawn).prove(drawn.number, seconds)
            except CombinationalLoopError:
                return Proof(False, "makes a combinational loop")

    def _prover_of(self, drawn: Drawn) -> Prover:
        """The prover of the circuit with all mutations; with this one alone where all of them make a loop."""
        if self._prover is None and not self._loops:
            try:
                self._prover = Prover(self.netlist.circuit(self.chosen), self.netlist.folder)
            except CombinationalLoopError:
                self._loops = True
        return self._prover or Prover(self.netlist.circuit([drawn]), self.netlist.folder)

    def one(self, drawn: Drawn) -> Outcome:
        """Try a mutation: with programs, and the simple proof between the short and the longer ones."""
        start = time.monotonic()
        on, measured, proof = self._of(drawn.number), self._measured, None
        long = []

        def short() -> Iterator[Program]:
            for program in measured.of(drawn):
                if measured.cycles(program) <= SHORT:
                    yield program
                else:
                    long.append(program)

        found = measured.try_these(on, drawn, short())
        if found is None:
            proof = self._prove(drawn, self._effort.proofs[0])
            if not proof.holds:
                found = measured.try_these(on, drawn, sorted(long, key=measured.cycles))
        return Outcome(drawn, found, proof, None, time.monotonic() - start)

    def more(self, outcome: Outcome) -> Outcome:
        """Try what takes longer on a mutation that `one` has left: proofs, and further random programs."""
        start = time.monotonic()
        drawn, found, proof = outcome.drawn, None, outcome.proof
        for seconds in self._effort.proofs[1:]:
            proof = self._prove(drawn, seconds)
        if self._effort.further and not (proof is not None and proof.holds):
            found = self._measured.try_these(self._of(drawn.number), drawn, self._measured.further(drawn))
        return replace(outcome, found=found, proof=proof, seconds=outcome.seconds + time.monotonic() - start)
