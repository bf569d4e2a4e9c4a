# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `user-interrupts`: from a thread of one hart to a thread of another."""

from __future__ import annotations

from trapeze.experiments.measuring import Kind
from trapeze.experiments.user_interrupts import measure

KINDS = {
    "user-interrupts": Kind(measure.check, measure.measure, beside=True),
}
