/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/**
 * @file
 * @brief Memory by which Linux' remoteproc and rpmsg talk to a hart that serves messages (fw/rpmsg): a page that says where
 * all else is, two virtio rings, and buffers. It is in region `ring`, in the place of the channels of jobs
 * (trapeze/channel.h): a hart serves jobs or messages. Both sides take the layout from here.
 *
 * Includer: defines the types of stdint.h, or is the kernel.
 */
#ifndef TRAPEZE_RPMSG_MEMORY_H_
#define TRAPEZE_RPMSG_MEMORY_H_

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#define TRAPEZE_RPMSG_MAGIC	 0x4d505254u /* "TRPM" */
#define TRAPEZE_RPMSG_OFFSET	 0x4000u     /* of struct trapeze_rpmsg from the beginning of region `ring` */
#define TRAPEZE_RPMSG_VRING	 0x5000u     /* of ring 0, to Linux; ring 1, from Linux, is a page behind it */
#define TRAPEZE_RPMSG_VRING_SIZE 0x1000u     /* remoteproc counts in pages */
#define TRAPEZE_RPMSG_BUFFERS	 0x8000u     /* of the buffers */
#define TRAPEZE_RPMSG_NUMBER	 32u	     /* of buffers each way */
#define TRAPEZE_RPMSG_BUFFER	 512u	     /* bytes of a buffer; MAX_RPMSG_BUF_SIZE of drivers/rpmsg/virtio_rpmsg_bus.c */
#define TRAPEZE_RPMSG_ALIGN	 64u	     /* of the used part of a ring: what each side writes is in lines of its own */
#define TRAPEZE_RPMSG_BYTES	 (TRAPEZE_RPMSG_BUFFERS + 2u * TRAPEZE_RPMSG_NUMBER * TRAPEZE_RPMSG_BUFFER) /* of `ring` */

/** Bell of a mailbox, both ways, for a ring. Bell 0 is that of jobs. */
#define TRAPEZE_RPMSG_BELL(ring) (2u << (ring))

/** As struct fw_rsc_vdev_vring of linux/remoteproc.h. */
struct trapeze_rpmsg_vring {
	uint32_t address;
	uint32_t align;
	uint32_t number;
	uint32_t notify;
	uint32_t reserved;
};

/** Linux' resource table with one virtio device: resource_table, fw_rsc_hdr and fw_rsc_vdev of linux/remoteproc.h. */
struct trapeze_rpmsg_table {
	uint32_t version; /* 1 */
	uint32_t count;	  /* 1 */
	uint32_t reserved[2];
	uint32_t offset; /* of `type` */
	uint32_t type;	 /* 3: virtio device */
	uint32_t id;	 /* 7: rpmsg */
	uint32_t notify;
	uint32_t offered;  /* features */
	uint32_t accepted; /* by Linux */
	uint32_t config_bytes;
	uint8_t status; /* Linux: of its driver, as in virtio */
	uint8_t vrings;
	uint8_t unused[2];
	struct trapeze_rpmsg_vring vring[2];
};

struct trapeze_rpmsg {
	uint32_t magic; /* written last when the other hart is ready */
	uint32_t unused0[15];
	uint32_t session; /* Linux: counts its drivers that attached; the rings are new in each */
	uint32_t unused1[15];
	/* Of the other hart, which finds it after a reset: */
	uint32_t announced;	/* session in which it has announced its service */
	uint32_t serves;	/* not 0: it is at a message, and when it began, the indices of buffers given back were: */
	uint16_t served_of[2];	/* of ring 0, of ring 1 */
	uint32_t unused2[13];
	struct trapeze_rpmsg_table table;
};

_Static_assert(sizeof(struct trapeze_rpmsg_table) == 88, "as the kernel's, without padding");

#endif /* TRAPEZE_RPMSG_MEMORY_H_ */
