# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""One program on QEMU and on an engine of the simulator, which must end alike."""
