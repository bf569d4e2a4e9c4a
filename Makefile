# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# Short names for what ./trapeze and the laboratory do. Everything sets itself up on first use.

.PHONY: bench bench-silicon bench-sim test check soak mutate prove unknowns lint book release wheel litex format clean

python = build/venv/bin/python
setup-test = TRAPEZE_GROUPS='run test' ./trapeze --version

bench: ## run the experiments and print each figure beside the published one; QUICK=1 for a first look
	@./trapeze bench --group simulation $(if $(QUICK),--quick)

bench-silicon: ## the experiments that synthesise: area, clock, other cores beside ours
	@./trapeze bench --group silicon $(if $(QUICK),--quick)

bench-sim: ## the simulator's speed and the core's computing speed
	@./trapeze bench sim-speed engine-speed compute

test: ## what CI runs: all that is quick, and of the rest what has its turn; SUITES='fw/tests' runs pytest on these only
	@$(setup-test)
	@$(python) -m verify.dev.suite $(SUITES)

check: ## every test, those that have their turn another time in `make test`, too
	@$(setup-test)
	@$(python) -m verify.dev.suite --all

soak: ## random programs in lockstep for MINUTES=n (10); SEEDS=a..b, CONFIG=c, BLOCKS=n choose them
	@$(setup-test)
	@$(python) -m verify.random.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEEDS),--seeds $(SEEDS)) \
	  $(if $(CONFIG),--config $(CONFIG)) $(if $(BLOCKS),--blocks $(BLOCKS))

mutate: ## make the design wrong in many ways and see that the tests find each; NAMES='a b' or DRAWN=n, SEED=s: these only
	@$(setup-test)
	@$(if $(DRAWN),,$(python) -m verify.mutate $(NAMES))
	@$(if $(NAMES),,$(python) -m verify.mutate --drawn $(or $(DRAWN),1000) $(if $(SEED),--seed $(SEED)))

unknowns: ## directed tests with a simulator that knows X, which no register may bring out; CONFIG=c, TESTS='a b'
	@$(setup-test)
	@$(python) -m verify.unknowns $(if $(CONFIG),--config $(CONFIG)) $(TESTS)

prove: ## the proofs that take too long for `make test`; SUITES='hw/core/formal' proves these only
	@$(setup-test)
	@$(python) -m pytest -q -n auto --dist worksteal -p no:cacheprovider -m prove $(or $(SUITES),hw)

lint: ## static checks
	@$(setup-test)
	@$(python) -m verify.dev.lint

book: ## the documentation as a site, build/book/site/index.html
	@$(setup-test)
	@$(python) -m verify.dev.book

release: ## an archive of the hardware, plain Verilog included, in build/release
	@$(setup-test)
	@$(python) -m verify.dev.release

wheel: ## a Python package of the platform and the laboratory, for pip, in build/wheel
	@$(setup-test)
	@$(python) -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w build/wheel .
	@ls build/wheel/trapeze-*.whl

litex: ## a Python package that makes Trapeze a CPU of LiteX, in build/wheel
	@$(setup-test)
	@$(python) -m verify.dev.litex

format: ## rewrite sources into their format
	@$(setup-test)
	@$(python) -m verify.dev.lint --format

clean: ## remove everything that was built, the virtual environment included
	rm -rf build
