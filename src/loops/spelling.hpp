// SPDX-License-Identifier: Apache-2.0
// Ops in StableHLO's own spelling, as the importer reads them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"
#include "ops/op_def.hpp"

namespace tw::loops {

// "1.5", "(1.0, 2.0)", "true"; what is not finite by its bits.
std::string element_text(graph::DType dtype, const std::byte *bytes);
// "dense<[1, 2]>"; long ones in hexadecimal.
std::string literal(const graph::Graph &graph, graph::ConstantId id);
// "0.5"; what is not finite by its bits.
std::string real_text(double value);
// "a \"b\"", as a string literal.
std::string quoted(std::string_view text);
// A word as it stands, anything else as a string literal.
std::string name_or_quoted(std::string_view text);

// What a signature says of an argument that is written as "%x", and of a result: names, and who takes over
// whose memory.
std::vector<std::string> argument_attributes(const graph::Graph &graph, size_t i, std::string_view written);
std::vector<std::string> result_attributes(const graph::Graph &graph, size_t i);

// The definitions of the functions that calls of foreign code name, each a few lines.
std::string called_functions(const graph::Graph &graph);

// What is around an op.
struct Words {
  std::vector<std::string> operands;      // "%0"
  std::vector<std::string> operand_types; // "tensor<16{%r}x256xf32>"
  std::vector<std::string> result_types;
  std::vector<std::string> regions;    // "{\n .. }", in order
  std::vector<std::string> attributes; // beyond those of the schema: "partir.factors = [1]"
};

// What stands behind `%0 = `; while has a form of its own that names its variables.
std::string spell(const graph::Graph &graph, graph::OpId op, const Words &words);

// An op whose types say nothing that its operands do not, spelled as in the PartIR slides: `matmul(%x, %w)`.
bool is_matmul(const graph::Graph &graph, graph::OpId op);
// The op that a region applies to its two arguments, where it does nothing else: "stablehlo.add". Empty where
// it does.
std::string_view applied_op(const graph::Graph &graph, graph::OpId op);

} // namespace tw::loops
