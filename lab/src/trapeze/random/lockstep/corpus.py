# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The corpus: small programs that once failed, each with the circumstances in which it did.

`python -m trapeze.random.lockstep.corpus FILE...` runs some of them, without a file all.

One file is one program: assembly text with a header of comments that names the configuration, the settings of the
run and what the program found. A program passes if both engines agree on every instruction and its exit code is 0.
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.random.lockstep import engines
from trapeze.random.lockstep.engines import Engines, Settings, Verdict

FOLDER = paths.LAB / "tests" / "random" / "corpus"

_HEADER = """# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/src/trapeze/random/README.md says how to run it.
# config: {config}
# settings: {settings}
# found: {found}
"""
_FIELD = re.compile(r"^# (config|settings|found): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """One program of the corpus.

    Attributes:
        name: of its file, without suffix.
        config: platform configuration it is for.
        settings: circumstances of the run.
        found: what it found.
        text: assembly, with the header.
    """

    name: str
    config: str
    settings: Settings
    found: str
    text: str

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
    return Entry(path.stem, fields["config"], Settings.parse(fields["settings"]), fields["found"], text)


def collect(folder: Path = FOLDER) -> list[Entry]:
    """All programs, by name."""
    return [read(path) for path in sorted(folder.glob("*.s"))]


def write(path: Path, config: str, settings: Settings, found: str, text: str) -> Entry:
    """Store a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_HEADER.format(config=config, settings=settings, found=found) + text)
    return read(path)


def main() -> int:
    """Run the files named on the command line, or all; 0 if they pass, 1 if not, 2 on bad input."""
    try:
        entries = [read(Path(name)) for name in sys.argv[1:]] if sys.argv[1:] else collect()
        failed = 0
        with tempfile.TemporaryDirectory(prefix="trapeze-corpus-") as folder:
            for entry in entries:
                verdict = entry.run(Engines.of(entry.config), Path(folder))
                failed += not verdict.passed
                print(f"{entry.name}: {'pass' if verdict.passed else f'{verdict.kind}: {verdict.report}'}")
    except (TrapezeError, OSError) as error:
        print(f"trapeze: error: {error}", file=sys.stderr)
        return 2
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
