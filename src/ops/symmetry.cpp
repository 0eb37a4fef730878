// SPDX-License-Identifier: Apache-2.0
// Exchanges the sides of a region in its expressions, or in all the ways in which they may compare.
#include "ops/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "ops/element.hpp"
#include "ops/folding.hpp"
#include "ops/registry.hpp"

namespace tw::ops {

namespace {

using graph::DType;
using graph::ValueId;

// --- expressions ---

// Numbers expressions so that equal ones, up to the order of the operands of commutative ops, have one
// number.
class Expressions {
public:
  explicit Expressions(const graph::Graph &graph, const graph::Region &region)
      : graph_(graph), region_(region) {}

  // Of what the region gives; exchanged: with its left arguments in the place of the right ones.
  std::vector<uint32_t> results(bool exchanged) {
    std::unordered_map<ValueId, uint32_t> number;
    const size_t n = region_.args.size() / 2;
    for (size_t i = 0; i < 2 * n; ++i)
      number[region_.args[i]] = static_cast<uint32_t>(exchanged ? (i + n) % (2 * n) : i);
    for (const graph::OpId op : region_.ops) {
      std::vector<uint32_t> key{graph_.op(op).code, graph_.op(op).attrs,
                                graph_.value(graph_.result(op)).type};
      const size_t head = key.size();
      for (const ValueId v : graph_.operands(op))
        key.push_back(number_of(number, v));
      if ((op_def(graph_.op(op).code).flags & kCommutative) != 0)
        std::sort(key.begin() + static_cast<ptrdiff_t>(head), key.end());
      number[graph_.result(op)] = of_op(key);
    }
    std::vector<uint32_t> yields;
    for (const ValueId v : region_.yields)
      yields.push_back(number_of(number, v));
    return yields;
  }

private:
  uint32_t of_op(const std::vector<uint32_t> &key) {
    return known_.try_emplace(key, static_cast<uint32_t>(region_.args.size() + known_.size())).first->second;
  }
  uint32_t number_of(const std::unordered_map<ValueId, uint32_t> &number, ValueId v) {
    const auto found = number.find(v);
    return found != number.end() ? found->second : of_op({v}); // from outside
  }

  const graph::Graph &graph_;
  const graph::Region &region_;
  std::map<std::vector<uint32_t>, uint32_t> known_;
};

// --- ways to compare ---

// What a value of a region is compared with are other values of the region: that many numbers that differ
// stand for all of them.
constexpr size_t kMostResults = 2, kNumbersTried = 5;

// Whether a region does nothing with values but compare them and choose among them, and logic on what it
// found.
bool only_chooses(const graph::Graph &graph, const graph::Region &region) {
  const auto from_inside = [&](ValueId v) {
    return std::ranges::count(region.args, v) != 0 || std::ranges::count(region.ops, graph.value(v).def) != 0;
  };
  return std::ranges::all_of(region.ops, [&](graph::OpId op) {
    const OpDef &def = op_def(graph.op(op).code);
    const auto is_found = [&](ValueId v) { return graph.type(v).dtype == DType::i1; };
    const bool logic = graph.op(op).num_operands != 0 && (def.flags & kElementwise) != 0 &&
                       is_found(graph.result(op)) && std::ranges::all_of(graph.operands(op), is_found);
    return (logic || (def.flags & kChooses) != 0) && std::ranges::all_of(graph.operands(op), from_inside);
  });
}

// Whether a type has as many numbers: the narrowest have not.
bool can_differ(DType dtype) {
  if (dtype == DType::i1)
    return true;
  return graph::byte_size(dtype) > 1 ? graph::is_int(dtype) || graph::is_float(dtype)
                                     : dtype == DType::s8 || dtype == DType::u8;
}

std::vector<double> values_of(DType dtype) {
  if (dtype == DType::i1)
    return {0, 1};
  std::vector<double> values;
  for (size_t i = 1; i <= kNumbersTried; ++i)
    values.push_back(static_cast<double>(i));
  if (graph::is_float(dtype))
    values.insert(values.end(), {0.0, -0.0, std::numeric_limits<double>::quiet_NaN(),
                                 -std::numeric_limits<double>::quiet_NaN()});
  return values;
}

// All that the arguments of a region may be, a row each.
class Table {
public:
  Table(const graph::Graph &graph, const graph::Region &region) {
    size_t stride = 1;
    for (const ValueId v : region.args)
      stride *= values_of(graph.type(v).dtype).size();
    rows = stride;
    for (const ValueId v : region.args) {
      const DType dtype = graph.type(v).dtype;
      const std::vector<double> values = values_of(dtype);
      stride /= values.size();
      std::vector<std::vector<std::byte>> elements;
      for (const double value : values)
        elements.push_back(element_bytes(dtype, value));
      std::vector<double> &column = values_.emplace_back();
      std::vector<std::byte> &bytes = columns.emplace_back();
      for (size_t i = 0; i < rows; ++i) {
        const size_t at = i / stride % values.size();
        column.push_back(values[at]);
        bytes.insert(bytes.end(), elements[at].begin(), elements[at].end());
      }
    }
  }

