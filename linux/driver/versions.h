/* Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only */
/* Functions of the kernel as they are since Linux 6.8, for older kernels, of which Debian 12 has 6.1. */
#ifndef TRAPEZE_DRIVER_VERSIONS_H_
#define TRAPEZE_DRIVER_VERSIONS_H_

#include <asm/cacheflush.h>
#include <asm/csr.h>
#include <linux/eventfd.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define eventfd_signal(eventfd) eventfd_signal(eventfd, 1)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_set(struct vm_area_struct *area, vm_flags_t flags)
{
	area->vm_flags |= flags;
}
#endif

/** Lets the program write back and drop lines of caches, where it may load from them. cbo.inval writes back there, too.
 * Source: Base Cache Management Operation ISA Extensions 1.0.1, 2.5.
 */
#define SENVCFG 0x10a /* whose name came with 6.8 */

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
static inline void allow_cache_blocks_here(void *unused)
{
	if (riscv_cbom_block_size != 0)
		csr_set(SENVCFG, ENVCFG_CBCFE | ENVCFG_CBIE_FLUSH << ENVCFG_CBIE_SHIFT);
}

static inline void allow_cache_blocks(void)
{
	/* The kernel does not change the register when it switches tasks, so all programs may. */
	on_each_cpu(allow_cache_blocks_here, NULL, 1);
}
#else
static inline void allow_cache_blocks(void)
{
	envcfg_update_bits(current, ENVCFG_CBCFE | ENVCFG_CBIE,
			   ENVCFG_CBCFE | ENVCFG_CBIE_FLUSH << ENVCFG_CBIE_SHIFT);
}
#endif

#endif /* TRAPEZE_DRIVER_VERSIONS_H_ */
