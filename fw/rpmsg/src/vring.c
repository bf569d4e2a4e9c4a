/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

#include "vring.h"

#include <trapeze/hart.h>

static uint16_t load(const uint16_t *at)
{
	return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static void store(uint16_t *at, uint16_t value)
{
	__atomic_store_n(at, value, __ATOMIC_RELAXED);
}

bool vring_has(const struct vring *ring)
{
	return load(&ring->avail_index) != load(&ring->used_index);
}

struct vring_buffer vring_head(const struct vring *ring)
{
	__asm__ volatile("fence r, r" : : : "memory");

	/* The driver is not trusted: a wrong number is one of another descriptor. */
	uint16_t id = load(&ring->avail[load(&ring->used_index) % TRAPEZE_RPMSG_NUMBER]);
	uint64_t address = ring->descriptors[id % TRAPEZE_RPMSG_NUMBER].address;

	return (struct vring_buffer){.address = (uintptr_t)address, .id = id};
}

bool vring_return(struct vring *ring, uint16_t id, uint32_t bytes)
{
	uint16_t index = load(&ring->used_index);

	ring->used[index % TRAPEZE_RPMSG_NUMBER] = (struct vring_used){.id = id, .bytes = bytes};
	__asm__ volatile("fence rw, w" : : : "memory");
	store(&ring->used_index, (uint16_t)(index + 1U));
	hart_fence(); /* the driver changes its flag, and then looks at the index */
	return (load(&ring->avail_flags) & VRING_NO_INTERRUPT) == 0U;
}

uint16_t vring_index(const struct vring *ring)
{
	return load(&ring->used_index);
}

void vring_notify(struct vring *ring, bool wanted)
{
	store(&ring->used_flags, (uint16_t)(wanted ? 0U : VRING_NO_NOTIFY));
	hart_fence();
}
