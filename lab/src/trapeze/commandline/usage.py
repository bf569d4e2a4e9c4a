# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What is said of a command line that typer refuses: one line, which names the option, its value and the remedy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import typer

SHOWN = 40
"""Characters of a value that are worth reading."""

_WRONG: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "int_parsing": lambda _: "is no whole number",
    "int_parsing_size": lambda _: "is no whole number that fits",
    "greater_than_equal": lambda limits: f"is less than {limits['ge']}",
    "less_than_equal": lambda limits: f"is more than {limits['le']}",
}
"""By pydantic's type of an error, and the limits that it names: what is wrong with a number."""


def _wrong_number(error: typer.TyperException) -> str | None:
    """Option and value of a number that cannot be; None: something else is wrong."""
    cause = error.__cause__
    if not isinstance(error, typer.BadParameter) or error.param is None or cause is None:
        return None
    from pydantic import ValidationError  # typer checks numbers with it, and has loaded it then

    if not isinstance(cause, ValidationError):
        return None
    (first, *_) = cause.errors()
    if first["type"] not in _WRONG:
        return None
    value = str(first["input"])
    shown = value if len(value) <= SHOWN else f"{value[:SHOWN]}..."
    return f"{max(error.param.opts, key=len)}: '{shown}' {_WRONG[first['type']](first.get('ctx', {}))}"


def line(error: typer.TyperException) -> str:
    """What is wrong with a command line, and where its help is."""
    text = _wrong_number(error) or " ".join(error.format_message().split()).rstrip(".")
    context: typer.Context | None = getattr(error, "ctx", None)
    return f"{text}; see: {context.command_path} --help" if context is not None else text
