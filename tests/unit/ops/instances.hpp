// SPDX-License-Identifier: Apache-2.0
// Random instances of every op: types, attributes, regions and operand values, small and full of odd sizes,
// zeros and ones. A new elementwise op needs nothing here; another new op needs one function and one line in
// draft(). Longer than other files: the makers are one list.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "ops/builder.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"

namespace tw::test {

using graph::DType;
using graph::TensorType;

class RandomChoices {
public:
  explicit RandomChoices(uint64_t seed) : engine_(seed) {}
  int64_t range(int64_t low, int64_t high) { // both included
    return std::uniform_int_distribution<int64_t>(low, high)(engine_);
  }
  bool chance(int percent) { return range(1, 100) <= percent; }
  template <class T> const T &pick(const std::vector<T> &from) {
    return from[static_cast<size_t>(range(0, static_cast<int64_t>(from.size()) - 1))];
  }
  // A dimension: mostly small and odd, sometimes 1, rarely 0.
  int64_t dim() { return chance(4) ? 0 : chance(15) ? 1 : range(2, largest); }
  int64_t largest = 7;
  graph::Shape shape(size_t low, size_t high) {
    graph::Shape dims(static_cast<size_t>(range(static_cast<int64_t>(low), static_cast<int64_t>(high))));
    for (int64_t &d : dims)
      d = dim();
    return dims;
  }
  std::vector<int64_t> shuffled(size_t n) {
    std::vector<int64_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine_);
    return order;
  }

private:
  std::mt19937_64 engine_;
};

// How an operand's values are drawn.
struct Values {
  int64_t low = -3, high = 3;
  bool special = false; // zeros of both signs, infinities and NaN among floats
};

// An op to be built. `region` names the op of a combiner region; "set" gives the new value, "argmax" compares
// pairs, "sort" puts the less of the first operand first. Several regions are joined by '+'.
struct Draft {
  std::vector<TensorType> operands;
  std::vector<std::pair<std::string, graph::AttrValue>> attrs;
  std::vector<TensorType> results; // stated, where not inferred
  std::vector<Values> values;      // per operand; defaults where shorter
  std::string region;
};

struct Instance {
  std::shared_ptr<const graph::Graph> graph;
  graph::OpId op = 0;
  std::vector<std::vector<std::byte>> operands;
};

inline std::vector<std::byte> random_values(const TensorType &type, Values values, RandomChoices &random) {
  std::vector<std::byte> bytes(static_cast<size_t>(type.bytes()));
  ops::visit_dtype(type.dtype, [&]<class E>(E) {
    using V = typename E::Value;
    auto *at = reinterpret_cast<typename E::Storage *>(bytes.data());
    for (int64_t i = 0; i < type.elements(); ++i) {
      const int64_t n = random.range(values.low, values.high);
      V value{};
      if constexpr (std::is_same_v<V, bool>)
        value = n > 0;
      else if constexpr (ops::is_complex_value<V>)
        value = V(static_cast<typename V::value_type>(n),
                  static_cast<typename V::value_type>(random.range(-2, 2)));
      else
        value = static_cast<V>(n);
      if constexpr (std::is_floating_point_v<V>)
        if (values.special && random.chance(40))
          value = random.pick(std::vector<V>{V(0), V(-0.0), std::numeric_limits<V>::infinity(),
                                             -std::numeric_limits<V>::infinity(),
                                             std::numeric_limits<V>::quiet_NaN()});
      at[i] = E::store(value);
    }
  });
  return bytes;
}