  // Whether NaNs meet in a row, or zeros of both signs.
  bool is_special(size_t row) const {
    for (size_t i = 0, n = values_.size() / 2; i < n; ++i) {
      const double left = values_[i][row], right = values_[n + i][row];
      if ((std::isnan(left) && std::isnan(right)) ||
          (left == 0 && right == 0 && std::signbit(left) != std::signbit(right)))
        return true;
    }
    return false;
  }

  size_t rows;
  std::vector<std::vector<std::byte>> columns; // of each argument, in its element type

private:
  std::vector<std::vector<double>> values_;
};

// What a region gives for all rows; exchanged: with its left arguments in the place of the right ones.
Result<std::vector<std::vector<std::byte>>> run(const graph::Graph &graph, graph::RegionId id,
                                                const Table &table, bool exchanged) {
  std::vector<ArrayBytes> arguments(table.columns.begin(), table.columns.end());
  if (exchanged)
    std::rotate(arguments.begin(), arguments.begin() + std::ssize(arguments) / 2, arguments.end());
  return fold_region(graph, id, arguments, table.rows);
}

Symmetry compare_all(const graph::Graph &graph, graph::RegionId id) {
  const graph::Region &region = graph.region(id);
  const Table table(graph, region);
  const auto straight = run(graph, id, table, false), exchanged = run(graph, id, table, true);
  if (!straight || !exchanged)
    return Symmetry::none;
  Symmetry found = Symmetry::full;
  for (size_t i = 0; i < region.yields.size(); ++i) {
    const size_t size = graph::byte_size(graph.type(region.yields[i]).dtype);
    for (size_t row = 0; row < table.rows; ++row)
      if (std::memcmp((*straight)[i].data() + row * size, (*exchanged)[i].data() + row * size, size) != 0) {
        if (!table.is_special(row))
          return Symmetry::none;
        found = Symmetry::numbers;
      }
  }
  return found;
}

} // namespace

Symmetry symmetry_of(const graph::Graph &graph, graph::RegionId id) {
  const graph::Region &region = graph.region(id);
  const size_t n = region.yields.size();
  const auto is_plain = [&](graph::OpId op) {
    return graph.op(op).num_regions == 0 && graph.op(op).num_results == 1;
  };
  if (region.args.size() != 2 * n || !std::ranges::all_of(region.ops, is_plain))
    return Symmetry::none;
  Expressions expressions(graph, region);
  if (expressions.results(false) == expressions.results(true))
    return Symmetry::full;
  const auto has_order = [&](ValueId v) { return can_differ(graph.type(v).dtype); };
  if (n > kMostResults || !std::ranges::all_of(region.args, has_order) || !only_chooses(graph, region))
    return Symmetry::none;
  return compare_all(graph, id);
}

} // namespace tw::ops
