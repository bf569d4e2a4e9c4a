# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a campaign has measured: a folder with a row for each run.

`campaign.json` holds the campaign's file and versions, `runs/NUMBER.parquet` the rows as they came, a chunk a file, and
`table.parquet` those of all cases in their order. A row whose run was made again is in the later file, too.
The commands that repeat the runs that failed are in `failed.txt`.
"""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from trapeze import __version__
from trapeze.campaigns.plan import Plan
from trapeze.common import output
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing

SCHEMA = "trapeze.campaign-store/1"

LINE = pa.struct(
    [
        ("hart", pa.int32()),
        ("line", pa.int32()),
        ("taken", pa.int32()),
        ("least", pa.int64()),
        ("most", pa.int64()),
    ]
)

COLUMNS = pa.schema(
    [
        ("number", pa.int64()),
        ("key", pa.string()),
        ("config", pa.string()),
        ("flags", pa.string()),
        ("wait_instr", pa.int32()),
        ("wait_data", pa.int32()),
        ("seed", pa.int64()),
        ("hart", pa.int32()),
        ("line", pa.int32()),
        ("phase", pa.int64()),
        ("ended", pa.string()),
        ("code", pa.int32()),
        ("cycles", pa.int64()),
        ("instructions", pa.int64()),
        ("worst", pa.int64()),
        ("lines", pa.list_(LINE)),
        ("said", pa.string()),
        ("identity", pa.string()),
    ]
)
"""Of a row: the case, its key and parameters; how its run ended and its figures; what the key is the digest of."""

SHOWN = [name for name in COLUMNS.names if name != "identity"]
"""Of the table: without what only `differences` reads, and what is most of a row."""

Row = dict[str, Any]


class Store:
    """The folder of a campaign, which one process at a time writes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._runs = folder / "runs"
        self.programs = folder / "programs"

    @property
    def exists(self) -> bool:
        """Whether there is a campaign in the folder."""
        return (self._folder / "campaign.json").exists()

    def about(self, plan: Plan) -> dict[str, Any]:
        """What the store says of its campaign.

        Raises:
            TrapezeError: there is none, or that of another campaign.
        """
        path = self._folder / "campaign.json"
        try:
            about: dict[str, Any] = json.loads(path.read_text())
            name = about["campaign"]["name"]
        except FileNotFoundError:
            raise TrapezeError(f"{self._folder}: there is no campaign in it; begin one with --out") from None
        except (OSError, ValueError, KeyError, TypeError):
            raise TrapezeError(f"{path}: is not what a campaign wrote; begin a new one with --out") from None
        if name != plan.name:
            raise TrapezeError(
                f"{self._folder}: holds campaign '{name}', and {plan.path} is '{plan.name}'; name its own"
            )
        return about

    @contextmanager
    def writing(self, plan: Plan, sample: int | None) -> Iterator[None]:
        """Hold the store for the time of the block.

        Raises:
            TrapezeError: another process holds it, or it cannot be written.
        """
        try:
            self._runs.mkdir(parents=True, exist_ok=True)
            lock = (self._folder / "lock").open("w")
        except OSError as error:
            raise TrapezeError(f"{self._folder}: cannot be written: {(error.strerror or str(error)).lower()}") from None
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise TrapezeError(f"{self._folder}: another process runs this campaign; wait until it ends") from None
            for left in self._runs.glob(".*"):  # of a process that was killed while it wrote
                shutil.rmtree(left, ignore_errors=True)
            versions = {"trapeze": __version__, **{one: version(one) for one in ("distributed", "numpy", "pyarrow")}}
            about = {"schema": SCHEMA, "campaign": plan.raw, "sample": sample, "versions": versions}
            output.write_atomic(self._folder / "campaign.json", json.dumps(about, indent=2) + "\n")
            yield

    def append(self, rows: Sequence[Row]) -> None:
        """Keep the rows of a chunk; they are there whole or not at all.

        Raises:
            TrapezeError: they cannot be written.
        """
        last = max((int(one.stem) for one in self._runs.glob("*.parquet")), default=0)
        self._write(self._runs / f"{last + 1:08}.parquet", pa.Table.from_pylist(list(rows), COLUMNS))

    def _write(self, path: Path, table: pa.Table) -> None:
        try:
            with replacing(path) as made:
                pq.write_table(table, made, compression="zstd")
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise TrapezeError(f"{path}: cannot be written: {reason}; what is there stays") from None

    def note_failures(self, lines: Sequence[str]) -> Path:
        """Write `failed.txt`.

        Raises:
            TrapezeError: it cannot be written.
        """
        path = self._folder / "failed.txt"
        if lines:
            output.write_atomic(path, "".join(f"{line}\n" for line in lines))
        else:
            path.unlink(missing_ok=True)
        return path

    def _tables(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        for path in sorted(self._runs.glob("*.parquet")):
            try:
                yield pq.read_table(path, columns=list(columns))
            except (OSError, pa.ArrowException) as error:
                reason = " ".join(str(error).split())
                raise TrapezeError(
                    f"{path}: cannot be read: {reason}; remove it, and --resume runs its cases again"
                ) from None

    def read(self, columns: Sequence[str]) -> Iterator[Row]:
        """Some columns of all rows, in the order in which they came.

        Raises:
            TrapezeError: a file is not one of a store.
        """
        for table in self._tables(columns):
            yield from table.to_pylist()

    def ends(self) -> dict[str, int]:
        """The exit codes of the runs that are there, by their keys."""
        return {row["key"]: row["code"] for row in self.read(("key", "code"))}

    def finish(self, wanted: Mapping[int, str], parameters: Callable[[int], Mapping[str, Any]]) -> pa.Table:
        """Write the table of the campaign as it is now.

        Args:
            wanted: The keys of its cases by their numbers.
            parameters: Gives those of a case, which may be another than the one whose run it shares.
        """
        whole = pa.concat_tables([COLUMNS.empty_table().select(SHOWN), *self._tables(SHOWN)])
        places = {key: place for place, key in enumerate(whole["key"].to_pylist())}  # the last one of each
        found = sorted((number, places[key]) for number, key in wanted.items() if key in places)
        table = whole.take(pa.array([place for _, place in found], pa.int64()))
        columns = {"number": pa.array([number for number, _ in found], pa.int64())}
        if len(set(wanted.values())) < len(wanted):
            columns["flags"] = pa.array([parameters(number)["flags"] for number, _ in found], pa.string())
        for name, values in columns.items():
            table = table.set_column(SHOWN.index(name), COLUMNS.field(name), values)
        table = table.combine_chunks()
        self._write(self._folder / "table.parquet", table)
        return table
