// SPDX-License-Identifier: Apache-2.0
// Makers of slices, pads, concatenations, gathers and scatters.
#include "support/program_generator.hpp"

#include <map>
#include <string>

namespace tw::test {

bool Generator::slice() {
  const Made a = any();
  std::vector<int64_t> start, limit, step;
  for (const int64_t n : Shape(type(a).dims)) {
    const bool whole = random_.chance(2) || n < 2;
    start.push_back(whole ? 0 : random_.below(n));
    limit.push_back(whole ? n : random_.between(start.back() + 1, n));
    step.push_back(whole ? 1 : random_.between(1, 2));
  }
  return keep(value("slice", {a.id}, {{"start_indices", start}, {"limit_indices", limit}, {"strides", step}}),
              a.bound);
}

bool Generator::pad() {
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
  return keep(value("pad", {a.id, with},
                    {{"edge_padding_low", low}, {"edge_padding_high", high}, {"interior_padding", interior}}),
              a.bound + 3);
}

bool Generator::concatenate() {
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

// The same as a concatenation, as gradients of slices have it: each part with zeros around it, and their sum.
ValueId Generator::sum_of_padded(std::span<const ValueId> parts, size_t dim, int64_t length) {
  std::optional<ValueId> sum;
  int64_t begin = 0;
  for (const ValueId part : parts) {
    const TensorType t = b_.type_of(part);
    std::vector<int64_t> low(t.rank(), 0), high(t.rank(), 0);
    low[dim] = begin;
    begin += t.dims[dim];
    high[dim] = length - begin;
    const ValueId padded = value("pad", {part, scalar(t.dtype, 0)},
                                 {{"edge_padding_low", low},
                                  {"edge_padding_high", high},
                                  {"interior_padding", std::vector<int64_t>(t.rank(), 0)}});
    sum = sum ? value("add", {*sum, padded}) : padded;
  }
  return *sum;
}

// What permutations in device-local code, rolls, shifts and halos become: slices of one value put together
// along the dimension that they cut, zeros between them; sometimes of two dimensions in one, as devices
// along two axes are.
bool Generator::rearrange() {
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
  v = random_.chance(4) ? sum_of_padded(parts, dim, length)
                        : value("concatenate", parts, {{"dimension", static_cast<int64_t>(dim)}});
  if (merged && length == n)
    v = value("reshape", {v}, {}, {given});
  return keep(v, a->bound);
}

// Rows of the first dimension by an index array whose last dimension is 1.
bool Generator::gather() {
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
bool Generator::scatter() {
  const auto a = find(
      [&](const Made &m) { return type(m).rank() >= 1 && type(m).dims[0] > 0 && is_number(type(m).dtype); });
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

std::vector<ValueId> Generator::starts(size_t rank) {
  std::vector<ValueId> at;
  for (size_t d = 0; d < rank; ++d) {
    const auto found =
        find([&](const Made &m) { return type(m).dtype == DType::s32 && type(m).rank() == 0; });
    at.push_back(found && random_.chance(2) ? found->id : scalar(DType::s32, random_.between(-1, 5)));
  }
  return at;
}

bool Generator::dynamic_slice() {
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

bool Generator::dynamic_update_slice() {
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

} // namespace tw::test
