# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `rpc`: a Linux program runs a function on the hart beside."""

from __future__ import annotations

from trapeze.experiments.measuring import Kind
from trapeze.experiments.rpc import measure, show

KINDS = {
    "rpc": Kind(measure.check, measure.measure, show.show, prepare=measure.prepare),
}
