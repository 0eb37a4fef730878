// SPDX-License-Identifier: Apache-2.0
// What the files of tosa share: operands that stretch, and ops that become others element by element.
#pragma once

#include "import/implied.hpp"
#include "import/reader.hpp"

namespace tw::import::tosa {

bool begin(Reader &r, const OpText &op, size_t least, size_t most);
graph::TensorType result_type(Reader &r, const OpText &op);
// Sizes 1 stretch to those of the result; both have its rank.
graph::ValueId stretch(Implied &implied, graph::ValueId v, const graph::Shape &to);
// Operands from `first` on are zero points, which must be the constant 0.
bool check_zero_points(Reader &r, const OpText &op, size_t first);

// arithmetic.cpp: the row of an op that computes element by element, or folds a dimension; null for others.
const Syntax *find_arithmetic(std::string_view name);
// shapes.cpp: the same of what moves elements; and operands of which some are shapes.
const Syntax *find_shape_op(std::string_view name);
bool form_shaped(Reader &r, OpText &op);

} // namespace tw::import::tosa