namespace drafts {

inline const std::vector<DType> kEvery = {
    DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3fn, DType::f8e5m2, DType::i1,
    DType::s2,  DType::s4,  DType::s8,  DType::s16,  DType::s32,      DType::s64,    DType::u2,
    DType::u4,  DType::u8,  DType::u16, DType::u32,  DType::u64,      DType::c64,    DType::c128};
// Small sums of small integers are exact in these.
inline const std::vector<DType> kExact = {DType::f64, DType::f32, DType::f16, DType::bf16,
                                          DType::s4,  DType::s8,  DType::s32, DType::s64,
                                          DType::u8,  DType::u32, DType::i1,  DType::c64};
inline const std::vector<DType> kIndex = {DType::s32, DType::s64, DType::u8, DType::u32, DType::s16};

inline Draft elementwise(const ops::OpDef &def, RandomChoices &random) {
  Draft draft;
  const TensorType type{random.pick(kEvery), random.shape(0, 3)};
  draft.operands.assign(static_cast<size_t>(def.min_operands), type);
  draft.values.assign(draft.operands.size(), {-3, 3, true});
  return draft;
}

inline Draft compare(const ops::OpDef &def, RandomChoices &random) {
  Draft draft = elementwise(def, random);
  draft.attrs = {
      {"comparison_direction", random.pick(std::vector<std::string>{"EQ", "NE", "GE", "GT", "LE", "LT"})}};
  if (graph::is_float(draft.operands[0].dtype))
    draft.attrs.emplace_back("compare_type", random.pick(std::vector<std::string>{"FLOAT", "TOTALORDER"}));
  return draft;
}

inline Draft convert(const ops::OpDef &def, RandomChoices &random) {
  Draft draft = elementwise(def, random);
  draft.results = {{random.pick(kEvery), draft.operands[0].dims}};
  return draft;
}

inline Draft select(const ops::OpDef &def, RandomChoices &random) {
  Draft draft = elementwise(def, random);
  draft.operands[0].dtype = DType::i1;
  if (random.chance(30))
    draft.operands[0].dims.clear();
  return draft;
}

inline Draft clamp(const ops::OpDef &def, RandomChoices &random) {
  Draft draft = elementwise(def, random);
  for (size_t bound : {size_t(0), size_t(2)})
    if (random.chance(30))
      draft.operands[bound].dims.clear();
  return draft;
}

inline Draft reduce_precision(const ops::OpDef &, RandomChoices &random) {
  return {{{random.pick(std::vector<DType>{DType::f64, DType::f32, DType::bf16}), random.shape(0, 3)}},
          {{"exponent_bits", random.range(2, 8)}, {"mantissa_bits", random.range(0, 7)}},
          {},
          {{-100, 100, true}},
          {}};
}

inline Draft bitcast(const ops::OpDef &, RandomChoices &random) {
  TensorType from{random.pick(std::vector<DType>{DType::f32, DType::s32, DType::u16, DType::u8, DType::f64}),
                  random.shape(0, 2)};
  TensorType to{random.pick(std::vector<DType>{DType::f32, DType::s32, DType::u16, DType::u8, DType::f64}),
                from.dims};
  const auto wide = static_cast<int64_t>(graph::byte_size(from.dtype)),
             narrow = static_cast<int64_t>(graph::byte_size(to.dtype));
  if (wide > narrow)
    to.dims.push_back(wide / narrow);
  else if (wide < narrow)
    from.dims.push_back(narrow / wide);
  return {{from}, {}, {to}, {}, {}};
}

inline Draft iota(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(1, 3)};
  return {{}, {{"iota_dimension", random.range(0, static_cast<int64_t>(type.rank()) - 1)}}, {type}, {}, {}};
}

inline Draft broadcast(const ops::OpDef &, RandomChoices &random) {
  TensorType from{random.pick(kEvery), random.shape(0, 3)},
      to{from.dtype, random.shape(from.rank(), from.rank() + 2)};
  std::vector<int64_t> dims = random.shuffled(to.rank());
  dims.resize(from.rank());
  for (size_t d = 0; d < from.rank(); ++d)
    if (from.dims[d] != 1)
      to.dims[static_cast<size_t>(dims[d])] = from.dims[d];
  return {{from}, {{"broadcast_dimensions", dims}}, {to}, {}, {}};
}

inline Draft transpose(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(0, 4)};
  return {{type}, {{"permutation", random.shuffled(type.rank())}}, {}, {}, {}};
}

// Two ways to write one product of small primes, ones among them.
inline Draft reshape(const ops::OpDef &, RandomChoices &random) {
  std::vector<int64_t> primes;
  for (int64_t i = random.range(0, 5); i > 0; --i)
    primes.push_back(random.pick(std::vector<int64_t>{2, 2, 3, 3, 5}));
  if (random.chance(5))
    primes.push_back(0);
  auto grouped = [&](std::vector<int64_t> factors) {
    graph::Shape dims;
    for (size_t i = 0; i < factors.size();) {
      int64_t size = 1;
      for (int64_t take = random.range(0, 3); take > 0 && i < factors.size(); --take)
        size *= factors[i++];
      dims.push_back(size);
    }
    return dims;
  };
  std::vector<int64_t> other = primes;
  if (random.chance(40))
    for (size_t i = 0; const int64_t from : random.shuffled(primes.size()))
      other[i++] = primes[static_cast<size_t>(from)];
  const DType dtype = random.pick(kEvery);
  return {{{dtype, grouped(primes)}}, {}, {{dtype, grouped(other)}}, {}, {}};
}

inline Draft slice(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(1, 3)};
  std::vector<int64_t> start, limit, stride;
  for (int64_t n : type.dims) {
    const bool all = random.chance(50);
    start.push_back(all ? 0 : random.range(0, n));
    limit.push_back(all ? n : random.range(start.back(), n));
    stride.push_back(all ? 1 : random.range(1, 3));
  }
  return {{type}, {{"start_indices", start}, {"limit_indices", limit}, {"strides", stride}}, {}, {}, {}};
}

inline Draft pad(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(1, 3)};
  std::vector<int64_t> low, high, interior;
  for (int64_t n : type.dims) {
    const bool none = random.chance(50);
    interior.push_back(none ? 0 : random.range(0, 2));
    const int64_t size = n + std::max<int64_t>(n - 1, 0) * interior.back();
    low.push_back(none ? 0 : random.range(-std::min<int64_t>(size, 3), 3));
    high.push_back(none ? 0 : std::max(random.range(-3, 3), -(size + low.back())));
  }
  return {{type, {type.dtype, {}}},
          {{"edge_padding_low", low}, {"edge_padding_high", high}, {"interior_padding", interior}},
          {},
          {},
          {}};
}

