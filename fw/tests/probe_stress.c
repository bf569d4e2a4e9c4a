/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: under stress a program takes longer and does the same
engines: [rtl]
qemu: it has no such device
expect: |
  PASS
*/
#include <trapeze/hal_timer.h>
