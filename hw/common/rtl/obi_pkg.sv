// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Bus types: the subset of OBI (OpenHW Open Bus Interface v1.6) that Trapeze uses.
//
// Request phase: `req` and the address-phase payload stay stable until the cycle in which `gnt` is high. Response
// phase: one `rvalid` per granted request, reads and writes alike, in order, at the earliest one cycle after the grant.
// There is no back-pressure on responses (no `rready`). `err` is sampled with `rvalid`.
package obi_pkg;

  /// Manager to subordinate, 70 bits.
  typedef struct packed {
    logic        req;    // request valid
    logic        we;     // 1: write
    logic [3:0]  be;     // byte enables, byte lane n is wdata[8n+7:8n]
    logic [31:0] addr;   // byte address; bits 1:0 are zero, `be` says which bytes
    logic [31:0] wdata;  // write data
  } obi_req_t;

  /// Subordinate to manager, 35 bits.
  typedef struct packed {
    logic        gnt;    // request accepted in this cycle
    logic        rvalid; // response valid in this cycle
    logic        err;    // with rvalid: the access failed
    logic [31:0] rdata;  // with rvalid and a read: data, lanes outside `be` are undefined
  } obi_rsp_t;

endpackage
