# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What tests the platform, and no user installs: random programs, mutations, unknowns, lint, the suites."""
