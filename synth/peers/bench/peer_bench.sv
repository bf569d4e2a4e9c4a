// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A peer with its memory, for measurements: zero wait states, an instruction and a data port on one memory. `PEER names
// the core; lab/src/trapeze/experiments/peers/harness.py sets all parameters. Simulation only.
//
// Arguments:
// - +image=FILE: the memory's content, for $readmemh.
// - +from=A +to=B: one run from reset for each cycle from A to B. The interrupt rises in that cycle, the handler ends
//   the run, and the line "latency CYCLE CYCLES" gives the result.
// - +limit=N: number of cycles after which a run is ended.
module peer_bench #(
  parameter logic [31:0] BootAddr,
  parameter logic [31:0] Memory,    // first address of the memory
  parameter int unsigned Bytes,     // size of the memory in bytes, a power of two
  parameter logic [31:0] Markers,   // address to which the next three offsets are added
  parameter logic [31:0] Marker,    // a word written here gives the line "marker VALUE CYCLE"; CYCLE is that
                                    // of the bus request, in which the store executes
  parameter logic [31:0] Exit,      // a word written here ends the run with the line "exit VALUE CYCLE"
  parameter logic [31:0] Handler,   // a word written here says that a handler has saved its context
  parameter int unsigned Irq        // number of the interrupt, 16 to 30
) (
  input logic clk_i
);

  localparam int unsigned Words = Bytes / 4;
  localparam int unsigned WordWidth = $clog2(Words);
  localparam int unsigned ResetCycles = 4;

  logic [31:0] mem [Words];
  string       image;
  int unsigned phase, last, limit;
  logic        sweep;

  initial begin
    if ($value$plusargs("image=%s", image) == 0) $fatal(1, "peer_bench: +image=FILE is missing");
    if ($value$plusargs("limit=%d", limit) == 0) limit = 10_000_000;
    sweep = ($value$plusargs("from=%d", phase) != 0) && ($value$plusargs("to=%d", last) != 0);
    $readmemh(image, mem);
  end

  int unsigned       cycle_q, age_q;   // cycles since reset; cycles since the reset began
  logic              rst_n, again;
  logic [14:0]       irq;
  obi_pkg::obi_req_t instr_req, data_req;
  obi_pkg::obi_rsp_t instr_rsp, data_rsp;

  assign rst_n = (age_q == 0) || (age_q > ResetCycles);   // 1, 0, 1
  assign irq   = (sweep && rst_n && age_q != 0 && cycle_q >= phase) ? 15'(1) << (Irq - 16) : '0;

  `PEER #(
    .BootAddr(BootAddr)
  ) u_core (
    .clk_i,
    .rst_ni     (rst_n),
    .instr_req_o(instr_req),
    .instr_rsp_i(instr_rsp),
    .data_req_o (data_req),
    .data_rsp_i (data_rsp),
    .irq_i      (irq)
  );

  logic [WordWidth-1:0] instr_word, data_word;
  logic                 store;
  assign instr_word = instr_req.addr[WordWidth+1:2];
  assign data_word  = data_req.addr[WordWidth+1:2];
  assign store      = rst_n && data_req.req && data_req.we;
  assign instr_rsp.gnt = 1'b1;
  assign instr_rsp.err = 1'b0;
  assign data_rsp.gnt  = 1'b1;
  assign data_rsp.err  = 1'b0;
  assign {instr_rsp.exokay, data_rsp.exokay} = '0;

  always_ff @(posedge clk_i) begin
    instr_rsp.rvalid <= rst_n && instr_req.req;
    instr_rsp.rdata  <= mem[instr_word];
    data_rsp.rvalid  <= rst_n && data_req.req;
    data_rsp.rdata   <= mem[data_word];
    if (store && data_req.addr - Memory < Bytes) begin
      for (int unsigned lane = 0; lane < 4; lane++) begin
        if (data_req.be[lane]) mem[data_word][8*lane+:8] <= data_req.wdata[8*lane+:8];
      end
    end
  end

  assign again = sweep && store && data_req.addr == Markers + Handler;

  always_ff @(posedge clk_i) begin
    age_q   <= (age_q <= ResetCycles) ? age_q + 1 : age_q;
    cycle_q <= (age_q > ResetCycles) ? cycle_q + 1 : 0;
    if (store && data_req.addr == Markers + Marker && !sweep) $display("marker %0d %0d", data_req.wdata, cycle_q);
    if (store && data_req.addr == Markers + Exit) begin
      $display("exit %0d %0d", data_req.wdata, cycle_q);
      $finish;
    end
    if (again) begin
      $display("latency %0d %0d", phase, cycle_q - phase);
      if (phase == last) $finish;
      phase   <= phase + 1;
      age_q   <= 0;
      cycle_q <= 0;
      $readmemh(image, mem);
    end
    if (cycle_q == limit) begin
      $display("limit 0 %0d", cycle_q);
      $finish;
    end
  end

endmodule
