# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `trapeze run` writes of its figures: result file, CSV and page hold the same rows, with the worst case's why."""

from __future__ import annotations

import csv
import gzip
import json
import re
from base64 import b64decode
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.results import spreadsheet, store
from trapeze.results.rows import Row
from verify.dev.testing import Trapeze

PROGRAM = r"""
#include <stddef.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static volatile int events;
static void on_event(void *arg)
{
	(void)arg;
	TRAPEZE_MARKER(1);
	events++;
}
__attribute__((noinline)) static void critical(void)
{
	unsigned int key = irq_lock();
	for (volatile int i = 0; i < 20; i++) {
	}
	irq_unlock(key);
}
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (int i = 0; i < 40; i++)
		critical();
	return 0;
}
"""
CONFIG = "mcu-fastirq"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that masks interrupts now and then."""
    folder = tmp_path_factory.mktemp("views")
    (folder / "main.c").write_text(PROGRAM)
    return toolchain.build(configurations.load(CONFIG), [folder / "main.c"], folder / "main.elf")


def test_all_views_of_a_sweep(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    result, table, page = tmp_path / "r.json", tmp_path / "r.csv", tmp_path / "page"
    options = ["--sweep", "3@1500..1560", "--json", result, "--csv", table, "--html", page]
    said = trapeze("run", program, "--config", CONFIG, *options)
    assert said.code == 0, said.err
    assert f"Page: {page / 'index.html'}" in said.err
    rows = {row["metric"]: row for row in store.load(result)["rows"]}
    latency = rows["latency"]
    assert latency["n"] == 61
    assert latency["min"] < latency["p99.9"] == latency["max"]
    assert re.fullmatch(r"raised in cycle \d+: wait \d+ \(masked since .* at critical.*", latency["labels"]["worst"])

    with table.open(newline="") as file:
        lines = {line["metric"]: line for line in csv.DictReader(file)}
    assert lines.keys() == rows.keys()
    for metric, line in lines.items():
        for name in ("id", "n", "min", "p50", "p99", "p99.9", "max", "mean", "jitter"):
            assert line[name] == str(rows[metric][name])
    assert lines["latency"]["labels.worst"] == latency["labels"]["worst"]
    pairs = [[int(word) for word in pair.split(":")] for pair in lines["latency"]["histogram"].split()]
    assert pairs == latency["histogram"]

    text = (page / "index.html").read_text()
    assert "over the cycle of the edge" in text
    assert "masked since" in text
    assert "p99.9" in text
    (link,) = re.findall(r'href="data:application/gzip;base64,([^"]+)"', text)
    assert json.loads(gzip.decompress(b64decode(link)))["traceEvents"]


def test_reason_of_a_plain_run(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    span = ["--from", "pc:critical", "--to", "marker:1", "--name", "there"]
    said = trapeze("run", program, "--config", CONFIG, "--irq", "3@1510", "--irq", "3@2000", *span, "--json", path)
    assert said.code == 121, said.err  # critical() is called once more before the program ends
    rows = {row["metric"]: row for row in store.load(path)["rows"]}
    assert rows["latency"]["n"] == 2
    took = sum(
        int(part) for part in re.findall(r"(?:wait|controller|entry|save) (\d+)", rows["latency"]["labels"]["worst"])
    )
    assert took == rows["latency"]["max"]
    begin, end = rows["span"]["worst"]
    assert rows["span"]["labels"]["worst"].startswith(f"cycles {begin} to {end}: critical ")
    assert f"  worst: {rows['span']['labels']['worst']}\n" in said.err


def test_page_begins_with_the_spans(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    """Their worst case with its reason stands on the first screen, and they come before the handler's latency."""
    span = ["--from", "edge:3", "--to", "marker:1", "--name", "there"]
    trapeze("run", program, "--config", CONFIG, "--sweep", "3@1500..1560", *span, "--html", tmp_path)
    text = (tmp_path / "index.html").read_text()
    card, section = text.index('<a class="card" href="#spans">'), text.index('<h2 id="spans">')
    assert card < text.index('href="#run">') < section < text.index('<h2 id="run">')
    assert re.search(r"cycles \d+ to \d+: .*critical", text[card:section])
    assert "What was asked for: there from edge:3 to marker:1." in text
    assert section < text.index("span: how often which value came") < text.index('<h2 id="run">')


def test_reason_of_a_span_of_a_stimulus(trapeze: Trapeze, program: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    span = ["--from", "edge:3", "--to", "marker:1", "--name", "event"]
    words = ["run", program, "--config", CONFIG, "--stimulus", "3:every=300,from=1500,n=20", *span]
    said = trapeze(*words, "--json", path)
    assert said.code == 0, said.err
    (row,) = (one for one in store.load(path)["rows"] if one["metric"] == "span")
    begin, end = row["worst"]
    assert row["labels"]["worst"].startswith(f"cycles {begin} to {end}: ")
    assert f"  worst: {row['labels']['worst']}\n" in said.err
    assert trapeze(*words).err == said.err


def test_csv_of_rows_with_other_labels() -> None:
    fields = {"config": "c", "engine": "rtl", "unit": "cycles"}
    rows = [
        Row.of(
            [1, 2, 2],
            id="a",
            metric="span",
            labels={"name": 'x,"y'},
            more={"from": "edge:1", "worst": [3, 5]},
            **fields,
        ),
        Row.of([4], id="b", metric="latency", labels={"line": "3"}, **fields),
    ]
    first, second = csv.DictReader(spreadsheet.text(rows).splitlines())
    assert (first["labels.name"], first["labels.line"], first["histogram"], first["worst"]) == (
        'x,"y',
        "",
        "1:1 2:2",
        "3 5",
    )
    assert (second["labels.name"], second["labels.line"], second["from"], second["published"]) == ("", "3", "", "")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--csv", "/no/such/r.csv"], "the folder /no/such does not exist"),
        (["--html", "/no/such/folder/x"], "the folder /no/such/folder does not exist"),
        (["--json", "same", "--csv", "same"], "--csv same: is written by --json, the same file"),
    ],
)
def test_what_cannot_be_written(
    trapeze: Trapeze, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said = trapeze("run", program, "--config", CONFIG, *options)
    assert said.code == 2
    assert says in said.err
    assert said.err.count("\n") == 1
    assert not list(tmp_path.glob("same"))
