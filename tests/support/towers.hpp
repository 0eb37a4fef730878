// SPDX-License-Identifier: Apache-2.0
// Programs of layers that are alike, for what looks for layers.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/import.hpp"

namespace tw::test {

inline std::shared_ptr<const graph::Graph> graph_of(const std::string &text) {
  const auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  return imported->graph;
}

// A stack of layers, each a norm, products that look alike, a sum with what came in, and another width
// inside.
struct Tower {
  int layers = 4, width = 16, inside = 32;
  std::string prefix = "a";
  bool converted = false; // arguments are read through an op of their own
  int plain = -1; // layers; those behind them have one more product of another width (-1: all are plain)
};

class TowerText {
public:
  // Arguments in an order that `random` draws; "" names none after what they are.
  static std::string of(const std::vector<Tower> &towers, std::mt19937 *random, bool dead = false) {
    TowerText text;
    text.arguments_.push_back({"x", fmt::format("tensor<8x{}xf32>", towers[0].width)});
    std::string at = "%x";
    for (const Tower &tower : towers)
      at = text.tower(tower, at);
    if (dead)
      text.arguments_.push_back({"dead", "tensor<16x16xf32>"});
    if (random != nullptr)
      std::ranges::shuffle(text.arguments_, *random);
    std::vector<std::string> arguments;
    for (const auto &[name, type] : text.arguments_)
      arguments.push_back(fmt::format("%{}: {} loc(\"{}\")", name, type, name));
    return fmt::format("func.func @main({}) -> {} {{\n{}  return {} : {}\n}}\n", fmt::join(arguments, ", "),
                       text.type_of_result_, text.body_, at, text.type_of_result_);
  }

private:
  std::string op(const std::string &form) {
    const std::string name = fmt::format("%v{}", count_++);
    body_ += fmt::format("  {} = {}\n", name, form);
    return name;
  }
  std::string argument(const std::string &name, const std::string &type) {
    arguments_.push_back({name, type});
    return "%" + name;
  }
  std::string product(const std::string &x, int from, const std::string &w, int to) {
    return op(fmt::format("stablehlo.dot_general {}, {}, contracting_dims = [1] x [0] : (tensor<8x{}xf32>, "
                          "tensor<{}x{}xf32>) -> tensor<8x{}xf32>",
                          x, w, from, from, to, to));
  }
  std::string tower(const Tower &t, std::string x) {
    const std::string type = fmt::format("tensor<8x{}xf32>", t.width);
    const auto read = [&](const std::string &name, const std::string &of) {
      const std::string given = argument(name, of);
      return t.converted ? op(fmt::format("stablehlo.abs {} : {}", given, of)) : given;
    };
    const auto weight = [&](int layer, const char *what, int from, int to) {
      return read(fmt::format("{}{}_{}", t.prefix, layer, what), fmt::format("tensor<{}x{}xf32>", from, to));
    };
    for (int i = 0; i < t.layers; ++i) {
      const std::string scale = read(fmt::format("{}{}_scale", t.prefix, i), type);
      const std::string n = op(fmt::format("stablehlo.multiply {}, {} : {}", x, scale, type));
      const std::string q = product(n, t.width, weight(i, "q", t.width, t.width), t.width);
      const std::string k = product(n, t.width, weight(i, "k", t.width, t.width), t.width);
      const std::string s = op(fmt::format("stablehlo.subtract {}, {} : {}", q, k, type));
      const std::string h =
          op(fmt::format("stablehlo.tanh {} : tensor<8x{}xf32>",
                         product(s, t.width, weight(i, "up", t.width, t.inside), t.inside), t.inside));
      const std::string d = product(h, t.inside, weight(i, "down", t.inside, t.width), t.width);
      x = op(fmt::format("stablehlo.add {}, {} : {}", x, d, type));
      if (t.plain < 0 || i < t.plain)
        continue;
      const int other = t.inside + 8;
      const std::string in = product(s, t.width, weight(i, "in", t.width, other), other);
      const std::string gate = op(fmt::format("stablehlo.cosine {} : tensor<8x{}xf32>", in, other));
      const std::string out = product(gate, other, weight(i, "out", other, t.width), t.width);
      x = op(fmt::format("stablehlo.add {}, {} : {}", x, out, type));
    }
    // A norm behind the last layer looks like that in front of each.
    const std::string scale = read(t.prefix + "_final", type);
    x = op(fmt::format("stablehlo.multiply {}, {} : {}", x, scale, type));
    type_of_result_ = type;
    return x;
  }

  std::vector<std::pair<std::string, std::string>> arguments_;
  std::string body_, type_of_result_;
  int count_ = 0;
};

} // namespace tw::test
