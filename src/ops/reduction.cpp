// SPDX-License-Identifier: Apache-2.0
// Recognises reduction regions and holds, per kind, the identity and the combining function.
#include "ops/reduction.hpp"

#include <algorithm>
#include <utility>

#include "ops/elementwise.hpp"
#include "ops/registry.hpp"
#include "ops/scalar.hpp"

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

template <class S> void pick_block(const void *const *in, void *out, int64_t n) {
  const auto *a = static_cast<const S *>(in[0]), *b = static_cast<const S *>(in[1]);
  auto *y = static_cast<S *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i)
    y[i] = static_cast<S>(a[i] | b[i]);
}

void pick_16_bytes(const void *const *in, void *out, int64_t n) { pick_block<uint64_t>(in, out, 2 * n); }

// Values are rounded to the type after every step, as they are where two are combined.
template <class F, class E, size_t... Other>
void fold_values(const void *const *in, void *out, int64_t n, std::index_sequence<Other...>) {
  using S = typename E::Storage;
  const auto *first = static_cast<const S *>(in[0]);
  const S *const others[] = {static_cast<const S *>(in[Other + 1])...};
  auto *y = static_cast<S *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i) {
    S value = first[i];
    ((value = E::store(static_cast<typename E::Value>(F::apply(E::load(value), E::load(others[Other][i]))))),
     ...);
    y[i] = value;
  }
}

template <class F, class E, size_t Count> void fold_block(const void *const *in, void *out, int64_t n) {
  fold_values<F, E>(in, out, n, std::make_index_sequence<Count - 1>());
}

template <class E> void add_zero_block(const void *const *in, void *out, int64_t n) {
  using S = typename E::Storage;
  using V = typename E::Value;
  const auto *x = static_cast<const S *>(in[0]);
  auto *y = static_cast<S *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i)
    y[i] = E::store(static_cast<V>(scalar::Add::apply(E::load(x[i]), V(0))));
}

// Of f16 the compiler makes no vectors for more than two.
constexpr TypeSet kFolded = {DType::f64, DType::f32, DType::bf16, DType::s32, DType::i1};

template <class F> Combiner combiner_by(DType dtype) {
  Combiner all{elementwise::block_for<F, 2>(dtype)};
  visit_dtype(dtype, [&]<class E>(E) {
    if constexpr (F::takes.has(E::dtype) && kFolded.has(E::dtype)) {
      all.four = wide<fold_block<F, E, 4>>();
      all.eight = wide<fold_block<F, E, 8>>();
    }
  });
  return all;
}

BlockFn pick_of_size(size_t size) {
  switch (size) {
  case 1: return pick_block<uint8_t>;
  case 2: return pick_block<uint16_t>;
  case 4: return pick_block<uint32_t>;
  case 8: return pick_block<uint64_t>;
  default: return pick_16_bytes;
  }
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

std::vector<std::byte> identity_of(Reduction kind, DType dtype) {
  std::vector<std::byte> bytes(graph::byte_size(dtype));
  if (kind != Reduction::pick && kind != Reduction::raw && kind != Reduction::region)
    visit_dtype(dtype, [&]<class E>(E) {
      const typename E::Storage value = E::store(identity<E>(kind));
      std::memcpy(bytes.data(), &value, sizeof(value));
    });
  return bytes;
}

Combiner combiner(Reduction kind, DType dtype) {
  switch (kind) {
  case Reduction::sum: {
    Combiner sums = combiner_by<scalar::Add>(dtype);
    visit_dtype(dtype, [&]<class E>(E) {
      if constexpr (scalar::Add::takes.has(E::dtype))
        sums.add_zero = wide<add_zero_block<E>>();
    });
    return sums;
  }
  case Reduction::prod: return combiner_by<scalar::Multiply>(dtype);
  case Reduction::max: return graph::is_complex(dtype) ? Combiner() : combiner_by<scalar::Maximum>(dtype);
  case Reduction::min: return graph::is_complex(dtype) ? Combiner() : combiner_by<scalar::Minimum>(dtype);
  case Reduction::land: return combiner_by<scalar::And>(dtype);
  case Reduction::lor: return combiner_by<scalar::Or>(dtype);
  case Reduction::lxor: return combiner_by<scalar::Xor>(dtype);
  case Reduction::pick: return {pick_of_size(graph::byte_size(dtype))};
  case Reduction::raw:
  case Reduction::region: return {};
  }
  return {};
}

BlockFn combine_block(Reduction kind, DType dtype) { return combiner(kind, dtype).two; }

bool keeps_bits(Reduction kind, DType dtype) {
  const bool folds = kind != Reduction::pick && kind != Reduction::raw && kind != Reduction::region;
  return folds && (graph::is_int(dtype) || dtype == DType::i1);
}

} // namespace tw::ops
