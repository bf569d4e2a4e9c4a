/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: C++ without options - virtual functions, new and delete, constructors and destructors of static objects
exit: 7
expect: |
  1 constructed
  2 3 2
  deleted
  local made once
  destroyed
*/
#include <stdio.h>
#include <stdlib.h>

namespace
{

struct Shape {
	virtual ~Shape() = default;
	virtual int sides() const = 0;
};

struct Line : Shape {
	int sides() const override
	{
		return 2;
	}
};

struct Triangle final : Line {
	~Triangle() override
	{
		puts("deleted");
	}
	int sides() const override
	{
		return 3;
	}
};

struct Global {
	Global() : value(1)
	{
	}
	~Global()
	{
		puts("destroyed");
	}
	int value;
};

Global global;

struct Local {
	Local()
	{
		puts("local made once");
	}
};

void local()
{
	static Local made;
	(void)made;
}

Shape *volatile hidden; /* the compiler does not know its class */

} // namespace

int main()
{
	printf("%d constructed\n", global.value);

	Line line;
	int *numbers = new int[4]{};

	hidden = &line;
	int first = hidden->sides();
	hidden = new Triangle;
	printf("%d %d %d\n", first, hidden->sides(), line.sides() + numbers[3]);
	delete hidden;
	delete[] numbers;
	local();
	local();
	return 7;
}