inline Draft concatenate(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(1, 3)};
  const int64_t along = random.range(0, static_cast<int64_t>(type.rank()) - 1);
  Draft draft{{}, {{"dimension", along}}, {}, {}, {}};
  for (int64_t n = random.range(1, 4); n > 0; --n) {
    draft.operands.push_back(type);
    draft.operands.back().dims[static_cast<size_t>(along)] = random.dim();
  }
  return draft;
}

inline Draft reverse(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(0, 3)};
  std::vector<int64_t> dims = random.shuffled(type.rank());
  dims.resize(static_cast<size_t>(random.range(0, static_cast<int64_t>(type.rank()))));
  return {{type}, {{"dimensions", dims}}, {}, {}, {}};
}

inline std::vector<int64_t> halos(size_t n, RandomChoices &random) {
  std::vector<int64_t> sizes;
  while (sizes.size() < n)
    sizes.push_back(random.range(0, 4));
  return sizes;
}

inline Draft halo_tiles(const ops::OpDef &, RandomChoices &random) {
  TensorType type{random.pick(kEvery), random.shape(1, 3)};
  std::vector<int64_t> dims, tiles;
  for (size_t d = 0; d < type.rank(); ++d)
    if (random.chance(60)) {
      dims.push_back(static_cast<int64_t>(d));
      tiles.push_back(random.range(1, 3));
      type.dims[d] = tiles.back() * random.range(1, 3);
    }
  const std::vector<int64_t> before = halos(dims.size(), random), after = halos(dims.size(), random);
  return {{type}, {{"dimensions", dims}, {"tiles", tiles}, {"before", before}, {"after", after}}, {}, {}, {}};
}

inline Draft keep_halo(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(0, 3)};
  const std::vector<int64_t> before = halos(type.rank(), random), after = halos(type.rank(), random);
  return {{type}, {{"before", before}, {"after", after}}, {}, {}, {}};
}

inline Draft dynamic_slice(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(1, 3)};
  std::vector<int64_t> sizes;
  for (int64_t n : type.dims)
    sizes.push_back(random.chance(50) ? n : random.range(0, n));
  Draft draft{{type}, {{"slice_sizes", sizes}}, {}, {{-3, 3, true}}, {}};
  const DType index = random.pick(kIndex);
  for (size_t d = 0; d < type.rank(); ++d) {
    draft.operands.push_back({index, {}});
    draft.values.push_back({graph::is_signed_int(index) ? -2 : 0, type.dims[d] + 2});
  }
  return draft;
}

inline Draft dynamic_update_slice(const ops::OpDef &def, RandomChoices &random) {
  Draft draft = dynamic_slice(def, random);
  const TensorType update{draft.operands[0].dtype, std::get<std::vector<int64_t>>(draft.attrs[0].second)};
  draft.operands.insert(draft.operands.begin() + 1, update);
  draft.values.insert(draft.values.begin() + 1, Values{4, 6});
  draft.attrs.clear();
  return draft;
}

inline Draft barrier(const ops::OpDef &, RandomChoices &random) {
  Draft draft;
  for (int64_t n = random.range(1, 4); n > 0; --n)
    draft.operands.push_back({random.pick(kEvery), random.shape(0, 3)});
  return draft;
}

inline Draft dot(const ops::OpDef &, RandomChoices &random) {
  const DType dtype = random.pick(kExact);
  TensorType lhs{dtype, {}}, rhs{dtype, {}};
  std::vector<std::pair<int, int64_t>> roles; // batch, contracting, lhs free, rhs free
  for (int role = 0; role < 4; ++role)
    for (int64_t n = random.range(0, 2); n > 0; --n)
      roles.emplace_back(role, random.dim());
  std::vector<int64_t> lists[4];
  // Each side takes its dimensions in an order of its own; partners are found by the number of the role.
  auto side = [&](TensorType &type, int free, std::vector<int64_t> &batch,
                  std::vector<int64_t> &contracting) {
    std::vector<std::pair<size_t, int64_t>> places; // role number, dimension
    for (int64_t r : random.shuffled(roles.size())) {
      const auto &[role, size] = roles[static_cast<size_t>(r)];
      if (role > 1 && role != free)
        continue;
      places.emplace_back(static_cast<size_t>(r), static_cast<int64_t>(type.rank()));
      type.dims.push_back(size);
    }
    std::sort(places.begin(), places.end());
    for (const auto &[r, d] : places)
      if (roles[r].first < 2)
        (roles[r].first == 0 ? batch : contracting).push_back(d);
  };
  side(lhs, 2, lists[0], lists[2]);
  side(rhs, 3, lists[1], lists[3]);
  Draft draft{{lhs, rhs},
              {{"lhs_batching_dimensions", lists[0]},
               {"rhs_batching_dimensions", lists[1]},
               {"lhs_contracting_dimensions", lists[2]},
               {"rhs_contracting_dimensions", lists[3]}},
              {},
              {{-2, 2}, {-2, 2}},
              {}};
  return draft;
}

