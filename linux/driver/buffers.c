// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers: memory that a program maps and jobs use.
 *
 * Buffers are pages of the DMA allocator and are cached. Because the device tree says "dma-noncoherent", dma_sync_*()
 * writes them back and invalidates them with the instructions of Zicbom.
 */
#include <linux/dma-mapping.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <trapeze/job_code.h>

#include "driver.h"
#include "versions.h"

static void buffer_free(struct kref *references)
{
	struct buffer *const buffer = container_of(references, struct buffer, references);

	dma_free_pages(buffer->device, buffer->bytes, buffer->pages, buffer->bus, DMA_BIDIRECTIONAL);
	account_discharge(buffer->account, buffer->bytes);
	atomic_dec(&buffer->account->trapeze->buffers);
	account_put(buffer->account);
	put_device(buffer->device);
	kfree(buffer);
}

void buffer_release(struct buffer *buffer)
{
	kref_put(&buffer->references, buffer_free);
}

static void area_opened(struct vm_area_struct *area)
{
	struct client *const client = area->vm_file->private_data;
	struct buffer *const buffer = area->vm_private_data;

	kref_get(&buffer->references);
	atomic_inc(&client->areas);
}

static void area_closed(struct vm_area_struct *area)
{
	struct client *const client = area->vm_file->private_data;

	atomic_dec(&client->areas);
	buffer_release(area->vm_private_data);
}

static const struct vm_operations_struct area_operations = {
	.open = area_opened,
	.close = area_closed,
};

int buffer_map(struct client *client, struct vm_area_struct *area)
{
	struct account *const account = client->account;
	struct device *const device = account->trapeze->ring.device;
	const size_t bytes = area->vm_end - area->vm_start;
	struct buffer *buffer;
	int error;

	if (!is_power_of_2(bytes) || area->vm_pgoff != 0 || !(area->vm_flags & VM_SHARED))
		return -EINVAL;
	if (!account_charge(account, bytes))
		return -ENOMEM;
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (buffer == NULL) {
		account_discharge(account, bytes);
		return -ENOMEM;
	}
	kref_init(&buffer->references);
	buffer->bytes = bytes;
	buffer->device = get_device(device);
	buffer->pages = dma_alloc_pages(device, bytes, &buffer->bus, DMA_BIDIRECTIONAL,
					GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (buffer->pages == NULL) {
		account_discharge(account, bytes);
		put_device(device);
		kfree(buffer);
		return -ENOMEM;
	}
	buffer->account = account;
	kref_get(&account->references);
	atomic_inc(&account->trapeze->buffers);
	/* The zeros of the allocator may still be in the cache, while memory holds what its previous user left. */
	dma_sync_single_for_device(device, buffer->bus, bytes, DMA_BIDIRECTIONAL);
	error = dma_mmap_pages(device, area, bytes, buffer->pages);
	if (error != 0) {
		buffer_release(buffer);
		return error;
	}
	vm_flags_set(area, VM_DONTEXPAND | VM_DONTDUMP);
	area->vm_private_data = buffer;
	atomic_inc(&client->areas);
	area->vm_ops = &area_operations;
	return 0;
}

int buffer_lend(struct file *file, u64 address, u64 bytes, u32 flags, struct lent *lent)
{
	const unsigned long needed = (flags & TRAPEZE_REGION_WRITE ? VM_WRITE : 0) |
				     (flags & TRAPEZE_REGION_READ ? VM_READ : 0);
	struct vm_area_struct *area;
	u64 end;
	int error = -EFAULT;

	if (check_add_overflow(address, bytes, &end))
		return -EFAULT;
	mmap_read_lock(current->mm);
	area = find_vma(current->mm, address);
	if (area != NULL && area->vm_ops == &area_operations && area->vm_file == file &&
	    address >= area->vm_start && end <= area->vm_end && (area->vm_flags & needed) == needed) {
		struct buffer *const buffer = area->vm_private_data;

		kref_get(&buffer->references);
		lent->buffer = buffer;
		lent->offset = address - area->vm_start + ((u64)area->vm_pgoff << PAGE_SHIFT);
		lent->region.address = page_to_phys(buffer->pages) + lent->offset;
		lent->region.bytes = bytes;
		lent->region.flags = flags;
		error = 0;
	}
	mmap_read_unlock(current->mm);
	return error;
}

bool lent_is_code(const struct lent *lent, unsigned int width)
{
	/* A region is a multiple of 64 bytes, so the words that are read lie inside. */
	const u8 *const code = page_address(lent->buffer->pages) + lent->offset;

	return *(const __le32 *)(code + TRAPEZE_JOB_CODE_MAGIC_AT) == cpu_to_le32(TRAPEZE_JOB_CODE_MAGIC) &&
	       *(const __le32 *)(code + TRAPEZE_JOB_CODE_WIDTH_AT) == cpu_to_le32(width);
}

static enum dma_data_direction direction_of(const struct lent *lent)
{
	switch (lent->region.flags & (TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE)) {
	case TRAPEZE_REGION_READ:
		return DMA_TO_DEVICE;
	case TRAPEZE_REGION_WRITE:
		return DMA_FROM_DEVICE;
	default:
		return DMA_BIDIRECTIONAL;
	}
}

void lent_to_job(const struct lent *lent)
{
	dma_sync_single_for_device(lent->buffer->device, lent->buffer->bus + lent->offset,
				   lent->region.bytes, direction_of(lent));
}

void lent_from_job(const struct lent *lent)
{
	dma_sync_single_for_cpu(lent->buffer->device, lent->buffer->bus + lent->offset,
				lent->region.bytes, direction_of(lent));
}
