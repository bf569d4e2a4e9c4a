/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The device's side of a split virtqueue (virtio 1.1, section 2.6) in coherent memory. It gives buffers back one by
 * one in the order in which it takes them, so the index of what it has given back says all about its state.
 */
#ifndef VRING_H_
#define VRING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trapeze/rpmsg_memory.h>

/** Driver: it wants no bell when a buffer is given back. Source: virtio 1.1, 2.6.6, VIRTQ_AVAIL_F_NO_INTERRUPT. */
#define VRING_NO_INTERRUPT 1U
/** Device: it wants no bell when there is another buffer. Source: virtio 1.1, 2.6.8, VIRTQ_USED_F_NO_NOTIFY. */
#define VRING_NO_NOTIFY    1U

struct vring_descriptor {
	uint64_t address;
	uint32_t bytes;
	uint16_t flags;
	uint16_t next;
};

struct vring_used {
	uint32_t id;
	uint32_t bytes;
};

struct vring {
	struct vring_descriptor descriptors[TRAPEZE_RPMSG_NUMBER];
	uint16_t avail_flags; /* from here on the driver's */
	uint16_t avail_index;
	uint16_t avail[TRAPEZE_RPMSG_NUMBER];
	uint16_t used_event;
	_Alignas(TRAPEZE_RPMSG_ALIGN) uint16_t used_flags; /* from here on the device's */
	uint16_t used_index;
	struct vring_used used[TRAPEZE_RPMSG_NUMBER];
	uint16_t avail_event;
};

_Static_assert(offsetof(struct vring, used_flags) == 640U,
	       "virtio 1.1, 2.6: 16 n + 6 + 2 n, rounded");
_Static_assert(sizeof(struct vring) <= TRAPEZE_RPMSG_VRING_SIZE, "a page");

/** A buffer of the driver's. */
struct vring_buffer {
	uintptr_t address;
	uint16_t id;
};

/** Whether the driver has handed over a buffer. */
bool vring_has(const struct vring *ring);
/** The buffer at the head. Only if there is one. */
struct vring_buffer vring_head(const struct vring *ring);
/** Gives the head back with bytes written to it. Returns whether the driver wants the bell. */
bool vring_return(struct vring *ring, uint16_t id, uint32_t bytes);
/** How many buffers were given back, modulo 2^16. */
uint16_t vring_index(const struct vring *ring);
/** Whether the driver is to ring when it hands over a buffer. With true look at vring_has() afterwards. */
void vring_notify(struct vring *ring, bool wanted);

#endif /* VRING_H_ */
