// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * The hart beside Linux as a processor of remoteproc ("trapeze,rpmsg"). It runs already when Linux boots, so it is attached
 * and never started or stopped. Its resource table has a virtio device of rpmsg; rings and buffers are in coherent memory
 * of the platform, and a bell of the mailbox belongs to each ring.
 */
#include <linux/atomic.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/remoteproc.h>
#include <trapeze/mailbox_side.h>
#include <trapeze/rpmsg_memory.h>

#include "remoteproc_internal.h"

static_assert(sizeof(struct trapeze_rpmsg_table) == sizeof(struct resource_table) + sizeof(u32) + sizeof(struct fw_rsc_hdr) +
							    sizeof(struct fw_rsc_vdev) +
							    2 * sizeof(struct fw_rsc_vdev_vring),
	      "the table is the kernel's");
static_assert(offsetof(struct trapeze_rpmsg_table, vring) == offsetof(struct trapeze_rpmsg_table, id) +
								     sizeof(struct fw_rsc_vdev),
	      "the rings are where the kernel looks");

enum {
	RINGS = 2,
	ALL_BELLS = TRAPEZE_RPMSG_BELL(0) | TRAPEZE_RPMSG_BELL(1),
};

struct remote {
	void __iomem *mailbox;
	void *memory; /* region `ring` */
	phys_addr_t address;
	struct trapeze_rpmsg *shared;
	atomic_t rung; /* bells that have rung, and whose rings nobody has looked at */
};

static irqreturn_t rung(int irq, void *of_rproc)
{
	const struct rproc *const rproc = of_rproc;
	struct remote *const remote = rproc->priv;
	const u32 bells = readl(remote->mailbox + TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET) & ALL_BELLS;

	if (bells == 0)
		return IRQ_NONE;
	/* The bell is cleared before the ring is looked at, so that a message which comes meanwhile rings again. */
	writel(bells, remote->mailbox + TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET);
	atomic_or(bells, &remote->rung);
	return IRQ_WAKE_THREAD;
}

/* In a thread, since rpmsg takes mutexes when it hands a message on. */
static irqreturn_t look(int irq, void *of_rproc)
{
	struct rproc *const rproc = of_rproc;
	struct remote *const remote = rproc->priv;
	const u32 bells = atomic_xchg(&remote->rung, 0);

	for (int ring = 0; ring < RINGS; ring++) {
		if (bells & TRAPEZE_RPMSG_BELL(ring))
			rproc_vq_interrupt(rproc, ring);
	}
	return IRQ_HANDLED;
}

/** Names of remoteproc and of rpmsg's driver for memory that is there already. */
static int prepare(struct rproc *rproc)
{
	struct remote *const remote = rproc->priv;
	struct rproc_mem_entry *entry;

	for (int ring = 0; ring < RINGS; ring++) {
		const u32 offset = TRAPEZE_RPMSG_VRING + ring * TRAPEZE_RPMSG_VRING_SIZE;

		entry = rproc_mem_entry_init(&rproc->dev, remote->memory + offset, remote->address + offset,
					     TRAPEZE_RPMSG_VRING_SIZE, remote->address + offset, NULL, NULL,
					     "vdev0vring%d", ring);
		if (entry == NULL)
			return -ENOMEM;
		rproc_add_carveout(rproc, entry);
	}
	/* Without an address of the kernel's: it maps the buffers itself. */
	entry = rproc_mem_entry_init(&rproc->dev, NULL, remote->address + TRAPEZE_RPMSG_BUFFERS,
				     TRAPEZE_RPMSG_BYTES - TRAPEZE_RPMSG_BUFFERS, remote->address + TRAPEZE_RPMSG_BUFFERS,
				     NULL, NULL, "vdev0buffer");
	if (entry == NULL)
		return -ENOMEM;
	rproc_add_carveout(rproc, entry);
	return 0;
}

static struct resource_table *get_table(struct rproc *rproc, size_t *bytes)
{
	struct remote *const remote = rproc->priv;

	*bytes = sizeof(remote->shared->table);
	return (struct resource_table *)&remote->shared->table;
}

