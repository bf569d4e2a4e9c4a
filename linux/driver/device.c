// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/trapeze: programs map buffers and run jobs on the hart that the device tree names ("trapeze,jobs").
 * docs/remote-jobs.md describes the calls, trapeze_job.h the structures.
 */
#include <asm/delay.h>
#include <linux/eventfd.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_irq.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "driver.h"
#include "trapeze_job.h"

static_assert(TRAPEZE_JOB_REGIONS == TRAPEZE_RING_REGIONS, "every region of a call has one in the ring");

/* Of the ring and of the channels behind it. */
#define RING_BYTES (TRAPEZE_CHANNEL_OFFSET + TRAPEZE_CHANNELS * TRAPEZE_CHANNEL_BYTES)

static ushort mode = 0660;
module_param(mode, ushort, 0444);
MODULE_PARM_DESC(mode, "access mode of /dev/trapeze (default 0660)");

/* Half of the ring, so that one user leaves room for others. */
static uint quota = TRAPEZE_RING_ENTRIES / 2;
module_param(quota, uint, 0444);
MODULE_PARM_DESC(quota, "jobs that one user may have in flight or not fetched, 1 to 64 (default 32)");

static int device_open(struct inode *inode, struct file *file)
{
	/* misc_open() has put the misc device into private_data. */
	struct trapeze *const trapeze = container_of(file->private_data, struct trapeze, misc);
	struct client *client;

	if (!ring_is_ready(&trapeze->ring))
		return -ENODEV;
	client = client_new(trapeze);
	if (client == NULL)
		return -ENOMEM;
	file->private_data = client;
	return 0;
}

/**
 * A descriptor is closed. Mapped buffers keep the file open; if nothing else does, nobody can fetch an end any more. Where
 * a descriptor is closed in two threads at once, device_release() does it later.
 */
static int device_flush(struct file *file, fl_owner_t id)
{
	struct client *const client = file->private_data;

	if (file_count(file) - atomic_read(&client->areas) <= 1)
		client_drop_jobs(client);
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	client_close(file->private_data);
	return 0;
}

static int device_mmap(struct file *file, struct vm_area_struct *area)
{
	return area->vm_pgoff == 0 ? buffer_map(file->private_data, area) : channel_map(file->private_data, area);
}

static __poll_t device_poll(struct file *file, poll_table *table)
{
	struct client *const client = file->private_data;

	poll_wait(file, &client->wakes, table);
	return client_has_ends(client) ? EPOLLIN | EPOLLRDNORM : 0;
}

