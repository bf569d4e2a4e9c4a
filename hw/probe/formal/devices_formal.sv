// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof for the random data generator and the triple timer, for all time: their AXI4-Lite ports keep the protocol, and
// the generator raises irq_o exactly when its header says.
module devices_formal #(
  parameter int unsigned Words   = 2,
  parameter int unsigned Cycles  = 5,
  parameter int unsigned MaxWait = 3  // cycles until a request is accepted
) (
  input logic                clk_i,
  input logic                irq_i,
  input axil_pkg::axil_req_t generator_req_i,
  input axil_pkg::axil_req_t timer_req_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  axil_pkg::axil_rsp_t generator_rsp, timer_rsp;
  logic                ready, read_done;
  logic [2:0]          timer_irq;

  tz_random_generator #(
    .Words (Words),
    .Cycles(Cycles)
  ) u_generator (
    .clk_i,
    .rst_ni     (rst_n),
    .irq_i,
    .irq_o      (ready),
    .read_done_o(read_done),
    .active_o   (),
    .req_i      (generator_req_i),
    .rsp_o      (generator_rsp)
  );

  tz_triple_timer u_timer (
    .clk_i,
    .rst_ni  (rst_n),
    .irq_o   (timer_irq),
    .active_o(),
    .req_i   (timer_req_i),
    .rsp_o   (timer_rsp)
  );

  tz_axil_check #(
    .AssumeManager (1),
    .MaxOutstanding(1),
    .MaxWait       (MaxWait)
  ) u_generator_check (
    .clk_i,
    .rst_ni(rst_n),
    .req_i (generator_req_i),
    .rsp_i (generator_rsp)
  );

  tz_axil_check #(
    .AssumeManager (1),
    .MaxOutstanding(1),
    .MaxWait       (MaxWait)
  ) u_timer_check (
    .clk_i,
    .rst_ni(rst_n),
    .req_i (timer_req_i),
    .rsp_i (timer_rsp)
  );

  LemmaOutstanding_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_generator_check.aws_q == generator_rsp.bvalid && u_generator_check.ws_q == generator_rsp.bvalid &&
    u_generator_check.ars_q == generator_rsp.rvalid && u_timer_check.aws_q == timer_rsp.bvalid &&
    u_timer_check.ws_q == timer_rsp.bvalid && u_timer_check.ars_q == timer_rsp.rvalid);
  LemmaAccept_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (!generator_rsp.awready || (generator_req_i.awvalid && generator_req_i.wvalid && !generator_rsp.bvalid)) &&
    (!timer_rsp.awready || (timer_req_i.awvalid && timer_req_i.wvalid && !timer_rsp.bvalid)) &&
    (!generator_rsp.arready || (generator_req_i.arvalid && !generator_rsp.rvalid)) &&
    (!timer_rsp.arready || (timer_req_i.arvalid && !timer_rsp.rvalid)));

  // ------------------------------------------------------------------ the generator
  logic       irq_q, enable_q, ready_q;
  logic       last_q;   // the last read was a read of the block's last word
  logic [7:0] since_q;  // clocks since the start of a block; 0: no block was started
  logic       write, control, start, ack, pop;
  logic [7:0] left_q;   // number of words that can still be read

  assign write   = generator_req_i.awvalid && generator_rsp.awready;
  assign control = write && generator_req_i.awaddr[11:2] == 10'd2;
  assign ack     = control && generator_req_i.wdata[2];
  assign start   = (irq_i && !irq_q && enable_q) || (control && generator_req_i.wdata[1]);
  assign pop     = generator_req_i.arvalid && generator_rsp.arready && generator_req_i.araddr[11:2] == '0;

  always_ff @(posedge clk_i) begin
    irq_q <= irq_i;
    if (!rst_n) begin
      {enable_q, ready_q, since_q, left_q} <= '0;
    end else begin
      if (control) enable_q <= generator_req_i.wdata[0];
      if (ack) begin
        ready_q <= 1'b0;
        since_q <= '0;
        left_q  <= '0;
      end else begin
        if (since_q == 8'(Cycles - 1)) begin
          ready_q <= 1'b1;
          since_q <= '0;
          left_q  <= 8'(Words);
        end else if (since_q != '0) begin
          since_q <= since_q + 1'b1;
        end
        if (start && since_q == '0 && !ready_q) since_q <= 8'd1;
        if (pop && ready_q) begin
          left_q <= left_q - 1'b1;
          if (left_q == 8'd1) ready_q <= 1'b0;
        end
      end
    end
  end

  // irq_o rises Cycles clocks after the start, when all words are ready, and falls with the read of the last one.
  Ready_A: assert property (@(posedge clk_i) disable iff (!rst_n) ready == ready_q);
  WordsThere_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !ready_q || 8'(u_generator.count) == left_q);
  LemmaBlock_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_generator.busy_q == (since_q != '0) && (since_q == '0 || u_generator.cycle_q == 16'(since_q)) &&
    u_generator.make_q == (since_q != '0 && since_q <= 8'(Words)) &&
    since_q < 8'(Cycles) && !(ready_q && since_q != '0) &&
    (since_q == '0 || 8'(u_generator.count) == ((since_q > 8'(Words)) ? 8'(Words) : since_q - 1'b1)) &&
    (since_q != '0 || ready_q || u_generator.count == '0) && (!ready_q || (left_q != '0 && left_q <= 8'(Words))) &&
    u_generator.enable_q == enable_q && u_generator.last_q == last_q);

  // read_done_o is 1 once, in the cycle in which the read of the last word is accepted.
  always_ff @(posedge clk_i) begin
    if (!rst_n) last_q <= 1'b0;
    else if (generator_req_i.arvalid && generator_rsp.arready) last_q <= pop && ready_q && left_q == 8'd1;
  end
  ReadDone_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    read_done == (last_q && generator_rsp.rvalid && generator_req_i.rready));

  Ready_C: cover property (@(posedge clk_i) rst_n && ready);
  ReadDone_C: cover property (@(posedge clk_i) rst_n && read_done);
  TimerWritten_C: cover property (@(posedge clk_i) rst_n && timer_rsp.bvalid && timer_irq != '0);

endmodule
