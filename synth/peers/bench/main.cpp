// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Main program of the simulation: clocks peer_bench until its run ends.

#include <memory>

#include "Vpeer_bench.h"
#include "verilated.h"

int main(int argc, char** argv) {
  const auto context = std::make_unique<VerilatedContext>();
  context->commandArgs(argc, argv);
  const auto top = std::make_unique<Vpeer_bench>(context.get());
  top->clk_i = 0;
  while (!context->gotFinish()) {
    top->eval();
    top->clk_i = !top->clk_i;
  }
  top->final();
  return 0;
}
