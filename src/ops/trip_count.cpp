// SPDX-License-Identifier: Apache-2.0
// Reads the counter of a loop.
#include "ops/trip_count.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::ops {
namespace {

using graph::ValueId;

std::string_view name_of(const graph::Graph &graph, graph::OpId op) { return op_def(graph.op(op).code).name; }

class Counter {
public:
  Counter(const graph::Graph &graph, graph::OpId loop)
      : graph_(graph), loop_(loop), condition_(graph.region(graph.op(loop).first_region)),
        body_(graph.region(graph.op(loop).first_region + 1)) {}

  std::optional<int64_t> turns() const {
    const auto compare = defined_by(condition_.yields[0], "stablehlo.compare");
    if (!compare)
      return std::nullopt;
    std::string direction(std::get<std::string>(graph_.attrs(*compare)[slot::compare::comparison_direction]));
    ValueId left = graph_.operands(*compare)[0], right = graph_.operands(*compare)[1];
    if (!variable(condition_, left) || constant(right) == std::nullopt) { // 10 > i
      std::swap(left, right);
      direction = direction == "LT"   ? "GT"
                  : direction == "GT" ? "LT"
                  : direction == "LE" ? "GE"
                  : direction == "GE" ? "LE"
                                      : direction;
    }
    const auto index = variable(condition_, left);
    const auto bound = constant(right);
    if (!index || !bound)
      return std::nullopt;
    const auto first = constant(graph_.operands(loop_)[*index]);
    const auto step = step_of(*index);
    return first && step ? count(*first, *step, direction, *bound) : std::nullopt;
  }

private:
  std::optional<graph::OpId> defined_by(ValueId v, std::string_view name) const {
    const graph::OpId op = graph_.value(v).def;
    return op != graph::kNone && name_of(graph_, op) == name ? std::optional(op) : std::nullopt;
  }

  // Which loop variable an argument of a region is.
  static std::optional<size_t> variable(const graph::Region &region, ValueId v) {
    const auto at = std::ranges::find(region.args, v);
    return at == region.args.end() ? std::nullopt
                                   : std::optional(static_cast<size_t>(at - region.args.begin()));
  }

  // An integer that is known before the loop runs; a variable that the body hands on unchanged is its initial
  // value.
  std::optional<int64_t> constant(ValueId v) const {
    for (const graph::Region *region : {&condition_, &body_})
      if (const auto index = variable(*region, v)) {
        if (body_.yields[*index] != body_.args[*index])
          return std::nullopt;
        v = graph_.operands(loop_)[*index];
        break;
      }
    const graph::Constant *literal = literal_of_value(graph_, v);
    const graph::TensorType &type = graph_.type(v);
    if (literal == nullptr || !graph::is_int(type.dtype) || type.elements() != 1)
      return std::nullopt;
    return visit_dtype(type.dtype, [&]<class E>(E) -> std::optional<int64_t> {
      if constexpr (std::is_integral_v<typename E::Value> && !std::is_same_v<typename E::Value, bool>) {
        const auto value = E::load(*reinterpret_cast<const typename E::Storage *>(literal->bytes->data()));
        if (std::in_range<int64_t>(value))
          return static_cast<int64_t>(value);
      }
      return std::nullopt;
    });
  }

  // By how much a variable grows in a turn.
  std::optional<int64_t> step_of(size_t index) const {
    const ValueId next = body_.yields[index], now = body_.args[index];
    if (const auto add = defined_by(next, "stablehlo.add")) {
      const auto operands = graph_.operands(*add);
      return operands[0] == now   ? constant(operands[1])
             : operands[1] == now ? constant(operands[0])
                                  : std::nullopt;
    }
    if (const auto subtract = defined_by(next, "stablehlo.subtract"))
      if (const auto by = constant(graph_.operands(*subtract)[1]); by && graph_.operands(*subtract)[0] == now)
        return -*by;
    return std::nullopt;
  }

  static std::optional<int64_t> count(int64_t first, int64_t step, std::string_view direction,
                                      int64_t bound) {
    constexpr int64_t kLimit = int64_t{1} << 61; // no overflow below
    for (const int64_t n : {first, step, bound})
      if (n > kLimit || n < -kLimit)
        return std::nullopt;
    if (direction == "GT" || direction == "GE")
      return count(-first, -step, direction == "GT" ? "LT" : "LE", -bound);
    if (direction == "LE")
      return count(first, step, "LT", bound + 1);
    if (direction == "NE") // meets the bound exactly, or runs on
      return step != 0 && (bound - first) % step == 0 && (bound - first) / step >= 0
                 ? std::optional((bound - first) / step)
                 : std::nullopt;
    if (direction != "LT")
      return std::nullopt;
    if (first >= bound)
      return 0;
    return step > 0 ? std::optional((bound - first + step - 1) / step) : std::nullopt;
  }

  const graph::Graph &graph_;
  const graph::OpId loop_;
  const graph::Region &condition_, &body_;
};

} // namespace

std::optional<int64_t> trip_count(const graph::Graph &graph, graph::OpId loop) {
  return Counter(graph, loop).turns();
}

} // namespace tw::ops
