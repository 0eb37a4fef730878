// SPDX-License-Identifier: Apache-2.0
// Recognises reduction regions and holds the identity of each kind.
#include "ops/reduction.hpp"

#include <algorithm>
#include <utility>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"

namespace tw::ops {
namespace {

using sharding::Reduction;

// The op that a region must be for each kind.
constexpr std::pair<Reduction, const char *> kCombiners[] = {
    {Reduction::sum, "stablehlo.add"},     {Reduction::max, "stablehlo.maximum"},
    {Reduction::min, "stablehlo.minimum"}, {Reduction::prod, "stablehlo.multiply"},
    {Reduction::land, "stablehlo.and"},    {Reduction::lor, "stablehlo.or"},
    {Reduction::lxor, "stablehlo.xor"},
};

// Per op code the kind that a region of this one op reduces by.
std::vector<std::optional<Reduction>> kinds_by_code() {
  std::vector<std::optional<Reduction>> kinds(all_ops().size());
  for (const auto &[kind, name] : kCombiners)
    if (const auto code = find_op(name))
      kinds[*code] = kind;
  return kinds;
}

template <class E> typename E::Value greatest() {
  using V = typename E::Value;
  if constexpr (E::dtype == DType::i1)
    return true;
  else if constexpr (is_int_value<V>)
    return saturate<E>(std::numeric_limits<double>::infinity());
  else if constexpr (requires { E::format; })
    return E::format.has_infinity ? std::numeric_limits<float>::infinity()
                                  : static_cast<float>(decode(E::format, E::format.max_code));
  else
    return std::numeric_limits<V>::infinity();
}

template <class E> typename E::Value least() {
  using V = typename E::Value;
  if constexpr (E::dtype == DType::i1)
    return false;
  else if constexpr (is_int_value<V>)
    return saturate<E>(-std::numeric_limits<double>::infinity());
  else {
    if constexpr (requires { E::format; })
      if (E::format.is_scale)
        return static_cast<float>(decode(E::format, 0));
    return -greatest<E>();
  }
}

template <class E> typename E::Value identity(Reduction kind) {
  using V = typename E::Value;
  if constexpr (!is_complex_value<V>) {
    if (kind == Reduction::max)
      return least<E>();
    if (kind == Reduction::min)
      return greatest<E>();
  }
  if constexpr (std::is_integral_v<V>)
    if (kind == Reduction::land)
      return static_cast<V>(~Wide<V>(0));
  return kind == Reduction::prod ? V(1) : V(0);
}

} // namespace

bool is_identity(const graph::Constant &literal, graph::DType dtype, sharding::Reduction kind) {
  const std::vector<std::byte> identity = identity_of(kind, dtype);
  return literal.splat && std::ranges::equal(*literal.bytes, identity);
}

const char *combiner_op(Reduction kind) {
  for (const auto &[k, name] : kCombiners)
    if (k == kind)
      return name;
  return nullptr;
}

std::optional<Reduction> reduction_of(const graph::Graph &graph, graph::RegionId id) {
  static const std::vector<std::optional<Reduction>> kinds = kinds_by_code();
  const graph::Region &region = graph.region(id);
  if (region.args.size() != 2 || region.ops.size() != 1 || region.yields.size() != 1)
    return std::nullopt;
  const graph::OpId op = region.ops[0];
  const auto kind = kinds[graph.op(op).code];
  if (!kind || region.yields[0] != graph.result(op))
    return std::nullopt;
  const auto operands = graph.operands(op);
  const bool straight = operands[0] == region.args[0] && operands[1] == region.args[1];
  const bool swapped = operands[0] == region.args[1] && operands[1] == region.args[0];
  if (!straight && !swapped)
    return std::nullopt;
  const DType dtype = graph.type(region.yields[0]).dtype;
  if (dtype == DType::i1)
    return *kind == Reduction::sum || *kind == Reduction::max    ? Reduction::lor
           : *kind == Reduction::prod || *kind == Reduction::min ? Reduction::land
                                                                 : kind;
  if (graph::is_complex(dtype) && (*kind == Reduction::max || *kind == Reduction::min))
    return std::nullopt; // no identity
  if (dtype == DType::f8e8m0fnu && *kind == Reduction::sum)
    return std::nullopt; // no zero
  return kind;
}

bool is_reduced(const OpView &op, size_t dim) {
  const auto dims = op.ints(slot::reduce::dimensions);
  return std::find(dims.begin(), dims.end(), static_cast<int64_t>(dim)) != dims.end();
}

std::optional<Reduction> reduction_of(const OpView &reduce) {
  return reduce.operands.size() == 2 ? reduction_of(reduce.graph, reduce.regions[0]) : std::nullopt;
}

std::vector<std::byte> identity_of(Reduction kind, DType dtype) {
  std::vector<std::byte> bytes(graph::byte_size(dtype));
  if (kind != Reduction::pick && kind != Reduction::raw && kind != Reduction::region)
    visit_dtype(dtype, [&]<class E>(E) {
      const typename E::Storage value = E::store(identity<E>(kind));
      std::memcpy(bytes.data(), &value, sizeof(value));
    });
  return bytes;
}

bool keeps_bits(Reduction kind, DType dtype) {
  const bool folds = kind != Reduction::pick && kind != Reduction::raw && kind != Reduction::region;
  return folds && (graph::is_int(dtype) || dtype == DType::i1);
}

} // namespace tw::ops
