// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounts: what a user's jobs and buffers take, however many files the user opens. A job is charged until its end is
 * fetched, because it takes memory until then. A kernel without users (CONFIG_MULTIUSER) has accounts of processes.
 */
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "driver.h"

/* Buffers of one account take a quarter of memory at most, and all buffers half of it. A buffer is memory of the kernel,
 * for which the kernel would kill another process if there were no such bound.
 */
enum {
	PART_OF_ACCOUNT = 4,
	PART_OF_ALL = 2,
};

static bool is_of_caller(const struct account *account)
{
	return account->process != NULL ? account->process == task_tgid(current)
					: uid_eq(account->user, current_uid());
}

struct account *account_get(struct trapeze *trapeze)
{
	struct account *account;

	mutex_lock(&trapeze->lock);
	list_for_each_entry(account, &trapeze->accounts, of_device) {
		if (is_of_caller(account)) {
			kref_get(&account->references);
			goto found;
		}
	}
	account = kzalloc(sizeof(*account), GFP_KERNEL_ACCOUNT);
	if (account == NULL)
		goto found;
	kref_init(&account->references);
	account->trapeze = trapeze;
	account->user = current_uid();
	if (!IS_ENABLED(CONFIG_MULTIUSER))
		account->process = get_pid(task_tgid(current));
	account->room = trapeze->quota;
	list_add(&account->of_device, &trapeze->accounts);
found:
	mutex_unlock(&trapeze->lock);
	return account;
}

/** Called with the lock of the device, which it releases. */
static void account_free(struct kref *references)
{
	struct account *const account = container_of(references, struct account, references);

	list_del(&account->of_device);
	mutex_unlock(&account->trapeze->lock);
	put_pid(account->process);
	kfree(account);
}

void account_put(struct account *account)
{
	kref_put_mutex(&account->references, account_free, &account->trapeze->lock);
}

static bool charge(atomic_long_t *bytes, size_t more, unsigned int part)
{
	if (atomic_long_add_return(more, bytes) <= (totalram_pages() << PAGE_SHIFT) / part)
		return true;
	atomic_long_sub(more, bytes);
	return false;
}

bool account_charge(struct account *account, size_t bytes)
{
	/* No sum overflows: what is larger than memory is refused first. */
	if (bytes >> PAGE_SHIFT > totalram_pages() || !charge(&account->bytes, bytes, PART_OF_ACCOUNT))
		return false;
	if (charge(&account->trapeze->bytes, bytes, PART_OF_ALL))
		return true;
	atomic_long_sub(bytes, &account->bytes);
	return false;
}

void account_discharge(struct account *account, size_t bytes)
{
	atomic_long_sub(bytes, &account->trapeze->bytes);
	atomic_long_sub(bytes, &account->bytes);
}
