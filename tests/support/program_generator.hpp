// SPDX-License-Identifier: Apache-2.0
// Grows a random program op by op: each maker looks for operands that suit it among the values made so far
// and makes some when there are none. The makers stand by what they make: random_elementwise.cpp,
// random_reductions.cpp, random_movement.cpp, random_regions.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ops/builder.hpp"
#include "ops/registry.hpp"
#include "support/random_program.hpp"

namespace tw::test {

using graph::DType;
using graph::Shape;
using graph::TensorType;
using graph::ValueId;

constexpr int64_t kMostElements = 3000, kMostLargeElements = 150'000;

// The largest magnitude up to which a type holds every integer.
double exact_limit(DType t);

class Generator {
public:
  explicit Generator(Dice &random) : random_(random), b_("random", "random.mlir") {}

  RandomProgram run() {
    if (random_.chance(50)) { // large enough for kernels and collectives to have several parts
      most_elements_ = kMostLargeElements;
      extents_ = {31, 64, 129, 256};
    }
    for (int i = 0; i < 4; ++i)
      extents_.push_back(random_.pick(std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17}));
    if (random_.chance(40))
      extents_.push_back(0);
    for (int64_t i = random_.between(1, 4); i > 0; --i)
      argument({random_dtype(), random_shape(5)}, -3, 3);
    argument({DType::s32, {random_extent(), 1}}, -1, 9);
    argument({DType::s32, {random_extent(), random_extent(), 1}}, -1, 9);
    argument({DType::s32, {}}, -1, 6);

    some_ops(random_.between(3, 40));
    results();
    return {b_.finish(), std::move(inputs_)};
  }

  // Dimensions are split and merged again and again, in sizes that have divisors in common and no more.
  RandomProgram run_reshapes() {
    static const std::vector<int64_t> sizes = {4, 6, 8, 9, 12, 16, 18, 24, 36};
    Shape shape;
    for (int64_t rank = random_.between(1, 2); rank > 0; --rank)
      shape.push_back(random_.pick(sizes));
    argument({random_dtype(), shape}, -3, 3);
    for (int64_t i = random_.between(2, 6); i > 0; --i) {
      regroup();
      if (random_.chance(2))
        unary();
      if (random_.chance(6))
        reduce();
      if (random_.chance(6))
        transpose();
    }
    results();
    return {b_.finish(), std::move(inputs_)};
  }

  // Products, and what adds to them or converts them.
  RandomProgram run_products() {
    takes_bf16_ = true;
    for (int i = 0; i < 3; ++i)
      extents_.push_back(random_.pick(std::vector<int64_t>{1, 2, 3, 4, 6, 8}));
    for (const DType t : {DType::f32, DType::f32, DType::bf16, DType::f64}) {
      Shape shape;
      for (int64_t rank = random_.between(2, 3); rank > 0; --rank)
        shape.push_back(random_extent());
      argument({t, shape}, -3, 3);
    }
    for (int64_t i = random_.between(4, 12); i > 0; --i)
      if (dot())
        follow_product();
    results();
    return {b_.finish(), std::move(inputs_)};
  }

private:
  struct Made {
    ValueId id;
    double bound; // of the magnitude of its elements
  };

  // --- choosing ---
  int64_t random_extent() { return random_.pick(extents_); }
  DType random_dtype() {
    static const std::vector<DType> types = {DType::f32, DType::f32, DType::f32, DType::f32, DType::s32,
                                             DType::s32, DType::f64, DType::s64, DType::i1,  DType::bf16};
    return random_.pick(types);
  }
  Shape random_shape(int64_t most_rank) {
    Shape shape;
    int64_t elements = 1;
    for (int64_t rank = random_.between(0, most_rank); rank > 0; --rank) {
      const int64_t n = random_extent();
      if (elements * n > most_elements_)
        continue;
      elements *= std::max<int64_t>(n, 1);
      shape.push_back(n);
    }
    return shape;
  }
  TensorType type(const Made &m) const { return b_.type_of(m.id); } // a copy: adding types moves them
  // Later values are likelier, so that programs grow deep.
  template <class Want> std::optional<Made> find(Want &&want) {
    std::vector<Made> fit;
    for (const Made &m : values_)
      if (want(m))
        fit.push_back(m);
    if (fit.empty())
      return std::nullopt;
    const auto n = static_cast<int64_t>(fit.size());
    return fit[static_cast<size_t>(std::max(random_.below(n), random_.below(n)))];
  }
  Made any() {
    return *find([](const Made &) { return true; });
  }
  static bool is_number(DType t) { return t != DType::i1; }

