// SPDX-License-Identifier: Apache-2.0
// rng and rng_bit_generator: random numbers as a function of where in the whole array they stand, so that a
// tile holds the same numbers as that part of the unpartitioned array.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/op_def.hpp"
#include "ops/random_bits.hpp"
#include "ops/strided.hpp"

namespace tw::ops::random_ops {
namespace {

std::array<uint32_t, 2> halves(uint64_t v) {
  return {static_cast<uint32_t>(v), static_cast<uint32_t>(v >> 32)};
}
uint64_t joined(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }

// Position of a local element in an array of the shape `dims`.
class GlobalPosition {
public:
  GlobalPosition(const Buffer &piece, std::span<const int64_t> dims)
      : piece_(piece), steps_(dense_strides(dims)) {}
  int64_t operator()(const Walk &w) const {
    int64_t at = 0;
    for (size_t d = 0; d < steps_.size(); ++d)
      at += (piece_.offset[d] + w[d]) * steps_[d];
    return at;
  }

private:
  const Buffer &piece_;
  std::vector<int64_t> steps_;
};

// --- rng_bit_generator ---

bool is_threefry(const OpView &op) {
  return op.string(slot::rng_bit_generator::rng_algorithm) == "THREE_FRY";
}

Result<std::vector<graph::TensorType>> infer_bits(const OpView &op) {
  const graph::TensorType &state = *op.operands[0];
  const std::string_view algorithm = op.string(slot::rng_bit_generator::rng_algorithm);
  if (algorithm != "DEFAULT" && algorithm != "THREE_FRY" && algorithm != "PHILOX")
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("rng_algorithm is `{}`, expected DEFAULT, THREE_FRY or PHILOX", algorithm));
  const bool fits = state.rank() == 1 && state.dtype == DType::u64 &&
                    (state.dims[0] == 2 || (state.dims[0] == 3 && !is_threefry(op)));
  if (!fits)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0, the state of {}, is {}: expected ui64[2]{}", algorithm,
                            graph::to_short_text(state), is_threefry(op) ? "" : " or ui64[3]"));
  if (op.results.size() != 2)
    return fail(Code::invalid_argument, "TW-246",
                "the result types must be stated: the operands do not say what is wanted");
  const graph::TensorType &out = *op.results[1];
  if (!(kInts | kFloats).has(out.dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("does not give result 1 of element type {}", graph::name(out.dtype)));
  return std::vector<graph::TensorType>{state, out};
}

Rule bits_rule(const OpView &op) {
  RuleBuilder rule(op);
  const FactorId state = rule.whole(op.operands[0]->dims[0]);
  rule.in(0, 0, state).out(0, 0, state);
  for (size_t d = 0; d < op.results[1]->rank(); ++d)
    rule.out(1, d, rule.pass(op.results[1]->dims[d]));
  return rule.build();
}

// Threefry gives two words a counter. Words of 32 bits and less are laid out as two arrays of half the size
// put together along one dimension: the first even one, else the largest.
size_t halved_dim(std::span<const int64_t> dims) {
  const auto even = std::ranges::find_if(dims, [](int64_t n) { return n % 2 == 0; });
  return static_cast<size_t>((even != dims.end() ? even : std::ranges::max_element(dims)) - dims.begin());
}

template <class Store> void threefry(const Buffer &out, uint64_t key, uint64_t state, Store &&store) {
  const bool wide = graph::byte_size(out.dtype) == 8;
  std::vector<int64_t> dims(out.global.begin(), out.global.end());
  const size_t halved = wide || dims.empty() ? dims.size() : halved_dim(dims);
  if (halved < dims.size())
    dims[halved] = (dims[halved] + 1) / 2;
  const std::vector<int64_t> steps = dense_strides(dims);
  for (Walk w(out.extent); w.more(); w.next()) {
    uint64_t at = state;
    size_t which = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      int64_t index = out.offset[d] + w[d];
      if (d == halved) {
        which = static_cast<size_t>(index % 2);
        index /= 2;
      }
      at += static_cast<uint64_t>(index * steps[d]);
    }
    const auto words = threefry_2x32(halves(at), halves(key));
    store(wide ? joined(words[0], words[1]) : words[which]);
  }
}

