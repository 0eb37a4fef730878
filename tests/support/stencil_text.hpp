// SPDX-License-Identifier: Apache-2.0
// Programs of the shard dialect that run a stencil in a loop: annotated with halos, as the code of one
// device, and over the whole array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::test::stencil {

using Ints = std::vector<int64_t>;

constexpr int kSteps = 100;

// The places that a point of the stencil reads: along each dimension, and at two corners.
inline std::vector<Ints> taps(size_t rank, int64_t width) {
  std::vector<Ints> all{Ints(rank, 0), Ints(rank, width), Ints(rank, -width)};
  for (size_t d = 0; d < rank; ++d)
    for (int64_t k = -width; k <= width; ++k)
      if (k != 0) {
        all.emplace_back(rank, 0);
        all.back()[d] = k;
      }
  return all;
}

inline std::string type_of(const Ints &dims) { return fmt::format("tensor<{}xi32>", fmt::join(dims, "x")); }

inline Ints more(Ints dims, int64_t by) {
  for (int64_t &n : dims)
    n += by;
  return dims;
}

// The weighted sum of slices of `from`, whose first point of `dims` reads around `begin`; `each` says what
// follows a slice: the name that stands for it.
template <class Each>
std::string weighted_sum(const std::string &from, const Ints &from_dims, const Ints &dims, int64_t begin,
                         int64_t width, std::string &name, Each each) {
  std::string body;
  name.clear();
  int64_t weight = 1;
  for (const Ints &tap : taps(dims.size(), width)) {
    std::vector<std::string> ranges;
    for (size_t d = 0; d < dims.size(); ++d)
      ranges.push_back(fmt::format("{}:{}", begin + tap[d], begin + tap[d] + dims[d]));
    const std::string type = type_of(dims), n = std::to_string(weight);
    body += fmt::format("      %slice{} = stablehlo.slice {} [{}] : ({}) -> {}\n", n, from,
                        fmt::join(ranges, ", "), type_of(from_dims), type);
    const std::string slice = each("%slice" + n, type, body);
    body += fmt::format("      %weight{0} = stablehlo.constant dense<{0}> : {1}\n"
                        "      %term{0} = stablehlo.multiply {2}, %weight{0} : {1}\n",
                        n, type, slice);
    if (!name.empty())
      body += fmt::format("      %sum{0} = stablehlo.add {1}, %term{0} : {2}\n", n, name, type);
    name = (name.empty() ? "%term" : "%sum") + n;
    ++weight;
  }
  return body;
}

inline std::string padded(const std::string &name, const std::string &of, const Ints &dims, int64_t by) {
  const Ints edge(dims.size(), by), none(dims.size(), 0);
  return fmt::format(
      "      {0} = stablehlo.pad {1}, %zero, low = [{2}], high = [{2}], interior = [{3}] : ({4}, "
      "tensor<i32>) -> {5}\n",
      name, of, fmt::join(edge, ", "), fmt::join(none, ", "), type_of(dims), type_of(more(dims, 2 * by)));
}

// A loop whose body makes %next of %v.
inline std::string program(const Ints &grid, const Ints &dims, const std::string &before,
                           const std::string &body) {
  return fmt::format(
      "shard.grid @g(shape = {0})\n"
      "func.func @main(%x: {1}) -> {1} {{\n"
      "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %steps = stablehlo.constant dense<{2}> : tensor<i32>\n"
      "{3}"
      "  %r:2 = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, {1}\n"
      "    cond {{\n"
      "      %more = stablehlo.compare LT, %k, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "      stablehlo.return %more : tensor<i1>\n"
      "    }} do {{\n"
      "{4}"
      "      %k1 = stablehlo.add %k, %one : tensor<i32>\n"
      "      stablehlo.return %k1, %next : tensor<i32>, {1}\n"
      "    }}\n"
      "  return %r#1 : {1}\n}}\n",
      fmt::join(grid, "x"), type_of(dims), kSteps, before, body);
}

inline Ints cuts_of(int64_t n, int64_t tiles) {
  Ints cuts;
  for (int64_t t = 0; t <= tiles; ++t)
    cuts.push_back(t * n / tiles);
  return cuts;
}

