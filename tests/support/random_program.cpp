// SPDX-License-Identifier: Apache-2.0
// A program grows op by op: each maker looks for operands that suit it among the values made so far and makes
// some when there are none.
#include "support/random_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/builder.hpp"
#include "ops/registry.hpp"
#include "support/random_sharding.hpp"

namespace tw::test {
namespace {

using graph::DType;
using graph::Shape;
using graph::TensorType;
using graph::ValueId;

constexpr int64_t kMostElements = 3000, kMostLargeElements = 150'000;

// The largest magnitude up to which a type holds every integer.
double exact_limit(DType t) {
  switch (t) {
  case DType::f64: return 0x1p53;
  case DType::f32: return 0x1p24;
  case DType::bf16: return 256;
  case DType::f16: return 2048;
  default: return INFINITY; // integers wrap, in any order
  }
}

void store(std::byte *at, DType t, int64_t value) {
  const auto put = [&](auto v) { std::memcpy(at, &v, sizeof v); };
  switch (t) {
  case DType::f64: put(static_cast<double>(value)); break;
  case DType::f32: put(static_cast<float>(value)); break;
  case DType::bf16:
    put(static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16));
    break;
  case DType::i1: put(static_cast<uint8_t>(value & 1)); break;
  case DType::s8:
  case DType::u8: put(static_cast<int8_t>(value)); break;
  case DType::s32:
  case DType::u32: put(static_cast<int32_t>(value)); break;
  case DType::s64:
  case DType::u64: put(value); break;
  default: throw std::logic_error("no stores of this type");
  }
}

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

  // --- makers: false where nothing suits ---
  bool unary() {
    const Made a = any();
    const DType t = type(a).dtype;
    if (!is_number(t))
      return keep(value("not", {a.id}), 1);
    const std::string_view name = random_.pick(std::vector<std::string_view>{"negate", "abs", "sign"});
    return keep(value(name, {a.id}), a.bound);
  }

  bool binary() {
    const Made a = any();
    const DType t = type(a).dtype;
    const Made b = operand(type(a));
    if (t == DType::i1)
      return keep(value(random_.pick(std::vector<std::string_view>{"and", "or", "xor"}), {a.id, b.id}), 1);
    const auto name = random_.pick(std::vector<std::string_view>{"add", "add", "subtract", "multiply",
                                                                 "multiply", "maximum", "minimum"});
    const double bound = name == "multiply"                    ? a.bound * b.bound
                         : name == "add" || name == "subtract" ? a.bound + b.bound
                                                               : std::max(a.bound, b.bound);
    if (!fits(t, bound))
      return shrink(a);
    return keep(value(name, {a.id, b.id}), bound);
  }

  // Brings a value back to small numbers, so that the program can go on.
  bool shrink(const Made &a) {
    const DType t = type(a).dtype;
    return keep(value("clamp", {scalar(t, -4), a.id, scalar(t, 5)}), 5);
  }

  bool compare() {
    const Made a = any();
    const Made b = operand(type(a));
    const std::string direction = random_.pick(std::vector<std::string>{"EQ", "NE", "LT", "LE", "GT", "GE"});
    return keep(value("compare", {a.id, b.id}, {{"comparison_direction", direction}}), 1);
  }

  bool select() {
    const Made a = any();
    const Made b = operand(type(a));
    const auto pred =
        find([&](const Made &m) { return type(m).dtype == DType::i1 && type(m).dims == type(a).dims; });
    const ValueId p =
        pred ? pred->id : constant({DType::i1, random_.chance(2) ? Shape{} : type(a).dims}, 0, 1, false);
    return keep(value("select", {p, a.id, b.id}), std::max(a.bound, b.bound));
  }

  bool convert() {
    const Made a = any();
    const DType to = random_dtype();
    if (to == DType::i1 || !fits(to, a.bound))
      return false;
    if (a.bound > 0x1p31 && (to == DType::s32 || to == DType::s64))
      return false;
    return keep(value("convert", {a.id}, {}, {{to, type(a).dims}}), a.bound);
  }

  bool broadcast() {
    const Made a = any();
    const Shape from = type(a).dims;
    Shape to = from;
    std::vector<int64_t> dims(from.size());
    for (size_t d = 0; d < dims.size(); ++d)
      dims[d] = static_cast<int64_t>(d);
    for (int64_t more = random_.between(1, 2); more > 0 && to.size() < 5; --more) {
      const auto at = random_.below(static_cast<int64_t>(to.size()) + 1);
      to.insert(to.begin() + at, random_.chance(4) ? 1 : random_extent());
      for (int64_t &d : dims)
        d += d >= at ? 1 : 0;
    }
    for (size_t d = 0; d < from.size(); ++d)
      if (from[d] == 1 && random_.chance(2))
        to[static_cast<size_t>(dims[d])] = random_extent();
    const TensorType t{type(a).dtype, to};
    if (t.elements() > most_elements_)
      return false;
    return keep(value("broadcast_in_dim", {a.id}, {{"broadcast_dimensions", dims}}, {t}), a.bound);
  }

