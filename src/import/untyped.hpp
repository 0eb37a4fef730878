// SPDX-License-Identifier: Apache-2.0
// Arguments of which the text leaves out the type, `%x: tensor<>`, as the PartIR slides do. The first op that
// reads one says what it is; then the text is read again.
#pragma once

#include <map>

#include "import/op_text.hpp"
#include "sharding/range.hpp"

namespace tw::import {

struct Reader;
struct Argument;

struct Untyped {
  const char *at;                             // of the argument
  std::map<uint32_t, sharding::Range> slices; // by dimension
};

// tensor<> at the cursor: the type that was found, or one that stands for it.
bool accept_untyped(Reader &r, Argument &argument);
void note_untyped(Reader &r, const Argument &argument, graph::ValueId v);
// Where an operand of an op has no type yet, finds it and has the text read again: then answers false. A
// product tells one dimension; another op takes what has one type.
bool settle_untyped(Reader &r, const OpText &op);
bool all_typed(Reader &r); // at the end; an error where nothing said

} // namespace tw::import
