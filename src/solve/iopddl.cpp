// SPDX-License-Identifier: Apache-2.0
// Events of the JSON parser fill flat lists, since a document of 100 MB would take gigabytes as a tree.
// What the lists mean is checked when all of them are there: their order in the file is free.
#include "solve/iopddl.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/hash.hpp"

namespace tw::solve {
namespace {

constexpr Cost kInfinite = 1e18;

// Lists of numbers, one behind the other.
struct Lists {
  std::vector<double> values;
  std::vector<size_t> ends;
  size_t size() const { return ends.size(); }
  std::span<const double> operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(values).subspan(begin, ends[i] - begin);
  }
};

enum : size_t { kIntervals, kCosts, kUsages, kEnds, kEdgeCosts, kFields };
constexpr std::array<std::string_view, kFields> kPaths = {"problem.nodes.intervals", "problem.nodes.costs",
                                                          "problem.nodes.usages", "problem.edges.nodes",
                                                          "problem.edges.costs"};
constexpr std::string_view kLimit = "problem.usage_limit", kName = "problem.name";

tl::unexpected<Error> wrong(std::string message) {
  return fail(Code::invalid_argument, "TW-737", std::move(message));
}

class Events {
public:
  std::array<Lists, kFields> lists;
  std::array<bool, kFields> given{};
  std::optional<double> limit;
  std::string name;
  std::optional<Error> error;

  bool null() { return other("null"); }
  bool boolean(bool) { return other("a boolean"); }
  bool number_integer(int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string &) { return number(value); }
  bool string(std::string &value) {
    if (path_ == kName && depth_ == 0) {
      name = value;
      return true;
    }
    return other("a string");
  }
  bool binary(std::vector<uint8_t> &) { return other("bytes"); }
  bool start_object(size_t) {
    lengths_.push_back(path_.size());
    return depth_ == 0 || other("an object");
  }
  bool key(std::string &key) {
    path_.resize(lengths_.back());
    path_ += (path_.empty() ? "" : ".") + key;
    const auto *const at = std::ranges::find(kPaths, path_);
    field_ = static_cast<size_t>(at - kPaths.begin());
    if (field_ < kFields && std::exchange(given[field_], true)) {
      error = Error(Code::invalid_argument, "TW-737", fmt::format("{} is there twice", path_));
      return false;
    }
    return true;
  }
  bool end_object() {
    path_.resize(lengths_.back());
    lengths_.pop_back();
    field_ = kFields;
    return true;
  }
  bool start_array(size_t) {
    if (path_ == kLimit)
      return other("a list");
    if (++depth_ > 2)
      return other("a list in a list of lists");
    return true;
  }
  bool end_array() {
    if (depth_-- == 2 && field_ < kFields)
      lists[field_].ends.push_back(lists[field_].values.size());
    return true;
  }
  bool parse_error(size_t position, const std::string &, const nlohmann::detail::exception &) {
    place = position;
    return false;
  }
  std::optional<size_t> place; // where the text is no JSON

private:
  bool number(double value) {
    if (path_ == kLimit && depth_ == 0) {
      limit = value;
      return true;
    }
    if (field_ == kFields)
      return true;
    if (depth_ != 2)
      return other("a number");
    lists[field_].values.push_back(value);
    return true;
  }
  // Members that the format does not have may hold anything.
  bool other(std::string_view what) {
    if (field_ == kFields && path_ != kLimit)
      return true;
    error = Error(Code::invalid_argument, "TW-737",
                  fmt::format("{} holds {}, where the format has {}", path_, what,
                              path_ == kLimit ? "a number" : "a list of lists of numbers"));
    return false;
  }

