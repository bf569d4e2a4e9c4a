# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze cc --linux`: programs for Linux on an application hart, with `linux/lib`."""

from __future__ import annotations

from collections.abc import Sequence

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import gcc_options, reproducible
from trapeze.linux import kernel, layout

OPTION = "--linux"
"""Option of `trapeze cc`."""

_NOT_LINKED = ("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only")


def command_line(options: Sequence[str]) -> list[str]:
    """The compiler's command; the user's options follow ours, so that they win."""
    own = layout.settings()["program"]
    include = [f"-I{paths.ROOT / one}" for one in own["include"]]
    flags = reproducible.of_folder([*own["flags"], *reproducible.of_repository(), *include])
    words = [kernel.compiler(), *flags, *options]
    if not any(one in _NOT_LINKED for one in options):
        words += ["-x", "c", *(str(paths.ROOT / one) for one in own["library"])]
    return words


def command(options: Sequence[str]) -> int:
    """Compile a program.

    Args:
        options: Of the compiler, with sources and `-o`.

    Returns:
        The compiler's exit code; it has said what is wrong then.

    Raises:
        TrapezeError: there is nothing to compile, or no compiler and it cannot be installed.
    """
    if not options:
        raise TrapezeError(f"cc {OPTION}: nothing to compile; name source files and -o OUT")
    if any(one == "--config" or one.startswith("--config=") for one in options):
        raise TrapezeError(f"cc {OPTION}: --config: a program runs on every platform that boots Linux; leave it out")
    kernel.need_packages()
    code = processes.run(command_line(options)).returncode
    if code == 0 and not any(one in _NOT_LINKED for one in options):
        reproducible.finish(gcc_options.output(options))
    return code
