# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What options of gcc ask for, as far as `trapeze cc` has to know it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_NO_LINK = {
    *("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-dumpversion", "-dumpfullversion"),
    *("-dumpmachine", "-dumpspecs", "--target-help", "--help"),
}
"""Options after which nothing is linked."""

_SECTIONS = re.compile(r"-T(bss|data|text|rodata-segment|text-segment|ldata-segment)(=|$)")
"""Options that say where a section is; they begin as that for a linker script does."""

TAKE_A_WORD = {
    *("-o", "-x", "-T", "-I", "-L", "-D", "-U", "-u", "-e", "-z", "-include", "-imacros", "-isystem", "-iquote"),
    *("-idirafter", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-MF", "-MT", "-MQ", "-aux-info", "--param"),
    *("-wrapper", "-specs"),
}
"""Options whose value is the next word."""


def links(options: Sequence[str]) -> bool:
    """Whether the compiler links something."""
    return not any(one in _NO_LINK or one.startswith(("-print-", "--print-", "--help=")) for one in options)


def scripts_named_to_gcc(options: Sequence[str]) -> list[str]:
    """The options, with linker scripts as -T of gcc: for one named to the linker alone gcc adds the C library's."""
    found: list[str] = []
    for option in options:
        if not option.startswith("-Wl,"):
            found.append(option)
            continue
        others: list[str] = []
        words = iter(option[4:].split(","))
        for word in words:
            if word in ("-T", "--script", "-script"):
                found += ["-T", next(words, "")]
            elif word.startswith(("--script=", "-script=")):
                found.append("-T" + word.partition("=")[2])
            elif word.startswith("-T") and not _SECTIONS.match(word):
                found.append(word)
            else:
                others.append(word)
        found += ["-Wl," + ",".join(others)] if others else []
    return found


def own_script(options: Sequence[str]) -> bool:
    """Whether a linker script is named; it is the only one then. Scripts are named to gcc."""
    return any(
        word.startswith("-T") and not _SECTIONS.match(word) and before not in ("-o", "-x", "-include", "-I", "-L", "-D")
        for before, word in zip(("", *options), options, strict=False)
    )


def names_language(options: Sequence[str]) -> bool:
    """Whether a language is named (-x), which holds for all files behind it."""
    return any(word.startswith("-x") for word in options)


def output(options: Sequence[str]) -> Path:
    """What the compiler writes."""
    for at, word in enumerate(options):
        if word == "-o" and at + 1 < len(options):
            return Path(options[at + 1])
        if word.startswith("-o") and len(word) > 2:
            return Path(word[2:])
    return Path("a.out")
