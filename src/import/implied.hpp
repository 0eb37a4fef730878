// SPDX-License-Identifier: Apache-2.0
// Ops that one op of the text stands for: what a decomposition is written with.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "import/context.hpp"
#include "import/op_text.hpp"
#include "ops/builder.hpp"
#include "sharding/sharding.hpp"

namespace tw::import {

// Adds ops at the place of `from`. After the first failure everything answers kNone, and `ok` reports it.
class Implied {
public:
  Implied(Context &context, const OpText &from);

  graph::ValueId add(std::string_view op, std::vector<graph::ValueId> operands,
                     std::vector<ops::NamedAttr> attrs = {},
                     const std::optional<graph::TensorType> &stated = {});
  graph::ValueId integers(const graph::TensorType &type, std::span<const int64_t> values);
  graph::ValueId number(const graph::TensorType &type, double value); // the same everywhere
  graph::ValueId reduce(graph::ValueId x, std::vector<int64_t> dimensions, sharding::Reduction kind);
  graph::ValueId sum(graph::ValueId x, std::vector<int64_t> dimensions) {
    return reduce(x, std::move(dimensions), sharding::Reduction::sum);
  }
  graph::ValueId broadcast(graph::ValueId x, std::vector<int64_t> dimensions, const graph::Shape &to);
  graph::ValueId convert(graph::ValueId x, graph::DType dtype);
  // A region that folds two numbers, for the op that is added next; kNone after a failure.
  graph::RegionId folding(sharding::Reduction kind, graph::DType dtype);
  const graph::TensorType &type(graph::ValueId v) const { return c_.type_of(v); }
  bool ok();

private:
  graph::ValueId constant(const graph::TensorType &type, bool splat, std::vector<std::byte> bytes);

  Context &c_;
  const OpText &from_;
  graph::LocId loc_;
  std::optional<Error> error_;
};

// first, first + 1, .., last - 1
std::vector<int64_t> numbers(int64_t first, int64_t last);

// The integers that a value holds, where constants alone decide them; nothing where arguments do, or where
// there are very many.
std::optional<std::vector<int64_t>> fold_integers(const graph::Graph &graph, graph::ValueId v);

} // namespace tw::import