inline Values values_for(const std::string &region) {
  if (region == "stablehlo.maximum" || region == "stablehlo.minimum")
    return {-3, 3, true};
  return region == "stablehlo.multiply" ? Values{-1, 1} : Values{-2, 3};
}

inline std::string combiner(RandomChoices &random, DType dtype) {
  if (dtype == DType::i1 || graph::is_int(dtype))
    return random.pick(std::vector<std::string>{"stablehlo.add", "stablehlo.maximum", "stablehlo.minimum",
                                                "stablehlo.multiply", "stablehlo.and", "stablehlo.or",
                                                "stablehlo.xor"});
  if (graph::is_complex(dtype))
    return "stablehlo.add"; // products round the sign of zeros
  return random.pick(std::vector<std::string>{"stablehlo.add", "stablehlo.maximum", "stablehlo.minimum",
                                              "stablehlo.multiply"});
}

inline Draft reduce(const ops::OpDef &, RandomChoices &random) {
  std::vector<int64_t> dims;
  const DType dtype = random.pick(kExact);
  const TensorType type{dtype, random.shape(1, 3)};
  dims = random.shuffled(type.rank());
  dims.resize(static_cast<size_t>(random.range(0, static_cast<int64_t>(type.rank()))));
  if (random.chance(20)) // two arrays together: the greatest value and where it is
    return {{{DType::f32, type.dims}, {DType::s32, type.dims}, {DType::f32, {}}, {DType::s32, {}}},
            {{"dimensions", dims}},
            {},
            {},
            "argmax"};
  const std::string region = combiner(random, dtype);
  return {{type, {dtype, {}}}, {{"dimensions", dims}}, {}, {values_for(region), values_for(region)}, region};
}

// The common picture of gather and scatter: the array's dimensions by role, the indices' shape, the slices'
// shape.
struct Picture {
  TensorType array, indices, slices;
  std::vector<int64_t> window, removed, array_batching, indices_batching, map, sizes;
  int64_t vector_dim = 0;
};

inline Picture picture(RandomChoices &random, DType dtype, bool partial) {
  Picture p;
  p.array = {dtype, random.shape(1, 4)};
  p.indices.dtype = random.pick(kIndex);
  std::vector<int64_t> roles(p.array.rank()), window_sizes;
  for (size_t d = 0; d < roles.size(); ++d) {
    roles[d] = random.range(0, 5); // 0 1 removed, 2 batching, others window
    if (roles[d] < 2 && p.array.dims[d] == 0)
      p.array.dims[d] = 3; // a slice of size 1 must fit
    if (roles[d] < 2) {
      p.removed.push_back(static_cast<int64_t>(d));
      p.map.push_back(static_cast<int64_t>(d));
      p.sizes.push_back(1);
    } else if (roles[d] == 2) {
      p.array_batching.push_back(static_cast<int64_t>(d));
      p.sizes.push_back(std::min<int64_t>(1, p.array.dims[d]));
    } else {
      const bool full = !partial || random.chance(60);
      p.sizes.push_back(full ? p.array.dims[d] : random.range(0, p.array.dims[d]));
      window_sizes.push_back(p.sizes.back());
      if (random.chance(partial ? 40 : 0))
        p.map.push_back(static_cast<int64_t>(d));
    }
  }
  const std::vector<int64_t> order = random.shuffled(p.map.size());
  std::vector<int64_t> map;
  for (int64_t i : order)
    map.push_back(p.map[static_cast<size_t>(i)]);
  p.map = map;
  // Indices: the batching dimensions and some of their own, in any order, the vector somewhere or nowhere.
  graph::Shape batch = random.shape(0, 2);
  const size_t own = batch.size();
  for (int64_t d : p.array_batching)
    batch.push_back(p.array.dims[static_cast<size_t>(d)]);
  const std::vector<int64_t> place = random.shuffled(batch.size());
  graph::Shape placed(batch.size());
  for (size_t i = 0; i < batch.size(); ++i)
    placed[static_cast<size_t>(place[i])] = batch[i];
  const bool scalar_vector = p.map.size() == 1 && random.chance(30);
  p.vector_dim = scalar_vector ? static_cast<int64_t>(placed.size())
                               : random.range(0, static_cast<int64_t>(placed.size()));
  p.indices.dims = placed;
  if (!scalar_vector)
    p.indices.dims.insert(p.indices.dims.begin() + p.vector_dim, static_cast<int64_t>(p.map.size()));
  for (size_t i = own; i < batch.size(); ++i)
    p.indices_batching.push_back(place[i] + (place[i] >= p.vector_dim && !scalar_vector ? 1 : 0));
  // Slices: window dimensions anywhere among the batch dimensions.
  const size_t rank = placed.size() + window_sizes.size();
  std::vector<int64_t> window = random.shuffled(rank);
  window.resize(window_sizes.size());
  std::sort(window.begin(), window.end());
  p.window = window;
  p.slices.dtype = dtype;
  for (size_t d = 0, w = 0, b = 0; d < rank; ++d)
    p.slices.dims.push_back(w < window.size() && window[w] == static_cast<int64_t>(d) ? window_sizes[w++]
                                                                                      : placed[b++]);
  return p;
}

