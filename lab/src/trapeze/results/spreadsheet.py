# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Rows as CSV, for spreadsheets and data frames: a line each, the columns named as the fields of a result's row.

A label is a column of its own, `labels.NAME`. A histogram is `value:count` pairs with spaces between them. What a row
has not is an empty cell. Lines end as in RFC 4180.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from trapeze.results.rows import SPAN_FIELDS, Row

LABEL = "labels."
"""In front of the name of a label."""

AHEAD = ("id", "config", "engine")
"""Columns that stand in front of the labels."""


def _cell(value: object) -> object:
    """A field of a row: lists of pairs as `value:count`, other lists as they are, with spaces."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(":".join(map(str, one)) if isinstance(one, Sequence) else str(one) for one in value)
    return "" if value is None else value


def _flat(row: Mapping[str, object], labels: Sequence[str]) -> dict[str, object]:
    own = row["labels"]
    given = own if isinstance(own, Mapping) else {}
    ahead = {name: row[name] for name in AHEAD}
    named = {f"{LABEL}{name}": given.get(name, "") for name in labels}
    rest = {name: _cell(value) for name, value in row.items() if name not in (*AHEAD, "labels")}
    return ahead | named | rest


def text(rows: Sequence[Row]) -> str:
    """The CSV of rows, with a line of column names in front."""
    labels = list(dict.fromkeys(name for row in rows for name in row.labels))
    flat = [_flat(row.to_json(), labels) for row in rows]
    seen = dict.fromkeys(name for one in flat for name in one)
    columns = [name for name in seen if name not in SPAN_FIELDS] + [name for name in SPAN_FIELDS if name in seen]
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, restval="", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(flat)
    return file.getvalue()
