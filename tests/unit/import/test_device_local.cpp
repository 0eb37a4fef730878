// SPDX-License-Identifier: Apache-2.0
// Device-local code computes what every device would: each collective against a simulation of its devices,
// and the forms of manual regions with what is wrong about them. Longer than other files: all collectives
// share one simulation.
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <random>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/import.hpp"
#include "kernels/ref/evaluate.hpp"
#include "ops/builder.hpp"

namespace tw::test_device_local {

namespace {

using Random = std::mt19937_64;
using Ids = std::vector<int64_t>;

int64_t draw(Random &random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

// A small matrix of one device.
struct Tile {
  int64_t rows = 0, columns = 0;
  std::vector<int32_t> at;
  int32_t &operator()(int64_t r, int64_t c) { return at[static_cast<size_t>(r * columns + c)]; }
  int32_t operator()(int64_t r, int64_t c) const { return at[static_cast<size_t>(r * columns + c)]; }
  int64_t size(size_t dim) const { return dim == 0 ? rows : columns; }
};
Tile make(int64_t rows, int64_t columns) {
  return {rows, columns, std::vector<int32_t>(static_cast<size_t>(rows * columns))};
}
using Tiles = std::vector<Tile>; // by device

// Part i of n along a dimension, and tiles side by side.
Tile part(const Tile &t, size_t dim, int64_t i, int64_t n) {
  Tile r = make(dim == 0 ? t.rows / n : t.rows, dim == 1 ? t.columns / n : t.columns);
  for (int64_t a = 0; a < r.rows; ++a)
    for (int64_t b = 0; b < r.columns; ++b)
      r(a, b) = t(a + (dim == 0 ? i * r.rows : 0), b + (dim == 1 ? i * r.columns : 0));
  return r;
}
Tile join(const Tiles &parts, size_t dim) {
  const auto n = std::ssize(parts);
  Tile r = make(parts[0].rows * (dim == 0 ? n : 1), parts[0].columns * (dim == 1 ? n : 1));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t a = 0; a < parts[0].rows; ++a)
      for (int64_t b = 0; b < parts[0].columns; ++b)
        r(a + (dim == 0 ? i * parts[0].rows : 0), b + (dim == 1 ? i * parts[0].columns : 0)) =
            parts[static_cast<size_t>(i)](a, b);
  return r;
}
Tile sum(const Tiles &tiles) {
  Tile r = tiles[0];
  for (size_t i = 1; i < tiles.size(); ++i)
    for (size_t k = 0; k < r.at.size(); ++k)
      r.at[k] += tiles[i].at[k];
  return r;
}

std::string table(const std::vector<Ids> &rows) {
  std::vector<std::string> texts;
  for (const Ids &row : rows)
    texts.push_back(fmt::format("[{}]", fmt::join(row, ", ")));
  return fmt::format("dense<[{}]> : tensor<{}x{}xi64>", fmt::join(texts, ", "), rows.size(), rows[0].size());
}

std::string matrix(int64_t rows, int64_t columns) { return fmt::format("tensor<{}x{}xi32>", rows, columns); }

// Groups along some axes of a mesh, members in the order of these axes.
std::vector<Ids> groups_along(const Ids &sizes, const std::vector<size_t> &axes, const Ids &id_of) {
  Ids strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sizes[i];
  const int64_t devices = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
  std::vector<Ids> groups;
  for (int64_t p = 0; p < devices; ++p) {
    bool first = true;
    for (const size_t a : axes)
      first &= p / strides[a] % sizes[a] == 0;
    if (!first)
      continue;
    Ids members{p};
    for (const size_t a : axes) {
      Ids longer;
      for (const int64_t m : members)
        for (int64_t c = 0; c < sizes[a]; ++c)
          longer.push_back(m + c * strides[a]);
      members = std::move(longer);
    }
    for (int64_t &m : members)
      m = id_of[static_cast<size_t>(m)];
    groups.push_back(std::move(members));
  }
  return groups;
}

std::string error_of(const std::string &text) {
  const auto imported = import::import_text(text, {});
  return imported ? "" : imported.error().message();
}

} // namespace

// Groups of devices that stand a step from each other, wherever axes begin.
std::vector<Ids> groups_inside(int64_t devices, const Ids &id_of, Random &random) {
  const auto divisor = [&](int64_t of) {
    int64_t d = draw(random, 1, of);
    while (of % d != 0)
      d = draw(random, 1, of);
    return d;
  };
  const int64_t n = divisor(devices), step = divisor(devices / n);
  std::vector<Ids> groups;
  for (int64_t first = 0; first < devices; ++first)
    if (first / step % n == 0) {
      Ids &group = groups.emplace_back();
      for (int64_t i = 0; i < n; ++i)
        group.push_back(id_of[static_cast<size_t>(first + i * step)]);
    }
  return groups;
}

TEST_CASE("collectives of device-local code are what their devices do") {
  Random random(5);
  std::map<std::string, int> kinds;
  for (int round = 0; round < 900; ++round) {
    const std::vector<Ids> shapes{{4}, {2, 3}, {3, 2}, {2, 2, 2}, {1, 4}, {8}, {12}, {2, 6}};
    const Ids sizes = shapes[static_cast<size_t>(draw(random, 0, std::ssize(shapes) - 1))];
    const int64_t devices = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
    Ids id_of(static_cast<size_t>(devices));
    std::iota(id_of.begin(), id_of.end(), 0);
    if (draw(random, 0, 1) == 1)
      std::ranges::shuffle(id_of, random);
    std::vector<size_t> axes(sizes.size());
    std::iota(axes.begin(), axes.end(), size_t{0});
    std::ranges::shuffle(axes, random);
    axes.resize(static_cast<size_t>(draw(random, 1, std::ssize(axes))));
    std::vector<Ids> groups = groups_along(sizes, axes, id_of);
    if (draw(random, 0, 2) == 0)
      groups = groups_inside(devices, id_of, random);
    const auto n = std::ssize(groups[0]);
    if (draw(random, 0, 2) == 0) { // groups that follow no axes
      Ids ids(static_cast<size_t>(devices));
      std::iota(ids.begin(), ids.end(), 0);
      std::ranges::shuffle(ids, random);
      for (size_t i = 0; i < ids.size(); ++i)
        groups[i / static_cast<size_t>(n)][i % static_cast<size_t>(n)] = ids[i];
    }

    // What devices hold, by id.
    const bool replicated = draw(random, 0, 4) == 0; // the input: all devices hold the same
    const int64_t rows = n * draw(random, 1, 2), columns = n * draw(random, 1, 2);
    Tiles before;
    for (int64_t d = 0; d < devices; ++d) {
      before.push_back(make(rows, columns));
      for (int32_t &x : before.back().at)
        x = static_cast<int32_t>(draw(random, -50, 50));
      if (replicated)
        before.back() = before[0];
    }

    // The op, and what it does.
    const auto dim = static_cast<size_t>(draw(random, 0, 1)), other = static_cast<size_t>(draw(random, 0, 1));
    const int op = static_cast<int>(draw(random, 0, 6));
    std::string name, attrs, region;
    Tiles after(before.size());
    const auto each_member = [&](auto &&what) {
      for (const Ids &group : groups) {
        Tiles members;
        for (const int64_t id : group)
          members.push_back(before[static_cast<size_t>(id)]);
        for (int64_t i = 0; i < n; ++i)
          after[static_cast<size_t>(group[static_cast<size_t>(i)])] = what(members, i);
      }
    };
    constexpr const char *kAdd =
        "({\n ^bb0(%p: tensor<i32>, %q: tensor<i32>):\n  %s = stablehlo.add %p, %q : "
        "tensor<i32>\n  stablehlo.return %s : tensor<i32>\n }) ";
    const std::string with_groups =
        fmt::format("channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
                    "replica_groups = {}",
                    table(groups));
    if (op == 0) {
      name = "all_gather";
      attrs = fmt::format("all_gather_dim = {} : i64, {}, use_global_device_ids", dim, with_groups);
      each_member([&](const Tiles &m, int64_t) { return join(m, dim); });
    } else if (op == 1) {
      name = "all_reduce";
      attrs = with_groups + ", use_global_device_ids";
      region = kAdd;
      each_member([&](const Tiles &m, int64_t) { return sum(m); });
    } else if (op == 2) {
      name = "reduce_scatter";
      attrs = fmt::format("scatter_dimension = {} : i64, {}, use_global_device_ids", dim, with_groups);
      region = kAdd;
      each_member([&](const Tiles &m, int64_t i) { return part(sum(m), dim, i, n); });
    } else if (op == 3) {
      name = "all_to_all";
      attrs =
          fmt::format("split_dimension = {} : i64, concat_dimension = {} : i64, split_count = {} : i64, {}",
                      dim, other, n, with_groups);
      each_member([&](const Tiles &m, int64_t i) {
        Tiles parts;
        for (const Tile &t : m)
          parts.push_back(part(t, dim, i, n));
        return join(parts, other);
      });
    } else if (op == 4) {
      name = "collective_broadcast";
      attrs = with_groups;
      each_member([&](const Tiles &m, int64_t) { return m[0]; });
    } else if (op == 5) {
      name = "collective_permute";
      Ids targets(static_cast<size_t>(devices));
      std::iota(targets.begin(), targets.end(), 0);
      std::ranges::shuffle(targets, random);
      std::vector<Ids> pairs;
      after.assign(before.size(), make(rows, columns));
      for (int64_t d = 0; d < devices; ++d)
        if (d == 0 || draw(random, 0, 3) != 0) {
          pairs.push_back({d, targets[static_cast<size_t>(d)]});
          after[static_cast<size_t>(pairs.back()[1])] = before[static_cast<size_t>(d)];
        }
      attrs = fmt::format(
          "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = {}",
          table(pairs));
    } else {
      name = "partition_id"; // added to what the device holds
      after = before;
      for (size_t d = 0; d < after.size(); ++d)
        for (int32_t &x : after[d].at)
          x += static_cast<int32_t>(d);
    }
    ++kinds[name];

    // Devices side by side along rows, in the order of the mesh.
    std::string mesh_axes, all_axes;
    for (size_t a = 0; a < sizes.size(); ++a) {
      mesh_axes += fmt::format("{}\"m{}\"={}", a == 0 ? "" : ", ", a, sizes[a]);
      all_axes += fmt::format("{}\"m{}\"", a == 0 ? "" : ", ", a);
    }
    const std::string in = matrix(rows, columns), out = matrix(after[0].rows, after[0].columns),
                      whole = replicated ? in : matrix(devices * rows, columns),
                      result = matrix(devices * after[0].rows, after[0].columns);
    const std::string body =
        op == 6
            ? fmt::format("%id = stablehlo.partition_id : tensor<ui32>\n"
                          "  %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>\n"
                          "  %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> {0}\n"
                          "  %r = stablehlo.add %x, %b : {0}",
                          in)
            : fmt::format("%r = \"stablehlo.{}\"(%x) <{{{}}}> {}: ({}) -> {}", name, attrs, region, in, out);
    const std::string text =
        fmt::format("sdy.mesh @mesh = <[{}], device_ids=[{}]>\n"
                    "func.func @main(%arg0: {}) -> {} {{\n"
                    " %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{{{}}}, {{}}]>] "
                    "out_shardings=[<@mesh, [{{{}}}, {{}}]>] manual_axes={{{}}} (%x: {}) {{\n"
                    "  {}\n  sdy.return %r : {}\n }} : ({}) -> {}\n return %0 : {}\n}}\n",
                    mesh_axes, fmt::join(id_of, ", "), whole, result, replicated ? "" : all_axes, all_axes,
                    all_axes, in, body, out, whole, result, result);
    CAPTURE(text);
    const auto imported = import::import_text(text, {});
    REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
    REQUIRE(ops::verify(*imported->graph).has_value());

    Tiles placed;
    for (int64_t p = 0; p < (replicated ? 1 : devices); ++p)
      placed.push_back(before[static_cast<size_t>(id_of[static_cast<size_t>(p)])]);
    const Tile given = join(placed, 0);
    kernels::ref::Array argument{
        imported->graph->type(imported->graph->result(imported->graph->arguments()[0])), {}};
    argument.bytes.resize(given.at.size() * 4);
    std::memcpy(argument.bytes.data(), given.at.data(), argument.bytes.size());
    const auto results = kernels::ref::evaluate(*imported->graph, {&argument, 1});
    REQUIRE(results.has_value());
    placed.clear();
    for (int64_t p = 0; p < devices; ++p)
      placed.push_back(after[static_cast<size_t>(id_of[static_cast<size_t>(p)])]);
    const Tile wanted = join(placed, 0);
    std::vector<int32_t> got(wanted.at.size());
    REQUIRE((*results)[0].bytes.size() == got.size() * 4);
    std::memcpy(got.data(), (*results)[0].bytes.data(), got.size() * 4);
    REQUIRE(got == wanted.at);
  }
  for (const auto &kind : kinds) {
    CAPTURE(kind.first);
    CHECK(kind.second >= 50);
  }
  CHECK(kinds.size() == 7);
}

TEST_CASE("ops of device-local code do on each device what they do alone") {
  // Of %x: tensor<4x6xi32>, which differs between devices, %c, which does not, and %n, a number of each
  // device.
  const std::pair<const char *, const char *> bodies[] = {
      {"2x3", "%r = stablehlo.slice %x [1:3, 0:6:2] : (tensor<4x6xi32>) -> tensor<2x3xi32>"},
      {"6x4", "%r = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xi32>) -> tensor<6x4xi32>"},
      {"3x8", "%r = stablehlo.reshape %x : (tensor<4x6xi32>) -> tensor<3x8xi32>"},
      {"8x6",
       "%r = stablehlo.concatenate %x, %c, dim = 0 : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<8x6xi32>"},
      {"4x6", "%r = stablehlo.reverse %x, dims = [1] : tensor<4x6xi32>"},
      {"7x6",
       "%z = stablehlo.constant dense<9> : tensor<i32>\n"
       "%r = stablehlo.pad %x, %z, low = [1, -1], high = [2, 1], interior = [0, 0] : (tensor<4x6xi32>, "
       "tensor<i32>) -> tensor<7x6xi32>"},
      {"4", "%z = stablehlo.constant dense<1> : tensor<i32>\n"
            "%r = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] : "
            "(tensor<4x6xi32>, tensor<i32>) -> tensor<4xi32>"},
      {"4x4", "%r = stablehlo.dot_general %x, %c, contracting_dims = [1] x [1] : (tensor<4x6xi32>, "
              "tensor<4x6xi32>) -> tensor<4x4xi32>"},
      {"6x4x4", "%r = stablehlo.dot_general %c, %x, batching_dims = [1] x [1], contracting_dims = [] x [] : "
                "(tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<6x4x4xi32>"},
      {"4x2x6", "%r = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x6xi32>) -> tensor<4x2x6xi32>"},
      {"2x6", "%z = stablehlo.constant dense<0> : tensor<i32>\n"
              "%r = stablehlo.dynamic_slice %x, %n, %z, sizes = [2, 6] : (tensor<4x6xi32>, tensor<i32>, "
              "tensor<i32>) -> tensor<2x6xi32>"},
      {"2x5", "%z = stablehlo.constant dense<7> : tensor<i32>\n"
              "%r = stablehlo.dynamic_slice %x, %z, %z, sizes = [2, 5] : (tensor<4x6xi32>, tensor<i32>, "
              "tensor<i32>) -> tensor<2x5xi32>"},
      {"2x6", "%z = stablehlo.constant dense<1> : tensor<i32>\n"
              "%r = stablehlo.dynamic_slice %c, %n, %z, sizes = [2, 6] : (tensor<4x6xi32>, tensor<i32>, "
              "tensor<i32>) -> tensor<2x6xi32>"},
      {"4x6", "%z = stablehlo.constant dense<1> : tensor<i32>\n"
              "%u = stablehlo.slice %x [0:2, 0:3] : (tensor<4x6xi32>) -> tensor<2x3xi32>\n"
              "%r = stablehlo.dynamic_update_slice %c, %u, %z, %z : (tensor<4x6xi32>, tensor<2x3xi32>, "
              "tensor<i32>, tensor<i32>) -> tensor<4x6xi32>"},
      {"4x6", "%z = stablehlo.constant dense<1> : tensor<i32>\n"
              "%p = stablehlo.compare GT, %n, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
              "%r = stablehlo.select %p, %x, %c : (tensor<i1>, tensor<4x6xi32>, tensor<4x6xi32>) -> "
              "tensor<4x6xi32>"},
      {"4x6",
       "%z = stablehlo.constant dense<3> : tensor<i32>\n"
       "%r = stablehlo.clamp %n, %x, %z : (tensor<i32>, tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>"},
      {"4x6",
       "%r = \"stablehlo.sort\"(%x) <{dimension = 1 : i64, is_stable = true}> ({\n ^bb0(%p: tensor<i32>, %q: "
       "tensor<i32>):\n %l = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>\n "
       "stablehlo.return %l : tensor<i1>\n }) : (tensor<4x6xi32>) -> tensor<4x6xi32>"},
      {"3x4", "%i = stablehlo.constant dense<[[5], [0], [2]]> : tensor<3x1xi32>\n"
              "%r = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
              "collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = "
              "array<i64: 4, "
              "1>}> : (tensor<4x6xi32>, tensor<3x1xi32>) -> tensor<3x4xi32>"},
      {"4", "%i = stablehlo.slice %x [0:4, 0:1] : (tensor<4x6xi32>) -> tensor<4x1xi32>\n"
            "%r = \"stablehlo.gather\"(%c, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims "
            "= [1], "
            "operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], "
            "index_vector_dim "
            "= 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xi32>, tensor<4x1xi32>) -> tensor<4xi32>"},
  };
  Random random(9);
  const auto array = [&](int64_t n, int64_t low, int64_t high) {
    std::vector<int32_t> values(static_cast<size_t>(n));
    for (int32_t &v : values)
      v = static_cast<int32_t>(draw(random, low, high));
    return values;
  };
  const auto run = [](const std::string &text, const std::vector<std::vector<int32_t>> &arguments) {
    CAPTURE(text);
    const auto imported = import::import_text(text, {});
    REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
    REQUIRE(ops::verify(*imported->graph).has_value());
    std::vector<kernels::ref::Array> arrays;
    for (size_t i = 0; i < arguments.size(); ++i) {
      arrays.push_back({imported->graph->type(imported->graph->result(imported->graph->arguments()[i])), {}});
      arrays.back().bytes.resize(arguments[i].size() * 4);
      std::memcpy(arrays.back().bytes.data(), arguments[i].data(), arrays.back().bytes.size());
    }
    const auto results = kernels::ref::evaluate(*imported->graph, arrays);
    REQUIRE(results.has_value());
    std::vector<int32_t> values((*results)[0].bytes.size() / 4);
    std::memcpy(values.data(), (*results)[0].bytes.data(), values.size() * 4);
    return values;
  };
  for (const auto &pair : bodies) {
    const char *const shape = pair.first, *const body = pair.second;
    CAPTURE(body);
    const std::string result = fmt::format("tensor<{}xi32>", shape), numbers =
                                                                         "%n = stablehlo.reshape %m : "
                                                                         "(tensor<1xi32>) -> tensor<i32>\n";
    const std::string function =
        fmt::format("(%x: tensor<4x6xi32>, %c: tensor<4x6xi32>, %m: tensor<1xi32>) -> {0} "
                    "{{\n{1}{2}\nreturn %r : {0}\n}}\n",
                    result, numbers, body);
    // Six devices: mesh 2 x 3, their values side by side along a new dimension 0.
    const auto xs = array(6 * 24, -9, 9), c = array(24, 0, 5), ns = array(6, -1, 4);
    std::vector<int32_t> wanted;
    for (int d = 0; d < 6; ++d) {
      const auto one =
          run("func.func @main" + function,
              {{xs.begin() + d * 24, xs.begin() + (d + 1) * 24}, c, {ns[static_cast<size_t>(d)]}});
      wanted.insert(wanted.end(), one.begin(), one.end());
    }
    const std::string partial = fmt::format("tensor<1x{}xi32>", shape),
                      all = fmt::format("tensor<6x{}xi32>", shape);
    std::string open;
    for (const char ch : std::string(shape) + "x")
      open += ch == 'x' ? ", {}" : "";
    const std::string text = fmt::format(
        "sdy.mesh @mesh = <[\"a\"=2, \"b\"=3]>\nfunc.func @main(%x: tensor<6x4x6xi32>, %c: tensor<4x6xi32>, "
        "%m: "
        "tensor<6xi32>) -> {0} {{\n %0 = sdy.manual_computation(%x, %c, %m) in_shardings=[<@mesh, [{{\"a\", "
        "\"b\"}}, "
        "{{}}, {{}}]>, <@mesh, [{{}}, {{}}]>, <@mesh, [{{\"a\", \"b\"}}]>] out_shardings=[<@mesh, [{{\"a\", "
        "\"b\"}}{1}]>] manual_axes={{\"a\", \"b\"}} (%y: tensor<1x4x6xi32>, %d: tensor<4x6xi32>, %k: "
        "tensor<1xi32>) "
        "{{\n %z = stablehlo.reshape %y : (tensor<1x4x6xi32>) -> tensor<4x6xi32>\n %s = func.call @body(%z, "
        "%d, %k) : "
        "(tensor<4x6xi32>, tensor<4x6xi32>, tensor<1xi32>) -> {2}\n %t = stablehlo.reshape %s : ({2}) -> "
        "{3}\n "
        "sdy.return %t : {3}\n }} : (tensor<6x4x6xi32>, tensor<4x6xi32>, tensor<6xi32>) -> {0}\n return %0 : "
        "{0}\n}}\nfunc.func private @body{4}",
        all, open, result, partial, function);
    CHECK(run(text, {xs, c, ns}) == wanted);
  }
}

TEST_CASE("device-local code that cannot be read says what is wrong") {
  const auto local = [](const std::string &in, const std::string &argument, const std::string &body,
                        const std::string &result = "tensor<4xf32>") {
    return error_of(fmt::format(
        "sdy.mesh @mesh = <[\"x\"=2]>\nfunc.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {{\n"
        " %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] "
        "out_shardings=[<@mesh, [{{\"x\"}}]>] manual_axes={{\"x\"}} (%x: {}) {{\n  {}\n"
        "  sdy.return %r : {}\n }} : (tensor<8xf32>) -> tensor<8xf32>\n return %0 : "
        "tensor<8xf32>\n}}\n",
        in, argument, body, result));
  };
  const std::string negate = "%r = stablehlo.negate %x : tensor<4xf32>";
  CHECK(local("{\"x\"}", "tensor<4xf32>", negate) == "");
  CHECK(local("{\"x\"}", "tensor<8xf32>", negate) ==
        "the argument %x is tensor<8xf32>, but a device's part of operand 0 is tensor<4xf32>");
  CHECK(local("{\"x\"}", "tensor<4xf32>",
              "%r = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 1 : i64, channel_handle = "
              "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : "
              "tensor<1x2xi64>, "
              "use_global_device_ids}> : (tensor<4xf32>) -> tensor<4xf32>") ==
        "stablehlo.all_gather: all_gather_dim is 1, and the operand has 1 dimensions");
  CHECK(local("{\"x\"}", "tensor<4xf32>",
              "%r = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, channel_handle = "
              "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2]]> : "
              "tensor<1x2xi64>, "
              "use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>") ==
        "stablehlo.all_gather: a group names device 2, and there are 2");
  CHECK(local("{\"x\"}", "tensor<4xf32>",
              "%r = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, channel_handle = "
              "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : "
              "tensor<1x2xi64>, "
              "use_global_device_ids}> : (tensor<4xf32>) -> tensor<4xf32>") ==
        "stablehlo.all_gather: result 0 is tensor<8xf32>, but tensor<4xf32> is stated");
  CHECK(error_of(
            "sdy.mesh @mesh = <[\"x\"=2]>\nfunc.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {\n %0 = "
            "sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{\"x\"}]>] out_shardings=[<@mesh, "
            "[{\"x\"}]>] "
            "manual_axes={\"x\", \"z\"} (%x: tensor<4xf32>) {\n  sdy.return %x : tensor<4xf32>\n } : "
            "(tensor<8xf32>) -> tensor<8xf32>\n return %0 : tensor<8xf32>\n}\n") ==
        "sdy.manual_computation: the mesh @mesh has no axis \"z\"");
  CHECK(error_of("func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {\n %r = \"stablehlo.all_gather\"(%x) "
                 "<{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : "
                 "(tensor<4xf32>) "
                 "-> tensor<8xf32>\n return %r : tensor<8xf32>\n}\n")
            .starts_with("stablehlo.all_gather stands outside device-local code"));
  CHECK(error_of(
            "sdy.mesh @mesh = <[\"x\"=2]>\nfunc.func @main(%arg0: tensor<7xf32>) -> tensor<7xf32> {\n %0 = "
            "sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{\"x\"}]>] out_shardings=[<@mesh, "
            "[{\"x\"}]>] "
            "manual_axes={\"x\"} (%x: tensor<4xf32>) {\n  sdy.return %x : tensor<4xf32>\n } : "
            "(tensor<7xf32>) -> "
            "tensor<7xf32>\n return %0 : tensor<7xf32>\n}\n") ==
        "dimension 0 of size 7 does not divide into 2 equal tiles, as device-local code needs");
}

TEST_CASE("manual code inside manual code, and loops of it, say what is wrong") {
  const auto nested = [](const std::string &in, const std::string &manual, const std::string &argument,
                         const std::string &inner) {
    return error_of(
        fmt::format("sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\nfunc.func @main(%arg0: tensor<8x8xf32>) -> "
                    "tensor<8x8xf32> {{\n"
                    " %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {{}}]>] "
                    "out_shardings=[<@mesh, [{}, {{}}]>] "
                    "manual_axes={{{}}} (%x: {}) {{\n  {}\n  sdy.return %r : {}\n }} : (tensor<8x8xf32>) -> "
                    "tensor<8x8xf32>\n return %0 : tensor<8x8xf32>\n}}\n",
                    in, in, manual, argument, inner, argument));
  };
  const std::string negate = "%r = stablehlo.negate %x : tensor<2x8xf32>";
  CHECK(nested("{\"x\"}", "\"x\"", "tensor<2x8xf32>", negate) == "");
  CHECK(nested("{\"x\", \"y\"}", "\"x\"", "tensor<2x8xf32>", negate) == "");
  CHECK(nested("{\"x\":(1)2}", "\"x\"", "tensor<4x8xf32>", "%r = stablehlo.negate %x : tensor<4x8xf32>") ==
        "");
  CHECK(nested("{\"y\", \"x\"}", "\"x\"", "tensor<2x8xf32>", negate) ==
        "the sharding <@mesh, [{\"y\", \"x\"}, {}]>: an axis that is not manual stands before one that is");
  const auto inner = [](const std::string &in, const std::string &manual, const std::string &type) {
    return fmt::format(
        "%r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{}}, {}]>] out_shardings=[<@mesh, [{{}}, "
        "{}]>] "
        "manual_axes={{{}}} (%z: {}) {{\n %n = stablehlo.negate %z : {}\n sdy.return %n : {} }} : "
        "(tensor<2x8xf32>) -> tensor<2x8xf32>",
        in, in, manual, type, type, type);
  };
  CHECK(nested("{\"x\"}", "\"x\"", "tensor<2x8xf32>", inner("{\"y\"}", "\"y\"", "tensor<2x4xf32>")) == "");
  CHECK(nested("{\"x\"}", "\"x\"", "tensor<2x8xf32>", inner("{\"x\"}", "\"x\"", "tensor<2x2xf32>")) ==
        "sdy.manual_computation: the code around it is local to the axis \"x\" already");
  CHECK(nested("{\"y\"}", "\"y\"", "tensor<4x8xf32>",
               "%a = stablehlo.negate %x : tensor<4x8xf32>\n  %r = stablehlo.while(%s = %a) : "
               "tensor<4x8xf32>\n   cond {\n "
               "   %i = stablehlo.constant dense<0.0> : tensor<f32>\n    %m = stablehlo.reduce(%s init: %i) "
               "applies "
               "stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>\n   "
               " %c = "
               "stablehlo.compare LT, %m, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    "
               "stablehlo.return %c : "
               "tensor<i1>\n   } do {\n    stablehlo.return %s : tensor<4x8xf32>\n   }") ==
        "a while loop that some devices leave before others is not supported: its condition differs between "
        "devices");
  CHECK(nested("{\"y\"}", "\"y\"", "tensor<4x8xf32>",
               "%i = stablehlo.partition_id : tensor<ui32>\n  %r = \"stablehlo.case\"(%i) ({\n  "
               "stablehlo.return %x : "
               "tensor<4x8xf32>\n }) : (tensor<ui32>) -> tensor<4x8xf32>") ==
        "a branch is chosen by a predicate of two branches, or by an index of type i32");
}

namespace {

// What a program of one array of whole numbers makes of it.
std::vector<int32_t> result_of(const std::string &text, const std::vector<int32_t> &argument) {
  CAPTURE(text);
  const auto imported = import::import_text(text, {});
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  REQUIRE(ops::verify(*imported->graph).has_value());
  kernels::ref::Array array{imported->graph->type(imported->graph->result(imported->graph->arguments()[0])),
                            {}};
  array.bytes.resize(argument.size() * 4);
  std::memcpy(array.bytes.data(), argument.data(), array.bytes.size());
  const auto results = kernels::ref::evaluate(*imported->graph, {&array, 1});
  REQUIRE(results.has_value());
  std::vector<int32_t> values((*results)[0].bytes.size() / 4);
  std::memcpy(values.data(), (*results)[0].bytes.data(), values.size() * 4);
  return values;
}

} // namespace

TEST_CASE("what begins equal on all devices may differ after a turn, in code that is local to some axes") {
  const std::string text = R"(
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}]>] out_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"} (%a: tensor<1xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%i = %zero, %sum = %zero, %late = %zero, %x = %a) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<1xi32>
    cond {
      %turns = stablehlo.constant dense<3> : tensor<i32>
      %2 = stablehlo.compare LT, %i, %turns, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      %3 = stablehlo.reshape %x : (tensor<1xi32>) -> tensor<i32>
      %4 = stablehlo.add %sum, %3 : tensor<i32>
      %5 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 4], [4, 6], [6, 0], [1, 3], [3, 5], [5, 7], [7, 1]]> : tensor<8x2xi64>}> : (tensor<1xi32>) -> tensor<1xi32>
      stablehlo.return %2, %4, %sum, %5 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<1xi32>
    }
    %6 = stablehlo.multiply %1#1, %1#2 : tensor<i32>
    %7 = stablehlo.reshape %6 : (tensor<i32>) -> tensor<1xi32>
    sdy.return %7 : tensor<1xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
)";
  const std::vector<int32_t> x{3, -5, 7, 11};
  std::vector<int32_t> wanted;
  for (size_t d = 0; d < 4; ++d) {
    const int32_t two = x[d] + x[(d + 3) % 4];
    wanted.push_back((two + x[(d + 2) % 4]) * two);
  }
  CHECK(result_of(text, x) == wanted);
}

