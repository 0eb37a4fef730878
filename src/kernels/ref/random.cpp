// SPDX-License-Identifier: Apache-2.0
// Random numbers as a function of where in the whole array they stand, so that a tile holds the same numbers
// as that part of the unpartitioned array.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/ref/random_bits.hpp"
#include "kernels/ref/references.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"

namespace tw::kernels::ref::random_reference {
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
  if (args.op.string(slot::rng_bit_generator::rng_algorithm) == "THREE_FRY") {
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

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.rng", rng_kernel},
      {"stablehlo.rng_bit_generator", bits_kernel},
  };
  return all;
}

} // namespace tw::kernels::ref::random_reference
