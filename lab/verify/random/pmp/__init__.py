# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs that change the rows of memory protection."""
