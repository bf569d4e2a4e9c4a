// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top: decodes every word of a file with ID, in several configurations of the core, and writes the results.
//
// The macro CORES lists the configurations, the arguments of `core_cfg` (`core_cfg_pkg::core_cfg(.ExtM(0))`), the last
// one first. Plusargs:
// - words: the input file. Each word has 32 bits, little endian; a compressed instruction takes the lower half.
// - out: the beginning of the names of the output files. There is one file for each core, with one line for each word
//   that the core does not call illegal.
//
// A register reads as its number and a mark that tells rs1 from rs2, so that a line shows the source of each operand.
module tb_id;

  import tz_core_pkg::*;

  localparam int unsigned NumCores = `NUM_CORES;
  localparam core_cfg_pkg::core_cfg_t [NumCores-1:0] Cores = {`CORES};

  localparam logic [31:0] Pc = 32'h8000_0400;
  localparam logic [31:0] MarkRs1 = 32'hA000_0800;
  localparam logic [31:0] MarkRs2 = 32'hB000_0800;

  logic [31:0] word;
  id_t  [NumCores-1:0]       id;
  logic [NumCores-1:0]       jump;
  logic [NumCores-1:0][31:0] target;
  reg_reads_t [NumCores-1:0] reads;

  for (genvar k = 0; k < NumCores; k++) begin : gen_core
    fetch_t     fetch;
    logic [4:0] rs1, rs2;
    always_comb begin
      fetch            = '0;
      fetch.pc         = Pc;
      fetch.instr      = word;
      fetch.compressed = Cores[k].ExtC && (word[1:0] != 2'b11);
    end
    tz_id #(
      .Cfg(Cores[k])
    ) u_id (
      .fetch_i      (fetch),
      .rs1_o        (rs1),
      .rs2_o        (rs2),
      .rs1_data_i   (MarkRs1 | 32'(rs1)),
      .rs2_data_i   (MarkRs2 | 32'(rs2)),
      .ex_i         ('0),
      .ex_load_i    (1'b0),
      .ex_sc_i      (1'b0),
      .wb_i         ('0),
      .wb_ready_i   (1'b1),
      .id_o         (id[k]),
      .wait_o       (),
      .jump_o       (jump[k]),
      .jump_target_o(target[k]),
      .reads_o      (reads[k])
    );
  end

  // Fields of a line: number of the word; kind, ALU operation, unit, atomic operation, funct3; rd if it is written;
  // operands and store data; target of a jump or branch, relative to the instruction; registers that are read.
  function automatic void show(int file, int unsigned number, id_t i, logic [31:0] goes, logic [4:0] used1,
                               logic [4:0] used2);
    $fwrite(file, "%0d %s %s %s %0d %0d %0d %h %h %h %0d %0d %0d\n", number, i.ctrl.kind.name(), i.ctrl.alu_op.name(),
            i.ctrl.result.name(), i.ctrl.atop, i.ctrl.funct3, i.ctrl.rd_we ? i.ctrl.rd : 5'd0, i.op_a, i.op_b,
            i.store_data, $signed(goes - Pc), used1, used2);
  endfunction

  initial begin
    string       path;
    int          words;
    int          out[NumCores];
    logic [31:0] raw;
    if (!$value$plusargs("words=%s", path)) $fatal(1, "+words is missing");
    words = $fopen(path, "rb");
    if (words == 0) $fatal(1, "cannot read %s", path);
    if (!$value$plusargs("out=%s", path)) $fatal(1, "+out is missing");
    for (int k = 0; k < NumCores; k++) out[k] = $fopen($sformatf("%s%0d", path, k), "w");
    for (int unsigned number = 0; $fread(raw, words) == 4; number++) begin
      word = {<<8{raw}};
      #1;
      for (int k = 0; k < NumCores; k++) begin
        if (id[k].ctrl.kind != KindIllegal) begin
          show(out[k], number, id[k], jump[k] ? target[k] : id[k].alt, reads[k].rs1, reads[k].rs2);
        end
      end
    end
    for (int k = 0; k < NumCores; k++) $fclose(out[k]);
    $finish;
  end

endmodule