inline Draft gather(const ops::OpDef &, RandomChoices &random) {
  const Picture p = picture(random, random.pick(kEvery), true);
  return {{p.array, p.indices},
          {{"offset_dims", p.window},
           {"collapsed_slice_dims", p.removed},
           {"operand_batching_dims", p.array_batching},
           {"start_indices_batching_dims", p.indices_batching},
           {"start_index_map", p.map},
           {"index_vector_dim", p.vector_dim},
           {"slice_sizes", p.sizes}},
          {},
          {{-3, 3, true}, {graph::is_signed_int(p.indices.dtype) ? -2 : 0, 8}},
          {}};
}

inline Draft scatter(const ops::OpDef &, RandomChoices &random) {
  const DType dtype = random.pick(kExact);
  const Picture p = picture(random, dtype, random.chance(50));
  const std::string region = random.chance(20) ? "set" : combiner(random, dtype);
  const Values values = region == "set" ? Values{} : values_for(region);
  return {{p.array, p.indices, p.slices},
          {{"update_window_dims", p.window},
           {"inserted_window_dims", p.removed},
           {"input_batching_dims", p.array_batching},
           {"scatter_indices_batching_dims", p.indices_batching},
           {"scatter_dims_to_operand_dims", p.map},
           {"index_vector_dim", p.vector_dim}},
          {},
          {values, {graph::is_signed_int(p.indices.dtype) ? -2 : 0, 8}, values},
          region};
}

// Sizes of one sliding dimension, small enough that most windows fit somewhere, some reach far beyond, and
// some never stand anywhere.
struct Sliding {
  std::vector<int64_t> strides, base, dilations, padding, reversed;
  void add(RandomChoices &random) {
    strides.push_back(random.range(1, 3));
    base.push_back(random.chance(70) ? 1 : random.range(2, 3));
    dilations.push_back(random.chance(70) ? 1 : random.range(2, 3));
    padding.push_back(random.range(-2, 3));
    padding.push_back(random.range(-2, 3));
    reversed.push_back(random.chance(30));
  }
};

