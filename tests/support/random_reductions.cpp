// SPDX-License-Identifier: Apache-2.0
// Makers of reductions, windows, products and sorts. Sums stay small enough to be exact in any order.
#include "support/program_generator.hpp"

#include <map>
#include <string>

namespace tw::test {

bool Generator::reduce() {
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
bool Generator::argmax() {
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

void Generator::add_window(Windows &w, int64_t n, int64_t size, bool dilates) {
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

bool Generator::convolution() {
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
std::optional<Generator::Windows> Generator::some_windows(const Shape &dims, bool dilates) {
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

bool Generator::pool() {
  const auto a = find([&](const Made &m) { return type(m).rank() >= 1; });
  if (!a)
    return false;
  const DType t = type(*a).dtype;
  const auto w = some_windows(type(*a).dims, true);
  if (!w)
    return false;
  const auto name = t == DType::i1 ? random_.pick(std::vector<std::string_view>{"and", "or"})
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

bool Generator::select_and_scatter() {
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
  return keep(value("select_and_scatter", {a->id, source.id, init},
                    {{"window_dimensions", w->size}, {"window_strides", w->strides}, {"padding", w->padding}},
                    {}, {select, scatter}),
              bound + 2);
}

bool Generator::dot() {
  const auto a = find([&](const Made &m) {
    const DType t = type(m).dtype;
    return type(m).rank() >= 1 &&
           (t == DType::f32 || t == DType::s32 || t == DType::f64 || (takes_bf16_ && t == DType::bf16));
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
  const DType sum = t == DType::bf16 ? DType::f32 : t;
  if (!fits(sum, bound))
    return shrink(*a);
  return keep(value("dot_general", {a->id, b.id},
                    {{"lhs_batching_dimensions", lhs_batch},
                     {"rhs_batching_dimensions", rhs_batch},
                     {"lhs_contracting_dimensions", lhs_contract},
                     {"rhs_contracting_dimensions", rhs_contract}},
                    dot_type(sum, left, right, lhs_batch, lhs_contract, rhs_batch, rhs_contract)),
              bound);
}

// What a kernel of products may do before it stores one, or what looks like that. Nothing else reads the
// product then.
void Generator::follow_product() {
  const Made d = values_.back();
  const TensorType t = type(d);
  const bool first = random_.chance(2);
  values_.pop_back();
  const auto sum = [&](ValueId other, double bound) {
    keep(value("add", {first ? other : d.id, first ? d.id : other}), d.bound + bound);
  };
  const int64_t how = random_.below(4);
  if (how == 0)
    if (const Made other = operand(t); fits(t.dtype, d.bound + other.bound))
      return sum(other.id, other.bound);
  if (how == 1 && t.rank() > 0 && fits(t.dtype, d.bound + 3)) {
    const int64_t along = random_.chance(4) ? 0 : static_cast<int64_t>(t.rank()) - 1;
    const ValueId bias = constant({t.dtype, {t.dims[static_cast<size_t>(along)]}}, -2, 3, false);
    return sum(
        value("broadcast_in_dim", {bias}, {{"broadcast_dimensions", std::vector<int64_t>{along}}}, {t}), 3);
  }
  if (how == 2 && t.dtype == DType::f32 && fits(DType::bf16, d.bound))
    keep(value("convert", {d.id}, {}, {{DType::bf16, t.dims}}), d.bound);
  else
    values_.push_back(d);
}

std::vector<TensorType> Generator::dot_type(DType t, const Shape &left, const Shape &right,
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

// One array by its values, another along with it; equal values keep their order.
bool Generator::sort() {
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

bool Generator::top_k() {
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

} // namespace tw::test