  bool transpose() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 2; });
    if (!a)
      return false;
    std::vector<int64_t> order(type(*a).rank());
    for (size_t d = 0; d < order.size(); ++d)
      order[d] = static_cast<int64_t>(d);
    for (size_t d = order.size(); d-- > 1;)
      std::swap(order[d], order[static_cast<size_t>(random_.below(static_cast<int64_t>(d) + 1))]);
    return keep(value("transpose", {a->id}, {{"permutation", order}}), a->bound);
  }

  // Merges neighbours, splits dimensions, adds and drops 1s.
  bool reshape() {
    const Made a = any();
    Shape to;
    for (const int64_t n : Shape(type(a).dims)) {
      if (!to.empty() && random_.chance(3)) {
        to.back() *= n;
        continue;
      }
      if (n == 1 && random_.chance(2))
        continue;
      to.push_back(n);
    }
    for (size_t d = 0; d < to.size() && to.size() < 5; ++d)
      for (const int64_t f : {2, 3, 4, 5})
        if (to[d] > f && to[d] % f == 0 && random_.chance(4) && to.size() < 5) {
          to[d] /= f;
          to.insert(to.begin() + static_cast<std::ptrdiff_t>(d + (random_.chance(2) ? 1 : 0)), f);
        }
    if (to.size() < 5 && random_.chance(4))
      to.insert(to.begin() + random_.below(static_cast<int64_t>(to.size()) + 1), 1);
    return keep(value("reshape", {a.id}, {}, {{type(a).dtype, to}}), a.bound);
  }

  // The same elements in any dimensions.
  bool regroup() {
    const Made a = any();
    Shape to;
    int64_t rest = type(a).elements();
    while (rest > 1 && to.size() < 3) {
      const int64_t n = random_.pick(std::vector<int64_t>{2, 3, 4, 6, 8, 12, rest});
      if (rest % n != 0)
        continue;
      to.push_back(n);
      rest /= n;
    }
    to.push_back(rest);
    return keep(value("reshape", {a.id}, {}, {{type(a).dtype, to}}), a.bound);
  }

  bool reduce() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1; });
    if (!a)
      return false;
    const DType t = type(*a).dtype;
    std::vector<int64_t> dims;
    int64_t reduced = 1;
    for (size_t d = 0; d < type(*a).rank(); ++d)
      if (random_.chance(2)) {
        dims.push_back(static_cast<int64_t>(d));
        reduced *= type(*a).dims[d];
      }
    if (dims.empty())
      return false;
    const auto name = t == DType::i1
                          ? random_.pick(std::vector<std::string_view>{"and", "or"})
                          : random_.pick(std::vector<std::string_view>{"add", "add", "maximum", "minimum"});
    const double bound =
        name == "add" ? a->bound * static_cast<double>(std::max<int64_t>(reduced, 1)) + 2 : a->bound + 2;
    if (!fits(t, bound))
      return shrink(*a);
    const graph::RegionId region = combiner(name, t);
    const ValueId init = scalar(t, random_.between(0, 2));
    return keep(value("reduce", {a->id, init}, {{"dimensions", dims}}, {}, {region}), bound);
  }

  // Index of the first largest element: a reduction of two arrays at once.
  bool argmax() {
    const auto a = find([&](const Made &m) {
      const DType t = type(m).dtype;
      return type(m).rank() >= 1 && (t == DType::f32 || t == DType::s32 || t == DType::f64);
    });
    if (!a)
      return false;
    const TensorType t = type(*a), it{DType::s32, t.dims};
    const auto dim = random_.below(static_cast<int64_t>(t.rank()));
    const ValueId index = value("iota", {}, {{"iota_dimension", dim}}, {it});
    std::vector<int64_t> dims;
    for (int64_t d = 0; d < static_cast<int64_t>(t.rank()); ++d)
      if (d == dim || random_.chance(3))
        dims.push_back(d);
    const std::array<graph::TypeId, 4> args{b_.type({t.dtype, {}}), b_.type({DType::s32, {}}),
                                            b_.type({t.dtype, {}}), b_.type({DType::s32, {}})};
    const graph::RegionId region = b_.open_region(args);
    const std::vector<ValueId> in = b_.graph().region(region).args;
    const auto test = [&](ValueId x, ValueId y, const char *how) {
      return value("compare", {x, y}, {{"comparison_direction", std::string(how)}});
    };
    // Of equal values the one with the lower index, or the one that comes first: then the order of the parts
    // shows.
    const ValueId tie = value("and", {test(in[0], in[2], "EQ"), test(in[1], in[3], "LT")});
    const ValueId first =
        random_.chance(2) ? test(in[0], in[2], "GE") : value("or", {test(in[0], in[2], "GT"), tie});
    const ValueId v = value("select", {first, in[0], in[2]});
    const ValueId i = value("select", {first, in[1], in[3]});
    b_.close_region({v, i});
    const graph::OpId op =
        add("reduce", {a->id, index, scalar(t.dtype, -1000000 % 251), scalar(DType::s32, 1000)},
            {{"dimensions", dims}}, {}, {region});
    keep(b_.graph().result(op, 0), std::max(a->bound, 251.0));
    return keep(b_.graph().result(op, 1), 1000);
  }

  // Windows over some dimensions: sizes, and how many places they have.
  struct Windows {
    std::vector<int64_t> size, strides, base, dilations, padding, reversed;
    Shape places;
  };
  void add_window(Windows &w, int64_t n, int64_t size, bool dilates) {
    w.size.push_back(size);
    w.strides.push_back(random_.between(1, 3));
    w.base.push_back(dilates && random_.chance(5) ? 2 : 1);
    w.dilations.push_back(dilates && random_.chance(4) ? 2 : 1);
    w.padding.push_back(random_.between(-1, 3));
    w.padding.push_back(random_.between(-1, 3));
    w.reversed.push_back(random_.chance(4) ? 1 : 0);
    const int64_t padded =
        (n == 0 ? 0 : (n - 1) * w.base.back() + 1) + w.padding[w.padding.size() - 2] + w.padding.back();
    const int64_t span = (size - 1) * w.dilations.back() + 1;
    w.places.push_back(padded < span ? 0 : (padded - span) / w.strides.back() + 1);
  }

  bool convolution() {
    const auto a = find([&](const Made &m) {
      const DType t = type(m).dtype;
      return type(m).rank() >= 2 && type(m).rank() <= 4 && type(m).elements() > 0 &&
             (t == DType::f32 || t == DType::s32 || t == DType::f64 || t == DType::bf16);
    });
    if (!a)
      return false;
    const TensorType t = type(*a);
    std::vector<int64_t> lhs(t.rank());
    for (size_t d = 0; d < lhs.size(); ++d)
      lhs[d] = static_cast<int64_t>(d);
    const auto shuffle = [&](std::vector<int64_t> order) {
      for (size_t d = order.size(); d-- > 1;)
        std::swap(order[d], order[static_cast<size_t>(random_.below(static_cast<int64_t>(d) + 1))]);
      return order;
    };
    const std::vector<int64_t> rhs = shuffle(lhs), out = shuffle(lhs);
    lhs = shuffle(lhs);
    const auto extent = [&](size_t i) { return t.dims[static_cast<size_t>(lhs[i])]; };
    const int64_t groups = random_.between(1, 3);
    const int64_t features = extent(1) % groups == 0 && random_.chance(3) ? groups : 1,
                  batches = features == 1 && extent(0) % groups == 0 && random_.chance(3) ? groups : 1;
    Windows w;
    for (size_t d = 2; d < lhs.size(); ++d)
      add_window(w, extent(d), random_.chance(4) ? std::min<int64_t>(extent(d), 17) : random_.between(1, 4),
                 true);
    Shape kernel(lhs.size()), result(lhs.size());
    const int64_t outs = random_.between(1, 5) * features * batches;
    kernel[static_cast<size_t>(rhs[0])] = extent(1) / features;
    kernel[static_cast<size_t>(rhs[1])] = outs;
    result[static_cast<size_t>(out[0])] = extent(0) / batches;
    result[static_cast<size_t>(out[1])] = outs;
    int64_t sum = extent(1) / features;
    for (size_t d = 2; d < lhs.size(); ++d) {
      kernel[static_cast<size_t>(rhs[d])] = w.size[d - 2];
      result[static_cast<size_t>(out[d])] = w.places[d - 2];
      sum *= w.size[d - 2];
    }
    if (TensorType{t.dtype, result}.elements() > most_elements_ ||
        TensorType{t.dtype, kernel}.elements() > most_elements_ ||
        TensorType{t.dtype, result}.elements() * sum > 10 * kMostLargeElements)
      return false;
    const Made b = operand({t.dtype, kernel});
    const double bound = a->bound * b.bound * static_cast<double>(std::max<int64_t>(sum, 1));
    if (!fits(t.dtype, bound))
      return shrink(*a);
    return keep(value("convolution", {a->id, b.id},
                      {{"lhs_dimensions", lhs},
                       {"rhs_dimensions", rhs},
                       {"result_dimensions", out},
                       {"window_strides", w.strides},
                       {"padding", w.padding},
                       {"lhs_dilation", w.base},
                       {"rhs_dilation", w.dilations},
                       {"window_reversal", w.reversed},
                       {"feature_group_count", features},
                       {"batch_group_count", batches}}),
                bound);
  }

  // Windows over about half of the dimensions.
  std::optional<Windows> some_windows(const Shape &dims, bool dilates) {
    Windows w;
    int64_t work = 1;
    for (const int64_t n : dims) {
      if (random_.chance(2))
        add_window(w, n, random_.between(1, 4), dilates);
      else {
        w.size.push_back(1);
        for (auto *ones : {&w.strides, &w.base, &w.dilations})
          ones->push_back(1);
        w.padding.insert(w.padding.end(), 2, 0);
        w.places.push_back(n);
      }
      work *= w.places.back() * w.size.back();
    }
    if (TensorType{DType::f32, w.places}.elements() > most_elements_ || work > 10 * kMostLargeElements)
      return std::nullopt;
    return w;
  }

  bool pool() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1; });
    if (!a)
      return false;
    const DType t = type(*a).dtype;
    const auto w = some_windows(type(*a).dims, true);
    if (!w)
      return false;
    const auto name = t == DType::i1
                          ? random_.pick(std::vector<std::string_view>{"and", "or"})
                          : random_.pick(std::vector<std::string_view>{"add", "maximum", "minimum"});
    double bound = a->bound + 2;
    if (name == "add")
      for (const int64_t size : w->size)
        bound *= static_cast<double>(size);
    if (!fits(t, bound + 2))
      return shrink(*a);
    const graph::RegionId region = combiner(name, t);
    const ValueId init = scalar(t, random_.between(0, 1));
    return keep(value("reduce_window", {a->id, init},
                      {{"window_dimensions", w->size},
                       {"window_strides", w->strides},
                       {"base_dilations", w->base},
                       {"window_dilations", w->dilations},
                       {"padding", w->padding}},
                      {}, {region}),
                bound + 2);
  }

  bool select_and_scatter() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1 && is_number(type(m).dtype); });
    if (!a)
      return false;
    const TensorType t = type(*a);
    const auto w = some_windows(t.dims, false);
    if (!w)
      return false;
    const Made source = operand({t.dtype, w->places});
    double bound = source.bound;
    for (const int64_t size : w->size)
      bound *= static_cast<double>(size);
    if (!fits(t.dtype, bound + 2))
      return false;
    const std::array<graph::TypeId, 2> args{b_.type({t.dtype, {}}), b_.type({t.dtype, {}})};
    const graph::RegionId select = b_.open_region(args);
    const std::vector<ValueId> in = b_.graph().region(select).args;
    const ValueId keeps = value("compare", {in[0], in[1]}, {{"comparison_direction", std::string("GE")}});
    b_.close_region({keeps});
    const graph::RegionId scatter = combiner("add", t.dtype);
    const ValueId init = scalar(t.dtype, random_.between(0, 1));
    return keep(
        value("select_and_scatter", {a->id, source.id, init},
              {{"window_dimensions", w->size}, {"window_strides", w->strides}, {"padding", w->padding}}, {},
              {select, scatter}),
        bound + 2);
  }

  bool dot() {
    const auto a = find([&](const Made &m) {
      const DType t = type(m).dtype;
      return type(m).rank() >= 1 && (t == DType::f32 || t == DType::s32 || t == DType::f64);
    });
    if (!a)
      return false;
    const Shape left = type(*a).dims;
    const DType t = type(*a).dtype;
    // Some of the left dimensions are batch, one or two contract, the others are free.
    std::vector<int64_t> lhs_batch, rhs_batch, lhs_contract, rhs_contract;
    Shape right;
    int64_t contracted = 1, elements = 1;
    for (size_t d = 0; d < left.size(); ++d) {
      const int64_t role = random_.below(4);
      if (role == 0 && lhs_batch.size() < 2) {
        lhs_batch.push_back(static_cast<int64_t>(d));
        elements *= left[d];
      } else if (role <= 2 && lhs_contract.size() < 2) {
        lhs_contract.push_back(static_cast<int64_t>(d));
        contracted *= left[d];
      } else {
        elements *= left[d];
      }
    }
    struct Right {
      int64_t size;
      int kind; // 0 batch, 1 contracting, 2 free
      size_t of;
    };
    std::vector<Right> dims;
    for (size_t i = 0; i < lhs_batch.size(); ++i)
      dims.push_back({left[static_cast<size_t>(lhs_batch[i])], 0, i});
    for (size_t i = 0; i < lhs_contract.size(); ++i)
      dims.push_back({left[static_cast<size_t>(lhs_contract[i])], 1, i});
    for (int64_t free = random_.between(0, 2); free > 0; --free) {
      dims.push_back({random_extent(), 2, 0});
      elements *= dims.back().size;
    }
    if (elements > most_elements_ || dims.size() > 5 || elements * contracted > 30 * kMostLargeElements)
      return false;
    for (size_t d = dims.size(); d-- > 1;)
      std::swap(dims[d], dims[static_cast<size_t>(random_.below(static_cast<int64_t>(d) + 1))]);
    rhs_batch.resize(lhs_batch.size());
    rhs_contract.resize(lhs_contract.size());
    for (size_t d = 0; d < dims.size(); ++d) {
      right.push_back(dims[d].size);
      if (dims[d].kind == 0)
        rhs_batch[dims[d].of] = static_cast<int64_t>(d);
      if (dims[d].kind == 1)
        rhs_contract[dims[d].of] = static_cast<int64_t>(d);
    }
    if (TensorType{t, right}.elements() > most_elements_)
      return false;
    const Made b = operand({t, right});
    const double bound = a->bound * b.bound * static_cast<double>(std::max<int64_t>(contracted, 1));
    if (!fits(t, bound))
      return shrink(*a);
    return keep(value("dot_general", {a->id, b.id},
                      {{"lhs_batching_dimensions", lhs_batch},
                       {"rhs_batching_dimensions", rhs_batch},
                       {"lhs_contracting_dimensions", lhs_contract},
                       {"rhs_contracting_dimensions", rhs_contract}},
                      dot_type(t, left, right, lhs_batch, lhs_contract, rhs_batch, rhs_contract)),
                bound);
  }
  static std::vector<TensorType> dot_type(DType t, const Shape &left, const Shape &right,
                                          const std::vector<int64_t> &lb, const std::vector<int64_t> &lc,
                                          const std::vector<int64_t> &rb, const std::vector<int64_t> &rc) {
    TensorType out{t, {}};
    const auto in = [](const std::vector<int64_t> &v, size_t d) {
      return std::find(v.begin(), v.end(), static_cast<int64_t>(d)) != v.end();
    };
    for (const int64_t d : lb)
      out.dims.push_back(left[static_cast<size_t>(d)]);
    for (size_t d = 0; d < left.size(); ++d)
      if (!in(lb, d) && !in(lc, d))
        out.dims.push_back(left[d]);
    for (size_t d = 0; d < right.size(); ++d)
      if (!in(rb, d) && !in(rc, d))
        out.dims.push_back(right[d]);
    return {out};
  }

  bool slice() {
    const Made a = any();
    std::vector<int64_t> start, limit, step;
    for (const int64_t n : Shape(type(a).dims)) {
      const bool whole = random_.chance(2) || n < 2;
      start.push_back(whole ? 0 : random_.below(n));
      limit.push_back(whole ? n : random_.between(start.back() + 1, n));
      step.push_back(whole ? 1 : random_.between(1, 2));
    }
    return keep(
        value("slice", {a.id}, {{"start_indices", start}, {"limit_indices", limit}, {"strides", step}}),
        a.bound);
  }

  bool pad() {
    const Made a = any();
    std::vector<int64_t> low, high, interior;
    int64_t elements = 1;
    for (const int64_t n : Shape(type(a).dims)) {
      low.push_back(random_.chance(2) ? 0 : random_.between(n > 2 ? -1 : 0, 2));
      high.push_back(random_.chance(2) ? 0 : random_.between(n > 2 ? -1 : 0, 2));
      interior.push_back(random_.chance(6) ? 1 : 0);
      elements *= n + low.back() + high.back() + (n > 1 ? (n - 1) * interior.back() : 0);
    }
    if (elements > most_elements_)
      return false;
    const ValueId with = scalar(type(a).dtype, type(a).dtype == DType::i1 ? 1 : random_.between(0, 3));
    return keep(
        value("pad", {a.id, with},
              {{"edge_padding_low", low}, {"edge_padding_high", high}, {"interior_padding", interior}}),
        a.bound + 3);
  }

  bool concatenate() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1; });
    if (!a)
      return false;
    const auto dim = random_.below(static_cast<int64_t>(type(*a).rank()));
    std::vector<ValueId> parts{a->id};
    double bound = a->bound;
    int64_t elements = type(*a).elements();
    for (int64_t more = random_.between(1, 2); more > 0; --more) {
      TensorType t = type(*a);
      t.dims[static_cast<size_t>(dim)] = random_extent();
      const bool again = random_.chance(4); // a copy
      const Made b = again ? *a : operand(t);
      t = type(b);
      parts.push_back(b.id);
      bound = std::max(bound, b.bound);
      elements += t.elements();
    }
    if (elements > most_elements_)
      return false;
    return keep(value("concatenate", parts, {{"dimension", dim}}), bound);
  }

  // What permutations in device-local code, rolls, shifts and halos become: slices of one value put together
  // along the dimension that they cut, zeros between them; sometimes of two dimensions in one, as devices
  // along two axes are.
  bool rearrange() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1 && type(m).elements() > 0; });
    if (!a)
      return false;
    ValueId v = a->id;
    const TensorType given = type(*a);
    auto dim = static_cast<size_t>(random_.below(static_cast<int64_t>(given.rank())));
    const bool merged = dim > 0 && random_.chance(3);
    if (merged) {
      TensorType flat = given;
      flat.dims[dim - 1] *= flat.dims[dim];
      flat.dims.erase(flat.dims.begin() + static_cast<std::ptrdiff_t>(dim--));
      v = value("reshape", {v}, {}, {flat});
    }
    const TensorType whole = b_.type_of(v);
    const int64_t n = whole.dims[dim];
    std::vector<ValueId> parts;
    int64_t length = 0;
    const auto take = [&](int64_t begin, int64_t end) {
      if (begin >= end)
        return;
      length += end - begin;
      if (begin == 0 && end == n) {
        parts.push_back(v);
        return;
      }
      std::vector<int64_t> first(whole.rank(), 0), last(whole.dims.begin(), whole.dims.end());
      first[dim] = begin;
      last[dim] = end;
      parts.push_back(value("slice", {v},
                            {{"start_indices", first},
                             {"limit_indices", last},
                             {"strides", std::vector<int64_t>(whole.rank(), 1)}}));
      if (random_.chance(12))
        keep(parts.back(), a->bound);
    };
    const auto fill = [&](int64_t rows) {
      TensorType t = whole;
      t.dims[dim] = rows;
      length += rows;
      if (rows > 0)
        parts.push_back(constant(t, 0, 0, true));
    };
    const int64_t by = random_.between(0, n);
    switch (random_.below(4)) {
    case 0: // a roll
      take(by, n);
      take(0, by);
      break;
    case 1: // a shift
      fill(by);
      take(0, n - by);
      break;
    case 2: // halos
      take(n - std::min<int64_t>(by, n), n);
      take(0, n);
      take(0, random_.between(0, n));
      break;
    default: // runs
      while (length < n) {
        const int64_t begin = random_.below(n), rows = random_.between(1, n - length);
        if (random_.chance(5))
          fill(rows);
        else
          take(begin, std::min(n, begin + rows));
      }
    }
    if (parts.size() < 2 || whole.elements() / n * length > most_elements_)
      return false;
    v = value("concatenate", parts, {{"dimension", static_cast<int64_t>(dim)}});
    if (merged && length == n)
      v = value("reshape", {v}, {}, {given});
    return keep(v, a->bound);
  }

  // Rows of the first dimension by an index array whose last dimension is 1.
  bool gather() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1 && type(m).dims[0] > 0; });
    const auto index = find([&](const Made &m) {
      return type(m).dtype == DType::s32 && type(m).rank() >= 1 && type(m).rank() <= 3 &&
             type(m).dims.back() == 1;
    });
    if (!a || !index)
      return false;
    const Shape from = type(*a).dims, at = type(*index).dims;
    std::vector<int64_t> offset_dims, slice_sizes{1};
    int64_t elements = type(*index).elements();
    for (size_t d = 1; d < from.size(); ++d) {
      offset_dims.push_back(static_cast<int64_t>(at.size() - 1 + d - 1));
      slice_sizes.push_back(random_.chance(4) && from[d] > 1 ? from[d] - 1 : from[d]);
      elements *= slice_sizes.back();
    }
    if (elements > most_elements_ || at.size() - 1 + offset_dims.size() > 5)
      return false;
    return keep(value("gather", {a->id, index->id},
                      {{"offset_dims", offset_dims},
                       {"collapsed_slice_dims", std::vector<int64_t>{0}},
                       {"start_index_map", std::vector<int64_t>{0}},
                       {"index_vector_dim", static_cast<int64_t>(at.size()) - 1},
                       {"slice_sizes", slice_sizes}}),
                a->bound);
  }

  // Adds rows to rows of the first dimension; equal indices add up, those outside are dropped.
  bool scatter() {
    const auto a = find([&](const Made &m) {
      return type(m).rank() >= 1 && type(m).dims[0] > 0 && is_number(type(m).dtype);
    });
    const auto index = find([&](const Made &m) {
      return type(m).dtype == DType::s32 && type(m).rank() == 2 && type(m).dims.back() == 1;
    });
    if (!a || !index)
      return false;
    TensorType updates = type(*a);
    updates.dims[0] = type(*index).dims[0];
    if (updates.elements() > most_elements_)
      return false;
    const Made u = operand(updates);
    const double bound = a->bound + u.bound * static_cast<double>(updates.dims[0]);
    if (!fits(updates.dtype, bound))
      return shrink(*a);
    std::vector<int64_t> window;
    for (size_t d = 1; d < updates.rank(); ++d)
      window.push_back(static_cast<int64_t>(d));
    const graph::RegionId region = combiner("add", updates.dtype);
    return keep(value("scatter", {a->id, index->id, u.id},
                      {{"update_window_dims", window},
                       {"inserted_window_dims", std::vector<int64_t>{0}},
                       {"scatter_dims_to_operand_dims", std::vector<int64_t>{0}},
                       {"index_vector_dim", int64_t{1}}},
                      {type(*a)}, {region}),
                bound);
  }

  std::vector<ValueId> starts(size_t rank) {
    std::vector<ValueId> at;
    for (size_t d = 0; d < rank; ++d) {
      const auto found =
          find([&](const Made &m) { return type(m).dtype == DType::s32 && type(m).rank() == 0; });
      at.push_back(found && random_.chance(2) ? found->id : scalar(DType::s32, random_.between(-1, 5)));
    }
    return at;
  }

  bool dynamic_slice() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1 && type(m).rank() <= 3; });
    if (!a)
      return false;
    std::vector<int64_t> sizes;
    for (const int64_t n : Shape(type(*a).dims))
      sizes.push_back(random_.chance(2) ? n : random_.between(std::min<int64_t>(n, 1), n));
    std::vector<ValueId> operands{a->id};
    for (const ValueId v : starts(sizes.size()))
      operands.push_back(v);
    return keep(value("dynamic_slice", operands, {{"slice_sizes", sizes}}), a->bound);
  }

  bool dynamic_update_slice() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1 && type(m).rank() <= 3; });
    if (!a)
      return false;
    TensorType t = type(*a);
    for (int64_t &n : t.dims)
      n = random_.chance(2) ? n : random_.between(std::min<int64_t>(n, 1), n);
    const Made u = operand(t);
    std::vector<ValueId> operands{a->id, u.id};
    for (const ValueId v : starts(t.rank()))
      operands.push_back(v);
    return keep(value("dynamic_update_slice", operands), std::max(a->bound, u.bound));
  }

  bool iota() {
    const Shape shape = random_shape(4);
    if (shape.empty())
      return false;
    const DType t = random_.chance(2) ? DType::s32 : DType::f32;
    return keep(value("iota", {}, {{"iota_dimension", random_.below(static_cast<int64_t>(shape.size()))}},
                      {{t, shape}}),
                20);
  }

  bool reverse() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1; });
    if (!a)
      return false;
    std::vector<int64_t> dims;
    for (size_t d = 0; d < type(*a).rank(); ++d)
      if (random_.chance(2))
        dims.push_back(static_cast<int64_t>(d));
    return keep(value("reverse", {a->id}, {{"dimensions", dims}}), a->bound);
  }

  // One array by its values, another along with it; equal values keep their order.
  bool sort() {
    const auto a = find([&](const Made &m) { return type(m).rank() >= 1 && is_number(type(m).dtype); });
    if (!a)
      return false;
    const TensorType t = type(*a);
    const Made with = operand({random_dtype(), t.dims});
    const graph::TypeId x = b_.type({t.dtype, {}}), y = b_.type({type(with).dtype, {}});
    const std::array<graph::TypeId, 4> args{x, x, y, y};
    const graph::RegionId region = b_.open_region(args);
    const std::vector<ValueId> in = b_.graph().region(region).args;
    const std::string direction = random_.chance(2) ? "LT" : "GT";
    std::vector<ops::NamedAttr> how{{"comparison_direction", direction}};
    if (graph::is_float(t.dtype))
      how.emplace_back("compare_type", std::string("TOTALORDER"));
    b_.close_region({value("compare", {in[0], in[1]}, how)});
    const graph::OpId op =
        add("sort", {a->id, with.id},
            {{"dimension", random_.below(static_cast<int64_t>(t.rank()))}, {"is_stable", int64_t{1}}}, {},
            {region});
    keep(b_.graph().result(op, 0), a->bound);
    return keep(b_.graph().result(op, 1), with.bound);
  }

  bool top_k() {
    const auto a = find([&](const Made &m) {
      return type(m).rank() >= 1 && is_number(type(m).dtype) && type(m).dims.back() > 0;
    });
    if (!a)
      return false;
    const int64_t length = type(*a).dims.back();
    const graph::OpId op = add("chlo.top_k", {a->id}, {{"k", random_.between(1, length)}});
    keep(b_.graph().result(op, 0), a->bound);
    return keep(b_.graph().result(op, 1), static_cast<double>(length));
  }

  // Small numbers from random bits, and the state after them.
  bool random_bits() {
    const ValueId state = constant({DType::u64, {2}}, 0, 1000, false);
    const TensorType t{DType::s32, random_shape(4)};
    const std::string algorithm = random_.chance(2) ? "THREE_FRY" : "PHILOX";
    const graph::OpId op =
        add("rng_bit_generator", {state}, {{"rng_algorithm", algorithm}}, {{DType::u64, {2}}, t});
    return keep(value("clamp", {scalar(t.dtype, -4), b_.graph().result(op, 1), scalar(t.dtype, 5)}), 5);
  }

  bool barrier() {
    if (!random_.chance(3))
      return false;
    std::vector<Made> in;
    std::vector<ValueId> values;
    for (int64_t n = random_.between(1, 4); n > 0; --n) {
      in.push_back(any());
      values.push_back(in.back().id);
    }
    const graph::OpId op = add("optimization_barrier", values);
    for (uint32_t i = 0; i < in.size(); ++i)
      keep(b_.graph().result(op, i), in[i].bound);
    return true;
  }

  // --- control flow ---
  // A value of a type that may be handed on again and again: no larger than `bound`, which is 5 at least.
  ValueId handed_on(const TensorType &t, double bound) {
    const Made a = operand(t);
    if (a.bound <= bound || !is_number(t.dtype))
      return a.id;
    return value("clamp", {scalar(t.dtype, -4), a.id, scalar(t.dtype, 5)});
  }

  // A question about the data, which may be tiled: whether the sum of a value is small.
  std::optional<ValueId> is_small(const Made &a) {
    const TensorType t = type(a);
    if (!is_number(t.dtype) || !fits(t.dtype, a.bound * static_cast<double>(t.elements())))
      return std::nullopt;
    std::vector<int64_t> dims(t.rank());
    for (size_t d = 0; d < dims.size(); ++d)
      dims[d] = static_cast<int64_t>(d);
    const ValueId zero = scalar(t.dtype, 0);
    const graph::RegionId region = combiner("add", t.dtype);
    const ValueId sum = value("reduce", {a.id, zero}, {{"dimensions", dims}}, {}, {region});
    return value("compare", {sum, scalar(t.dtype, random_.between(-5, 20))},
                 {{"comparison_direction", std::string("LE")}});
  }

  // while with a counter, some carried values, and a condition that may look at them.
  bool loop() {
    if (depth_ >= 2 || !random_.chance(2))
      return false;
    std::vector<Made> carried{{scalar(DType::s32, 0), 6}};
    for (int64_t n = random_.between(0, 3); n > 0; --n) {
      carried.push_back(any());
      carried.back().bound = std::max(carried.back().bound, 5.0);
      if (random_.chance(3)) // a partner of the same type, to swap with
        carried.push_back({handed_on(type(carried.back()), carried.back().bound), carried.back().bound});
    }
    std::vector<ValueId> inits;
    std::vector<graph::TypeId> types;
    for (const Made &m : carried) {
      inits.push_back(m.id);
      types.push_back(b_.type(type(m)));
    }
    const size_t mark = values_.size();
    ++depth_;
    const auto open = [&] {
      const graph::RegionId region = b_.open_region(types);
      const std::vector<ValueId> args = b_.graph().region(region).args;
      for (size_t i = 0; i < args.size(); ++i)
        values_.push_back({args[i], carried[i].bound});
      return region;
    };
    const graph::RegionId condition = open();
    const ValueId counter = values_[mark].id;
    ValueId go_on =
        value("compare", {counter, scalar(DType::s32, random_.pick(std::vector<int64_t>{0, 1, 2, 3, 5}))},
              {{"comparison_direction", std::string("LT")}});
    if (carried.size() > 1 && random_.chance(2))
      if (const auto small = is_small(values_[mark + 1]))
        go_on = value("and", {go_on, *small});
    b_.close_region({go_on});
    values_.resize(mark);

    const graph::RegionId body = open();
    some_ops(random_.between(1, 6));
    std::vector<ValueId> yields{value("add", {values_[mark].id, scalar(DType::s32, 1)})};
    for (size_t i = 1; i < carried.size(); ++i)
      yields.push_back(handed_on(type(carried[i]), carried[i].bound));
    b_.close_region(std::move(yields));
    values_.resize(mark);
    --depth_;
    const graph::OpId op = add("while", inits, {}, {}, {condition, body});
    for (size_t i = 0; i < carried.size(); ++i)
      keep(b_.graph().result(op, static_cast<uint32_t>(i)), carried[i].bound);
    return true;
  }

  // if or case on a number of the program, or on what its data say.
  bool branches() {
    if (depth_ >= 2 || !random_.chance(2))
      return false;
    std::vector<TensorType> types;
    for (int64_t n = random_.between(0, 2); n >= 0; --n)
      types.push_back(type(any()));
    std::optional<ValueId> selector;
    const bool two = random_.chance(2);
    if (two)
      selector = is_small(any());
    else if (const auto found = find([&](const Made &m) { return type(m) == TensorType{DType::s32, {}}; }))
      selector = found->id;
    if (!selector)
      return false;
    const size_t mark = values_.size();
    ++depth_;
    std::vector<graph::RegionId> regions;
    std::vector<double> bounds(types.size(), 5);
    for (int64_t n = two ? 2 : random_.between(1, 3); n > 0; --n) {
      regions.push_back(b_.open_region({}));
      some_ops(random_.between(0, 4));
      std::vector<ValueId> yields;
      for (size_t i = 0; i < types.size(); ++i)
        yields.push_back(handed_on(types[i], bounds[i]));
      b_.close_region(std::move(yields));
      values_.resize(mark);
    }
    --depth_;
    const graph::OpId op = add(two ? "if" : "case", {*selector}, {}, {}, regions);
    for (size_t i = 0; i < types.size(); ++i)
      keep(b_.graph().result(op, static_cast<uint32_t>(i)), bounds[i]);
    return true;
  }

  // Everything that nobody uses is a result (up to a few), and sometimes an argument or an inner value.
  void results() {
    std::vector<bool> used(b_.graph().values().size(), false);
    for (graph::OpId op = 0; op < b_.graph().ops().size(); ++op)
      for (const ValueId v : b_.graph().operands(op))
        used[v] = true;
    for (graph::RegionId r = 0; r < b_.graph().num_regions(); ++r)
      for (const ValueId v : b_.graph().region(r).yields)
        used[v] = true;
    std::vector<ValueId> out;
    for (size_t i = values_.size(); i-- > 0 && out.size() < 6;)
      if (!used[values_[i].id])
        out.push_back(values_[i].id);
    if (out.empty() || random_.chance(4))
      out.push_back(any().id);
    for (size_t i = 0; i < out.size(); ++i)
      ops::add_result(b_, out[i], fmt::format("out{}", i));
  }

  Dice &random_;
  graph::GraphBuilder b_;
  std::vector<int64_t> extents_;
  int64_t most_elements_ = kMostElements;
  int depth_ = 0; // of regions
  std::vector<Made> values_;
  std::vector<ops::Array> inputs_;
};

} // namespace