TEST_CASE("numbers of devices that are computed from constants are constants along their own axes") {
  const std::string text = R"(
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}]>] out_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"} (%a: tensor<1xi32>) {
    %1 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"y"} () {
      %stride = stablehlo.constant dense<2> : tensor<ui32>
      %size = stablehlo.constant dense<4> : tensor<ui32>
      %id = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %id, %stride : tensor<ui32>
      %3 = stablehlo.remainder %2, %size : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      sdy.return %4 : tensor<i32>
    } : () -> tensor<i32>
    %5 = sdy.sharding_constraint %1 <@mesh, []> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.add %a, %6 : tensor<1xi32>
    sdy.return %7 : tensor<1xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
)";
  CHECK(result_of(text, {10, 20, 30, 40}) == std::vector<int32_t>{10, 21, 32, 43});
  const auto imported = import::import_text(text, {});
  REQUIRE(imported.has_value());
  for (const auto &counted : imported->census)
    CHECK_MESSAGE((counted.first != "stablehlo.slice" && counted.first != "stablehlo.remainder"),
                  counted.first);
}

TEST_CASE("loops of numbers that depend on each other are read as often as it takes, or say so") {
  const auto chain = [](int length) { // the first differs after one turn, the next after two, ..
    std::string variables, types, values;
    for (int i = 0; i < length; ++i) {
      variables += fmt::format(", %v{} = %zero", i);
      types += ", tensor<i32>";
      values += i == 0 ? ", %3" : fmt::format(", %v{}", i - 1);
    }
    return fmt::format(R"(
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<2xi32>) -> tensor<2xi32> {{
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{{"x"}}]>] out_shardings=[<@mesh, [{{"x"}}]>] manual_axes={{"x"}} (%a: tensor<1xi32>) {{
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1:{0} = stablehlo.while(%i = %zero{1}) : tensor<i32>{2}
    cond {{
      %turns = stablehlo.constant dense<30> : tensor<i32>
      %2 = stablehlo.compare LT, %i, %turns, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      %3 = stablehlo.reshape %a : (tensor<1xi32>) -> tensor<i32>
      stablehlo.return %2{3} : tensor<i32>{2}
    }}
    %4 = stablehlo.reshape %1#{4} : (tensor<i32>) -> tensor<1xi32>
    sdy.return %4 : tensor<1xi32>
  }} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}}
)",
                       length + 1, variables, types, values, length);
  };
  CHECK(result_of(chain(1), {3, 4}) == std::vector<int32_t>{3, 4});
  CHECK(result_of(chain(6), {3, 4}) == std::vector<int32_t>{3, 4});
  CHECK(error_of(chain(20)).starts_with("this number differs between devices here"));
}

} // namespace tw::test_device_local
