/* Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only */
/* Functions of the kernel as they are since Linux 6.8, for older kernels, of which Debian 12 has 6.1. */
#ifndef TRAPEZE_DRIVER_VERSIONS_H_
#define TRAPEZE_DRIVER_VERSIONS_H_

#include <linux/eventfd.h>
#include <linux/mm.h>
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

#endif /* TRAPEZE_DRIVER_VERSIONS_H_ */