  // --- adding ---
  void argument(TensorType t, int64_t lo, int64_t hi) {
    inputs_.push_back(random_array(t, lo, hi, random_));
    const graph::OpId op = ops::add_argument(b_, t, fmt::format("x{}", inputs_.size() - 1));
    values_.push_back({b_.graph().result(op), static_cast<double>(std::max(std::abs(lo), std::abs(hi)))});
  }

  graph::OpId add(std::string_view name, std::vector<ValueId> operands,
                  std::vector<ops::NamedAttr> named = {}, std::vector<TensorType> stated = {},
                  std::vector<graph::RegionId> regions = {}) {
    const auto code =
        ops::find_op(name.find('.') == name.npos ? fmt::format("stablehlo.{}", name) : std::string(name));
    if (!code)
      throw std::runtime_error(fmt::format("no op {}", name));
    auto attrs = ops::check_attrs(ops::op_def(*code), named);
    if (!attrs)
      throw std::runtime_error(fmt::format("{}: {}", name, attrs.error().message()));
    std::vector<graph::TypeId> types;
    for (const TensorType &t : stated)
      types.push_back(b_.type(t));
    auto op = ops::add(b_, *code, operands, std::move(*attrs), types, 0, regions);
    if (!op) {
      std::string text;
      for (const ValueId v : operands)
        text += " " + to_short_text(b_.type_of(v));
      throw std::runtime_error(fmt::format("{} of{}: {}", name, text, op.error().message()));
    }
    return *op;
  }
  ValueId value(std::string_view name, std::vector<ValueId> operands, std::vector<ops::NamedAttr> named = {},
                std::vector<TensorType> stated = {}, std::vector<graph::RegionId> regions = {}) {
    return b_.graph().result(
        add(name, std::move(operands), std::move(named), std::move(stated), std::move(regions)));
  }
  bool keep(ValueId v, double bound) {
    values_.push_back({v, bound});
    return true;
  }
  bool fits(DType t, double bound) const { return bound <= exact_limit(t); }

  ValueId constant(TensorType t, int64_t lo, int64_t hi, bool splat) {
    const TensorType stored = splat ? TensorType{t.dtype, {}} : t;
    auto bytes = std::make_shared<std::vector<std::byte>>(random_array(stored, lo, hi, random_).bytes);
    const graph::ConstantId id = b_.constant({b_.type(t), splat, std::move(bytes)});
    return value("constant", {}, {{"value", id}}, {t});
  }
  ValueId scalar(DType t, int64_t v) { return constant({t, {}}, v, v, true); }

  // A value of this type: one that there is, broadcast from a smaller one, or a constant.
  Made operand(const TensorType &t) {
    if (auto found = find([&](const Made &m) { return type(m) == t; }); found && !random_.chance(8))
      return *found;
    if (auto found = find([&](const Made &m) {
          return type(m).dtype == t.dtype && type(m).rank() == 1 && suffix(type(m).dims, t.dims);
        });
        found && random_.chance(2))
      return {value("broadcast_in_dim", {found->id},
                    {{"broadcast_dimensions", std::vector<int64_t>{static_cast<int64_t>(t.rank()) - 1}}},
                    {t}),
              found->bound};
    return {constant(t, -2, 3, random_.chance(2)), 3};
  }
  static bool suffix(const Shape &small, const Shape &large) {
    return small.size() <= large.size() && std::equal(small.rbegin(), small.rend(), large.rbegin());
  }

