# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Programs for a platform: the cross compiler, start-up code and real-time kernels."""
