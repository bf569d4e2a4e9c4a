# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The corpus: small programs that once failed, each with the circumstances in which it did.

`python -m verify.random.lockstep.corpus FILE...` runs some of them, without a file all.

One file is one program: assembly text with a header of comments that names the configuration, the settings of the run,
what the program found and the cycles it takes. A program passes if both engines agree on every instruction, its exit
code is 0 and the RTL takes these cycles. After a change of the RTL that is meant to change cycles, `--cycles` writes
them again.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.output import write_atomic
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Engines, Settings, Verdict

FOLDER = paths.LAB / "tests" / "random" / "corpus"

_HEADER = """# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: {config}
# settings: {settings}
# found: {found}
"""
_FIELD = re.compile(r"^# (config|settings|found|cycles): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """One program of the corpus.

    Attributes:
        name: of its file, without suffix.
        config: platform configuration it is for.
        settings: circumstances of the run.
        found: what it found.
        text: assembly, with the header.
        cycles: of the RTL to the program's end; None: not known yet.
    """

    name: str
    config: str
    settings: Settings
    found: str
    text: str
    cycles: int | None

    def build(self, folder: Path) -> Path:
        """Assemble and link it below `folder`.

        Raises:
            TrapezeError: it does not assemble.
        """
        return engines.assemble(self.text, engines.base_of(self.config), folder, self.name)

    def run(self, on: Engines, folder: Path) -> Verdict:
        """Build and run it.

        Raises:
            TrapezeError: it does not assemble, or the simulator refuses it.
        """
        return on.run(self.build(folder), self.settings)


def read(path: Path) -> Entry:
    """Read a program.

    Raises:
        TrapezeError: its header lacks something.
    """
    text = path.read_text()
    fields = dict(_FIELD.findall(text))
    missing = {"config", "settings", "found"} - set(fields)
    if missing:
        raise TrapezeError(f"{path}: the header lacks {', '.join(sorted(missing))}")
    cycles = fields.get("cycles")
    if cycles is not None and not cycles.isdigit():
        raise TrapezeError(f"{path}: cycles: {cycles} is no number; --cycles writes it")
    settings = Settings.parse(fields["settings"])
    return Entry(path.stem, fields["config"], settings, fields["found"], text, None if cycles is None else int(cycles))


def collect(folder: Path = FOLDER) -> list[Entry]:
    """All programs, by name."""
    return [read(path) for path in sorted(folder.glob("*.s"))]


def write(path: Path, config: str, settings: Settings, found: str, text: str, cycles: int | None = None) -> Entry:
    """Store a program; without `cycles` it fails until `--cycles` has counted them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = _HEADER.format(config=config, settings=settings, found=found) + text
    path.write_text(whole if cycles is None else with_cycles(whole, cycles))
    return read(path)


def with_cycles(text: str, cycles: int) -> str:
    """The text of an entry with the cycles it takes in its header."""
    text = re.sub(r"^# cycles: .*\n", "", text, count=1, flags=re.MULTILINE)
    return re.sub(r"^(# found: .*\n)", rf"\g<1># cycles: {cycles}\n", text, count=1, flags=re.MULTILINE)


def complaint(entry: Entry, verdict: Verdict) -> str | None:
    """What is wrong with a run of an entry, None for nothing."""
    if not verdict.passed:
        return f"{verdict.kind}: {verdict.report}"
    if entry.cycles != verdict.cycles:
        return f"{verdict.cycles} cycles instead of {entry.cycles}"
    return None


def main() -> int:
    """Run the files named on the command line, or all; 0 if they pass, 1 if not, 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m verify.random.lockstep.corpus", allow_abbrev=False)
    parser.add_argument("files", nargs="*", type=Path, help="programs of the corpus; default all")
    parser.add_argument("--cycles", action="store_true", help="write the cycles that they take into them")
    arguments = parser.parse_args()
    try:
        files, failed = arguments.files or sorted(FOLDER.glob("*.s")), 0
        with tempfile.TemporaryDirectory(prefix="trapeze-corpus-") as folder:
            for path in files:
                entry = read(path)
                verdict = entry.run(Engines.of(entry.config), Path(folder))
                if arguments.cycles and verdict.passed and verdict.cycles != entry.cycles:
                    write_atomic(path, with_cycles(entry.text, verdict.cycles))
                    entry = read(path)
                wrong = complaint(entry, verdict)
                failed += wrong is not None
                print(f"{entry.name}: {wrong or 'pass'}")
    except (TrapezeError, OSError) as error:
        print(f"trapeze: error: {error}", file=sys.stderr)
        return 2
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
