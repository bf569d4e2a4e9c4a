# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Seeded random programs that run on the RTL and on QEMU and must end alike.

`generator` makes a program from a seed, `harness` is its fixed part, `execute` builds and runs it, `suite` compares,
`report` explains a difference; `corner` is a table of all arithmetic on corner values with results from `model`.
What is compared, and what is left out and why, stands in README.md beside this file.
"""
