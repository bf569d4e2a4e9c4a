# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The blocks that a random program is made of."""
