// SPDX-License-Identifier: Apache-2.0
// What a builder holds, and the steps that its calls share: errors stick, and name the call that failed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "annotation/annotations.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

struct tw_builder {
  // A region between tw_builder_begin_region and the op that takes it.
  struct Region {
    tw::graph::RegionId id;     // now; ops may move it (graph::GraphBuilder::add_op)
    tw::graph::RegionId around; // in which it began, and its op is added
    bool open = true, owned = false;
  };

  explicit tw_builder(std::string name) : graph(std::move(name), "") {}
  tw::graph::GraphBuilder graph;
  std::shared_ptr<const tw::kernels::CustomCalls> custom_calls;
  std::unordered_map<std::string, size_t> argument_names, result_names, value_names;
  std::vector<Region> regions;             // by their numbers
  std::vector<size_t> open;                // those that are, innermost last
  tw::annotation::Annotations annotations; // shardings
  std::optional<tw::sharding::Mesh> mesh;  // over which they are
  std::optional<tw::Error> error;          // the first one; sticky
  uint32_t calls = 0;
  bool finished = false;

  // The region in which ops are added.
  tw::graph::RegionId here() const { return open.empty() ? 0 : regions[open.back()].id; }
};

namespace tw::capi {

using graph::ValueId;

// Runs one step unless an earlier one failed; keeps the first error, which then says which call it was.
template <class Step> tw_value_t step(tw_builder_t *b, const char *call, Step &&body) noexcept {
  if (!b)
    return TW_NO_VALUE;
  ++b->calls;
  if (b->error)
    return TW_NO_VALUE;
  try {
    Result<ValueId> value = body();
    if (value)
      return *value;
    std::string &message = value.error().info().message;
    message = fmt::format("call {}, {}: {}", b->calls, call, message);
    b->error.emplace(std::move(value.error()));
  } catch (const std::exception &e) {
    guard_value(0, [&] { return b->error.emplace(Code::resource_exhausted, "TW-701", e.what()), 0; });
  }
  return TW_NO_VALUE;
}

// Values of this builder that are seen where ops are added now. `what`: "operand", "yield".
Status check_values(const tw_builder_t *b, std::span<const ValueId> values, const char *what = "operand");

// What callers add by name is an op of the body. With `regions` it may own some.
Result<graph::OpCode> named_op(const char *name, bool regions);

// Adds an op, checked; its first result. `stated` are types that its results must fit.
Result<ValueId> add(tw_builder_t *b, graph::OpCode code, std::span<const ValueId> operands,
                    std::span<const ops::NamedAttr> attrs, std::span<const graph::TensorType> stated = {},
                    std::span<const graph::RegionId> regions = {}, graph::LocId loc = 0);
Result<ValueId> constant(tw_builder_t *b, const graph::TensorType &type, std::vector<std::byte> bytes,
                         bool splat);
Result<ValueId> broadcast(tw_builder_t *b, ValueId x, graph::Shape dims, std::vector<int64_t> map);
// A region of two scalars that gives what an op makes of them.
Result<graph::RegionId> combiner_region(tw_builder_t *b, const char *op, graph::DType dtype);

// Attribute i of a caller's.
Result<graph::AttrValue> attr_value(const tw_attr_t *attrs, size_t i);
// Types of a caller's, tokens among them.
Result<std::vector<graph::TensorType>> read_types(const tw_type_t *types, size_t count, const char *argument);
// A list of numbers, one for each of some dimensions.
Result<std::vector<int64_t>> ints(const int64_t *p, size_t n, const char *argument);
// Writes results that begin at `first`, as many as there are and `max_results` allows.
void write_results(const tw_builder_t *b, ValueId first, tw_value_t *out_results, size_t max_results);

} // namespace tw::capi
