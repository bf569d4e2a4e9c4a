# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The image of a container and the templates for CI servers say what the repository has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from trapeze.common import paths
from trapeze.platform import configurations
from verify.dev.examples import commands

PAGE = paths.ROOT / "docs" / "howto" / "budgets-in-ci.md"
TEMPLATES = sorted((PAGE.parent / "ci").iterdir())
CONTAINERFILE = (paths.ROOT / "Containerfile").read_text()


def lines(part: Any) -> Iterator[str]:
    """The commands that a template runs: of `run` at GitHub, of `script` at GitLab."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key in ("run", "script"):
                yield from [value] if isinstance(value, str) else value
            else:
                yield from lines(value)
    elif isinstance(part, list):
        for one in part:
            yield from lines(one)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_template(template: Path) -> None:
    """It runs what the page runs, which `test_book.py` does, and gives the server what comes out of it."""
    text = template.read_text()
    run = list(lines(yaml.safe_load(text)))
    ours = [line for line in run if line.startswith("trapeze ")]
    shown = [line.removeprefix("./") for line in commands(PAGE)]
    assert ours == [line for line in shown if re.match(r"trapeze (cc|run|check)\b", line)]
    assert any(re.search(r" (build|bud) -t ", line) for line in run)
    for name in re.findall(r"--(?:json|junit|html) (\S+)", " ".join(ours)):
        assert len(re.findall(rf"\b{re.escape(name)}\b", text.replace(" ".join(ours), ""))) > 1, name


def test_no_job_has_a_name_that_means_something_else() -> None:
    """At GitLab some names of the outermost level are settings for all jobs, and no jobs."""
    document = yaml.safe_load((PAGE.parent / "ci" / "gitlab.yml").read_text())
    jobs = {name: part for name, part in document.items() if isinstance(part, dict) and "script" in part}
    assert len(jobs) == 2
    assert not {"image", "services", "stages", "cache", "include", "default", "variables", "workflow"} & set(jobs)
    assert all(part["stage"] in document["stages"] for part in jobs.values())


def test_templates_are_linked() -> None:
    assert len(TEMPLATES) == 2
    assert all(f"(ci/{template.name})" in PAGE.read_text() for template in TEMPLATES)


def test_image_has_every_group() -> None:
    listed = (paths.LAB / "packages.txt").read_text().splitlines()
    groups = {line.split()[0] for line in listed if line.strip() and not line.startswith("#")}
    (named,) = re.findall(r'TRAPEZE_GROUPS="([^"]*linux)"', CONTAINERFILE)
    assert set(named.split()) == groups


def test_image_has_simulators_of_configurations_that_exist() -> None:
    (named,) = re.findall(r'ENGINES="([^"]*)"', CONTAINERFILE)
    assert set(named.split()) <= set(configurations.names())


def test_image_holds_no_password() -> None:
    """The settings of a clone may have one of the server that it came from; Docker reads the list by another name."""
    ignored = (paths.ROOT / ".containerignore").read_text().splitlines()
    assert {"/build", "/.git/config"} <= set(ignored)
    assert (paths.ROOT / ".dockerignore").resolve() == paths.ROOT / ".containerignore"
