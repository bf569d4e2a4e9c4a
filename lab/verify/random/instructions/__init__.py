# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Instructions: their encodings, what they compute, assembly text, and the addresses that programs use."""
