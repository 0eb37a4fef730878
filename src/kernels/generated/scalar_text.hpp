// SPDX-License-Identifier: Apache-2.0
// Expressions as statements of C++ over the prelude.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "ops/expression.hpp"

namespace tw::kernels::generated {

struct ScalarText {
  std::string statements;               // one a line
  std::string result;                   // the name of the result's value
  std::vector<std::string> functions{}; // declarations of those that it calls, for Source::functions
};

// `operands` are names of values of the operand types; `prefix` begins the names of the statements' values,
// `indent` their lines. An error names the function that devices lack.
Result<ScalarText> scalar_text(const ops::Expression &expression, std::span<const std::string> operands,
                               const std::string &prefix, const char *indent);

// The operation that combines two values of a reduction; for raw values and regions there is none.
ops::ScalarOp combining(sharding::Reduction kind);
// The same as a function of the prelude for values of a wide type: "tw::add<tw::f32>".
std::string combining_text(sharding::Reduction kind, graph::DType wide);

} // namespace tw::kernels::generated