struct Counter {
  uint64_t low, high;
  Counter operator+(uint64_t n) const { return {low + n, high + (low + n < low ? 1 : 0)}; }
};

// Philox gives four words a counter, in the array's order.
template <class Store> void philox(const Buffer &out, uint64_t key, Counter state, Store &&store) {
  const bool wide = graph::byte_size(out.dtype) == 8;
  const GlobalPosition position(out, out.global);
  uint64_t made_for = UINT64_MAX;
  std::array<uint32_t, 4> words{};
  for (Walk w(out.extent); w.more(); w.next()) {
    const auto at = static_cast<uint64_t>(position(w)) * (wide ? 2 : 1);
    if (at / 4 != made_for) {
      made_for = at / 4;
      const Counter counter = state + made_for;
      const auto low = halves(counter.low), high = halves(counter.high);
      words = philox_4x32({low[0], low[1], high[0], high[1]}, halves(key));
    }
    store(wide ? joined(words[at % 4], words[at % 4 + 1]) : words[at % 4]);
  }
}

Status bits_kernel(const KernelArgs &args) {
  const auto *state = static_cast<const uint64_t *>(args.operands[0].data);
  auto *next = static_cast<uint64_t *>(args.results[0].data);
  const Buffer &out = args.results[1];
  const size_t size = graph::byte_size(out.dtype);
  auto *to = static_cast<std::byte *>(out.data);
  const auto store = [&](uint64_t bits) {
    visit_dtype(out.dtype, [&]<class E>(E) {
      if constexpr (is_int_value<typename E::Value>) { // numbers of fewer bits than a byte keep the low ones
        const typename E::Storage stored = E::store(static_cast<typename E::Value>(bits));
        std::memcpy(to, &stored, sizeof stored);
      } else {
        std::memcpy(to, &bits, size);
      }
    });
    to += size;
  };
  int64_t elements = product(out.global);
  if (is_threefry(args.op)) {
    threefry(out, state[0], state[1], store);
    if (size < 8) {
      const size_t halved = out.global.empty() ? 0 : halved_dim(out.global);
      elements = out.global.empty() ? 1
                 : elements == 0    ? 0
                                    : elements / out.global[halved] * ((out.global[halved] + 1) / 2);
    }
    next[0] = state[0];
    next[1] = state[1] + static_cast<uint64_t>(elements);
    return {};
  }
  const bool short_state = args.operands[0].global[0] == 2;
  const Counter counter = short_state ? Counter{state[1], state[0]} : Counter{state[1], state[2]};
  philox(out, state[0], counter, store);
  const Counter after = counter + static_cast<uint64_t>((elements * (size == 8 ? 2 : 1) + 3) / 4);
  next[0] = state[0];
  next[1] = after.low;
  if (!short_state)
    next[2] = after.high;
  return {};
}

OpDef rng_bit_generator() {
  OpDef def{
      "stablehlo.rng_bit_generator",
      "Random bits from a state, and the state after them. Spec: rng_bit_generator.",
      1,
      1,
      2,
      {{"rng_algorithm", AttrKind::string, true,
        "THREE_FRY or PHILOX; DEFAULT is PHILOX, as on XLA's CPUs and GPUs", AttrDims::none, "algorithm"}}};
  def.flags |= kOwnTypes;
  def.infer = infer_bits;
  def.rule = bits_rule;
  def.mark_placed = [](const OpView &, const Rule &rule, std::vector<bool> &placed) {
    for (const auto &dims : rule.results)
      mark_all(dims, placed);
  };
  def.rule_text = "([n])->([n],[i,j]) n:whole";
  def.reference = bits_kernel;
  return def;
}

// --- rng ---