ops::Array random_array(const TensorType &type, int64_t lo, int64_t hi, Dice &random) {
  ops::Array array{type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))};
  const size_t size = byte_size(type.dtype);
  for (size_t at = 0; at < array.bytes.size(); at += size)
    store(array.bytes.data() + at, type.dtype, random.between(lo, hi));
  return array;
}

double sameness(const ops::Array &array) {
  const size_t size = byte_size(array.type.dtype);
  std::map<std::vector<std::byte>, int64_t> counts;
  int64_t most = 0;
  for (size_t at = 0; at < array.bytes.size(); at += size) {
    const auto *p = array.bytes.data() + at;
    most = std::max(most, ++counts[{p, p + size}]);
  }
  return static_cast<double>(most) / static_cast<double>(std::max<int64_t>(array.type.elements(), 1));
}

RandomProgram random_reshapes(Dice &random) { return Generator(random).run_reshapes(); }
RandomProgram random_program(Dice &random) { return Generator(random).run(); }

sharding::Mesh random_mesh(Dice &random) {
  static const std::vector<int64_t> sizes = {1, 2, 2, 2, 3, 4, 4, 5, 7, 8};
  std::vector<sharding::Axis> axes;
  int64_t devices = 1;
  const int64_t most = random.chance(4) ? 64 : 12;
  for (int64_t n = random.between(1, 4); n > 0; --n) {
    const int64_t size = random.pick(sizes);
    if (devices * size > most)
      continue;
    devices *= size;
    const std::string name(1, static_cast<char>('a' + axes.size()));
    axes.push_back({name, size, name, 1});
  }
  if (axes.empty())
    axes.push_back({"a", 1, "a", 1});
  return *sharding::Mesh::create(std::move(axes));
}

