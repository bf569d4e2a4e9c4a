# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a platform is: its configuration, and the RTL sources that it is made of."""