  graph::RegionId combiner(std::string_view name, DType t) {
    const graph::TypeId scalar_type = b_.type({t, {}});
    const std::array<graph::TypeId, 2> args{scalar_type, scalar_type};
    const graph::RegionId region = b_.open_region(args);
    const std::vector<ValueId> in = b_.graph().region(region).args;
    const ValueId out = value(name, {in[0], in[1]});
    b_.close_region({out});
    return region;
  }

  void some_ops(int64_t wanted) {
    using Maker = bool (Generator::*)();
    static constexpr std::array<Maker, 37> makers = {
        &Generator::unary,       &Generator::binary,        &Generator::binary,
        &Generator::binary,      &Generator::compare,       &Generator::select,
        &Generator::convert,     &Generator::broadcast,     &Generator::broadcast,
        &Generator::transpose,   &Generator::reshape,       &Generator::reshape,
        &Generator::reduce,      &Generator::reduce,        &Generator::argmax,
        &Generator::dot,         &Generator::dot,           &Generator::slice,
        &Generator::pad,         &Generator::concatenate,   &Generator::gather,
        &Generator::scatter,     &Generator::dynamic_slice, &Generator::dynamic_update_slice,
        &Generator::iota,        &Generator::barrier,       &Generator::convolution,
        &Generator::convolution, &Generator::pool,          &Generator::select_and_scatter,
        &Generator::reverse,     &Generator::sort,          &Generator::top_k,
        &Generator::random_bits, &Generator::loop,          &Generator::branches,
        &Generator::rearrange};
    for (int64_t made = 0, tries = 0; made < wanted && tries < 10 * wanted; ++tries)
      if ((this->*makers[static_cast<size_t>(random_.below(makers.size()))])())
        ++made;
  }

  // --- elementwise ops and shapes: false where nothing suits ---
  bool unary();
  bool binary();
  bool shrink(const Made &a);
  bool compare();
  bool select();
  bool convert();
  bool broadcast();
  bool transpose();
  bool reshape();
  bool regroup();
  bool iota();
  bool reverse();
  bool random_bits();

  // Windows over some dimensions: sizes, and how many places they have.
  struct Windows {
    std::vector<int64_t> size, strides, base, dilations, padding, reversed;
    Shape places;
  };

  // --- reductions, windows, products, sorts: false where nothing suits ---
  bool reduce();
  bool argmax();
  void add_window(Windows &w, int64_t n, int64_t size, bool dilates);
  bool convolution();
  std::optional<Windows> some_windows(const Shape &dims, bool dilates);
  bool pool();
  bool select_and_scatter();
  bool dot();
  void follow_product();
  static std::vector<TensorType> dot_type(DType t, const Shape &left, const Shape &right,
                                          const std::vector<int64_t> &lb, const std::vector<int64_t> &lc,
                                          const std::vector<int64_t> &rb, const std::vector<int64_t> &rc);
  bool sort();
  bool top_k();

  // --- slices, updates, gathers: false where nothing suits ---
  bool slice();
  bool pad();
  bool concatenate();
  bool rearrange();
  graph::ValueId sum_of_padded(std::span<const graph::ValueId> parts, size_t dim, int64_t length);
  bool gather();
  bool scatter();
  std::vector<ValueId> starts(size_t rank);
  bool dynamic_slice();
  bool dynamic_update_slice();

  // --- barriers, loops, branches: false where nothing suits ---
  bool barrier();
  ValueId handed_on(const TensorType &t, double bound);
  std::optional<ValueId> is_small(const Made &a);
  bool loop();
  bool branches();

  // Everything that nobody uses is a result (up to a few), and sometimes an argument or an inner value.
  void results();

  Dice &random_;
  graph::GraphBuilder b_;
  std::vector<int64_t> extents_;
  int64_t most_elements_ = kMostElements;
  int depth_ = 0;           // of regions
  bool takes_bf16_ = false; // for factors of products
  std::vector<Made> values_;
  std::vector<kernels::ref::Array> inputs_;
};

} // namespace tw::test
