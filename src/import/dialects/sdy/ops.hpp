// SPDX-License-Identifier: Apache-2.0
// Shardy's ops that the list in sdy.cpp names and other files read.
#pragma once

#include "import/reader.hpp"

namespace tw::import {

bool lower_sharding_constraint(Reader &r, OpText &op); // of GSPMD's call @Sharding too

bool form_manual_computation(Reader &r, OpText &op);
bool form_named_computation(Reader &r, OpText &op);
bool lower_inlined(Reader &r, OpText &op); // of both: the form has done it all

bool lower_propagation_barrier(Reader &r, OpText &op); // of the calls that carry them too
bool lower_sharding_group(Reader &r, OpText &op);

// Bodies that are read in place, in either form.
struct Inlined : ManualHead {
  std::string name;
  std::vector<Argument> arguments;
};
// What exporters carry as calls (carried.cpp): custom_call @xla.sdy.TARGET, and the call of what is
// device-local.
bool lower_carried_call(Reader &r, OpText &op, std::string_view target);
bool lower_carried_body(Reader &r, OpText &op, std::string_view callee);

// Device-local code: its operands become what a device has of them, and what it gives becomes whole. `values`
// are these then; `at` is where each operand or returned value is written.
bool enter_manual(Reader &r, const OpText &op, const ManualHead &head,
                  std::span<const graph::ValueId> operands, std::span<const char *const> at,
                  ManualCode &code);
bool leave_manual(Reader &r, const OpText &op, const ManualHead &head, std::span<const graph::ValueId> given,
                  std::span<const char *const> at, ManualCode &code);

bool read_inlined_head(Reader &r, OpText &op, Inlined &head); // up to the body's '{', which is taken
bool read_inlined_tail(Reader &r, OpText &op);                // behind its '}': attributes and types

} // namespace tw::import
