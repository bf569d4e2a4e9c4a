/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What cells and the hypervisor below them agree on beyond the RISC-V SBI (fw/hypervisor/README.md). For C and
 * assembly.
 */
#ifndef TRAPEZE_CELL_H_
#define TRAPEZE_CELL_H_

/** Reason of a system reset (extension SRST): the program ended with the exit code in the lower 16 bits. The values from
 * here on are a platform's own.
 */
#define TRAPEZE_CELL_REASON_CODE 0xf0000000U

/** Extension of the SBI by which Linux controls a cell; the functions have the number of its hart as argument. The cell
 * itself gets SBI_ERR_DENIED.
 */
#define TRAPEZE_CELL_EXTENSION 0x0943454cU /* in the range of vendors: 09, "CEL" */
#define TRAPEZE_CELL_START     0           /* loads the cell anew and starts it */
#define TRAPEZE_CELL_STOP      1
#define TRAPEZE_CELL_STATUS                                                                        \
	2 /* value: 0 running, 1 stopped, TRAPEZE_CELL_ENDED with the exit code: it ended itself */
#define TRAPEZE_CELL_ENDED 0x10000

/** Offset in region `ring` of the page that Linux and the cell share. Both may read and write all of it. The
 * device tree gets the two numbers from here (lab/src/trapeze/linux/cell.py).
 */
#define TRAPEZE_CELL_PAGE       0xf000
#define TRAPEZE_CELL_PAGE_BYTES 0x1000

#endif /* TRAPEZE_CELL_H_ */
