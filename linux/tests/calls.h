/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/** @file @brief What calls.c asks its job for: the first word of the input. */
#ifndef CALLS_H_
#define CALLS_H_

enum ask {
	ASK_SUM = 1,	/* of in[1] numbers from in[2] on */
	ASK_VARIABLES,	/* 42, where nobody has run this code before */
	ASK_STORE,	/* to address in[1] */
	ASK_LOAD,	/* from address in[1] */
	ASK_STORE_INPUT, /* to its own input */
	ASK_JUMP,	/* to address in[1] */
	ASK_MACHINE,	/* a register of machine mode */
	ASK_STACK,	/* more stack than there is */
	ASK_SPIN,	/* in[1] into out[0], then nothing for ever */
	ASK_TRIPLE,	/* of in[1] numbers from in[2] on, each into out; their sum */
	ASK_LATER,	/* in[2], after in[1] turns of a loop */
};

#endif /* CALLS_H_ */
