/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The protocol of user interrupts from hart to hart (docs/user-interrupts.md): three threads with two vectors each, two
 * harts on which kernels let threads in, out, and block, move them, and wake them; and senders that post to any of them.
 * Each step is one atomic access of memory or one access of a hart's registers.
 *
 * Checked, in every interleaving: no vector is delivered more often than it was posted; none comes to a thread that it is not for;
 * nobody is notified for a thread whose SN is set; and when all is quiet nothing that was posted is lost: a thread that runs has handled
 * it, one that is out finds it in PUIR or its saved UIRR, one that is blocked has been told.
 *
 * -DDEFECT_<NAME> builds in a mistake, each of which must be found.
 */

#define THREADS 3
#define HARTS   2
#define NOBODY  3
#ifndef POSTS
#define POSTS 2 /* of each sender */
#endif
#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef TURNS
#define TURNS 2 /* what each kernel does */
#endif

/* UPID */
bit on[THREADS];
bit sn[THREADS];
bit wakes[THREADS]; /* NV is the thread's own source of machine mode, else that of all threads that run */
byte ndst[THREADS];
byte puir[THREADS]; /* a bit for each vector */

/* Harts */
byte running[HARTS];       /* mupid; NOBODY: no receiver */
byte uirr[HARTS];
byte notifications[HARTS]; /* on their way, of threads that run */
bit busy[HARTS];           /* a notification is between its steps: registers wait */
bit user[HARTS];           /* in user mode */

/* Kernels */
mtype = {out, in, blocked};
mtype state[THREADS];
byte saved[THREADS];
bit told[THREADS]; /* the thread's own source is pending */
byte finished;

/* What is known from outside: posts behind which the handler has not run yet, and how often. */
byte wanted[THREADS];
byte posted[THREADS * 2];
byte delivered[THREADS * 2];

proctype Sender()
{
	byte left = POSTS;
	byte t, v, hart;
	bit notify, wake;

	do
	:: atomic { left > 0 ->
			left--;
			if
			:: t = 0
			:: t = 1
			:: t = 2
			fi;
			if
			:: v = 0
			:: v = 1
			fi;
			puir[t] = puir[t] | (1 << v);
			wanted[t] = wanted[t] | (1 << v);
			posted[t * 2 + v]++ };
#ifdef DEFECT_DESTINATION_EARLY
		hart = ndst[t];
#endif
		d_step {
			if
#ifdef DEFECT_SN_IGNORED
			:: !on[t] ->
#else
			:: !on[t] && !sn[t] ->
#endif
				assert(!sn[t]);
				on[t] = 1;
				wake = wakes[t];
				notify = 1
			:: else
			fi
		}
		atomic {
			if
			:: notify ->
#ifndef DEFECT_DESTINATION_EARLY
				hart = ndst[t];
#endif
				if
				:: wake -> told[t] = 1
				:: else -> notifications[hart]++
				fi
			:: else
			fi;
			notify = 0; wake = 0; hart = 0; t = 0; v = 0 }
	:: atomic { left == 0 -> finished++; break }
	od
}

/* A hart's hardware: notifications, and vectors that are delivered. */
proctype Receiver(byte h)
{
	byte t, found;

end:	do
	:: d_step { notifications[h] > 0 && !busy[h] && running[h] == NOBODY ->
			/* The source of threads that run is pending: the kernel is told without cause. */
			notifications[h]-- }
	:: d_step { notifications[h] > 0 && !busy[h] && running[h] != NOBODY ->
			notifications[h]--;
			busy[h] = 1;
			t = running[h];
#ifndef DEFECT_ON_CLEARED_LATE
			on[t] = 0
#endif
		};
#ifdef DEFECT_TWO_STEPS
		found = puir[t];
#else
		d_step { found = puir[t]; puir[t] = 0 };
#endif
		d_step {
#ifdef DEFECT_TWO_STEPS
			puir[t] = 0;
#endif
#ifdef DEFECT_ON_CLEARED_LATE
			on[t] = 0;
#endif
			uirr[h] = uirr[h] | found;
			busy[h] = 0;
			t = 0;
			found = 0 }
	:: d_step { uirr[h] != 0 && user[h] && !busy[h] ->
			t = running[h];
			if
			:: uirr[h] >= 2 -> found = 1
			:: else -> found = 0
			fi;
			uirr[h] = uirr[h] & ~(1 << found);
			delivered[t * 2 + found]++;
			assert(delivered[t * 2 + found] <= posted[t * 2 + found]);
			wanted[t] = wanted[t] & ~(1 << found);
			t = 0; found = 0 }
	od
}

