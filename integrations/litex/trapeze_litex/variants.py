# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The variants of the CPU, and the configuration of Trapeze that each of them is."""

VARIANTS = {
    "standard": "mcu-clic",
    "clint": "mcu-clint",
    "clic": "mcu-clic",
    "fastirq": "mcu-fastirq",
    "fastirq_1bank": "mcu-fastirq-1bank",
    "fastirq_inplace": "mcu-fastirq-inplace",
}
"""LiteX makes C macros of their names, so these have no dashes."""