static int attach(struct rproc *rproc)
{
	struct remote *const remote = rproc->priv;

	WRITE_ONCE(remote->shared->session, remote->shared->session + 1);
	return 0;
}

/* The other hart goes on; it sees in the table that no driver of virtio is there. */
static int detach(struct rproc *rproc)
{
	return 0;
}

static void kick(struct rproc *rproc, int ring)
{
	const struct remote *const remote = rproc->priv;

	mb(); /* the ring is written before the bell, which is a device, rings */
	writel(TRAPEZE_RPMSG_BELL(ring), remote->mailbox + TRAPEZE_MAILBOX_SIDE_RING_OFFSET);
}

static const struct rproc_ops operations = {
	.prepare = prepare,
	.attach = attach,
	.detach = detach,
	.stop = detach, /* where attaching fails */
	.kick = kick,
	.get_loaded_rsc_table = get_table,
};

/* An action of the device, as it comes before that of devm_rproc_add(). */
static void leave(void *of_rproc)
{
	struct rproc *const rproc = of_rproc;
	const struct remote *const remote = rproc->priv;

	rproc_detach(rproc);
	writel(0, remote->mailbox + TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET);
}

static int remote_probe(struct platform_device *of)
{
	struct device *const device = &of->dev;
	struct rproc *const rproc = devm_rproc_alloc(device, "hart", &operations, NULL, sizeof(struct remote));
	const struct resource *const memory = platform_get_resource_byname(of, IORESOURCE_MEM, "ring");
	struct remote *remote;
	int error, irq;

	if (rproc == NULL)
		return -ENOMEM;
	remote = rproc->priv;
	if (memory == NULL || resource_size(memory) < TRAPEZE_RPMSG_BYTES)
		return dev_err_probe(device, -EINVAL, "reg: no ring of %u bytes\n", TRAPEZE_RPMSG_BYTES);
	remote->mailbox = devm_platform_ioremap_resource_byname(of, "mailbox");
	if (IS_ERR(remote->mailbox))
		return dev_err_probe(device, PTR_ERR(remote->mailbox), "reg: mailbox\n");
	irq = platform_get_irq(of, 0);
	if (irq < 0)
		return dev_err_probe(device, irq, "interrupts-extended: no interrupt\n");
	remote->address = memory->start;
	remote->memory = devm_memremap(device, memory->start, resource_size(memory), MEMREMAP_WB);
	if (IS_ERR(remote->memory))
		return PTR_ERR(remote->memory);
	remote->shared = remote->memory + TRAPEZE_RPMSG_OFFSET;
	if (READ_ONCE(remote->shared->magic) != TRAPEZE_RPMSG_MAGIC)
		return dev_err_probe(device, -ENODEV, "the other hart has not called rpmsg_start() yet\n");
	rmb(); /* the table was written before the magic */

	rproc->state = RPROC_DETACHED;
	rproc->auto_boot = false;
	rproc->sysfs_read_only = true;
	error = devm_request_threaded_irq(device, irq, rung, look, 0, "trapeze-rpmsg", rproc);
	if (error != 0)
		return dev_err_probe(device, error, "interrupt %d\n", irq);
	error = devm_rproc_add(device, rproc);
	if (error != 0)
		return dev_err_probe(device, error, "remoteproc\n");
	writel(ALL_BELLS, remote->mailbox + TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET);
	error = rproc_boot(rproc); /* attaches */
	if (error != 0)
		writel(0, remote->mailbox + TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET);
	return error ?: devm_add_action_or_reset(device, leave, rproc);
}

static const struct of_device_id matches[] = {{.compatible = "trapeze,rpmsg"}, {}};
MODULE_DEVICE_TABLE(of, matches);

static struct platform_driver remote_driver = {
	.probe = remote_probe,
	.driver = {.name = "trapeze-rpmsg", .of_match_table = matches},
};
module_platform_driver(remote_driver);

MODULE_DESCRIPTION("Messages to the hart beside Linux, by remoteproc and rpmsg");
MODULE_LICENSE("GPL");
