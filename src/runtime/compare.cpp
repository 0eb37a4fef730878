// SPDX-License-Identifier: Apache-2.0
// Element-wise comparison of two arrays of one type.
#include "runtime/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "ops/element.hpp"

namespace tw::runtime {
namespace {

// Elements as doubles; a complex one is two numbers.
struct Numbers {
  double parts[2] = {0, 0};
  int count = 1;
};

template <class Value> Numbers numbers(const Value &v) {
  if constexpr (requires { v.real(); })
    return {{static_cast<double>(v.real()), static_cast<double>(v.imag())}, 2};
  else
    return {{static_cast<double>(v), 0}, 1};
}

bool is_nan(const Numbers &v, int part) { return std::isnan(v.parts[part]); }

bool same_number(double x, double y) { return x == y && std::signbit(x) == std::signbit(y); }

// Counts how often the commonest value occurs, sampling where there are many elements.
class Commonest {
public:
  explicit Commonest(int64_t n) : step_(std::max<int64_t>(1, n / 65536)) {}
  void see(int64_t i, double v) {
    if (i % step_)
      return;
    ++seen_;
    most_ = std::max(most_, ++counts_[v]);
  }
  double share() const { return seen_ ? static_cast<double>(most_) / static_cast<double>(seen_) : 0; }

private:
  int64_t step_, seen_ = 0, most_ = 0;
  std::unordered_map<double, int64_t> counts_;
};

constexpr double kMistrusted = 0.3;  // of the elements
constexpr int64_t kFewElements = 16; // too few to say anything about their spread

} // namespace

double tolerance(graph::DType dtype) {
  switch (dtype) {
  case graph::DType::f64:
  case graph::DType::c128: return 1e-10;
  case graph::DType::f32:
  case graph::DType::c64: return 1e-4;
  case graph::DType::f16: return 1e-2;
  case graph::DType::bf16: return 1e-1;
  default: return graph::is_float(dtype) ? 0.25 : 0; // f8: three bits of mantissa or fewer
  }
}

Comparison compare(const TensorView &a, const TensorView &b, double bound) {
  Comparison c;
  const int64_t n = b.elements();
  double largest = 0;
  bool same_values = true; // but for the bits of NaN
  bool differs_beyond_bound = false;
  Commonest commonest(n);
  ops::visit_dtype(b.dtype, [&](auto element) {
    using E = decltype(element);
    const auto *pa = static_cast<const typename E::Storage *>(a.data);
    const auto *pb = static_cast<const typename E::Storage *>(b.data);
    for (int64_t i = 0; i < n; ++i) {
      const bool same_bits = std::memcmp(&pa[i], &pb[i], sizeof(typename E::Storage)) == 0;
      c.bit_equal = c.bit_equal && same_bits;
      const Numbers x = numbers(E::load(pa[i])), y = numbers(E::load(pb[i]));
      bool finite = true, same = ops::kFloats.has(E::dtype) || ops::kComplex.has(E::dtype);
      for (int k = 0; k < y.count; ++k) {
        finite = finite && std::isfinite(y.parts[k]);
        same = same && ((is_nan(x, k) && is_nan(y, k)) || same_number(x.parts[k], y.parts[k]));
        if (std::isfinite(y.parts[k]))
          largest = std::max(largest, std::abs(y.parts[k]));
        if (std::isfinite(x.parts[k]) && std::isfinite(y.parts[k]))
          c.max_abs = std::max(c.max_abs, std::abs(x.parts[k] - y.parts[k]));
        else if (!(x.parts[k] == y.parts[k] || (is_nan(x, k) && is_nan(y, k))))
          differs_beyond_bound = true; // NaN or infinity against something else
      }
      same_values = same_values && (same_bits || same);
      c.nonfinite += !finite;
      commonest.see(i, finite ? y.parts[0] : 0);
    }
  });
  constexpr double tiny = 1e-300;
  c.max_rel = c.max_abs == 0 ? 0 : c.max_abs / std::max(largest, tiny);
  c.bound = tolerance(b.dtype) > 0 ? bound : 0;
  c.judged_by = c.bound > 0 ? JudgedBy::tolerance : JudgedBy::bits;
  c.pass = c.bound > 0 ? !differs_beyond_bound && c.max_rel <= c.bound : same_values;
  c.mistrusted =
      n > 0 && (static_cast<double>(c.nonfinite) > kMistrusted * static_cast<double>(n) ||
                (n >= kFewElements && b.dtype != graph::DType::i1 && commonest.share() > kMistrusted));
  return c;
}

namespace {

// Looks no further than to the first elements that differ.
bool agrees(const TensorView &a, const TensorView &b, double bound, double largest) {
  return ops::visit_dtype(b.dtype, [&](auto element) {
    using E = decltype(element);
    const auto *pa = static_cast<const typename E::Storage *>(a.data);
    const auto *pb = static_cast<const typename E::Storage *>(b.data);
    for (int64_t i = 0; i < b.elements(); ++i) {
      if (std::memcmp(&pa[i], &pb[i], sizeof(typename E::Storage)) == 0)
        continue;
      if (bound == 0)
        return false;
      const Numbers x = numbers(E::load(pa[i])), y = numbers(E::load(pb[i]));
      for (int k = 0; k < y.count; ++k)
        if (x.parts[k] != y.parts[k] && !(is_nan(x, k) && is_nan(y, k)) &&
            !(std::abs(x.parts[k] - y.parts[k]) <= bound * largest))
          return false;
    }
    return true;
  });
}

double largest_magnitude(const TensorView &b) {
  double largest = 0;
  ops::visit_dtype(b.dtype, [&](auto element) {
    using E = decltype(element);
    const auto *pb = static_cast<const typename E::Storage *>(b.data);
    for (int64_t i = 0; i < b.elements(); ++i) {
      const Numbers y = numbers(E::load(pb[i]));
      for (int k = 0; k < y.count; ++k)
        if (std::isfinite(y.parts[k]))
          largest = std::max(largest, std::abs(y.parts[k]));
    }
  });
  return largest;
}

} // namespace

int32_t find_equal(std::span<const TensorView> arrays, const TensorView &b, double bound) {
  const bool rounds = tolerance(b.dtype) > 0;
  if (b.elements() == 0 || (!rounds && b.elements() < kFewElements))
    return -1;
  double largest = -1;
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].dtype != b.dtype || !std::ranges::equal(arrays[i].dims, b.dims))
      continue;
    if (largest < 0)
      largest = largest_magnitude(b);
    if (agrees(arrays[i], b, rounds ? bound : 0, largest))
      return static_cast<int32_t>(i);
  }
  return -1;
}

} // namespace tw::runtime
