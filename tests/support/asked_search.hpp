// SPDX-License-Identifier: Apache-2.0
// Questions that searches answer, of small programs, for what tells them apart or keeps answers.
#pragma once

#include <cctype>
#include <random>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "search/cache.hpp"
#include "support/searched.hpp"
#include "support/towers.hpp"

namespace tw::test {

// A question with what it refers to.
struct Asked {
  partition::Plan plan;
  system::System system = small_machine();
  spmd::Options options = {};
  search::Limits limits = {};
  search::Scope scope = {};
  cost::Options estimate = {};

  explicit Asked(const std::string &text, const std::string &mesh = "a=2,b=2")
      : plan(graph_of(text), *sharding::Mesh::parse(mesh)) {
    limits.episodes = 60;
    limits.threads = 1;
  }
  search::Question question() const { return {plan, system, options, limits, scope, estimate}; }
  WideHash key() const { return search::Cache::key_of(question()).hash; }
  search::Found found_by(const search::Cache &cache) const {
    auto found = cache.search(question());
    REQUIRE_MESSAGE(found.has_value(), found.error().message());
    return *std::move(found);
  }
};

inline const Tower kAsked{.layers = 3, .width = 64, .inside = 256};

inline std::string tower_text(std::mt19937 *random = nullptr, bool dead = false,
                              const std::string &prefix = "a") {
  Tower named = kAsked;
  named.prefix = prefix;
  return TowerText::of({named}, random, dead);
}

// Sums, differences and products of arrays: "r+xy" is %r = add %x, %y.
inline std::string letters(const std::string &arguments, const std::string &body,
                           const std::string &results) {
  const std::string type = "tensor<8x8xf32>";
  std::string types, text = "func.func @main(";
  for (const char c : arguments)
    text += fmt::format("{}%{}: {}", text.back() == '(' ? "" : ", ", c, type);
  for (const char c : results)
    types += fmt::format("{}{}", types.empty() ? "" : ", ", std::isspace(c) ? "" : type);
  text += fmt::format(") -> ({}) {{\n", types);
  for (size_t at = 0; at < body.size(); at += 4)
    text += fmt::format("%{} = stablehlo.{} %{}, %{} : {}\n", body[at],
                        body[at + 1] == '+'   ? "add"
                        : body[at + 1] == '-' ? "subtract"
                                              : "multiply",
                        body[at + 2], body[at + 3], type);
  text += "return ";
  for (size_t i = 0; i < results.size(); ++i)
    text += fmt::format("{}%{}", i == 0 ? "" : ", ", results[i]);
  return text + fmt::format(" : {}\n}}\n", types);
}

} // namespace tw::test