  std::string path_;
  std::vector<size_t> lengths_; // of the path, for each object that is open
  size_t field_ = kFields, depth_ = 0;
};

SourcePos place_of(std::string_view text, size_t position) {
  const std::string_view before = text.substr(0, std::min(position > 0 ? position - 1 : 0, text.size()));
  const size_t line_begin = before.rfind('\n') + 1; // 0 where there is none
  return {{},
          static_cast<uint32_t>(std::ranges::count(before, '\n') + 1),
          static_cast<uint32_t>(before.size() - line_begin + 1)};
}

// Nodes: costs, usages and intervals.
Status read_nodes(const Events &events, Problem &problem) {
  const Lists &costs = events.lists[kCosts], &usages = events.lists[kUsages],
              &intervals = events.lists[kIntervals];
  if (usages.size() != costs.size() || intervals.size() != costs.size())
    return wrong(fmt::format("{} nodes have costs, {} usages and {} intervals", costs.size(), usages.size(),
                             intervals.size()));
  std::vector<double> times;
  for (size_t v = 0; v < costs.size(); ++v) {
    if (costs[v].empty())
      return wrong(fmt::format("problem.nodes.costs[{}] is empty: a node has at least one strategy", v));
    if (usages[v].size() != costs[v].size())
      return wrong(fmt::format("problem.nodes.usages[{}] has {} numbers, and problem.nodes.costs[{}] {}", v,
                               usages[v].size(), v, costs[v].size()));
    if (intervals[v].size() != 2 || !(intervals[v][0] <= intervals[v][1]))
      return wrong(fmt::format("problem.nodes.intervals[{}] is no [begin, end] with begin <= end", v));
    for (size_t i = 0; i < usages[v].size(); ++i)
      if (!(usages[v][i] >= 0))
        return wrong(fmt::format("problem.nodes.usages[{}][{}] is {}, below 0", v, i, usages[v][i]));
    if (intervals[v][0] < intervals[v][1])
      times.insert(times.end(), {intervals[v][0], intervals[v][1]});
  }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const auto point = [&](double time) {
    return static_cast<uint32_t>(std::ranges::lower_bound(times, time) - times.begin());
  };
  problem.uses.resize(costs.size());
  problem.limits.assign(times.empty() ? 0 : times.size() - 1, *events.limit);
  for (size_t v = 0; v < costs.size(); ++v) {
    problem.model.costs.emplace_back(costs[v].begin(), costs[v].end());
    for (Cost &cost : problem.model.costs.back())
      cost = cost >= kInfinite ? kNever : cost;
    if (intervals[v][0] < intervals[v][1])
      problem.uses[v].push_back(
          {point(intervals[v][0]), point(intervals[v][1]), {usages[v].begin(), usages[v].end()}});
  }
  return {};
}

// Edges; equal tables are kept once, since layers repeat them.
Status read_edges(const Events &events, Model &model) {
  const Lists &ends = events.lists[kEnds], &costs = events.lists[kEdgeCosts];
  if (ends.size() != costs.size())
    return wrong(fmt::format("{} edges have nodes, and {} costs", ends.size(), costs.size()));
  std::unordered_multimap<uint64_t, uint32_t> known; // tables by hash
  const size_t nodes = model.costs.size();
  for (size_t e = 0; e < ends.size(); ++e) {
    if (ends[e].size() != 2)
      return wrong(fmt::format("problem.edges.nodes[{}] is no pair of nodes", e));
    for (const double end : ends[e])
      if (!(end >= 0 && end < static_cast<double>(nodes)) || end != std::floor(end))
        return wrong(fmt::format("problem.edges.nodes[{}] names node {} of {}", e, end, nodes));
    const auto first = static_cast<uint32_t>(ends[e][0]), second = static_cast<uint32_t>(ends[e][1]);
    const size_t rows = model.costs[first].size(), columns = model.costs[second].size();
    if (costs[e].size() != rows * columns)
      return wrong(fmt::format("problem.edges.costs[{}] has {} numbers, where nodes {} and {} have {} * {} "
                               "strategies",
                               e, costs[e].size(), first, second, rows, columns));
    Table table{
        static_cast<uint32_t>(rows), static_cast<uint32_t>(columns), {costs[e].begin(), costs[e].end()}};
    for (Cost &cost : table.costs)
      cost = cost >= kInfinite ? kNever : cost;
    const uint64_t hash = hash_bytes(table.costs.data(), table.costs.size() * sizeof(Cost), rows);
    std::optional<uint32_t> same;
    for (auto [at, end] = known.equal_range(hash); at != end && !same; ++at)
      if (const Table &other = model.tables[at->second];
          other.rows == table.rows && other.costs == table.costs)
        same = at->second;
    if (!same) {
      same = static_cast<uint32_t>(model.tables.size());
      known.emplace(hash, *same);
      model.tables.push_back(std::move(table));
    }
    model.edges.push_back({first, second, *same});
  }
  return {};
}

} // namespace

Result<Instance> read_iopddl(std::string_view text) {
  Events events;
  if (!nlohmann::json::sax_parse(text, &events)) {
    if (events.error)
      return fail(std::move(*events.error));
    return fail(Error(Code::invalid_argument, "TW-736", "the text is no JSON from here on")
                    .at(place_of(text, events.place.value_or(0))));
  }
  for (size_t i = 0; i < kFields; ++i)
    if (!events.given[i])
      return wrong(fmt::format("there is no {}: is this an instance of the IOPDDL contest?", kPaths[i]));
  if (!events.limit)
    return wrong(fmt::format("there is no {}", kLimit));
  Instance instance;
  instance.name = std::move(events.name);
  TW_TRY(read_nodes(events, instance.problem));
  TW_TRY(read_edges(events, instance.problem.model));
  return instance;
}

} // namespace tw::solve
