# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make book`: the documentation as one site, every link checked.

Each page stays in the folder that it describes. Pages are mirrored, so that their links work in both places; only
drawings become elements of a class of their own.
Pages on the command line, configurations and result files are generated into the mirror by the tools themselves.
"""

from __future__ import annotations

import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import typer
from rich.console import Console

from trapeze import experiment_files
from trapeze.commandline import describe
from trapeze.commandline.cli import app
from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from trapeze.results import store
from trapeze.simulation import records
from verify.dev import latency_figure, words

FOLDER = paths.BUILD / "book"
SOURCE = FOLDER / "src"
SITE = FOLDER / "site"
REFERENCE = Path("docs") / "reference"
FIRST = paths.ROOT / "README.md"
SETTINGS = paths.ROOT / "docs" / "mkdocs.yml"

ASSETS = tuple(SETTINGS.with_name(name) for name in ("book.css", "iframe-worker.js"))
"""Files of the site besides its pages."""

SCHEMAS = {
    "results": ("Result files", store.SCHEMA),
    "records": ("Records of runs", records.SCHEMA),
    "experiments": ("Experiment files", experiment_files.SCHEMA),
}
"""Pages of the reference: of what, and which schema says it."""

CONTENTS = paths.ROOT / "docs" / "README.md"
"""The one table of contents: its headings and links are the navigation of the site."""

_DRAWING = re.compile(r"^```\n([^`]*[\u2500-\u257f][^`]*)^```$", re.MULTILINE)
_LINK = re.compile(r"(\[[^\]]*\])\(([^)#\s]+)(#[^)\s]*)?\)")
COLUMNS = 110


def _linked(page: Path, text: str) -> Iterator[Path]:
    """The files of the repository that a page links to."""
    for _, target, _ in _LINK.findall(text):
        path = (page.parent / target).resolve()
        if "://" not in target and path.is_file():
            yield path


def _without_folders(page: Path, text: str) -> str:
    """A page with its links to folders changed: they lead to the folder's README, or are removed if it has none."""

    def mend(found: re.Match[str]) -> str:
        target = page.parent / found[2]
        if "://" in found[2] or not target.is_dir():
            return found[0]
        readme = f"{found[2].rstrip('/')}/README.md"
        return f"{found[1]}({readme})" if (target / "README.md").is_file() else found[1][1:-1]

    return _LINK.sub(mend, text)


def _drawn(found: re.Match[str]) -> str:
    """A drawing of the width of its page, in which no line goes on in the next one."""
    columns = max(map(len, found[1].splitlines()))
    style = f'class="drawing" style="--columns: {columns}"'
    return f"<pre {style}><code>{html.escape(found[1], quote=False)}</code></pre>"


def _folder(folder: Path) -> list[str]:
    """The pages of a folder, its own first; paths in the site."""
    pages = [page for page in words.tracked() if page.suffix == ".md" and page.is_relative_to(folder)]
    own = folder / "README.md"
    return [str(page.relative_to(paths.ROOT)) for page in sorted(pages, key=lambda page: (page != own, page))]


def navigation() -> list[dict[str, Any]]:
    """The navigation of the site, from the headings of `CONTENTS` and the links in the first columns below them."""
    sections: list[dict[str, Any]] = [{"Start": "README.md"}]
    for line in CONTENTS.read_text().splitlines():
        if line.startswith("## "):
            sections.append({line.removeprefix("## "): []})
        elif line.startswith("| ["):
            (inside,) = sections[-1].values()
            for label, target, _ in _LINK.findall(line.partition(" | ")[0]):
                place = Path(os.path.normpath(CONTENTS.parent / target))
                pages = _folder(place) if place.is_dir() else str(place.relative_to(paths.ROOT))
                title = label[1:-1]
                inside.append({title[:1].upper() + title[1:] if "," in line.partition(" | ")[0] else title: pages})
    return sections


def _command(command: click.Command, name: str) -> str:
    """The help of one command."""
    context = click.Context(command, info_name=name, max_content_width=COLUMNS, terminal_width=COLUMNS)
    return f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"


def command_line() -> str:
    """The page of the command line."""
    group = typer.main.get_command(app)
    commands: dict[str, Any] = getattr(group, "commands", {})
    parts = [_command(one, f"trapeze {name}") for name, one in commands.items() if not one.hidden]
    return "# Command line\n\nWhat `trapeze COMMAND --help` prints.\n\n" + "\n".join(parts)


def _printed(what: Any, *arguments: object) -> str:
    text = io.StringIO()
    with Console(file=text, width=COLUMNS, markup=False, emoji=False) as console:
        what(*arguments, console=console)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def configuration_page() -> str:
    """The page of the configurations."""
    parts = ["# Configurations\n\nWhat `trapeze configs` and `trapeze show C` print.\n"]
    parts.append(f"```text\n{_printed(describe.configs)}\n```\n")
    for name in configurations.every_name():
        parts.append(f"## {name}\n\n```text\n{_printed(describe.show, name)}\n```\n")
    return "\n".join(parts)


