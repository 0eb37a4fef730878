// SPDX-License-Identifier: Apache-2.0
// Shardy's ops that the list in sdy.cpp names and other files read.
#pragma once

#include "import/reader.hpp"

namespace tw::import {

bool lower_sharding_constraint(Reader &r, OpText &op); // of GSPMD's call @Sharding too

bool form_manual_computation(Reader &r, OpText &op);
bool form_named_computation(Reader &r, OpText &op);
bool lower_inlined(Reader &r, OpText &op); // of both: the form has done it all

// Bodies that are read in place, in either form.
struct Inlined {
  std::string name;
  std::vector<annotation::ShardingAnnotation> in, out;
  std::vector<std::string> manual;
  std::vector<Argument> arguments;
};
bool read_inlined_head(Reader &r, OpText &op, Inlined &head); // up to the body's '{', which is taken
bool read_inlined_tail(Reader &r, OpText &op);                // behind its '}': attributes and types

} // namespace tw::import
