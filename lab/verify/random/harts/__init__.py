# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs for several harts that share memory, for lockstep: `program.make`."""
