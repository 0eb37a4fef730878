// SPDX-License-Identifier: Apache-2.0
// Signatures of functions, and the entry function with everything that it calls.
#pragma once

#include "import/reader.hpp"

namespace tw::import {

struct Signature {
  std::vector<Argument> arguments;
  std::vector<std::string> names; // of the arguments, where all of them are known together
  std::vector<graph::TypeId> results;
  std::vector<std::vector<AttrText>> result_attrs;
  bool unstated = false; // nothing is said of results
};

bool read_signature(Reader &r, const Function &f, Signature &signature);
// The cursor is where read_signature left it; arguments are bound. What it returns is Reader::yields.
bool read_function_body(Reader &r, const Function &f, const Signature &signature);
bool read_entry(Reader &r, uint32_t function);
// Of the program: one more, in order. `signature`: the results that it may be donated to.
bool add_entry_argument(Reader &r, uint32_t index, const Argument &argument, const Signature &signature);
bool add_entry_result(Reader &r, uint32_t index, graph::ValueId value, const std::vector<AttrText> &attrs);

} // namespace tw::import
