/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Messages by rings of virtio. Ring 0 has buffers for Linux to receive, ring 1 has what Linux has sent. All that has to
 * outlive a restart of this hart is in the shared memory.
 */
#include <string.h>

#include <trapeze/assert.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/mailbox_side.h>
#include <trapeze/map.h>
#include <trapeze/rpmsg.h>
#include <trapeze/rpmsg_memory.h>

#include "vring.h"

#define MAILBOX_IRQ IRQ_PLATFORM(TRAPEZE_MAILBOX_B_LINE)
#define ALL_BELLS   (TRAPEZE_RPMSG_BELL(TO_LINUX) | TRAPEZE_RPMSG_BELL(FROM_LINUX))

/* Source: virtio 1.1, 2.1, DRIVER_OK. */
#define DRIVER_OK             4U
/* Source: linux/remoteproc.h, RSC_VDEV; linux/virtio_ids.h, VIRTIO_ID_RPMSG; virtio_rpmsg_bus.c, VIRTIO_RPMSG_F_NS. */
#define TABLE_VERSION         1U
#define VIRTIO_DEVICE         3U
#define VIRTIO_RPMSG          7U
#define ANNOUNCES             1U
/* Address for announcements, and what one says. Source: linux/rpmsg/ns.h, RPMSG_NS_ADDR, RPMSG_NS_CREATE. */
#define ANNOUNCEMENTS         53U
#define ANNOUNCEMENT_OF_BEGIN 0U

enum {
	TO_LINUX,
	FROM_LINUX,
};

/* struct rpmsg_hdr of virtio_rpmsg_bus.c. */
struct message {
	uint32_t from;
	uint32_t to;
	uint32_t reserved;
	uint16_t bytes;
	uint16_t flags;
	uint32_t data[RPMSG_BYTES / sizeof(uint32_t)];
};

/* struct rpmsg_ns_msg of linux/rpmsg/ns.h. */
struct announcement {
	char name[RPMSG_NAME + 1U];
	uint32_t address;
	uint32_t what;
};

_Static_assert(sizeof(struct message) == TRAPEZE_RPMSG_BUFFER, "a buffer");

static struct trapeze_rpmsg *const shared =
    (struct trapeze_rpmsg *)((uintptr_t)TRAPEZE_RING_BASE + TRAPEZE_RPMSG_OFFSET);
static rpmsg_service_t service;
static struct announcement own;

static struct vring *ring(unsigned int number)
{
	return (struct vring *)((uintptr_t)TRAPEZE_RING_BASE + TRAPEZE_RPMSG_VRING +
				number * TRAPEZE_RPMSG_VRING_SIZE);
}

static volatile uint32_t *mailbox(uint32_t offset)
{
	return (volatile uint32_t *)((uintptr_t)TRAPEZE_MAILBOX_B_BASE + offset);
}

static void give_back(unsigned int number, uint16_t id, uint32_t bytes)
{
	if (vring_return(ring(number), id, bytes)) {
		*mailbox(TRAPEZE_MAILBOX_SIDE_RING_OFFSET) = TRAPEZE_RPMSG_BELL(number);
	}
}

static bool linux_is_there(void)
{
	bool there = (__atomic_load_n(&shared->table.status, __ATOMIC_RELAXED) & DRIVER_OK) != 0U;

	__asm__ volatile("fence r, rw" : : : "memory");
	return there;
}

/* The message in a buffer, or NULL: Linux is not trusted, and names any address. */
static struct message *message_at(uintptr_t address)
{
	uintptr_t place = address - ((uintptr_t)TRAPEZE_RING_BASE + TRAPEZE_RPMSG_BUFFERS);

	if (place >= TRAPEZE_RPMSG_BYTES - TRAPEZE_RPMSG_BUFFERS ||
	    place % TRAPEZE_RPMSG_BUFFER != 0U) {
		return NULL;
	}
	return (struct message *)address;
}

/* By words, which the C library's memcpy() of small libraries does not do. */
static void copy(uint32_t *to, const void *from, uint32_t bytes)
{
	if ((uintptr_t)from % sizeof(uint32_t) != 0U) {
		memcpy(to, from, bytes);
		return;
	}
	const uint32_t *words = from;

	for (uint32_t i = 0; i < bytes / sizeof(uint32_t); i++) {
		to[i] = words[i];
	}
	if (bytes % sizeof(uint32_t) != 0U) {
		uint32_t whole = bytes - bytes % (uint32_t)sizeof(uint32_t);

		memcpy((char *)to + whole, (const char *)from + whole, bytes - whole);
	}
}

