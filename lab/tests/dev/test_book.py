# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The book: it builds, its links lead somewhere, and its commands do what they say."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from rich.console import Console

from trapeze import experiment_files
from trapeze.common import paths
from trapeze.common.console import NARROWEST, fitted
from trapeze.common.errors import TrapezeError
from trapeze.reports.tables import SPARE, metric_table
from trapeze.results import provenance
from trapeze.results.rows import Row
from trapeze.results.statistics import summarize_counts
from verify.dev import book, browser, histograms, latency_figure, words
from verify.dev.examples import blocks, commands, commands_of, expected, write_files

ELSEWHERE = {
    r"\./trapeze run \S+( \S+)? --config \S+ --gdb \d+": "lab/tests/simulation/test_gdb.py, test_gdb_programs.py",
    r"gdb-multiarch .*|\(gdb\) .*": "lab/tests/simulation/test_gdb.py",
    r"\./trapeze run \S+ --config \S+ --jtag \d+|openocd .*": "lab/tests/simulation/test_openocd.py",
    r"\./trapeze linux.*": "lab/tests/linux/booted: compiles a kernel, once",
    r"\./trapeze cc --linux.*": "lab/tests/linux/booted/test_jobs.py",
    r"\./trapeze cc .* fw/rpmsg/echo\.c .*": "lab/tests/linux/booted/test_rpmsg.py",
    r"\./trapeze (probe|run board\.elf|check board\.toml|compare simulation\.json) .*": "lab/tests/onboard",
    r"cmake .*": "every build of the simulator",
    r"\./trapeze fpga .*": "lab/tests/fpga/test_pins.py: a quarter of an hour",
    r"\./trapeze synth .*": "lab/tests/synth/test_synth.py, test_ecp5.py: minutes for each configuration",
    r"\./trapeze campaign bench/fastirq-study/.*": "lab/tests/campaigns/test_page.py; an engine for each configuration",
    r"\$ .*": "lab/tests/firmware/test_rtos.py (docs/freertos.md), with what it prints",
    r"fusesoc .*": "lab/tests/dev/test_packaging.py",
    r"git clone .*": "what brought these files here",
    r"environment/bin/.*": "integrations/litex/test: a network",
    r"podman .*": "no image to begin with is in reach of every test; test_continuous_integration.py holds the files",
    r"python3 -m venv .*|trapeze .*": "lab/tests/dev/test_packaging.py",
    r".*\$FLAGS.*|\./trapeze run coremark\.elf.*": "needs CoreMark's sources, which are not ours to keep",
}
"""Commands that something else runs, or that cannot be run here."""

_SYNOPSIS = re.compile(r"[\[|…]|\.\.\. |\b(ELF|OUT\.elf|BUDGET\.toml|RESULT\.json|A\.json)\b")


BROWSER_MS = 8000
"""Milliseconds of a page's own time."""

PAGES = [page for page in words.tracked() if page.suffix == ".md" and commands(page)]


def known(command: str) -> bool:
    """Whether a command needs no run here: something else runs it; what it names must exist."""
    if any(re.fullmatch(pattern, command) for pattern in ELSEWHERE):
        return True
    if command.startswith("make"):
        targets = [word for word in shlex.split(command)[1:] if "=" not in word]
        done = subprocess.run(["make", "--dry-run", *targets], cwd=paths.ROOT, capture_output=True)
        assert done.returncode == 0, f"no such target: {command}"
        return True
    if _SYNOPSIS.search(command):
        name = command.split()[1]
        assert f"## trapeze {name}\n" in book.command_line() or name == "cc", f"no such command: {command}"
        return True
    if command.startswith("./trapeze bench"):
        words_left = re.sub(r" --(json|html|engine) \S+", "", command).split()[2:]
        names = [word for word in words_left if not word.startswith("-")]
        assert set(names) <= {*experiment_files.names(), "my-handler", "./my-loop"}, f"no such experiment: {command}"
        return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(paths.ROOT)))
def test_commands(page: Path, tmp_path: Path) -> None:
    """Every command of a page runs, in order, in a folder that holds the files which the page shows."""
    write_files(page, tmp_path)
    for command in commands(page):
        if known(command):
            continue
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=500)
        assert done.returncode == expected(page, command), f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", ["docs/getting-started.md"])
