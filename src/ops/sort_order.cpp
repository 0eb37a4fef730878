// SPDX-License-Identifier: Apache-2.0
// Recognises comparators that compare one key.
#include "ops/sort_order.hpp"

#include <algorithm>
#include <cstring>

#include "ops/attributes.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::ops {
namespace {

using graph::ValueId;

class OrderReader {
public:
  OrderReader(const graph::Graph &graph, const graph::Region &region) : g_(graph), region_(region) {}

  std::optional<SortOrder> read() {
    if (region_.yields.size() != 1)
      return std::nullopt;
    const graph::OpId compare = op_named(region_.yields[0], "stablehlo.compare");
    if (compare == graph::kNone)
      return std::nullopt;
    const OpViewHolder holder(g_, compare);
    const std::string_view direction = holder.view().string(slot::compare::comparison_direction);
    if (direction != "LT" && direction != "GT")
      return std::nullopt;
    const auto left = key_of(g_.operands(compare)[0]), right = key_of(g_.operands(compare)[1]);
    if (!left || !right || left->one_zero != right->one_zero || left->one_nan != right->one_nan)
      return std::nullopt;
    // The arguments are two elements of each operand: the first one's come before the second's.
    const size_t first = std::min(left->argument, right->argument);
    if (first % 2 != 0 || left->argument + right->argument != 2 * first + 1)
      return std::nullopt;
    const graph::DType dtype = g_.type(region_.args[first]).dtype;
    const bool is_float = graph::is_float(dtype);
    if (!kSortKeys.has(dtype))
      return std::nullopt;
    const bool total = holder.view().string(slot::compare::compare_type) == "TOTALORDER";
    SortOrder order;
    order.operand = first / 2;
    order.descending = (direction == "GT") != (left->argument != first);
    order.one_zero = left->one_zero || (is_float && !total);
    order.one_nan = left->one_nan || (is_float && !total);
    if (order.one_nan && order.descending)
      return std::nullopt; // NaN would come first
    return order;
  }

private:
  struct Key {
    size_t argument;
    bool one_zero = false, one_nan = false;
  };

  graph::OpId op_named(ValueId v, std::string_view name) const {
    const graph::OpId id = g_.value(v).def;
    return id != graph::kNone && op_def(g_.op(id).code).name == name ? id : graph::kNone;
  }

  // An argument, or select(argument == 0, 0, key), or select(argument != argument, NaN, key).
  std::optional<Key> key_of(ValueId v) const {
    const auto arg = std::ranges::find(region_.args, v);
    if (arg != region_.args.end())
      return Key{static_cast<size_t>(arg - region_.args.begin())};
    const graph::OpId select = op_named(v, "stablehlo.select");
    if (select == graph::kNone)
      return std::nullopt;
    const auto operands = g_.operands(select);
    auto key = key_of(operands[2]);
    const graph::OpId compare = op_named(operands[0], "stablehlo.compare");
    const auto value = constant(operands[1]);
    if (!key || compare == graph::kNone || !value)
      return std::nullopt;
    const OpViewHolder holder(g_, compare);
    const std::string_view direction = holder.view().string(slot::compare::comparison_direction);
    if (holder.view().string(slot::compare::compare_type) == "TOTALORDER")
      return std::nullopt;
    const ValueId a = g_.operands(compare)[0], b = g_.operands(compare)[1];
    const auto of_a = key_of(a), of_b = key_of(b);
    if (!of_a || of_a->argument != key->argument)
      return std::nullopt;
    if (direction == "NE" && of_b && of_b->argument == key->argument && *value != *value)
      return key->one_nan = true, key;
    const auto other = constant(b);
    if (direction == "EQ" && other && *other == 0 && *value == 0)
      return key->one_zero = true, key;
    return std::nullopt;
  }

  // A float literal of no dimensions.
  std::optional<double> constant(ValueId v) const {
    const graph::Constant *literal = literal_of_value(g_, v);
    if (literal == nullptr || g_.type(v).rank() != 0)
      return std::nullopt;
    return visit_dtype(g_.type(v).dtype, [&]<class E>(E) -> std::optional<double> {
      if constexpr (kFloats.has(E::dtype)) {
        typename E::Storage stored;
        std::memcpy(&stored, literal->bytes->data(), sizeof stored);
        return static_cast<double>(E::load(stored));
      } else {
        return std::nullopt;
      }
    });
  }

  const graph::Graph &g_;
  const graph::Region &region_;
};

} // namespace

std::optional<SortOrder> sort_order_of(const graph::Graph &graph, graph::RegionId region) {
  return OrderReader(graph, graph.region(region)).read();
}

size_t sorted_dimension(const OpView &op) {
  const int64_t dim = op.integer(slot::sort::dimension, -1);
  return static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(op.operands[0]->rank()) : dim);
}

} // namespace tw::ops