bool rpmsg_send(uint32_t to, const void *data, uint32_t bytes)
{
	if (bytes > RPMSG_BYTES || !linux_is_there() || !vring_has(ring(TO_LINUX))) {
		return false;
	}
	struct vring_buffer buffer = vring_head(ring(TO_LINUX));
	struct message *message = message_at(buffer.address);

	if (message != NULL) {
		message->from = own.address;
		message->to = to;
		message->reserved = 0U;
		message->bytes = (uint16_t)bytes;
		message->flags = 0U;
		copy(message->data, data, bytes);
	}
	give_back(TO_LINUX, buffer.id, (uint32_t)offsetof(struct message, data) + bytes);
	return message != NULL;
}

static void put_serves(uint32_t serves)
{
	__asm__ volatile("fence w, w" : : : "memory");
	__atomic_store_n(&shared->serves, serves, __ATOMIC_RELAXED);
	__asm__ volatile("fence w, w" : : : "memory");
}

/* Gives back the message that this hart was at when it was reset, if it has answered that. */
static void give_back_answered(void)
{
	if (shared->serves != 0U && vring_has(ring(FROM_LINUX)) &&
	    shared->served_of[FROM_LINUX] == vring_index(ring(FROM_LINUX)) &&
	    shared->served_of[TO_LINUX] != vring_index(ring(TO_LINUX))) {
		give_back(FROM_LINUX, vring_head(ring(FROM_LINUX)).id, 0U);
	}
	put_serves(0U);
}

static void serve_one(void)
{
	struct vring_buffer buffer = vring_head(ring(FROM_LINUX));
	const struct message *message = message_at(buffer.address);

	if (message != NULL) {
		uint32_t bytes = __atomic_load_n(&message->bytes, __ATOMIC_RELAXED);

		if (message->to == own.address && bytes <= RPMSG_BYTES) {
			shared->served_of[TO_LINUX] = vring_index(ring(TO_LINUX));
			shared->served_of[FROM_LINUX] = vring_index(ring(FROM_LINUX));
			put_serves(1U);
			service(message->from, message->data, bytes);
		}
	}
	give_back(FROM_LINUX, buffer.id, 0U);
	put_serves(0U);
}

static void look(void)
{
	if (!linux_is_there()) {
		return;
	}
	uint32_t session = __atomic_load_n(&shared->session, __ATOMIC_RELAXED);

	if (shared->announced != session) {
		shared->announced = session;
		put_serves(0U);
		vring_notify(ring(TO_LINUX), false);
		(void)rpmsg_send(ANNOUNCEMENTS, &own, sizeof(own));
	}
	while (vring_has(ring(FROM_LINUX))) {
		if (!vring_has(ring(TO_LINUX))) {
			/* Linux rings when it has read messages. */
			vring_notify(ring(TO_LINUX), true);
			if (!vring_has(ring(TO_LINUX))) {
				return;
			}
			vring_notify(ring(TO_LINUX), false);
		}
		serve_one();
	}
}

static void rung(void *arg)
{
	(void)arg;
	/* This comes first, so that a message which comes meanwhile rings again. */
	*mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET) = ALL_BELLS;
	hart_fence();
	look();
}

static void make_table(void)
{
	struct trapeze_rpmsg_table *table = &shared->table;

	memset(shared, 0, sizeof(*shared));
	table->version = TABLE_VERSION;
	table->count = 1U;
	table->offset = offsetof(struct trapeze_rpmsg_table, type);
	table->type = VIRTIO_DEVICE;
	table->id = VIRTIO_RPMSG;
	table->offered = ANNOUNCES;
	table->vrings = 2U;
	for (unsigned int i = 0; i < table->vrings; i++) {
		table->vring[i].address = (uint32_t)(uintptr_t)ring(i);
		table->vring[i].align = TRAPEZE_RPMSG_ALIGN;
		table->vring[i].number = TRAPEZE_RPMSG_NUMBER;
	}
	__asm__ volatile("fence w, w" : : : "memory");
	__atomic_store_n(&shared->magic, TRAPEZE_RPMSG_MAGIC, __ATOMIC_RELAXED);
}

void rpmsg_start(const char *name, uint32_t address, rpmsg_service_t serves)
{
	TRAPEZE_ASSERT(strlen(name) <= RPMSG_NAME);
	strcpy(own.name, name);
	own.address = address;
	own.what = ANNOUNCEMENT_OF_BEGIN;
	service = serves;
	bool resumes = shared->magic == TRAPEZE_RPMSG_MAGIC;

	if (!resumes) {
		make_table();
	}
	(void)irq_connect(MAILBOX_IRQ, rung, NULL);
	*mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET) = ALL_BELLS;
	irq_enable(MAILBOX_IRQ);

	/* What Linux has sent while this hart was reset. */
	unsigned int key = irq_lock();

	if (resumes) {
		if (linux_is_there() && shared->announced == shared->session) {
			give_back_answered();
		}
		/* The bell of what was given back last may not have rung. */
		*mailbox(TRAPEZE_MAILBOX_SIDE_RING_OFFSET) = ALL_BELLS;
	}
	look();
	irq_unlock(key);
}
