// SPDX-License-Identifier: Apache-2.0
// A statement for each scalar operation that the result needs.
#include "kernels/generated/scalar_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/generated/prelude.hpp"

namespace tw::kernels::generated {

namespace {

using graph::DType;
using ops::ScalarOp;

std::string number_text(DType dtype, double value) {
  const DType part = ops::part_type(dtype);
  const std::string type = fmt::format("tw::V<tw::{}>", type_name(part));
  if (graph::is_int(part) || part == DType::i1)
    return fmt::format("({}){:#x}ull", type, static_cast<uint64_t>(static_cast<int64_t>(value)));
  const std::string magnitude = std::isinf(value)   ? fmt::format("tw::infinity<{}>()", type)
                                : std::isnan(value) ? fmt::format("tw::not_a_number<{}>()", type)
                                                    : fmt::format("({}){:a}", type, std::fabs(value));
  const std::string text = std::signbit(value) ? "-" + magnitude : magnitude;
  return part == dtype ? text : fmt::format("{{{}, 0}}", text);
}

// "stablehlo_exponential_f32"
std::string function_name(const ops::ScalarFunction &function, DType dtype) {
  std::string text = fmt::format("{}_{}{}", function.op, type_name(dtype), function.variant);
  std::ranges::replace(text, '.', '_');
  return text;
}

Result<std::string> function_text(const ops::ScalarNode &node, DType of) {
  const ops::ScalarFunction &f = *node.function;
  const bool complex = graph::is_complex(of);
  if ((complex ? f.complex : f.real) == nullptr)
    return fail(Code::unimplemented, "TW-260",
                fmt::format("{} of {} has no function on devices", f.op, graph::name(of)));
  const std::string parts = type_name(ops::part_type(of));
  std::string body;
  if (complex)
    body = fmt::format("typedef V<{}> C; typedef V<{}> T; (void)sizeof(C); (void)sizeof(T); return {};",
                       type_name(of), parts, f.complex);
  else
    body = fmt::format("return {}{}(a{});", f.real, of == DType::f32 ? "f" : "",
                       node.args.size() > 1 ? ", b" : "");
  return fmt::format("TW_FUNCTION_{}({}, \"{}\", {}, {}, {})\n", node.args.size(), function_name(f, of), f.op,
                     type_name(node.dtype), type_name(of), fmt::format("TW_TEXT({})", body));
}

class Writer {
public:
  Writer(const ops::Expression &expression, std::span<const std::string> operands, const std::string &prefix,
         const char *indent)
      : nodes_(expression.nodes()), operands_(operands), prefix_(prefix), indent_(indent),
        needed_(nodes_.size()), names_(nodes_.size()) {
    needed_[expression.result()] = true;
    for (size_t n = nodes_.size(); n-- > 0;)
      for (const uint32_t a : nodes_[n].args)
        needed_[a] = needed_[a] || needed_[n];
  }

  Result<ScalarText> run(uint32_t result) {
    for (size_t n = 0; n < nodes_.size(); ++n)
      if (needed_[n])
        TW_TRY(write(n));
    out_.result = names_[result];
    return std::move(out_);
  }

private:
  Status write(size_t n) {
    const ops::ScalarNode &node = nodes_[n];
    if (node.op == ScalarOp::operand) {
      names_[n] = operands_[node.operand];
      return {};
    }
    TW_ASSIGN(const std::string value, value_text(node));
    names_[n] = fmt::format("{}_{}", prefix_, n);
    out_.statements +=
        fmt::format("{}const tw::V<tw::{}> {} = {};\n", indent_, type_name(node.dtype), names_[n], value);
    return {};
  }

  Result<std::string> value_text(const ops::ScalarNode &node) {
    if (node.op == ScalarOp::literal)
      return number_text(node.dtype, node.literal);
    std::vector<std::string> args;
    for (const uint32_t a : node.args)
      args.push_back(names_[a]);
    const std::string list = fmt::format("{}", fmt::join(args, ", "));
    const DType of = nodes_[node.op == ScalarOp::select ? node.args[1] : node.args[0]].dtype;
    switch (node.op) {
    case ScalarOp::call: {
      TW_ASSIGN(std::string declared, function_text(node, of));
      if (node.function->helpers != nullptr)
        out_.functions.emplace_back(node.function->helpers);
      out_.functions.push_back(std::move(declared));
      return fmt::format("tw::{}({})", function_name(*node.function, of), list);
    }
    case ScalarOp::convert:
    case ScalarOp::recast:
      return fmt::format("tw::{}<tw::{}, tw::{}>({})", ops::name(node.op), type_name(node.dtype),
                         type_name(of), list);
    case ScalarOp::complex: return fmt::format("tw::complex<tw::{}>({})", type_name(node.dtype), list);
    default: return fmt::format("tw::{}<tw::{}>({})", ops::name(node.op), type_name(of), list);
    }
  }

  const std::vector<ops::ScalarNode> &nodes_;
  std::span<const std::string> operands_;
  const std::string &prefix_;
  const char *indent_;
  std::vector<bool> needed_;
  std::vector<std::string> names_;
  ScalarText out_;
};

} // namespace

Result<ScalarText> scalar_text(const ops::Expression &expression, std::span<const std::string> operands,
                               const std::string &prefix, const char *indent) {
  return Writer(expression, operands, prefix, indent).run(expression.result());
}

ScalarOp combining(sharding::Reduction kind) {
  switch (kind) {
  case sharding::Reduction::sum: return ScalarOp::add;
  case sharding::Reduction::prod: return ScalarOp::multiply;
  case sharding::Reduction::max: return ScalarOp::maximum;
  case sharding::Reduction::min: return ScalarOp::minimum;
  case sharding::Reduction::land: return ScalarOp::bit_and;
  case sharding::Reduction::lor:
  case sharding::Reduction::pick: return ScalarOp::bit_or;
  case sharding::Reduction::lxor: return ScalarOp::bit_xor;
  case sharding::Reduction::raw:
  case sharding::Reduction::region: break;
  }
  TW_ASSERT(false && "combines by no operation");
  return ScalarOp::add;
}

std::string combining_text(sharding::Reduction kind, DType wide) {
  return fmt::format("tw::{}<tw::{}>", ops::name(combining(kind)), type_name(wide));
}

} // namespace tw::kernels::generated
