// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/trapeze: programs map buffers and run jobs on the hart that the device tree names ("trapeze,jobs"). What each call
 * does is in docs/remote-jobs.md, the structures in trapeze_job.h.
 */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_irq.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "driver.h"
#include "trapeze_job.h"

static_assert(TRAPEZE_JOB_REGIONS == TRAPEZE_RING_REGIONS, "every region of a call has one in the ring");

static struct trapeze *of_file(struct file *file)
{
	/* misc_open() leaves its device there. */
	return container_of(file->private_data, struct trapeze, misc);
}

static int device_open(struct inode *inode, struct file *file)
{
	return ring_is_ready(&of_file(file)->ring) ? 0 : -ENODEV;
}

static int device_mmap(struct file *file, struct vm_area_struct *area)
{
	return buffer_map(of_file(file)->ring.device, area);
}

static bool overlap(const struct trapeze_region *a, const struct trapeze_region *b)
{
	return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

/** Whether a descriptor has the form that the contract asks for, whatever its addresses are. */
static bool is_well_formed(const struct trapeze_job *asked)
{
	if (asked->count < 1 || asked->count > TRAPEZE_JOB_REGIONS || asked->flags != 0)
		return false;
	for (unsigned int i = 0; i < asked->count; i++) {
		const struct trapeze_region *const one = &asked->regions[i];
		const u32 data = one->flags & (TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE);

		if (one->bytes == 0 || one->bytes > U32_MAX || one->reserved != 0 ||
		    one->address % TRAPEZE_RING_LINE != 0 || one->bytes % TRAPEZE_RING_LINE != 0)
			return false;
		if (i == 0 ? one->flags != (data | TRAPEZE_REGION_EXECUTE) || !(data & TRAPEZE_REGION_READ)
			   : one->flags != data || data == 0)
			return false;
		for (unsigned int other = 0; other < i; other++) {
			if (overlap(one, &asked->regions[other]))
				return false;
		}
	}
	return true;
}

/** The job that a descriptor asks for, with its buffers. */
static struct job *prepare(struct file *file, const struct trapeze_job *asked)
{
	struct job *const job = job_new(&of_file(file)->ring);

	if (job == NULL)
		return ERR_PTR(-ENOMEM);
	for (; job->count < asked->count; job->count++) {
		const struct trapeze_region *const one = &asked->regions[job->count];
		const int error =
			buffer_lend(file, one->address, one->bytes, one->flags, &job->lent[job->count]);

		if (error != 0) {
			job_free(job);
			return ERR_PTR(error);
		}
	}
	return job;
}

static int run(struct file *file, struct trapeze_job *asked)
{
	struct job *job;
	int error;

	if (!is_well_formed(asked))
		return -EINVAL;
	job = prepare(file, asked);
	if (IS_ERR(job))
		return PTR_ERR(job);
	for (unsigned int i = 0; i < job->count; i++)
		lent_to_job(&job->lent[i]);
	error = ring_run(job->ring, job);
	if (error != 0)
		return error;
	for (unsigned int i = 0; i < job->count; i++)
		lent_from_job(&job->lent[i]);
	asked->result = job->end.result;
	asked->status = job->end.status;
	asked->cause = job->end.cause;
	asked->address = job->end.address;
	asked->pc = job->end.pc;
	job_free(job);
	return 0;
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct trapeze_job asked;
	int error;

	if (command != TRAPEZE_JOB_RUN)
		return -ENOTTY;
	if (copy_from_user(&asked, (const void __user *)argument, sizeof(asked)))
		return -EFAULT;
	error = run(file, &asked);
	if (error == 0 && copy_to_user((void __user *)argument, &asked, sizeof(asked)))
		error = -EFAULT;
	return error;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.mmap = device_mmap,
	.unlocked_ioctl = device_ioctl,
	.llseek = noop_llseek,
};

static int device_probe(struct platform_device *of)
{
	struct device *const device = &of->dev;
	struct trapeze *const trapeze = devm_kzalloc(device, sizeof(*trapeze), GFP_KERNEL);
	struct resource *const memory = platform_get_resource(of, IORESOURCE_MEM, 0);
	struct ring *ring;
	int irq;
	int error;

	if (trapeze == NULL)
		return -ENOMEM;
	ring = &trapeze->ring;
	ring->device = device;
	if (memory == NULL || resource_size(memory) < sizeof(struct trapeze_ring))
		return dev_err_probe(device, -EINVAL, "reg: no memory for a ring of %zu bytes\n",
				     sizeof(struct trapeze_ring));
	if (of_property_read_u32(device->of_node, "trapeze,hart", &ring->hart))
		return dev_err_probe(device, -EINVAL, "trapeze,hart: not there\n");
	irq = of_irq_get(device->of_node, 0);
	if (irq <= 0)
		return dev_err_probe(device, irq ?: -EINVAL, "interrupts-extended: no interrupt\n");
	ring->irq = irq;
	ring->shared = devm_memremap(device, memory->start, resource_size(memory), MEMREMAP_WB);
	if (IS_ERR(ring->shared))
		return PTR_ERR(ring->shared);
	error = ring_start(ring);
	if (error != 0)
		return dev_err_probe(device, error, "interrupt %d\n", irq);
	trapeze->misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR, .name = "trapeze", .fops = &operations, .parent = device, .mode = 0660};
	error = misc_register(&trapeze->misc);
	if (error != 0) {
		ring_stop(ring);
		return dev_err_probe(device, error, "/dev/trapeze\n");
	}
	platform_set_drvdata(of, trapeze);
	return 0;
}

static int device_remove(struct platform_device *of)
{
	struct trapeze *const trapeze = platform_get_drvdata(of);

	misc_deregister(&trapeze->misc);
	ring_stop(&trapeze->ring);
	return 0;
}

static const struct of_device_id matches[] = {{.compatible = "trapeze,jobs"}, {}};
MODULE_DEVICE_TABLE(of, matches);

static struct platform_driver trapeze_driver = {
	.probe = device_probe,
	.remove = device_remove,
	/* Open files use the device: it stays as long as the module does, which they keep. */
	.driver = {.name = "trapeze", .of_match_table = matches, .suppress_bind_attrs = true},
};
module_platform_driver(trapeze_driver);

MODULE_DESCRIPTION("Jobs on the hart beside Linux");
MODULE_LICENSE("GPL");
