# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What developers of Trapeze run: lint and the whole test suite."""