def test_what_the_tutorial_shows(page: str, tmp_path: Path) -> None:
    """A block of text is what the last command before it prints, in this order; `...` stands for other lines.

    Its cycles are those of programs of one compiler, which the page names. With another one its words are compared.
    """
    write_files(paths.ROOT / page, tmp_path)
    said, compared = "", 0
    named = re.search(
        r"the figures of this page are those of gcc ([\d.]+)", " ".join((paths.ROOT / page).read_text().split())
    )
    assert named is not None
    same_compiler = provenance.tools()["riscv-gcc"] == named[1]
    for _, language, text in blocks(paths.ROOT / page):
        if language == "text":
            shown = [line for line in text.splitlines() if line.strip() != "..."]
            if not same_compiler:
                shown, said = [re.sub(r"\d+", "N", line) for line in shown], re.sub(r"\d+", "N", said)
            lines = iter(said.splitlines())
            assert all(line in lines for line in shown), f"{shown}\n{said}"
            compared += 1
        for command in commands_of(text) if not language else ():
            if not known(command):
                done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=500)
                said = done.stdout + done.stderr
    assert compared == 2


def test_sample_of_the_readme() -> None:
    """The table that it shows has the headings and the figures of what `make bench` prints at its end."""
    experiment = experiment_files.load("irq-latency")
    metric = next(iter(experiment.metrics.values()))
    known_rows = histograms.expected(experiment.name)
    rows = [
        Row(engine="rtl", unit=metric.unit, statistics=summarize_counts([*counts.items()]), **case.row(metric.name))
        for case in experiment.cases
        if case.id in known_rows and (counts := known_rows[case.id][metric.name])
    ]
    text = io.StringIO()
    console = Console(file=text, width=NARROWEST)
    console.print(*fitted(console, metric_table(metric, [row for row in rows if row.published is not None]), SPARE))
    printed = [" ".join(line.split()) for line in text.getvalue().splitlines()]
    (sample,) = (content for _, _, content in blocks(paths.ROOT / "README.md") if content.startswith("latency, cycles"))
    title, *shown = (" ".join(line.split()) for line in sample.splitlines())
    assert title == f"{metric.name}, {metric.unit}: {metric.what}"
    assert len(shown) > 10
    assert set(shown) <= set(printed)


def test_commands_are_found() -> None:
    """The test above is able to fail: it sees the commands."""
    found = commands(paths.ROOT / "docs" / "howto" / "why-was-it-late.md")
    assert found[0] == "./trapeze cc --config mcu-fastirq late.c -o late.elf"
    assert not known(found[1])
    assert expected(paths.ROOT / "docs" / "howto" / "why-was-it-late.md", found[1]) == 123
    with pytest.raises(AssertionError, match="no such target"):
        known("make nothing-of-this-name")
    with pytest.raises(AssertionError, match="no such experiment"):
        known("./trapeze bench nothing")


def test_experiment_of_the_book(tmp_path: Path) -> None:
    """The example of a new experiment is one."""
    page = paths.ROOT / "docs" / "howto" / "add-an-experiment.md"
    (text,) = (text for _, language, text in blocks(page) if language == "yaml")
    for name in ("irq-latency",):
        (tmp_path / name).symlink_to(paths.BENCH / name)
    (tmp_path / "my-handler").mkdir()
    (tmp_path / "my-handler" / "experiment.yaml").write_text(text)
    found = experiment_files.load("my-handler", tmp_path)
    assert found.cases[0].published["latency"].value == 6


def test_hardware_of_the_book() -> None:
    """What pages say to depend on is there."""
    from trapeze.platform import cores

    pages = [page for page in words.tracked() if page.suffix == ".md"]
    named = {name for page in pages for name in re.findall(r"\btrapeze:hw:\w+", page.read_text())}
    assert {"trapeze:hw:core", "trapeze:hw:clic", "trapeze:hw:probe"} <= named
    assert named <= set(cores.Library().cores)


def test_core_of_the_book(tmp_path: Path) -> None:
    """The example of a core in a design of one's own elaborates without a warning."""
    from trapeze.platform import configurations, cores
    from trapeze.simulation import building

    page = paths.ROOT / "docs" / "howto" / "core-in-your-design.md"
    (text,) = (text for _, language, text in blocks(page) if language == "systemverilog")
    (tmp_path / "my_subsystem.sv").write_text(text + "\n")
    files = cores.Library().resolve(configurations.load("mcu-fastirq").design(), "default", ("tool_verilator",))
    sources = [str(path) for path in files.of_type("systemVerilogSource", "vlt")]
    includes = [f"-I{folder}" for folder in files.include_folders()]
    command = [str(building.verilator_root() / "bin" / "verilator"), "--lint-only", "-Wall", *includes]
    top = ["--top-module", "my_subsystem", *sources, str(tmp_path / "my_subsystem.sv")]
    done = subprocess.run([*command, *top], capture_output=True, text=True, env=building.environment())
    assert done.returncode == 0, done.stderr


def search(word: str, folder: Path) -> list[str]:
    """The pages of the book that a reader finds, who has opened it as a file; a path in the site each."""
    text, complaints = browser.elements(f"{(book.SITE / 'index.html').as_uri()}?q={word}", folder, BROWSER_MS)
    assert complaints == ""
    found = re.findall(r'<a href="([^"#]*)[^"]*" class="md-search-result__link"', text)
    return [one.removeprefix(f"{book.SITE.as_uri()}/") for one in found]