// What lies inside of a border of this width is computed where the array is computed: its tiles are those of
// the array, without the border.
inline std::string annotated(const Ints &grid, const Ints &dims, int64_t width) {
  std::vector<std::string> split;
  Ints offsets;
  for (size_t d = 0; d < dims.size(); ++d) {
    split.push_back(fmt::format("[{}]", d));
    for (const int64_t cut : cuts_of(dims[d], grid[d]))
      offsets.push_back(std::clamp<int64_t>(cut - width, 0, dims[d] - 2 * width));
  }
  const std::string axes = fmt::format("[{}]", fmt::join(split, ", "));
  const std::string before = fmt::format(
      "  %wide = shard.sharding @g split_axes = {0} halo_sizes = [{1}] : !shard.sharding\n"
      "  %inside = shard.sharding @g split_axes = {0} sharded_dims_offsets = [{2}] : !shard.sharding\n",
      axes, fmt::join(Ints(2 * dims.size(), width), ", "), fmt::join(offsets, ", "));
  const Ints inner = more(dims, -2 * width);
  std::string sum, body = fmt::format("      %h = shard.shard %v to %wide : {}\n", type_of(dims));
  body += fmt::format("      %held = stablehlo.negate %h : {}\n", type_of(dims)); // halos survive
  body += weighted_sum("%held", dims, inner, width, width, sum,
                       [](const std::string &slice, const std::string &type, std::string &text) {
                         text +=
                             fmt::format("      {0}_in = shard.shard {0} to %inside : {1}\n", slice, type);
                         return slice + "_in";
                       });
  body += padded("%next", sum, inner, width);
  return program(grid, dims, before, body);
}

// One such step, of an argument that is given with its halos.
inline std::string given(const Ints &grid, const Ints &dims, int64_t width) {
  std::vector<std::string> split;
  Ints offsets;
  for (size_t d = 0; d < dims.size(); ++d) {
    split.push_back(fmt::format("[{}]", d));
    for (const int64_t cut : cuts_of(dims[d], grid[d]))
      offsets.push_back(std::clamp<int64_t>(cut - width, 0, dims[d] - 2 * width));
  }
  const Ints inner = more(dims, -2 * width);
  std::string sum;
  const std::string body =
      weighted_sum("%h", dims, inner, width, width, sum,
                   [](const std::string &slice, const std::string &type, std::string &text) {
                     text += fmt::format("      {0}_in = shard.shard {0} to %inside : {1}\n", slice, type);
                     return slice + "_in";
                   });
  return fmt::format(
      "shard.grid @g(shape = {0})\n"
      "func.func @main(%x: {1}) -> {2} {{\n"
      "  %wide = shard.sharding @g split_axes = [{3}] halo_sizes = [{4}] : !shard.sharding\n"
      "  %inside = shard.sharding @g split_axes = [{3}] sharded_dims_offsets = [{5}] : !shard.sharding\n"
      "  %h = shard.shard %x to %wide : {1}\n{6}  return {7} : {2}\n}}\n",
      fmt::join(grid, "x"), type_of(dims), type_of(inner), fmt::join(split, ", "),
      fmt::join(Ints(2 * dims.size(), width), ", "), fmt::join(offsets, ", "), body, sum);
}

inline std::string plain_slice(const std::string &slice, const std::string &, std::string &) { return slice; }

// The tile of a device, `dims` without its halo.
inline std::string local_code(const Ints &grid, const Ints &dims, int64_t width) {
  std::vector<std::string> split;
  for (size_t d = 0; d < dims.size(); ++d)
    split.push_back(fmt::format("[{}]", d));
  const Ints held = more(dims, 2 * width);
  std::string sum,
      body =
          fmt::format("      %h = shard.update_halo %v on @g split_axes = [{}] halo_sizes = [{}] : {}\n",
                      fmt::join(split, ", "), fmt::join(Ints(2 * dims.size(), width), ", "), type_of(held));
  body += weighted_sum("%h", held, dims, width, width, sum, plain_slice);
  body += padded("%next", sum, dims, width);
  return program(grid, held, "", body);
}

// The same over the whole array, with zeros around it.
inline std::string whole_code(const Ints &dims, int64_t width) {
  std::string sum, body = padded("%h", "%v", dims, width);
  body += weighted_sum("%h", more(dims, 2 * width), dims, width, width, sum, plain_slice);
  body += fmt::format("      %next = stablehlo.add {}, %none : {}\n", sum, type_of(dims));
  return program({1}, dims, fmt::format("  %none = stablehlo.constant dense<0> : {}\n", type_of(dims)), body);
}

} // namespace tw::test::stencil
