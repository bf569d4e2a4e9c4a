# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Seeded random programs that run on the RTL and on QEMU and must end alike.

`programs`, `clic`, `fastirq` and `harts` make a program from a seed; `lockstep` runs it on two engines of the
simulator, `qemu` on QEMU and one of them. README.md in this folder says what is compared, and what is left out and why.
"""
