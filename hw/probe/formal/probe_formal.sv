// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Properties of tz_latency_probe, proven for all time by k-induction: any edges, any traffic on both ports.
//
// The protocol of both ports is that of tz_axil_check. The properties of the measurement compare the design with a
// second description of its state, which is made here from the ports alone. "Lemma" properties are there for the
// induction.
module probe_formal #(
  parameter int unsigned Width         = 3,
  parameter int unsigned Depth         = 4,
  parameter int unsigned MissedWidth   = 2,
  parameter int unsigned HistogramBins = 0,
  parameter bit          Moments       = 0,
  parameter bit          Break         = 0,
  parameter int unsigned MaxWait       = 10 + HistogramBins  // cycles until either port accepts a request
) (
  input logic                clk_i,
  input logic                irq_i,
  input logic                ack_i,
  input axil_pkg::axil_req_t s00_req_i,
  input axil_pkg::axil_req_t s01_req_i,
  input logic [Width-1:0]    noise_i,  // value of undefined data of the memory
  input logic [$clog2(Depth)-1:0] which_i  // number of a sample, chosen freely
);

  localparam int unsigned Recording = 7;  // cycles of recording after an acknowledge
  localparam logic [Width-1:0] Most = '1;

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  axil_pkg::axil_rsp_t s00_rsp, s01_rsp;
  logic                break_out;

  tz_latency_probe #(
    .Width        (Width),
    .Depth        (Depth),
    .MissedWidth  (MissedWidth),
    .HistogramBins(HistogramBins),
    .Moments      (Moments),
    .Break        (Break)
  ) u_dut (
    .clk_i,
    .rst_ni   (rst_n),
    .irq_i,
    .ack_i,
    .s00_req_i,
    .s00_rsp_o(s00_rsp),
    .s01_req_i,
    .s01_rsp_o(s01_rsp),
    .break_o  (break_out)
  );

  tz_axil_check #(
    .AssumeManager (1),
    .MaxOutstanding(1),
    .MaxWait       (MaxWait)
  ) u_s00 (
    .clk_i,
    .rst_ni(rst_n),
    .req_i (s00_req_i),
    .rsp_i (s00_rsp)
  );

  tz_axil_check #(
    .AssumeManager (1),
    .MaxOutstanding(1),
    .MaxWait       (MaxWait)
  ) u_s01 (
    .clk_i,
    .rst_ni(rst_n),
    .req_i (s01_req_i),
    .rsp_i (s01_rsp)
  );

  // A request is outstanding exactly while its response is shown: no second request is accepted behind it.
  LemmaOutstanding_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_s00.aws_q == s00_rsp.bvalid && u_s00.ws_q == s00_rsp.bvalid && u_s00.ars_q == s00_rsp.rvalid &&
    u_s01.aws_q == s01_rsp.bvalid && u_s01.ws_q == s01_rsp.bvalid && u_s01.ars_q == s01_rsp.rvalid);

  // tz_axil_port accepts a request only in these cases. The lemma needs a manager that keeps its requests.
  LemmaAccept_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (!s00_rsp.awready || (s00_req_i.awvalid && s00_req_i.wvalid && !s00_rsp.bvalid)) &&
    (!s01_rsp.awready || (s01_req_i.awvalid && s01_req_i.wvalid && !s01_rsp.bvalid)) &&
    (!s00_rsp.arready || (s00_req_i.arvalid && !s00_rsp.rvalid)) &&
    (!s01_rsp.arready || (s01_req_i.arvalid && !s01_rsp.rvalid)));

  // ------------------------------------------------------------------ state, from the ports
  logic                   irq_q, ack_q, we_q, run_q, alarm_on_q, alarm_q, overflow_q;
  logic [3:0]             rest_q;     // cycles of recording that are left
  logic [9:0]             sweep_q;    // cycles of clearing the histogram that are left
  logic [Width:0]         clocks_q;   // clocks since the interrupt; it stops at one above the largest value that can be
                                      // stored
  logic [Width-1:0]       pending_q;  // latency that is being recorded
  logic [Width-1:0]       last_q, max_q, min_q, limit_q, sample_q;
  logic [15:0]            num_q;
  logic [MissedWidth-1:0] missed_q;
  logic                   irq_rise, ack_rise, write, write_control, write_alarm, clear, blocked, outside;

  assign irq_rise      = irq_i && !irq_q;
  assign ack_rise      = ack_i && !ack_q;
  assign outside       = (HistogramBins != 0 || Moments) && s01_req_i.awaddr[11:5] != '0;
  assign write         = s01_req_i.awvalid && s01_rsp.awready && !outside;
  assign write_control = write && s01_req_i.awaddr[4:2] == 3'd0;
  assign write_alarm   = write && s01_req_i.awaddr[4:2] == 3'd4;
  assign clear         = write_control && s01_req_i.wdata[1];
  assign blocked       = HistogramBins != 0 && (clear || sweep_q != '0);

  always_ff @(posedge clk_i) begin
    irq_q <= irq_i;
    ack_q <= ack_i;
    if (!rst_n) begin
      {we_q, run_q, alarm_on_q, alarm_q, overflow_q, rest_q, num_q, missed_q} <= '0;
      sweep_q <= 10'(HistogramBins);
    end else begin
      if (write_control) we_q <= s01_req_i.wdata[0];
      if (write_alarm) begin
        alarm_on_q <= 1'b1;
        limit_q    <= s01_req_i.wdata[Width-1:0];
      end

      // Clocks count from one cycle after the rise of irq. The count stops one above the largest value that can be
      // stored.
      clocks_q <= run_q ? ((clocks_q > {1'b0, Most}) ? clocks_q : clocks_q + 1'b1) : (Width + 1)'(1);
      if (!we_q || blocked) run_q <= 1'b0;
      else if (run_q) run_q <= !ack_rise;
      else run_q <= irq_rise && rest_q == '0;

      if (rest_q != '0) rest_q <= rest_q - 1'b1;
      if (run_q && ack_rise && !blocked) begin
        rest_q    <= 4'(Recording);
        pending_q <= (clocks_q > {1'b0, Most}) ? Most : clocks_q[Width-1:0];
      end

      if (clear) sweep_q <= 10'(HistogramBins);
      else if (sweep_q != '0) sweep_q <= sweep_q - 1'b1;

      if (run_q && clocks_q > {1'b0, Most}) overflow_q <= 1'b1;
      if (irq_rise && (run_q || rest_q != '0 || blocked) && missed_q != '1) missed_q <= missed_q + 1'b1;
      if (rest_q == 4'd1) begin
        last_q <= pending_q;
        if (num_q == '0 || pending_q > max_q) max_q <= pending_q;
        if (num_q == '0 || pending_q < min_q) min_q <= pending_q;
        if (num_q == 16'(which_i)) sample_q <= pending_q;
        if (num_q != '1) num_q <= num_q + 1'b1;
      end
      if (rest_q == 4'd2 && alarm_on_q && pending_q > limit_q) alarm_q <= 1'b1;
      if (clear) begin
        num_q      <= '0;
        alarm_q    <= 1'b0;
        overflow_q <= 1'b0;
        missed_q   <= '0;
      end
    end
  end

  logic [$clog2(Depth)-1:0] which_q;
  always_ff @(posedge clk_i) which_q <= which_i;
  Which_K: assume property (@(posedge clk_i) !rst_n || which_i == which_q);

  // ------------------------------------------------------------------ the rules
  localparam int unsigned At = 2 ** $clog2(Depth);  // address of the registers
  logic idle;
  assign idle = rest_q == '0;

  Status_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.we_q == we_q && u_dut.run_q == run_q && u_dut.busy == !idle && u_dut.alarm_q == alarm_q &&
    u_dut.missed_q == missed_q && u_dut.num_q == num_q && u_dut.alarm_on_q == alarm_on_q);
  Overflow_A: assert property (@(posedge clk_i) disable iff (!rst_n) u_dut.overflow_q == overflow_q);
  // The counter is exact: during the measurement it is one behind; after it, it holds the latency until that is
  // recorded.
  Counter_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !run_q || (Width + 1)'(u_dut.count_q) + 1'b1 == clocks_q);
  Latency_A: assert property (@(posedge clk_i) disable iff (!rst_n) idle || u_dut.count_q == pending_q);
  Last_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !idle || num_q == '0 || u_dut.u_ram.mem[At+1] == last_q);
  Max_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !idle || num_q == '0 || u_dut.u_ram.mem[At+2] == max_q);
  Min_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !idle || num_q == '0 || u_dut.u_ram.mem[At+3] == min_q);
  Limit_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !alarm_on_q || u_dut.u_ram.mem[At] == limit_q);
  Sample_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    num_q <= 16'(which_i) || u_dut.u_ram.mem[which_i] == sample_q);
  LemmaFirst_A: assert property (@(posedge clk_i) disable iff (!rst_n) u_dut.first_q == (num_q == '0));
  LemmaClocks_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !run_q || (clocks_q != '0 && clocks_q <= {1'b0, Most} + 1'b1));
  // State of the recorder, by the number of cycles that are left.
  LemmaState_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.state_q == (rest_q == 4'd0 ? 4'b0000 : rest_q == 4'd7 ? 4'b1100 : rest_q == 4'd6 ? 4'b1101 :
                      rest_q == 4'd5 ? 4'b1110 : rest_q == 4'd4 ? 4'b1111 : rest_q == 4'd3 ? 4'b1000 :
                      rest_q == 4'd2 ? 4'b1011 : 4'b1001) && rest_q <= 4'd7 && !(run_q && !idle));
  if (HistogramBins != 0) begin : gen_sweep
    LemmaSweep_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      10'(u_dut.gen_options.u_options.gen_histogram.sweep_q) + sweep_q == 10'(HistogramBins));
  end

  // A read returns the value from the cycle in which its address was accepted.
  logic        s00_read_q, s01_read_q, clear_q;
  logic [31:0] s01_expect_q, s01_before_q;
  logic [2:0]  at;
  logic [31:0] status, value;
  assign at     = s01_req_i.araddr[4:2];
  assign status = {num_q, 8'(missed_q), 4'b0000, overflow_q, alarm_q, 1'b0, we_q};
  assign value  = (at == 3'd4) ? (alarm_on_q ? 32'(limit_q) : '0) : (num_q == '0) ? '0 :
                  (at == 3'd5) ? 32'(last_q) : (at == 3'd6) ? 32'(max_q) : 32'(min_q);
  always_ff @(posedge clk_i) begin
    s01_before_q <= value;
    clear_q      <= clear;
    s00_read_q   <= rst_n && s00_req_i.arvalid && s00_rsp.arready && s00_req_i.araddr[2+:$clog2(Depth)] == which_i &&
                    num_q > 16'(which_i);
    s01_read_q   <= rst_n && s01_req_i.arvalid && s01_rsp.arready && s01_req_i.araddr[11:5] == '0;
    s01_expect_q <= at[2] ? s01_before_q : status;
  end
  if (!Break) begin : gen_read
    RegisterRead_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      !s01_read_q || s01_rsp.rdata == s01_expect_q);
  end
  SampleRead_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !s00_read_q || clear_q || s00_rsp.rdata == 32'(sample_q));

  // ------------------------------------------------------------------ covers
  Recorded_C: cover property (@(posedge clk_i) rst_n && num_q == 16'd2 && max_q > min_q);
  Alarm_C: cover property (@(posedge clk_i) rst_n && alarm_q);
  Overflow_C: cover property (@(posedge clk_i) rst_n && overflow_q && num_q == 16'd1);
  Missed_C: cover property (@(posedge clk_i) rst_n && missed_q == '1 && run_q);
  Both_C: cover property (@(posedge clk_i) rst_n && s00_rsp.rvalid && s01_rsp.rvalid && !idle);

  logic unused;
  assign unused = break_out;

endmodule
