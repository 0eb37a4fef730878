// SPDX-License-Identifier: Apache-2.0
// Instances of the IOPDDL contest: what is read of them, and what is said of a text that is none.
#include "solve/iopddl.hpp"

#include <string>

#include <doctest/doctest.h>

namespace tw::test_iopddl {

namespace {

// Two nodes that live one after the other, and a third that lives with both; one edge from an end to the
// other.
constexpr const char *kText = R"({"problem": {"name": "three", "more": [[{"a": [1]}], null],
 "nodes": {"intervals": [[0, 10], [10, 20], [5, 15]], "costs": [[1, 2], [3], [4, 2e18]],
           "usages": [[5, 6], [7], [8, 9]]},
 "edges": {"nodes": [[0, 2], [2, 0]], "costs": [[1, 2, 3, 4], [1, 2, 3, 4]]},
 "usage_limit": 14}})";

std::string with(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
std::string refused(const std::string &text) {
  const auto read = solve::read_iopddl(text);
  REQUIRE_FALSE(read.has_value());
  const ErrorInfo &info = read.error().info();
  return std::string(info.id) + " " + std::to_string(info.pos.line) + ":" + std::to_string(info.pos.column) +
         " " + info.message;
}

} // namespace

TEST_CASE("nodes are variables, and points stand for the time between ends") {
  const auto read = solve::read_iopddl(kText);
  REQUIRE(read.has_value());
  const solve::Problem &problem = read->problem;
  CHECK(read->name == "three");
  CHECK(problem.model.costs == std::vector<std::vector<solve::Cost>>{{1, 2}, {3}, {4, solve::kNever}});
  CHECK(problem.model.edges.size() == 2);
  CHECK(problem.model.tables.size() == 1);                  // equal ones are kept once
  CHECK(problem.limits == std::vector<solve::Cost>(4, 14)); // 0, 5, 10, 15 to 20
  const std::vector<uint32_t> choices = {0, 0, 0};
  CHECK(problem.model.cost_of(choices) == 1 + 3 + 4 + 1 + 1);
  const std::vector<solve::Cost> usage = solve::usage_of(problem, choices);
  CHECK(usage == std::vector<solve::Cost>{5, 13, 15, 7});
  CHECK(solve::overflow_of(usage, problem.limits) == 1);
}

TEST_CASE("a node that never lives needs nothing") {
  const auto read = solve::read_iopddl(with(kText, "[0, 10]", "[0, 0]"));
  REQUIRE(read.has_value());
  CHECK(read->problem.uses[0].empty());
}

TEST_CASE("a text that is no JSON is refused at its place") {
  CHECK(refused(with(kText, "[3]", "[3 3]")).starts_with("TW-736 2:"));
  CHECK(refused("").starts_with("TW-736 1:1 "));
  CHECK(refused("\x1f\x8b").starts_with("TW-736 1:1 "));
  CHECK(refused(with(kText, "1, 2]", "1e999, 2]")).starts_with("TW-736 2:"));
}

TEST_CASE("a JSON that is no instance is refused with the member") {
  const auto check = [](const std::string &text, const std::string &message) {
    CHECK(refused(text) == "TW-737 0:0 " + message);
  };
  check("5", "there is no problem.nodes.intervals: is this an instance of the IOPDDL contest?");
  check("[[[1]]]", "there is no problem.nodes.intervals: is this an instance of the IOPDDL contest?");
  check(with(kText, ",\n \"usage_limit\": 14", ""), "there is no problem.usage_limit");
  check(with(kText, "14", "[14]"), "problem.usage_limit holds a list, where the format has a number");
  check(with(kText, "14", "\"14\""), "problem.usage_limit holds a string, where the format has a number");
  check(with(kText, "[3]", "3"),
        "problem.nodes.costs holds a number, where the format has a list of lists of numbers");
  check(
      with(kText, "[3]", "[[3]]"),
      "problem.nodes.costs holds a list in a list of lists, where the format has a list of lists of numbers");
  check(with(kText, "[3]", "{}"),
        "problem.nodes.costs holds an object, where the format has a list of lists of numbers");
  check(with(kText, "[3]", "[null]"),
        "problem.nodes.costs holds null, where the format has a list of lists of numbers");
  check(with(kText, "\"usages\"", "\"costs\""), "problem.nodes.costs is there twice");
  check(with(kText, "[[5, 6], ", "["), "3 nodes have costs, 2 usages and 3 intervals");
  check(with(kText, "[[5, 6]", "[[5]"),
        "problem.nodes.usages[0] has 1 numbers, and problem.nodes.costs[0] 2");
  check(with(with(kText, "[3]", "[]"), "[7]", "[]"),
        "problem.nodes.costs[1] is empty: a node has at least one strategy");
  check(with(kText, "[0, 10]", "[10, 0]"), "problem.nodes.intervals[0] is no [begin, end] with begin <= end");
  check(with(kText, "[5, 6]", "[5, -6]"), "problem.nodes.usages[0][1] is -6, below 0");
  check(with(kText, "[[0, 2], ", "["), "1 edges have nodes, and 2 costs");
  check(with(kText, "[0, 2]", "[0, 3]"), "problem.edges.nodes[0] names node 3 of 3");
  check(with(kText, "[0, 2]", "[0, 1.5]"), "problem.edges.nodes[0] names node 1.5 of 3");
  check(with(kText, "[0, 2]", "[0]"), "problem.edges.nodes[0] is no pair of nodes");
  check(with(kText, "[[1, 2, 3, 4]", "[[1, 2, 3]"),
        "problem.edges.costs[0] has 3 numbers, where nodes 0 and 2 have 2 * 2 strategies");
}

} // namespace tw::test_iopddl
