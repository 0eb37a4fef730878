// SPDX-License-Identifier: Apache-2.0
// The names a graph gives to its arguments, results, values and ops, and what it weighs.
#include "graph/graph.hpp"

#include "graph/name_prefix.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::graph {
namespace {

template <class T> size_t heap(const std::vector<T> &v) { return v.capacity() * sizeof(T); }

size_t heap(const std::string &s) { return s.capacity() > 15 ? s.capacity() + 1 : 0; }

size_t heap(const AttrValue &value) {
  if (const auto *text = std::get_if<std::string>(&value))
    return heap(*text);
  if (const auto *ints = std::get_if<std::vector<int64_t>>(&value))
    return heap(*ints);
  return 0;
}

} // namespace

std::string name_prefix(const Graph &graph, RegionId region) {
  const OpId owner = graph.region(region).parent;
  if (owner == kNone) // the body, or a region that waits for its op
    return region == 0 ? std::string() : fmt::format("%r{}.", region);
  const Op &op = graph.op(owner);
  std::string prefix = op.num_results == 0 ? fmt::format("#{}", owner) : graph.value_name(op.first_result);
  if (const size_t index = prefix.rfind('#'); index != 0)
    prefix.resize(std::min(index, prefix.size()));
  if (region != op.first_region)
    prefix += fmt::format(".{}", region - op.first_region);
  return prefix + ".";
}

std::string Graph::argument_name(size_t i) const {
  return argument_names_[i] == kNone ? fmt::format("arg{}", i) : std::string(name_at(argument_names_[i]));
}

std::string Graph::result_name(size_t i) const {
  return result_names_[i] == kNone ? fmt::format("out{}", i) : std::string(name_at(result_names_[i]));
}

std::string Graph::value_name(ValueId v) const {
  const Value &value = values_[v];
  if (value.name != kNone)
    return std::string(name_at(value.name));
  // An argument by its place.
  if (value.def != kNone && !arguments_.empty() && ops_[value.def].code == ops_[arguments_[0]].code)
    return fmt::format("%arg{}", std::ranges::lower_bound(arguments_, value.def) - arguments_.begin());
  // What a loop carries is called alike in its condition and in its body.
  const RegionId region = region_of(v);
  ValueId number = v;
  if (const OpId owner = regions_[region].parent; value.def == kNone && owner != kNone)
    if (const Region &first = regions_[ops_[owner].first_region]; value.index < first.args.size())
      number = first.args[value.index];
  return fmt::format("{}%{}", name_prefix(*this, region), number);
}

std::string Graph::location_text(OpId id) const {
  const Location where = location(id);
  if (where.text != kNone)
    return std::string(name_at(where.text));
  if (where.line == 0)
    return {};
  return fmt::format("{}:{}:{}", file_, where.line, where.column);
}

size_t Graph::memory_bytes() const {
  size_t bytes = sizeof(Graph) + heap(module_name_) + heap(file_) + heap(ops_) + heap(values_) +
                 heap(operands_) + heap(regions_) + heap(types_) + heap(attrs_) + heap(constants_) +
                 heap(locations_) + heap(name_text_) + heap(name_begin_) + heap(arguments_) + heap(results_) +
                 heap(argument_names_) + heap(result_names_) + heap(aliases_) + heap(uses_) +
                 heap(use_begin_);
  for (const Region &region : regions_)
    bytes += heap(region.args) + heap(region.ops) + heap(region.yields);
  for (const TensorType &type : types_)
    bytes += heap(type.dims);
  for (const Attrs &attrs : attrs_) {
    bytes += heap(attrs);
    for (const AttrValue &value : attrs)
      bytes += heap(value);
  }
  for (const Constant &constant : constants_)
    bytes += constant.bytes ? sizeof(std::vector<std::byte>) + heap(*constant.bytes) : 0;
  return bytes;
}

} // namespace tw::graph
