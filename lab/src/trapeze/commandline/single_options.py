# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Options that stand once on a command line: a second one would replace the first, and nobody would see it.

And options whose value may be missing.
"""

from __future__ import annotations

from typing import Any

import typer

# typer's internals: only its parser sees that an option stands there twice, and its public error, `BadParameter`, says
# "Invalid value" in front. typer is pinned.
from typer._click.core import Context
from typer._click.exceptions import UsageError
from typer.core import TyperCommand

OPTIONAL = {"--statistics": ("table", ".html")}
"""Options that may stand without a value: what they have then, and how a file ends that is their value."""


class OnceCommand(TyperCommand):
    """A command that refuses an option with a value twice, unless it may be repeated, and one with an empty value."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse arguments, in which an option of `OPTIONAL` may have no value."""
        whole = []
        for place, argument in enumerate(args):
            behind = args[place + 1 : place + 2]
            if argument in OPTIONAL and (not behind or behind[0].startswith("-")):
                argument = f"{argument}={OPTIONAL[argument][0]}"
            elif argument in OPTIONAL and not behind[0].endswith(OPTIONAL[argument][1]):
                raise UsageError(
                    f"{argument} {behind[0]}: a page's name must end with .html; without a page, let another option or "
                    f"nothing come behind {argument}",
                    ctx,
                )
            whole.append(argument)
        return super().parse_args(ctx, whole)

    def make_parser(self, ctx: Context) -> Any:
        """The parser of typer, with this check in each option that keeps one value."""
        parser = super().make_parser(ctx)
        for option in {id(one): one for one in [*parser._long_opt.values(), *parser._short_opt.values()]}.values():
            if option.action == "store":
                option.process = _once(option, option.process, ctx)  # type: ignore[method-assign]
        return parser


def _once(option: Any, process: Any, ctx: Context) -> Any:
    def check(value: Any, state: Any) -> None:
        name = max(option._long_opts or option._short_opts, key=len)
        if value == "":
            raise UsageError(f"{name} '': is empty; give a value, or leave it out", ctx)
        if option.dest in state.opts:
            raise UsageError(f"{name} {value}: there is one already, {name} {state.opts[option.dest]}; give one", ctx)
        process(value, state)

    return check


def apply(app: typer.Typer) -> None:
    """Have all commands check that."""
    for command in app.registered_commands:
        command.cls = OnceCommand
