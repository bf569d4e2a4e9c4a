// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * Prepared jobs, which a program calls by a channel. The driver judges a job once, when it is prepared. It keeps the job's
 * buffers until the server has dropped it, and a channel until all its jobs are dropped.
 */
#include "driver.h"

int job_prepare(struct client *client, struct job *job, u32 *handle)
{
	struct channel *const channel = channel_of(client);
	int error;

	if (channel == NULL || READ_ONCE(channel->page->lost)) {
		job_free(job);
		return channel == NULL ? -EBUSY : -EIO;
	}
	channel_share(channel);
	job->channel = channel;
	job->what = TRAPEZE_RING_PREPARE;
	job->of = channel->number;
	error = client_run(client, job);
	if (error != 0)
		return error;
	if (job->end.status != TRAPEZE_JOB_DONE) {
		error = job->end.status == TRAPEZE_JOB_NO_ROOM ? -ENOSPC : -EINVAL;
		job_free(job);
		return error;
	}
	*handle = job->end.result;
	ring_prepared(job->ring, job);
	mutex_lock(&client->lock);
	list_add(&job->of_client, &client->prepared);
	mutex_unlock(&client->lock);
	return 0;
}

int job_drop(struct client *client, u32 handle)
{
	struct job *found = NULL;
	struct job *job;

	mutex_lock(&client->lock);
	list_for_each_entry(job, &client->prepared, of_client) {
		if (job->end.result == handle) {
			list_del_init(&job->of_client);
			found = job;
			break;
		}
	}
	mutex_unlock(&client->lock);
	return found != NULL ? ring_drop(found->ring, found) : -ENOENT;
}
