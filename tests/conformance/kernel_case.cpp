// SPDX-License-Identifier: Apache-2.0
// Builds requests, buffers and comparisons for the conformance tests of kernels.
#include "conformance/kernel_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include <doctest/doctest.h>

#include "kernels/entry.hpp"
#include "ops/element.hpp"

namespace tw::test {

namespace {

constexpr size_t kCanary = 64;
constexpr std::byte kCanaryByte{0xa5};

kernels::Tile tile_of(const ArrayPart &a) { return {a.type.dtype, a.type.dims, a.box.offset, a.box.extent}; }

template <class F> auto with_request(const KernelCase &c, F f) {
  static const graph::Graph empty;
  std::vector<kernels::Tile> operands, results;
  std::vector<const graph::TensorType *> operand_types, result_types;
  for (const ArrayPart &a : c.operands) {
    operands.push_back(tile_of(a));
    operand_types.push_back(&a.type);
  }
  for (const ArrayPart &a : c.results) {
    results.push_back(tile_of(a));
    result_types.push_back(&a.type);
  }
  const auto code = ops::find_op(c.op);
  REQUIRE_MESSAGE(code.has_value(), c.op);
  const ops::OpView view{c.graph ? *c.graph : empty, c.attrs, operand_types, result_types, c.regions};
  return f(kernels::Request{view, ops::op_def(*code), operands, results, c.use_init, false, c.idle_cores, 0,
                            false, c.tf32});
}

// A buffer between two canaries.
struct Guarded {
  explicit Guarded(size_t bytes) : storage(bytes + 2 * kCanary + 64, kCanaryByte), bytes(bytes) {
    const auto at = reinterpret_cast<uintptr_t>(storage.data()) + kCanary;
    begin = kCanary + (64 - at % 64) % 64;
  }
  std::byte *data() { return storage.data() + begin; }
  bool intact() const {
    const auto is_canary = [](std::byte b) { return b == kCanaryByte; };
    const auto first = storage.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::all_of(storage.begin(), first, is_canary) &&
           std::all_of(first + static_cast<std::ptrdiff_t>(bytes), storage.end(), is_canary);
  }
  std::vector<std::byte> storage;
  size_t bytes, begin;
};

} // namespace

int64_t uniform(Rng &rng, int64_t lo, int64_t hi) {
  return lo + static_cast<int64_t>(rng() % static_cast<uint64_t>(hi - lo + 1));
}

ArrayPart whole(graph::DType dtype, std::vector<int64_t> dims) {
  const auto box = sharding::Box::whole(dims);
  return {{dtype, std::move(dims)}, box};
}

std::unique_ptr<kernels::Kernel> KernelCase::bind() const {
  return with_request(*this, [](const kernels::Request &r) {
    auto kernel = kernels::bind(r);
    REQUIRE(kernel.has_value());
    return std::move(*kernel);
  });
}

std::unique_ptr<kernels::Kernel> KernelCase::bind_as(kernels::Factory factory) const {
  return with_request(*this, factory);
}

std::unique_ptr<kernels::Kernel> KernelCase::bind_reference() const {
  return bind_as(kernels::ref::reference_kernel::entry().bind);
}

std::vector<std::vector<std::byte>> KernelCase::run(const kernels::Kernel &kernel, Rng &rng) const {
  std::vector<Guarded> inputs, outputs;
  std::vector<const void *> in;
  std::vector<void *> out;
  inputs.reserve(data.size());
  outputs.reserve(results.size());
  for (const auto &bytes : data) {
    inputs.emplace_back(bytes.size());
    std::copy(bytes.begin(), bytes.end(), inputs.back().data());
    in.push_back(inputs.back().data());
  }
  for (const ArrayPart &a : results) {
    outputs.emplace_back(static_cast<size_t>(tile_of(a).bytes()));
    std::fill_n(outputs.back().data(), outputs.back().bytes, std::byte{0xcd}); // a byte not written is seen
    out.push_back(outputs.back().data());
  }
  Guarded scratch(static_cast<size_t>(kernel.scratch_bytes())),
      shared(static_cast<size_t>(kernel.shared_bytes()));
  const auto shuffled = [&](int64_t parts) {
    std::vector<int64_t> order(static_cast<size_t>(parts));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), rng);
    return order;
  };
  for (int64_t part : shuffled(kernel.prepare_parts()))
    REQUIRE(kernel.prepare(part, in, shared.data()).has_value());
  if (kernel.prepare_parts() > 0)
    in.push_back(shared.data());
  for (int64_t part : shuffled(kernel.parts()))
    REQUIRE(kernel.run(part, in, out, scratch.data()).has_value());
  CHECK(scratch.intact());
  CHECK(shared.intact());
  std::vector<std::vector<std::byte>> answer;
  for (size_t i = 0; i < data.size(); ++i) {
    CHECK(inputs[i].intact());
    CHECK((data[i].empty() || std::memcmp(data[i].data(), inputs[i].data(), data[i].size()) == 0));
  }
  for (Guarded &o : outputs) {
    CHECK(o.intact());
    answer.emplace_back(o.data(), o.data() + o.bytes);
  }
  return answer;
}

