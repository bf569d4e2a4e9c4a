# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `back-to-back`: from one handler to the next."""

from __future__ import annotations

from trapeze.experiments.back_to_back import measure
from trapeze.experiments.measuring import Kind

KINDS = {
    "back-to-back": Kind(measure.check, measure.measure, beside=True),
}