inline Draft convolution(const ops::OpDef &, RandomChoices &random) {
  const DType dtype = random.pick(kExact);
  const auto spatial = static_cast<size_t>(random.chance(70) ? random.range(1, 2) : random.range(0, 3));
  const int64_t grouping = random.range(0, 3), groups = grouping > 1 ? random.range(1, 3) : 1;
  const int64_t batch_groups = grouping == 2 ? groups : 1, feature_groups = grouping == 3 ? groups : 1;
  const auto few = [&] { return random.chance(4) ? 0 : random.range(1, 3); };
  const int64_t in = few();
  // By meaning: two dimensions, then the spatial ones; each array in an order of its own.
  graph::Shape lhs{few() * batch_groups, in * feature_groups}, rhs{in, few() * groups};
  Sliding sliding;
  for (size_t d = 0; d < spatial; ++d) {
    lhs.push_back(random.chance(4) ? 0 : random.range(1, 7));
    rhs.push_back(random.chance(30) ? random.range(4, 7) : random.range(1, 3));
    sliding.add(random);
  }
  const auto placed = [&](const graph::Shape &dims, std::vector<int64_t> &order) {
    order = random.shuffled(dims.size());
    graph::Shape shape(dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
      shape[static_cast<size_t>(order[i])] = dims[i];
    return shape;
  };
  std::vector<int64_t> lhs_dims, rhs_dims, result_dims;
  lhs = placed(lhs, lhs_dims);
  rhs = placed(rhs, rhs_dims);
  placed(lhs, result_dims);
  return {{{dtype, lhs}, {dtype, rhs}},
          {{"lhs_dimensions", lhs_dims},
           {"rhs_dimensions", rhs_dims},
           {"result_dimensions", result_dims},
           {"window_strides", sliding.strides},
           {"padding", sliding.padding},
           {"lhs_dilation", sliding.base},
           {"rhs_dilation", sliding.dilations},
           {"window_reversal", sliding.reversed},
           {"feature_group_count", feature_groups},
           {"batch_group_count", batch_groups}},
          {},
          {{-2, 2}, {-2, 2}},
          {}};
}

inline Draft reduce_window(const ops::OpDef &, RandomChoices &random) {
  const DType dtype = random.pick(kExact);
  const TensorType type{dtype, random.shape(1, 3)};
  std::vector<int64_t> window, stride, base, dilation, padding;
  for (size_t d = 0; d < type.rank(); ++d) {
    const bool trivial = random.chance(50);
    window.push_back(trivial ? 1 : random.range(1, 4));
    stride.push_back(trivial ? 1 : random.range(1, 3));
    base.push_back(trivial ? 1 : random.range(1, 2));
    dilation.push_back(trivial ? 1 : random.range(1, 2));
    padding.push_back(trivial ? 0 : random.range(-1, 2));
    padding.push_back(trivial ? 0 : random.range(-1, 2));
  }
  const auto along = static_cast<size_t>(random.range(0, static_cast<int64_t>(type.rank()) - 1));
  if (const int64_t n = type.dims[along]; n > 1 && random.chance(40)) { // a cumulative sum from either end
    for (auto *list : {&window, &stride, &base, &dilation})
      std::ranges::fill(*list, 1);
    std::ranges::fill(padding, 0);
    window[along] = n;
    padding[2 * along + static_cast<size_t>(random.range(0, 1))] = n - 1;
  }
  if (random.chance(20)) // two arrays together
    return {{{DType::f32, type.dims}, {DType::s32, type.dims}, {DType::f32, {}}, {DType::s32, {}}},
            {{"window_dimensions", window},
             {"window_strides", stride},
             {"base_dilations", base},
             {"window_dilations", dilation},
             {"padding", padding}},
            {},
            {},
            "argmax"};
  const std::string region = combiner(random, dtype);
  return {{type, {dtype, {}}},
          {{"window_dimensions", window},
           {"window_strides", stride},
           {"base_dilations", base},
           {"window_dilations", dilation},
           {"padding", padding}},
          {},
          {values_for(region), values_for(region)},
          region};
}

inline Draft select_and_scatter(const ops::OpDef &, RandomChoices &random) {
  const DType dtype = random.pick(kExact);
  const TensorType type{dtype, random.shape(1, 3)};
  TensorType source{dtype, {}};
  std::vector<int64_t> window, stride, padding;
  for (const int64_t n : type.dims) {
    const bool trivial = random.chance(40);
    window.push_back(trivial ? 1 : random.range(1, 4));
    stride.push_back(trivial ? 1 : random.range(1, 5));
    padding.push_back(trivial ? 0 : random.range(-2, 2));
    padding.push_back(trivial ? 0 : random.range(-2, 2));
    const int64_t padded = n + padding[padding.size() - 2] + padding.back();
    source.dims.push_back(padded < window.back() ? 0 : (padded - window.back()) / stride.back() + 1);
  }
  const std::string region =
      graph::is_complex(dtype) ? "first+stablehlo.add" : "ge+" + combiner(random, dtype);
  return {{type, source, {dtype, {}}},
          {{"window_dimensions", window}, {"window_strides", stride}, {"padding", padding}},
          {},
          {{-3, 3}, {-2, 3}, {-2, 3}},
          region};
}

inline Draft sort(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kExact), random.shape(1, 3)};
  Draft draft{
      {type}, {{"dimension", random.range(-1, static_cast<int64_t>(type.rank()) - 1)}}, {}, {}, "sort"};
  if (graph::is_complex(type.dtype))
    draft.operands[0].dtype = DType::s16;
  if (random.chance(50))
    draft.operands.push_back({DType::s32, type.dims});
  return draft;
}

inline Draft top_k(const ops::OpDef &, RandomChoices &random) {
  const TensorType type{random.pick(kEvery), random.shape(1, 3)};
  return {{type}, {{"k", random.range(0, type.dims.back())}}, {}, {{-3, 3, true}}, {}};
}

inline Draft fft(const ops::OpDef &, RandomChoices &random) {
  const bool wide = random.chance(50);
  const DType real = wide ? DType::f64 : DType::f32, complex = wide ? DType::c128 : DType::c64;
  const std::string kind = random.pick(std::vector<std::string>{"FFT", "IFFT", "RFFT", "IRFFT"});
  TensorType type{kind == "RFFT" ? real : complex, random.shape(1, 4)};
  std::vector<int64_t> lengths(type.dims.end() -
                                   random.range(1, std::min<int64_t>(3, static_cast<int64_t>(type.rank()))),
                               type.dims.end());
  if (kind == "IRFFT" && lengths.back() > 0) {
    lengths.back() = random.chance(50) ? 2 * lengths.back() - 1 : 2 * lengths.back() - 2;
    if (lengths.back() == 0) // of a line of one
      lengths.back() = 1;
  }
  return {{type}, {{"fft_type", kind}, {"fft_length", lengths}}, {}, {}, {}};
}

inline const std::vector<DType> kFields = {DType::f64, DType::f32, DType::bf16, DType::c64, DType::c128};

inline Draft cholesky(const ops::OpDef &, RandomChoices &random) {
  TensorType type{random.pick(kFields), random.shape(1, 3)};
  type.dims.push_back(type.dims.back());
  return {{type}, {{"lower", random.range(0, 1)}}, {}, {{1, 40}}, {}};
}