/* An access to registers of hart h. */
#define REGISTERS(h) !busy[h] ->

/* SN is set. */
inline let_in(t, h)
{
	d_step { ndst[t] = h; wakes[t] = 0 };
	atomic { REGISTERS(h) uirr[h] = saved[t]; saved[t] = 0 };
	atomic { REGISTERS(h) running[h] = t };
#ifdef DEFECT_LOOKS_BEFORE_SN
	take(t, h);
	sn[t] = 0;
#else
	sn[t] = 0;
#ifndef DEFECT_NO_LOOK
	take(t, h);
#endif
#endif
	atomic { state[t] = in; user[h] = 1 }
}

/* What was posted while SN was set. */
inline take(t, h)
{
	on[t] = 0;
	d_step { found = puir[t]; puir[t] = 0 };
	atomic { REGISTERS(h) uirr[h] = uirr[h] | found; found = 0 }
}

/* SN is set. */
inline let_out(t, h)
{
#ifdef DEFECT_SAVES_FIRST
	atomic { REGISTERS(h) saved[t] = uirr[h]; uirr[h] = 0 };
	atomic { REGISTERS(h) running[h] = NOBODY }
#else
	atomic { REGISTERS(h) running[h] = NOBODY };
	atomic { REGISTERS(h) saved[t] = uirr[h]; uirr[h] = 0 }
#endif
}

proctype Kernel(byte h)
{
	byte left = TURNS;
	byte t, found;

	do
	:: atomic { left == 0 -> finished++; break }
	:: atomic { left > 0 && running[h] == NOBODY ->
			left--;
			if
			:: state[0] == out -> t = 0
			:: state[1] == out -> t = 1
			:: state[2] == out -> t = 2
			:: state[0] == blocked && told[0] -> t = 0
			:: state[1] == blocked && told[1] -> t = 1
			:: state[2] == blocked && told[2] -> t = 2
			:: else -> t = NOBODY
			fi;
			if
			:: t != NOBODY -> state[t] = in; told[t] = 0; sn[t] = 1
			:: else
			fi };
		if
		:: t != NOBODY -> let_in(t, h)
		:: else
		fi
	:: atomic { left > 0 && running[h] != NOBODY -> left--; t = running[h]; user[h] = 0; sn[t] = 1 };
		let_out(t, h);
		if
		:: state[t] = out
		:: /* It blocks, unless something has been posted. */
#ifdef DEFECT_LOOKS_BEFORE_BLOCKING
			found = puir[t] | saved[t];
			d_step { ndst[t] = h; wakes[t] = 1 };
			d_step { sn[t] = 0; on[t] = 0 };
#else
			d_step { ndst[t] = h; wakes[t] = 1 };
			d_step { sn[t] = 0; on[t] = 0 };
			found = puir[t] | saved[t];
#endif
			if
			:: found != 0 -> atomic { found = 0; sn[t] = 1 }; let_in(t, h)
			:: else -> state[t] = blocked
			fi
		fi
	od
}

/* When nothing moves any more. */
proctype Judge()
{
	byte t;

	timeout ->
	assert(finished == SENDERS + HARTS);
	for (t : 0 .. THREADS - 1) {
		if
		:: state[t] == in -> assert(wanted[t] == 0)
		:: state[t] == out -> assert((wanted[t] & ~(puir[t] | saved[t])) == 0)
		:: state[t] == blocked -> assert(wanted[t] == 0 || told[t])
		fi
	}
}

init {
	byte i;

	atomic {
		for (i : 0 .. THREADS - 1) {
			sn[i] = 1;
			state[i] = out
		}
		/* Thread 0 runs on hart 0; hart 1 has nothing to run yet. */
		sn[0] = 0;
		state[0] = in;
		user[0] = 1;
		running[1] = NOBODY;
		for (i : 0 .. HARTS - 1) {
			run Receiver(i);
			run Kernel(i)
		}
		for (i : 1 .. SENDERS) {
			run Sender()
		}
		run Judge()
	}
}