std::vector<std::byte> random_data(Rng &rng, graph::DType dtype, int64_t elements, bool integers) {
  std::vector<std::byte> bytes(static_cast<size_t>(elements) * graph::byte_size(dtype));
  ops::visit_dtype(dtype, [&](auto element) {
    using E = decltype(element);
    using V = typename E::Value;
    for (int64_t i = 0; i < elements; ++i) {
      typename E::Storage s{};
      const int64_t n = uniform(rng, -8, 8);
      const double real = static_cast<double>(uniform(rng, -1'000'000, 1'000'000)) / 250'000.0;
      if constexpr (std::is_same_v<V, bool>)
        s = E::store(n > 0);
      else if constexpr (ops::is_int_value<V>)
        s = E::store(static_cast<V>(n));
      else if constexpr (ops::is_complex_value<V>)
        s = E::store(V(static_cast<typename V::value_type>(integers ? static_cast<double>(n) : real), 1));
      else
        s = E::store(static_cast<V>(integers ? static_cast<double>(n) : real));
      std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof s, &s, sizeof s);
    }
    return 0;
  });
  return bytes;
}

std::vector<std::byte> cut(const std::vector<std::byte> &data, std::span<const int64_t> shape,
                           const sharding::Box &box, size_t element_size) {
  // What lies side by side in both: dimensions of which the box has all, and its part of the next one.
  int64_t run = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    run *= box.extent[d];
    if (box.extent[d] != shape[d])
      break;
  }
  const int64_t n = box.elements();
  std::vector<std::byte> out(static_cast<size_t>(n) * element_size);
  for (int64_t i = 0; i < n; i += run) {
    int64_t rest = i, at = 0, step = 1;
    for (size_t d = shape.size(); d-- > 0;) {
      at += (rest % box.extent[d] + box.offset[d]) * step;
      rest /= box.extent[d];
      step *= shape[d];
    }
    std::memcpy(out.data() + static_cast<size_t>(i) * element_size,
                data.data() + static_cast<size_t>(at) * element_size,
                static_cast<size_t>(run) * element_size);
  }
  return out;
}

double relative_difference(graph::DType dtype, const std::vector<std::byte> &a,
                           const std::vector<std::byte> &b) {
  if (a.size() != b.size())
    return std::numeric_limits<double>::infinity();
  return ops::visit_dtype(dtype, [&](auto element) {
    using E = decltype(element);
    using V = typename E::Value;
    double worst = 0, scale = 0;
    if constexpr (ops::is_complex_value<V>) {
      return a == b ? 0.0 : std::numeric_limits<double>::infinity();
    } else {
      for (size_t i = 0; i < a.size(); i += sizeof(typename E::Storage)) {
        typename E::Storage sa, sb;
        std::memcpy(&sa, a.data() + i, sizeof sa);
        std::memcpy(&sb, b.data() + i, sizeof sb);
        const auto x = static_cast<double>(E::load(sa)), y = static_cast<double>(E::load(sb));
        if (std::isnan(x) && std::isnan(y))
          continue;
        if (x == y) {
          scale = std::isfinite(y) ? std::max(scale, std::abs(y)) : scale;
          continue;
        }
        if (!std::isfinite(x) || !std::isfinite(y))
          return std::numeric_limits<double>::infinity();
        worst = std::max(worst, std::abs(x - y));
        scale = std::max(scale, std::abs(y));
      }
      return worst == 0 ? 0.0 : worst / std::max(scale, std::numeric_limits<double>::min());
    }
  });
}

} // namespace tw::test