inline Draft triangular_solve(const ops::OpDef &, RandomChoices &random) {
  const bool left = random.chance(50);
  TensorType a{random.pick(kFields), random.shape(1, 3)}, b = a;
  a.dims.push_back(a.dims.back());
  b.dims.insert(left ? b.dims.end() : b.dims.end() - 1, random.dim());
  return {{a, b},
          {{"left_side", int64_t{left}},
           {"lower", random.range(0, 1)},
           {"unit_diagonal", random.range(0, 1)},
           {"transpose_a", random.pick(std::vector<std::string>{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})}},
          {},
          {{1, 3}, {-3, 3}},
          {}};
}

inline Draft map(const ops::OpDef &, RandomChoices &random) {
  const DType dtype = random.pick(kExact);
  const TensorType type{dtype, random.shape(0, 3)};
  std::vector<int64_t> dims(type.rank());
  std::iota(dims.begin(), dims.end(), 0);
  return {{type, type}, {{"dimensions", dims}}, {}, {}, combiner(random, dtype)};
}

inline Draft rng(const ops::OpDef &, RandomChoices &random) {
  const bool normal = random.chance(30);
  const TensorType out{random.pick(normal ? std::vector<DType>{DType::f64, DType::f32, DType::bf16} : kExact),
                       random.shape(0, 3)};
  return {{{out.dtype, {}}, {out.dtype, {}}, {DType::s64, {static_cast<int64_t>(out.rank())}}},
          {{"rng_distribution", std::string(normal ? "NORMAL" : "UNIFORM")}, {"stream", random.range(0, 9)}},
          {out},
          {{0, 3}, {4, 9}},
          {}};
}

inline Draft rng_bit_generator(const ops::OpDef &, RandomChoices &random) {
  const std::string algorithm = random.pick(std::vector<std::string>{"DEFAULT", "THREE_FRY", "PHILOX"});
  const TensorType state{DType::u64, {algorithm == "THREE_FRY" ? 2 : random.range(2, 3)}};
  const TensorType out{random.pick(std::vector<DType>{DType::u64, DType::s32, DType::u32, DType::u16,
                                                      DType::u8, DType::u4, DType::f32}),
                       random.shape(0, 3)};
  return {{state}, {{"rng_algorithm", algorithm}}, {state, out}, {{0, 1000}}, {}};
}

inline Draft after_all(const ops::OpDef &, RandomChoices &random) {
  return {
      std::vector<TensorType>(static_cast<size_t>(random.range(0, 3)), {DType::token, {}}), {}, {}, {}, {}};
}

inline Draft create_token(const ops::OpDef &, RandomChoices &) { return {}; }

using Drafter = Draft (*)(const ops::OpDef &, RandomChoices &);

inline Drafter drafter_of(const ops::OpDef &def) {
  static const std::vector<std::pair<std::string_view, Drafter>> drafters = {
      {"chlo.top_k", top_k},
      {"shard.halo_tiles", halo_tiles},
      {"shard.keep_halo", keep_halo},
      {"stablehlo.after_all", after_all},
      {"stablehlo.bitcast_convert", bitcast},
      {"stablehlo.broadcast_in_dim", broadcast},
      {"stablehlo.cholesky", cholesky},
      {"stablehlo.clamp", clamp},
      {"stablehlo.compare", compare},
      {"stablehlo.concatenate", concatenate},
      {"stablehlo.convert", convert},
      {"stablehlo.convolution", convolution},
      {"stablehlo.create_token", create_token},
      {"stablehlo.dot_general", dot},
      {"stablehlo.dynamic_slice", dynamic_slice},
      {"stablehlo.dynamic_update_slice", dynamic_update_slice},
      {"stablehlo.fft", fft},
      {"stablehlo.gather", gather},
      {"stablehlo.iota", iota},
      {"stablehlo.map", map},
      {"stablehlo.optimization_barrier", barrier},
      {"stablehlo.pad", pad},
      {"stablehlo.reduce", reduce},
      {"stablehlo.reduce_precision", reduce_precision},
      {"stablehlo.reduce_window", reduce_window},
      {"stablehlo.reshape", reshape},
      {"stablehlo.reverse", reverse},
      {"stablehlo.rng", rng},
      {"stablehlo.rng_bit_generator", rng_bit_generator},
      {"stablehlo.scatter", scatter},
      {"stablehlo.select", select},
      {"stablehlo.select_and_scatter", select_and_scatter},
      {"stablehlo.slice", slice},
      {"stablehlo.sort", sort},
      {"stablehlo.transpose", transpose},
      {"stablehlo.triangular_solve", triangular_solve},
  };
  for (const auto &[name, drafter] : drafters)
    if (name == def.name)
      return drafter;
  return def.flags & ops::kElementwise ? elementwise : nullptr;
}

} // namespace drafts