sharding::Mesh with_random_loops(const sharding::Mesh &mesh, Dice &random) {
  std::vector<sharding::Axis> axes(mesh.axes().begin(), mesh.axes().end());
  for (sharding::Axis &axis : axes)
    axis.kind = random.pick(std::vector{sharding::AxisKind::device, sharding::AxisKind::serial,
                                        sharding::AxisKind::serial, sharding::AxisKind::threads});
  return *sharding::Mesh::create(std::move(axes));
}

std::string random_parts(partition::Plan &plan, Dice &random) {
  std::string done;
  for (size_t a = 0; a < plan.mesh().num_axes(); ++a) {
    const auto axis = static_cast<sharding::AxisId>(a);
    std::vector<int64_t> majors;
    for (int64_t n = 2; n < plan.mesh().size(axis); ++n)
      if (plan.mesh().size(axis) % n == 0)
        majors.push_back(n);
    if (majors.empty() || random.chance(2))
      continue;
    const int64_t major = random.pick(majors);
    done += fmt::format(" refine({},{})", plan.mesh().axis(axis).name, major);
    if (!plan.refine(axis, major))
      done += "?";
  }
  return done + random_actions(plan, random);
}

std::string random_actions(partition::Plan &plan, Dice &random) {
  std::string done;
  const auto nodes = static_cast<int64_t>(plan.num_nodes()); // ops and variables
  for (int64_t actions = random.between(1, 4); actions > 0; --actions) {
    plan.begin_action({"random", {}});
    for (int64_t tries = random.between(1, 6); tries > 0; --tries) {
      const auto node = static_cast<partition::NodeId>(random.below(nodes));
      const auto axis =
          static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(plan.mesh().num_axes())));
      const auto &factors = plan.rule(node).factors;
      if (factors.empty() || !plan.takes_part(node))
        continue;
      const auto factor = static_cast<ops::FactorId>(random.below(static_cast<int64_t>(factors.size())));
      sharding::SplitRule split;
      std::string rule;
      if (random.chance(4)) {
        split.kind = sharding::SplitRule::Kind::ceil;
        rule = ":ceil";
      } else if (random.chance(6)) {
        int64_t tiles = plan.mesh().size(axis); // the cuts are those of all of the factor's axes
        for (const partition::NestEntry &entry : plan.nest(node))
          tiles *= entry.factor == factor ? plan.mesh().size(entry.axis) : 1;
        std::vector<int64_t> cuts{0};
        for (int64_t t = 1; t < tiles; ++t)
          cuts.push_back(random.between(cuts.back(), factors[factor].size));
        cuts.push_back(factors[factor].size);
        rule = fmt::format(":cuts{}", cuts);
        split.kind = sharding::SplitRule::Kind::cuts;
        split.cuts = std::make_shared<const std::vector<int64_t>>(std::move(cuts));
      }
      const ops::FactorId chosen = random.chance(12) ? partition::kAny : factor;
      if (plan.set(node, axis, chosen, chosen == partition::kAny || rule.empty() ? nullptr : &split))
        done += fmt::format(" set({},{},{}{})", node, plan.mesh().axis(axis).name, chosen, rule);
    }
    if (random.chance(5))
      continue;
    const bool infer = random.chance(2);
    plan.propagate(infer ? partition::Mode::infer_propagate : partition::Mode::propagate);
    done += infer ? " infer-propagate" : " propagate";
  }
  for (size_t r = 0; r < plan.graph().results().size(); ++r)
    if (random.chance(6)) {
      const auto &dims = plan.graph().type(plan.graph().operands(plan.graph().results()[r])[0]).dims;
      sharding::Sharding layout = random_sharding(random.engine(), dims, plan.mesh());
      done += fmt::format(" result{}={}", r, sharding::to_text(layout, plan.mesh()));
      plan.pin_result_layout(r, std::move(layout));
    }
  return done;
}

} // namespace tw::test
