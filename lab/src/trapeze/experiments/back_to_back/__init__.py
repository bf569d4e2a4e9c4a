# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `back-to-back`."""