inline graph::ValueId scalar_op(graph::GraphBuilder &b, const std::string &name,
                                std::vector<graph::ValueId> in, graph::Attrs attrs = {}) {
  auto id = ops::add(b, *ops::find_op(name), in, std::move(attrs));
  TW_ASSERT(id);
  return b.graph().result(*id);
}

// What a region takes, given the op's operands.
inline std::vector<TensorType> region_types(const std::string &name,
                                            const std::vector<TensorType> &operands) {
  if (name == "argmax")
    return {operands[0], operands[1], operands[0], operands[1]};
  if (name == "less" || name == "double") // of a while
    return operands;
  if (name != "sort")
    return {operands[0], operands[0]};
  std::vector<TensorType> pairs;
  for (const TensorType &t : operands)
    pairs.insert(pairs.end(), 2, t);
  return pairs;
}

// The region that a draft names, over scalars of the operands' types.
inline graph::RegionId build_region(graph::GraphBuilder &b, const std::string &name,
                                    const std::vector<TensorType> &scalars) {
  std::vector<graph::TypeId> types;
  for (const TensorType &t : scalars)
    types.push_back(b.type({t.dtype, {}}));
  const graph::RegionId region = b.open_region(types);
  const std::vector<graph::ValueId> a = b.graph().region(region).args;
  if (name == "set") {
    b.close_region({a[1]});
  } else if (name == "ge") {
    b.close_region({scalar_op(b, "stablehlo.compare", {a[0], a[1]}, {std::string("GE")})});
  } else if (name == "first") { // the element that was met first stays
    b.close_region({scalar_op(b, "stablehlo.compare", {a[0], a[0]}, {std::string("EQ")})});
  } else if (name == "sort") {
    b.close_region({scalar_op(b, "stablehlo.compare", {a[0], a[1]}, {std::string("LT")})});
  } else if (name == "less") {
    b.close_region({scalar_op(b, "stablehlo.compare", {a[0], a[1]}, {std::string("LT")})});
  } else if (name == "double") { // and keep the rest
    std::vector<graph::ValueId> yields = a;
    yields[0] = scalar_op(b, "stablehlo.add", {a[0], a[0]});
    b.close_region(std::move(yields));
  } else if (name == "argmax") {
    const graph::ValueId first = scalar_op(b, "stablehlo.compare", {a[0], a[2]}, {std::string("GE")});
    const graph::ValueId value = scalar_op(b, "stablehlo.select", {first, a[0], a[2]});
    const graph::ValueId where = scalar_op(b, "stablehlo.select", {first, a[1], a[3]});
    b.close_region({value, where});
  } else {
    b.close_region({scalar_op(b, name, {a[0], a[1]})});
  }
  return region;
}

// Nothing where the op does not take the drawn types; an error's text in `why`.
inline std::optional<Instance> build(const ops::OpDef &def, const Draft &draft, RandomChoices &random,
                                     std::string &why) {
  graph::GraphBuilder b("test", "test");
  std::vector<graph::ValueId> operands;
  Instance instance;
  for (size_t v = 0; v < draft.operands.size(); ++v) {
    operands.push_back(b.graph().result(ops::add_argument(b, draft.operands[v], "")));
    instance.operands.push_back(
        random_values(draft.operands[v], v < draft.values.size() ? draft.values[v] : Values{}, random));
  }
  std::vector<ops::NamedAttr> named(draft.attrs.begin(), draft.attrs.end());
  auto attrs = ops::check_attrs(def, named);
  if (!attrs) {
    why = attrs.error().message();
    return std::nullopt;
  }
  std::vector<graph::TypeId> stated;
  for (const TensorType &t : draft.results)
    stated.push_back(b.type(t));
  std::vector<graph::RegionId> regions;
  std::stringstream names(draft.region);
  for (std::string name; std::getline(names, name, '+');)
    regions.push_back(build_region(b, name, region_types(name, draft.operands)));
  auto id = ops::add(b, *ops::find_op(def.name), operands, std::move(*attrs), stated, 0, regions);
  if (!id) {
    why = id.error().message();
    return std::nullopt;
  }
  for (uint32_t r = 0; r < b.graph().op(*id).num_results; ++r)
    ops::add_result(b, b.graph().result(*id, r), "");
  instance.op = *id;
  instance.graph = b.finish();
  return instance;
}

inline Instance constant_instance(RandomChoices &random) {
  graph::GraphBuilder b("test", "test");
  const TensorType type{random.pick(drafts::kEvery), random.shape(0, 3)};
  const bool splat = random.chance(30);
  const TensorType scalar{type.dtype, {}};
  auto bytes =
      std::make_shared<const std::vector<std::byte>>(random_values(splat ? scalar : type, {}, random));
  auto id = ops::add(b, *ops::find_op("stablehlo.constant"), {}, {b.constant({b.type(type), splat, bytes})});
  TW_ASSERT(id);
  ops::add_result(b, b.graph().result(*id), "");
  return {b.finish(), *id, {}};
}

} // namespace tw::test
