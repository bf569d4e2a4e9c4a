# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kinds of experiments there are: every package of this folder that has `KINDS`.

A package of a kind has that, and `experiment.schema.json`: what only its experiment files say.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from trapeze import experiments
from trapeze.experiments.measuring import Kind


def kinds() -> dict[str, Kind]:
    """The kinds by name."""
    found: dict[str, Kind] = {}
    for package in pkgutil.iter_modules(experiments.__path__, f"{experiments.__name__}."):
        if package.ispkg:
            found |= getattr(import_module(package.name), "KINDS", {})
    return found
