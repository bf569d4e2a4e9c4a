/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* An interpreter of a stack machine: each of its instructions is a jump by a table. It runs the search for prime numbers. */
#include "../platform.h"
#include "../whole.h"

#define LIMIT 700

enum operation {
	PUSH,
	LOAD,
	STORE,
	READ,
	WRITE,
	ADD,
	MULTIPLY,
	LESS,
	JUMP,
	JUMP_IF_NOT,
	COUNT,
	STOP,
};

struct instruction {
	enum operation operation;
	int32_t operand;
};

/* Variables: 0 the candidate, 1 its multiple, 2 how many are prime. */
static const struct instruction program[] = {
    {PUSH, 2},         {STORE, 0}, /* candidate = 2 */
    {LOAD, 0},         {PUSH, LIMIT},     {LESS, 0},
    {JUMP_IF_NOT, 30}, /* 2: while candidate < LIMIT */
    {LOAD, 0},         {READ, 0},         {PUSH, 1},
    {LESS, 0},         {JUMP_IF_NOT, 25}, /* 6: if it is not crossed out */
    {COUNT, 2},        {LOAD, 0},         {LOAD, 0},
    {MULTIPLY, 0},     {STORE, 1}, /* 11: multiple = candidate * candidate */
    {LOAD, 1},         {PUSH, LIMIT},     {LESS, 0},
    {JUMP_IF_NOT, 25}, /* 16: while multiple < LIMIT */
    {LOAD, 1},         {WRITE, 1},        {LOAD, 1},
    {LOAD, 0},         {JUMP, 27},                    /* 20: cross it out */
    {COUNT, 0},        {JUMP, 2},                     /* 25: the next candidate */
    {ADD, 0},          {STORE, 1},        {JUMP, 16}, /* 27: the next multiple */
    {STOP, 0},                                        /* 30 */
};

static uint8_t memory[LIMIT];
static int64_t variables[3];

void prepare(void)
{
}

static int64_t interpret(void)
{
	int64_t stack[16];
	int64_t *top = stack;

	for (const struct instruction *at = program;; at++) {
		switch (at->operation) {
		case PUSH:
			*top++ = at->operand;
			break;
		case LOAD:
			*top++ = variables[at->operand];
			break;
		case STORE:
			variables[at->operand] = *--top;
			break;
		case READ:
			top[-1] = memory[top[-1]];
			break;
		case WRITE:
			memory[*--top] = (uint8_t)at->operand;
			break;
		case ADD:
			top--;
			top[-1] += top[0];
			break;
		case MULTIPLY:
			top--;
			top[-1] *= top[0];
			break;
		case LESS:
			top--;
			top[-1] = top[-1] < top[0];
			break;
		case JUMP:
			at = program + at->operand - 1;
			break;
		case JUMP_IF_NOT:
			at = *--top == 0 ? program + at->operand - 1 : at;
			break;
		case COUNT:
			variables[at->operand]++;
			break;
		case STOP:
			return variables[2];
		}
	}
}

uint64_t work(void)
{
	return (uint64_t)interpret();
}