def cut_lines(width: int, folder: Path) -> dict[str, int]:
    """The pages on which lines of blocks are longer than what is seen of them, and how many blocks."""
    pages = [page.as_uri() for page in sorted(book.SITE.rglob("*.html")) if page.name != "404.html"]
    frame = folder / f"pages-{width}.html"
    frame.write_text(
        f"<body><script>(async () => {{ const found = {{}}; for (const page of {json.dumps(pages)}) {{"
        "const one = document.createElement('iframe');"
        f"one.style = 'width: {width}px; height: 900px';"
        "const loaded = new Promise((done) => { one.onload = done; }); one.src = page; document.body.append(one);"
        "await loaded; const blocks = [...one.contentDocument.querySelectorAll('pre > code')];"
        "found[page] = blocks.filter((block) => block.scrollWidth > block.clientWidth + 1).length; one.remove(); }"
        "document.body.textContent = `SAID ${JSON.stringify(found)} END`; })();</script></body>"
    )
    text, _ = browser.elements(frame.as_uri(), folder, len(pages) * BROWSER_MS, allow_files=True)
    found: dict[str, int] = json.loads(text.partition("SAID ")[2].partition(" END")[0])
    assert len(found) == len(pages)
    return {page: count for page, count in found.items() if count}


def test_paths_in_pages_exist() -> None:
    """What a page of docs names in full, in code, is a file or folder of the repository."""
    rooms = "|".join(path.name for path in paths.ROOT.iterdir() if path.is_dir() and path.name != "build")
    named = re.compile(rf"`((?:{rooms})/[\w.+/-]+)`")
    found = [(page, name) for page in book.CONTENTS.parent.rglob("*.md") for name in named.findall(page.read_text())]
    assert len(found) > 100
    missing = [(page.name, name) for page, name in found if not (paths.ROOT / name).exists()]
    assert missing == [("add-an-experiment.md", "bench/my-handler/experiment.yaml")]  # which the reader writes


def test_contents_have_every_page_of_docs() -> None:
    """The list of docs/README.md, which is the navigation of the site, leaves no page out."""
    listed = json.dumps(book.navigation())
    pages = [str(page.relative_to(paths.ROOT)) for page in book.CONTENTS.parent.rglob("*.md") if page != book.CONTENTS]
    assert [page for page in pages if f'"{page}"' not in listed] == []


def test_latency_of_the_first_page() -> None:
    """It draws what the tests of the experiment hold each phase against, beside what was published."""
    bars = {bar.name: bar for bar in latency_figure.bars()}
    assert {"clint", "clic", "xnxti", "jalxnxti", "fastirq"} <= bars.keys()
    known = histograms.expected("irq-latency")
    assert {name: bar.worst for name, bar in bars.items()} == {
        name: max(known[f"{name}/ilp32"]["latency"]) for name in bars
    }
    assert bars["fastirq"].published == 6
    text = latency_figure.on_first_page("# x\n\nwhy\n\n```\nmake bench\n```\n")
    assert text.index("why") < text.index('class="ours"') < text.index("make bench")
    with pytest.raises(ValueError, match="no block of commands"):
        latency_figure.on_first_page("# x\n")


def test_book_builds_unless_a_link_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Strictly: every link and every anchor leads somewhere. One test, because all of it uses the same folder."""
    real = book.mirror

    def broken() -> list[Path]:
        pages = real()
        (book.SOURCE / "docs" / "numbers.md").write_text("# x\n\n[nowhere](nothing.md)\n")
        return pages

    with monkeypatch.context() as patched:
        patched.setattr(book, "mirror", broken)
        with pytest.raises(TrapezeError, match=r"nothing\.md"):
            book.build()
    first = book.build()
    text = first.read_text()
    assert "from the edge on" in text
    reference = (book.SITE / "docs" / "reference" / "command-line.html").read_text()
    assert "--budget" in reference
    for name in ("results", "records", "experiments"):
        assert "<table>" in (book.SITE / "docs" / "reference" / f"{name}.html").read_text()
    assert "fastirq-1bank" in (book.SITE / "docs" / "reference" / "configurations.html").read_text()
    for page in book.SITE.rglob("*.html"):
        assert not re.search(r'(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)"', page.read_text()), page
    assert 'class="latency"' in text
    drawn = (book.SITE / "docs" / "architecture.html").read_text()
    assert drawn.count('class="drawing"') == 3  # none of whose lines goes on in the next one, nor is cut: see below
    assert "docs/freertos.html" in search("configTICK_RATE_HZ", tmp_path)
    assert "regs/gen/doc/mailbox_side.html" in search("mailbox", tmp_path)
    assert search("qqqzzqq", tmp_path) == []
    assert cut_lines(400, tmp_path) == {}