static bool overlap(const struct trapeze_region *a, const struct trapeze_region *b)
{
	return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

/** Whether regions have the form that the contract requires. Their addresses are not compared with buffers here. */
static bool are_well_formed(const struct trapeze_region *regions, u32 count)
{
	if (count < 1 || count > TRAPEZE_JOB_REGIONS)
		return false;
	for (unsigned int i = 0; i < count; i++) {
		const struct trapeze_region *const one = &regions[i];
		const u32 data = one->flags & (TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE);

		if (one->bytes == 0 || one->bytes > U32_MAX || one->reserved != 0 ||
		    one->address % TRAPEZE_RING_LINE != 0 || one->bytes % TRAPEZE_RING_LINE != 0)
			return false;
		if (i == 0 ? one->flags != (data | TRAPEZE_REGION_EXECUTE) || !(data & TRAPEZE_REGION_READ)
			   : one->flags != data || data == 0)
			return false;
		for (unsigned int other = 0; other < i; other++) {
			if (overlap(one, &regions[other]))
				return false;
		}
	}
	return true;
}

/** Makes a job with its buffers, and writes the buffers back from this hart's cache. */
static struct job *prepare(struct file *file, const struct trapeze_region *regions, u32 count)
{
	const struct client *const client = file->private_data;
	struct job *job;

	if (!are_well_formed(regions, count))
		return ERR_PTR(-EINVAL);
	job = job_new(&client->trapeze->ring);
	if (job == NULL)
		return ERR_PTR(-ENOMEM);
	for (; job->count < count; job->count++) {
		const struct trapeze_region *const one = &regions[job->count];
		const int error =
			buffer_lend(file, one->address, one->bytes, one->flags, &job->lent[job->count]);

		if (error != 0) {
			job_free(job);
			return ERR_PTR(error);
		}
	}
	if (!lent_is_code(&job->lent[0], job->ring->width)) {
		dev_err_ratelimited(job->ring->device,
				    "region 0 is no job for a hart of %u bits; build it by trapeze cc --job for this platform\n",
				    job->ring->width);
		job_free(job);
		return ERR_PTR(-ENOEXEC);
	}
	for (unsigned int i = 0; i < count; i++)
		lent_to_job(&job->lent[i]);
	return job;
}

/** Makes the output of the job visible to the program, and frees the job. */
static void conclude(struct job *job)
{
	for (unsigned int i = 0; i < job->count; i++)
		lent_from_job(&job->lent[i]);
	job_free(job);
}

static long run(struct file *file, void __user *argument)
{
	struct trapeze_job asked;
	struct job *job;
	int error;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	if (asked.flags != 0)
		return -EINVAL;
	job = prepare(file, asked.regions, asked.count);
	if (IS_ERR(job))
		return PTR_ERR(job);
	error = client_run(file->private_data, job);
	if (error != 0)
		return error;
	asked.result = job->end.result;
	asked.status = job->end.status;
	asked.cause = job->end.cause;
	asked.address = job->end.address;
	asked.pc = job->end.pc;
	conclude(job);
	return copy_to_user(argument, &asked, sizeof(asked)) ? -EFAULT : 0;
}

static long submit(struct file *file, void __user *argument)
{
	const u32 known = TRAPEZE_SUBMIT_EVENTFD | TRAPEZE_SUBMIT_WAIT;
	struct trapeze_submission asked;
	struct job *job;
	int error;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	if (asked.flags & ~known || (!(asked.flags & TRAPEZE_SUBMIT_EVENTFD) && asked.eventfd != 0))
		return -EINVAL;
	job = prepare(file, asked.regions, asked.count);
	if (IS_ERR(job))
		return PTR_ERR(job);
	job->limit = (u64)asked.limit_ms * riscv_timebase / MSEC_PER_SEC;
	job->limit_ms = asked.limit_ms;
	if (asked.flags & TRAPEZE_SUBMIT_EVENTFD) {
		struct eventfd_ctx *const eventfd = eventfd_ctx_fdget(asked.eventfd);

		if (IS_ERR(eventfd)) {
			job_free(job);
			return PTR_ERR(eventfd);
		}
		job->eventfd = eventfd;
	}
	error = client_submit(file->private_data, job, asked.flags & TRAPEZE_SUBMIT_WAIT, &asked.job);
	if (error != 0)
		return error;
	if (copy_to_user(argument, &asked, sizeof(asked))) {
		client_forget(file->private_data, asked.job);
		return -EFAULT;
	}
	return 0;
}

/** Offset of a physical address in a region of a job; TRAPEZE_NO_OFFSET: not in it. */
static u64 offset_in(const struct job *job, u32 region, u64 address)
{
	const struct trapeze_ring_region *const one = &job->lent[region].region;

	if (region >= job->count || address < one->address || address - one->address >= one->bytes)
		return TRAPEZE_NO_OFFSET;
	return address - one->address;
}

static long fetch(struct file *file, void __user *argument)
{
	struct trapeze_end said;
	struct job *job;
	int error;

	if (copy_from_user(&said, argument, sizeof(said)))
		return -EFAULT;
	if (said.flags & ~TRAPEZE_FETCH_WAIT)
		return -EINVAL;
	error = client_fetch(file->private_data, said.job,
			     said.flags & TRAPEZE_FETCH_WAIT || !(file->f_flags & O_NONBLOCK), &job);
	if (error != 0)
		return error;
	said = (struct trapeze_end){
		.job = job->number,
		.result = job->end.result,
		.status = job->end.status,
		.cause = job->end.cause,
		.place = min(job->end.place, TRAPEZE_PLACE_NONE),
		.address = job->end.address,
		.offset = TRAPEZE_NO_OFFSET,
		.pc = job->end.pc,
		.pc_offset = offset_in(job, 0, job->end.pc),
	};
	if (job->end.status == TRAPEZE_JOB_FAULT && said.place < TRAPEZE_JOB_REGIONS)
		said.offset = offset_in(job, said.place, said.address);
	if (copy_to_user(argument, &said, sizeof(said))) {
		client_unfetch(file->private_data, job);
		return -EFAULT;
	}
	conclude(job);
	return 0;
}

static long call_prepare(struct file *file, void __user *argument)
{
	struct trapeze_preparation asked;
	struct job *job;
	int error;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	if (asked.flags != 0)
		return -EINVAL;
	job = prepare(file, asked.regions, asked.count);
	if (IS_ERR(job))
		return PTR_ERR(job);
	job->limit = (u64)asked.limit_ms * riscv_timebase / MSEC_PER_SEC;
	job->limit_ms = asked.limit_ms;
	error = job_prepare(file->private_data, job, &asked.handle);
	if (error != 0)
		return error;
	if (copy_to_user(argument, &asked, sizeof(asked))) {
		job_drop(file->private_data, asked.handle);
		return -EFAULT;
	}
	return 0;
}

static long call_drop(struct file *file, void __user *argument)
{
	u32 handle;

	if (copy_from_user(&handle, argument, sizeof(handle)))
		return -EFAULT;
	return job_drop(file->private_data, handle);
}

static long call_wait(struct file *file, void __user *argument)
{
	struct trapeze_call_wait asked;

	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	return channel_wait(file->private_data, asked.number, asked.timeout_ms);
}

static long cancel(struct file *file, void __user *argument)
{
	u64 number;

	if (copy_from_user(&number, argument, sizeof(number)))
		return -EFAULT;
	return client_cancel(file->private_data, number);
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	void __user *const at = (void __user *)argument;

	switch (command) {
	case TRAPEZE_JOB_RUN:
		return run(file, at);
	case TRAPEZE_JOB_SUBMIT:
		return submit(file, at);
	case TRAPEZE_JOB_FETCH:
		return fetch(file, at);
	case TRAPEZE_JOB_CANCEL:
		return cancel(file, at);
	case TRAPEZE_CALL_PREPARE:
		return call_prepare(file, at);
	case TRAPEZE_CALL_DROP:
		return call_drop(file, at);
	case TRAPEZE_CALL_WAIT:
		return call_wait(file, at);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.flush = device_flush,
	.release = device_release,
	.mmap = device_mmap,
	.poll = device_poll,
	.unlocked_ioctl = device_ioctl,
	.llseek = noop_llseek,
};

static ssize_t jobs_show(struct device *device, struct device_attribute *attribute, char *text)
{
	const struct trapeze *const trapeze = dev_get_drvdata(device);

	return sysfs_emit(text, "%d\n", atomic_read(&trapeze->ring.made));
}
static DEVICE_ATTR_RO(jobs);

static ssize_t buffers_show(struct device *device, struct device_attribute *attribute, char *text)
{
	const struct trapeze *const trapeze = dev_get_drvdata(device);

	return sysfs_emit(text, "%d\n", atomic_read(&trapeze->buffers));
}
static DEVICE_ATTR_RO(buffers);

static ssize_t generation_show(struct device *device, struct device_attribute *attribute, char *text)
{
	struct trapeze *const trapeze = dev_get_drvdata(device);

	ring_is_ready(&trapeze->ring);
	return sysfs_emit(text, "%u\n", READ_ONCE(trapeze->ring.generation));
}
static DEVICE_ATTR_RO(generation);

/* /sys/class/misc/trapeze/device/: jobs and buffers that are not freed yet, and how often the server has begun. */
static struct attribute *device_attrs[] = {&dev_attr_jobs.attr, &dev_attr_buffers.attr, &dev_attr_generation.attr, NULL};
ATTRIBUTE_GROUPS(device);

/** Reads from the device tree the hart that runs jobs, and the doorbells. */
static int find_other_side(struct platform_device *of, struct ring *ring)
{
	struct device *const device = &of->dev;
	struct doorbell *const doorbell = &ring->doorbell;
	const struct resource *bells;
	int irq;

	if (of_property_read_u32(device->of_node, "trapeze,hart", &doorbell->hart))
		return dev_err_probe(device, -EINVAL, "trapeze,hart: not there\n");
	if (of_property_read_u32(device->of_node, "trapeze,width", &ring->width))
		return dev_err_probe(device, -EINVAL, "trapeze,width: not there\n");
	irq = of_irq_get(device->of_node, 0);
	if (irq <= 0)
		return dev_err_probe(device, irq ?: -EINVAL, "interrupts-extended: no interrupt\n");
	doorbell->irq = irq;
	bells = platform_get_resource_byname(of, IORESOURCE_MEM, "bells");
	if (bells != NULL)
		ring->bells = bells->start;
	if (platform_get_resource_byname(of, IORESOURCE_MEM, "mailbox") != NULL) {
		doorbell->mailbox = devm_platform_ioremap_resource_byname(of, "mailbox");
		if (IS_ERR(doorbell->mailbox))
			return dev_err_probe(device, PTR_ERR(doorbell->mailbox), "reg: mailbox\n");
	}
	return 0;
}

/* An action of the device, not remove() of the driver, which returns an int until Linux 6.10 and nothing since. */
static void device_stop(void *data)
{
	struct trapeze *const trapeze = data;

	misc_deregister(&trapeze->misc);
	ring_stop(&trapeze->ring);
}

static int device_probe(struct platform_device *of)
{
	struct device *const device = &of->dev;
	struct trapeze *const trapeze = devm_kzalloc(device, sizeof(*trapeze), GFP_KERNEL);
	struct resource *const memory = platform_get_resource(of, IORESOURCE_MEM, 0);
	struct ring *ring;
	int error;

	if (trapeze == NULL)
		return -ENOMEM;
	if (quota < 1 || quota > TRAPEZE_RING_ENTRIES)
		return dev_err_probe(device, -EINVAL, "quota=%u: give 1 to %u jobs in flight\n", quota,
				     TRAPEZE_RING_ENTRIES);
	if (mode < 1 || mode > 0777)
		return dev_err_probe(device, -EINVAL, "mode=0%o: give 01 to 0777\n", mode);
	trapeze->quota = quota;
	mutex_init(&trapeze->lock);
	INIT_LIST_HEAD(&trapeze->accounts);
	ring = &trapeze->ring;
	ring->device = device;
	if (memory == NULL || resource_size(memory) < RING_BYTES)
		return dev_err_probe(device, -EINVAL, "reg: no memory for a ring of %u bytes\n", RING_BYTES);
	error = find_other_side(of, ring);
	if (error != 0)
		return error;
	ring->shared = devm_memremap(device, memory->start, resource_size(memory), MEMREMAP_WB);
	if (IS_ERR(ring->shared))
		return PTR_ERR(ring->shared);
	ring->memory = memory->start;
	channels_init(ring);
	error = ring_start(ring, client_job_ended);
	if (error != 0)
		return dev_err_probe(device, error, "interrupt %u\n", ring->doorbell.irq);
	if (ring_is_ready(ring))
		ring_drop_all(ring);
	platform_set_drvdata(of, trapeze);
	trapeze->misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR, .name = "trapeze", .fops = &operations, .parent = device, .mode = mode};
	error = misc_register(&trapeze->misc);
	if (error != 0) {
		ring_stop(ring);
		return dev_err_probe(device, error, "/dev/trapeze\n");
	}
	return devm_add_action_or_reset(device, device_stop, trapeze);
}

static void shut_down(struct platform_device *of)
{
	struct trapeze *const trapeze = platform_get_drvdata(of);

	ring_end_all_jobs(&trapeze->ring);
}

static const struct of_device_id matches[] = {{.compatible = "trapeze,jobs"}, {}};
MODULE_DEVICE_TABLE(of, matches);

static struct platform_driver trapeze_driver = {
	.probe = device_probe,
	.shutdown = shut_down,
	/* Open files use the device. They keep the module loaded, so without unbinding the device stays, too. */
	.driver = {.name = "trapeze",
		   .of_match_table = matches,
		   .dev_groups = device_groups,
		   .suppress_bind_attrs = true},
};
module_platform_driver(trapeze_driver);

MODULE_DESCRIPTION("Jobs on the hart beside Linux");
MODULE_LICENSE("GPL");
