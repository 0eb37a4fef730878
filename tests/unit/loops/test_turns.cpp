// SPDX-License-Identifier: Apache-2.0
// What loops over slices mean, whether an op is cut for them or not: the turns are computed here one by one,
// from the same drawn expression as the text.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../import/run_text.hpp"
#include "loop_text.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "support/run_loops.hpp"

namespace tw::test_turns {

using namespace tw::test;

namespace {

struct Array {
  std::vector<int64_t> dims;
  std::vector<double> data;
};

int64_t count(const std::vector<int64_t> &dims, size_t from, size_t to) {
  return std::accumulate(dims.begin() + static_cast<ptrdiff_t>(from),
                         dims.begin() + static_cast<ptrdiff_t>(to), int64_t{1}, std::multiplies<>());
}

Array slice(const Array &x, size_t dim, int64_t begin, int64_t width) {
  Array made{x.dims, {}};
  made.dims[dim] = width;
  const int64_t outer = count(x.dims, 0, dim), inner = count(x.dims, dim + 1, x.dims.size());
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < width * inner; ++i)
      made.data.push_back(x.data[static_cast<size_t>((o * x.dims[dim] + begin) * inner + i)]);
  return made;
}

Array join(const std::vector<Array> &parts, size_t dim) {
  Array made{parts[0].dims, {}};
  made.dims[dim] = 0;
  for (const Array &part : parts)
    made.dims[dim] += part.dims[dim];
  const int64_t outer = count(made.dims, 0, dim), inner = count(made.dims, dim + 1, made.dims.size());
  for (int64_t o = 0; o < outer; ++o)
    for (const Array &part : parts) {
      const auto width = static_cast<ptrdiff_t>(part.dims[dim] * inner);
      made.data.insert(made.data.end(), part.data.begin() + o * width, part.data.begin() + (o + 1) * width);
    }
  return made;
}

Array add(Array a, const Array &b) {
  for (size_t i = 0; i < a.data.size(); ++i)
    a.data[i] += b.data[i];
  return a;
}

// A drawn expression: its text, and what it is for given turns of the loops around it.
struct Maker {
  Dice &random;
  Array x;
  struct Loop {
    char name;
    int64_t tiles;
  };
  std::vector<Loop> open;

  struct Made {
    std::string text;
    std::function<Array(const std::map<char, int64_t> &)> value;
    std::vector<int64_t> dims;
  };

  // x, sliced by some of the open loops, once in each dimension
  Made leaf() {
    Made made{"x", [this](const auto &) { return x; }, x.dims};
    for (const Loop &loop : open) {
      const auto dim = static_cast<size_t>(random.below(std::ssize(x.dims)));
      if (random.chance(3) || made.dims[dim] != x.dims[dim] || made.dims[dim] % loop.tiles != 0)
        continue;
      made.dims[dim] /= loop.tiles;
      const int64_t width = made.dims[dim];
      made.text =
          fmt::format("slice {} {}[{}]", dim, made.text == "x" ? "x" : "(" + made.text + ")", loop.name);
      made.value = [inner = made.value, dim, width, name = loop.name](const auto &turns) {
        return slice(inner(turns), dim, turns.at(name) * width, width);
      };
    }
    return made;
  }

  Made body(int depth) {
    if (depth > 0 && open.size() < 3 && random.chance(2))
      return loop(depth - 1);
    Made made = leaf();
    if (random.chance(2)) {
      made.text = fmt::format("add({}, {})", made.text, made.text);
      made.value = [inner = made.value](const auto &turns) { return add(inner(turns), inner(turns)); };
    }
    return made;
  }

  Made loop(int depth) {
    const char name = static_cast<char>('r' + open.size());
    const int64_t tiles = random.between(1, 3);
    open.push_back({name, tiles});
    Made inner = body(depth);
    open.pop_back();
    const auto dim = static_cast<size_t>(random.below(std::ssize(inner.dims)));
    const bool tile = random.chance(2);
    Made made{tile ? fmt::format("tile {} (\\{}:range<{}> -> {})", dim, name, tiles, inner.text)
                   : fmt::format("sum (\\{}:range<{}> -> {})", name, tiles, inner.text),
              {},
              inner.dims};
    made.dims[dim] *= tile ? tiles : 1;
    made.value = [=, value = inner.value](const std::map<char, int64_t> &turns) {
      std::vector<Array> parts;
      for (int64_t t = 0; t < tiles; ++t) {
        auto own = turns;
        own[name] = t;
        parts.push_back(value(own));
      }
      if (tile)
        return join(parts, dim);
      Array sum = parts[0];
      for (size_t i = 1; i < parts.size(); ++i)
        sum = add(std::move(sum), parts[i]);
      return sum;
    };
    return made;
  }
};

} // namespace

TEST_CASE("a loop is what its turns make one by one") {
  Dice random(7);
  int refused = 0;
  for (int n = 0; n < 600; ++n) {
    Array x{{}, {}};
    for (int64_t rank = random.between(1, 3); rank > 0; --rank)
      x.dims.push_back(std::vector<int64_t>{4, 6, 12}[static_cast<size_t>(random.below(3))]);
    for (int64_t i = count(x.dims, 0, x.dims.size()); i > 0; --i)
      x.data.push_back(static_cast<double>(random.between(-8, 8)));
    Maker maker{random, x, {}};
    const Maker::Made made = maker.loop(2);
    const std::string text = fmt::format("x : tensor<{}xf32>\n{}\n", fmt::join(x.dims, "x"), made.text);
    CAPTURE(text);
    const auto read = parse_loops(text);
    if (!read && read.error().message().find("cut the same dimension") != std::string::npos) {
      ++refused; // and says so
      continue;
    }
    REQUIRE_MESSAGE(read.has_value(), read.error().message());
    const graph::Graph &g = read->plan.graph();
    const std::vector<kernels::ref::Array> arguments{array_of(g.type(g.result(g.arguments()[0])), x.data)};
    const auto whole = kernels::ref::evaluate(g, arguments);
    REQUIRE(whole.has_value());
    const Array expected = made.value({});
    REQUIRE((*whole)[0].type.dims == expected.dims);
    REQUIRE(values_of((*whole)[0]) == expected.data);
    auto looped = LoopInterpreter(read->plan, *read->imported.loops).run(arguments);
    REQUIRE_MESSAGE(looped.has_value(), looped.error().message());
    REQUIRE(same_values((*looped)[0], (*whole)[0]));
    check_round_trip(read->plan);
  }
  CHECK(refused < 100);
}

} // namespace tw::test_turns