def _kind(value: dict[str, Any]) -> str:
    """The type of a field in words."""
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if value.get("type") == "array" and isinstance(value.get("items"), dict):
        return f"list of {_kind(value['items'])}"
    for key in ("const", "enum", "type"):
        if key in value:
            found = value[key]
            return " or ".join(map(str, found)) if isinstance(found, list) else str(found)
    choices = value.get("oneOf") or value.get("anyOf") or []
    return " or ".join(filter(None, map(_kind, choices)))


def _fields(schema: dict[str, Any], inside: str = "") -> Iterator[str]:
    """A line of a table for each field, those of objects in it behind it."""
    needed = schema.get("required", [])
    for name, value in schema.get("properties", {}).items():
        text = html.escape(value.get("description", ""), quote=False).replace("|", "\\|")
        yield f"| `{inside}{name}` | {_kind(value)} | {'yes' if name in needed else ''} | {text} |"
        inner = value["items"] if value.get("type") == "array" and isinstance(value.get("items"), dict) else value
        # One step deeper says enough: the schema itself has the rest.
        if not inside and "properties" in inner:
            yield from _fields(inner, f"{name}[]." if inner is not value else f"{name}.")


def schema_page(title: str, file: Path) -> str:
    """The page of a kind of files: its fields, and those of its parts."""
    schema = json.loads(file.read_text())
    head = "| field | type | always | meaning |\n|---|---|---|---|\n"
    about = html.escape(f"{schema['title']}. {schema.get('description', '')}", quote=False)
    text = f"# {title}\n\n{about}\n\nSchema `{schema['$id']}`, "
    text += f"`{file.relative_to(paths.ROOT)}`.\n\n{head}" + "\n".join(_fields(schema)) + "\n"
    for name, part in schema.get("$defs", {}).items():
        if fields := "\n".join(_fields(part)):
            about = f"{part['description']}\n\n" if "description" in part else ""
            text += f"\n## {name}\n\n{about}{head}{fields}\n"
    for kind, part in (experiment_files.parts() if file == experiment_files.SCHEMA else {}).items():
        if fields := "\n".join(line for line in _fields(part) if not line.startswith(("| `kind`", "| `rows`"))):
            text += f"\n## Kind {kind}\n\n{head}{fields}\n"
    return text


def metrics_of_runs() -> str:
    """What `trapeze run` measures, for the page of result files."""
    known = tomllib.loads(Path(records.__file__).with_name("metrics.toml").read_text())
    rows = "\n".join(f"| `{name}` | {one['means']} |" for name, one in known.items())
    return (
        "\n## Metrics of trapeze run\n\nOf an interrupt, in cycles from the edge of its line:\n\n"
        f"| metric | until |\n|---|---|\n{rows}\n\n"
        "Beside them `taken` (how often the line's interrupt was), `cycles` and `instructions` of the run, and `span`: "
        "what [a span](../howto/measure-anything.md) took.\n"
    )


def mirror() -> list[Path]:
    """Write the source of the site; the pages, as paths in it."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    pages = [path for path in words.tracked() if path.suffix == ".md"]
    for page in pages:
        text = page.read_text()
        copy = SOURCE / page.relative_to(paths.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shown = latency_figure.on_first_page(text) if page == FIRST else text
        copy.write_text(_DRAWING.sub(_drawn, _without_folders(page, shown)))
        for other in _linked(page, text):
            place = SOURCE / other.relative_to(paths.ROOT)
            if other.suffix != ".md":
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(other, place)
    made = {"command-line": command_line(), "configurations": configuration_page()}
    made |= {name: schema_page(title, file) for name, (title, file) in SCHEMAS.items()}
    made["results"] += metrics_of_runs()
    for asset in ASSETS:
        shutil.copyfile(asset, SOURCE / "docs" / asset.name)
    (SOURCE / REFERENCE).mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (SOURCE / REFERENCE / f"{name}.md").write_text(text)
    return [page.relative_to(paths.ROOT) for page in pages]


def build() -> Path:
    """Build the site.

    Returns:
        Its first page.

    Raises:
        TrapezeError: a link leads nowhere, or anything else that MkDocs warns of.
    """
    mirror()
    settings = {"INHERIT": str(SETTINGS), "docs_dir": str(SOURCE), "site_dir": str(SITE), "nav": navigation()}
    file = FOLDER / "mkdocs.yml"
    file.write_text(json.dumps(settings))  # which is YAML, too
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"the book does not build:\n{done.stdout}{done.stderr}", 1)
    return SITE / "index.html"


if __name__ == "__main__":
    try:
        print(build())
    except TrapezeError as error:
        sys.exit(str(error))
