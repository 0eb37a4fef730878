// SPDX-License-Identifier: Apache-2.0
// Expectations that test programs carry: check.expect_eq, expect_close and expect_almost_eq compare their
// first operand with the second, which holds what is expected, and end the run where they differ.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/element.hpp"
#include "ops/op_def.hpp"

namespace tw::ops::check_ops {
namespace {

constexpr int64_t kDefaultUlps = 3;
constexpr double kDefaultTolerance = 1e-3;

Result<std::vector<graph::TensorType>> infer_check(const OpView &op) {
  if (!(*op.operands[0] == *op.operands[1]))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {} and operand 1 is {}: they must have one type",
                            graph::to_short_text(*op.operands[0]), graph::to_short_text(*op.operands[1])));
  return std::vector<graph::TensorType>();
}

// A check looks at whole arrays.
Rule check_rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t v = 0; v < op.operands.size(); ++v)
    for (size_t d = 0; d < op.operands[v]->rank(); ++d)
      rule.whole_in(v, d, op.operands[v]->dims[d]);
  return rule.build();
}

// Elements in order of their values: the codes of floats are sign and magnitude.
template <class S> int64_t rank_of(S code) {
  using U = std::make_unsigned_t<S>;
  constexpr U sign = U(1) << (sizeof(U) * 8 - 1);
  const auto bits = static_cast<U>(code);
  return bits & sign ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
}

template <class F> auto bits_of(F value) {
  if constexpr (sizeof(F) == 8)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (sizeof(F) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return value; // narrow floats are stored as their codes
}

// How far apart two floats of one type lie, counted in representable values; both NaN are equal.
struct Close {
  int64_t min_ulps, max_ulps;
  template <class Code, class V> bool operator()(Code x, Code y, V a, V b) const {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b))
      return a == b;
    int64_t distance = 0;
    if (__builtin_sub_overflow(rank_of(x), rank_of(y), &distance))
      return false;
    distance = std::abs(distance);
    return distance >= min_ulps && distance <= max_ulps;
  }
};

struct AlmostEqual {
  double tolerance;
  template <class Code, class V> bool operator()(Code, Code, V a, V b) const {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && std::isnan(b);
    return a == b || std::fabs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
  }
};

struct Equal {
  template <class Code, class V> bool operator()(Code x, Code y, V, V) const { return x == y; }
};

template <class E, class Holds>
bool holds_for(const Holds &holds, typename E::Storage x, typename E::Storage y) {
  using V = typename E::Value;
  if constexpr (is_complex_value<V>)
    return holds(bits_of(x.real()), bits_of(y.real()), x.real(), y.real()) &&
           holds(bits_of(x.imag()), bits_of(y.imag()), x.imag(), y.imag());
  else if constexpr (std::is_integral_v<V>)
    return x == y;
  else
    return holds(bits_of(x), bits_of(y), E::load(x), E::load(y));
}

template <class E> std::string show(typename E::Storage x) {
  const auto value = E::load(x);
  if constexpr (is_complex_value<typename E::Value>)
    return fmt::format("({}, {})", value.real(), value.imag());
  else
    return fmt::format("{}", value);
}

std::string index_text(const Buffer &buffer, int64_t flat) {
  std::vector<int64_t> index(buffer.extent.size());
  for (size_t d = index.size(); d-- > 0; flat /= buffer.extent[d])
    index[d] = buffer.offset[d] + flat % buffer.extent[d];
  return fmt::format("[{}]", fmt::join(index, ","));
}

template <class Holds> Status compare(const KernelArgs &args, const Holds &holds) {
  const Buffer &actual = args.operands[0], &expected = args.operands[1];
  return visit_dtype(actual.dtype, [&](auto element) -> Status {
    using E = decltype(element);
    const auto *x = static_cast<const typename E::Storage *>(actual.data);
    const auto *y = static_cast<const typename E::Storage *>(expected.data);
    int64_t wrong = 0, first = 0;
    const int64_t n = actual.elements();
    for (int64_t i = 0; i < n; ++i)
      if (!holds_for<E>(holds, x[i], y[i])) {
        first = wrong == 0 ? i : first;
        ++wrong;
      }
    if (wrong == 0)
      return {};
    return fail(
        Code::failed_precondition, "TW-251",
        fmt::format("{} of {} elements differ from what is expected, first element {}: {}, expected {}",
                    wrong, n, index_text(actual, first), show<E>(x[first]), show<E>(y[first])));
  });
}

OpDef check_op(const char *name, const char *doc, std::vector<AttrSpec> attrs,
               Status (*reference)(const KernelArgs &)) {
  OpDef def{name, doc, 2, 2, 0, std::move(attrs), kSideEffect};
  def.infer = infer_check;
  def.rule = check_rule;
  def.reference = reference;
  return def;
}

} // namespace

OpFamily family() {
  static const std::vector<OpDef> ops = {
      check_op("check.expect_almost_eq",
               "Ends the run where an element differs from the expected one by more than a tolerance. Spec: "
               "the check dialect of its tests.",
               {{"tolerance", AttrKind::real, false, "largest difference; 0.001 where absent"}},
               [](const KernelArgs &args) {
                 return compare(args, AlmostEqual{args.op.real(0, kDefaultTolerance)});
               }),
      check_op("check.expect_close",
               "Ends the run where an element is more than some representable values away from the expected "
               "one. Spec: the check dialect of its tests.",
               {{"max_ulp_difference", AttrKind::integer, false, "largest distance; 3 where absent"},
                {"min_ulp_difference", AttrKind::integer, false, "smallest distance; 0 where absent"}},
               [](const KernelArgs &args) {
                 return compare(args, Close{args.op.integer(1, 0), args.op.integer(0, kDefaultUlps)});
               }),
      check_op("check.expect_eq",
               "Ends the run where an element has other bits than the expected one. Spec: the check dialect "
               "of its tests.",
               {}, [](const KernelArgs &args) { return compare(args, Equal{}); }),
  };
  return ops;
}

} // namespace tw::ops::check_ops
