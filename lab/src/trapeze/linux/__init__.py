# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux on an application hart: the kernel, the image that boots, and `trapeze linux`."""