Result<std::vector<graph::TensorType>> infer_rng(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operands do not say it");
  const std::string_view distribution = op.string(slot::rng::rng_distribution);
  if (distribution != "UNIFORM" && distribution != "NORMAL")
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("rng_distribution is `{}`, expected UNIFORM or NORMAL", distribution));
  if (!(distribution == "NORMAL" ? kFloats : kFloats | kInts | kBool).has(op.results[0]->dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} numbers of element type {} are not drawn", distribution,
                            graph::name(op.results[0]->dtype)));
  for (size_t v : {size_t(0), size_t(1)})
    if (op.operands[v]->rank() != 0 || op.operands[v]->dtype != op.results[0]->dtype)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {} is {}: expected a scalar {}", v,
                              graph::to_short_text(*op.operands[v]), graph::name(op.results[0]->dtype)));
  const graph::TensorType &shape = *op.operands[2];
  if (shape.rank() != 1 || !graph::is_int(shape.dtype) ||
      shape.dims[0] != static_cast<int64_t>(op.results[0]->rank()))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 2, the shape of {}, is {}: expected {} integers",
                            graph::to_short_text(*op.results[0]), graph::to_short_text(shape),
                            op.results[0]->rank()));
  return std::vector<graph::TensorType>{*op.results[0]};
}

// Every element is drawn on its own.
Rule rng_rule(const OpView &op) {
  RuleBuilder rule(op);
  rule.whole_in(2, 0, op.operands[2]->dims[0]);
  for (size_t d = 0; d < op.results[0]->rank(); ++d)
    rule.out(0, d, rule.pass(op.results[0]->dims[d]));
  return rule.build();
}

// In [0, 1), 53 random bits.
double fraction(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

template <class E>
typename E::Value draw(typename E::Value a, typename E::Value b, uint64_t bits,
                       [[maybe_unused]] uint64_t more, [[maybe_unused]] bool normal) {
  using V = typename E::Value;
  if constexpr (std::is_same_v<V, bool>) {
    return a == b ? a : (bits & 1) != 0;
  } else if constexpr (is_int_value<V>) { // from a up to, not including, b
    const auto range = static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
    return static_cast<V>(static_cast<uint64_t>(a) + (b > a ? bits % range : 0));
  } else if (normal) { // Box and Muller's; 1 - fraction is in (0, 1]
    const double radius = std::sqrt(-2 * std::log(1 - fraction(bits)));
    return static_cast<V>(static_cast<double>(a) +
                          static_cast<double>(b) * radius * std::cos(2 * M_PI * fraction(more)));
  } else {
    const double v =
        static_cast<double>(a) + fraction(bits) * (static_cast<double>(b) - static_cast<double>(a));
    return static_cast<V>(v);
  }
}

Status rng_kernel(const KernelArgs &args) {
  const Buffer &out = args.results[0];
  const bool normal = args.op.string(slot::rng::rng_distribution) == "NORMAL";
  const auto stream = halves(static_cast<uint64_t>(args.op.integer(slot::rng::stream)));
  const GlobalPosition position(out, out.global);
  visit_dtype(out.dtype, [&]<class E>(E) {
    if constexpr ((kFloats | kInts | kBool).has(E::dtype)) {
      const auto a = E::load(*static_cast<const typename E::Storage *>(args.operands[0].data)),
                 b = E::load(*static_cast<const typename E::Storage *>(args.operands[1].data));
      auto *to = static_cast<typename E::Storage *>(out.data);
      for (Walk w(out.extent); w.more(); w.next()) {
        const auto at = halves(static_cast<uint64_t>(position(w)));
        const auto words = philox_4x32({at[0], at[1], 0, 0}, stream);
        *to++ = E::store(draw<E>(a, b, joined(words[0], words[1]), joined(words[2], words[3]), normal));
      }
    }
  });
  return {};
}

OpDef rng() {
  OpDef def{
      "stablehlo.rng",
      "Random numbers from a hidden state: ours is the op's place in the program, so every run gives the "
      "same. Spec: rng.",
      3,
      3,
      1,
      {{"rng_distribution", AttrKind::string, true,
        "UNIFORM (operands: least, bound) or NORMAL (mean, deviation)", AttrDims::none, "distribution"},
       {"stream", AttrKind::integer, false, "which stream of numbers; the importer counts the ops"}}};
  def.flags |= kOwnTypes;
  def.infer = infer_rng;
  def.rule = rng_rule;
  def.mark_placed = [](const OpView &, const Rule &rule, std::vector<bool> &placed) {
    mark_all(rule.results[0], placed);
  };
  def.rule_text = "([],[],[n])->([i,j]) n:whole";
  def.reference = rng_kernel;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {rng(), rng_bit_generator()};
  return defs;
}

} // namespace tw::ops::random_ops
