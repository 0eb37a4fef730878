// SPDX-License-Identifier: Apache-2.0
// BadElements the NaN and Inf of every value, then follows them from the results to where they were made.
#include "runtime/nonfinite.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/watch.hpp"
#include "ops/element.hpp"
#include "partition/adjacency.hpp"

namespace tw::runtime {
namespace {

using graph::kNone;
using graph::ValueId;
using partition::NodeId;

struct BadElements {
  int64_t nan = 0, inf = 0; // elements
  int64_t of(bool is_nan) const { return is_nan ? nan : inf; }
  int64_t &of(bool is_nan) { return is_nan ? nan : inf; }
};

BadElements count_bad(graph::DType dtype, std::span<const std::byte> bytes) {
  BadElements counts;
  if (!graph::is_float(dtype) && !graph::is_complex(dtype))
    return counts;
  ops::visit_dtype(dtype, [&](auto element) {
    using E = decltype(element);
    const auto *at = reinterpret_cast<const typename E::Storage *>(bytes.data());
    for (size_t i = 0; i < bytes.size() / sizeof(typename E::Storage); ++i) {
      const auto v = E::load(at[i]);
      bool nan = false, inf = false;
      const auto look = [&](double part) {
        nan = nan || std::isnan(part);
        inf = inf || std::isinf(part);
      };
      if constexpr (requires { v.real(); }) {
        look(static_cast<double>(v.real()));
        look(static_cast<double>(v.imag()));
      } else {
        look(static_cast<double>(v));
      }
      counts.nan += nan;
      counts.inf += inf && !nan;
    }
  });
  return counts;
}

class NonfiniteSearch {
public:
  explicit NonfiniteSearch(const graph::Graph &graph)
      : graph_(graph), flow_(graph), now_(graph.values().size()), made_(graph.values().size()),
        ever_(graph.values().size()) {}

  void note(ValueId v, std::span<const std::byte> bytes) {
    const BadElements found = count_bad(graph_.type(v).dtype, bytes);
    now_[v] = found;
    for (const bool nan : {true, false}) {
      if (found.of(nan) == 0)
        continue;
      ever_[v].of(nan) = 1;
      if (made_[v].of(nan) == 0 && begins_at(v, nan))
        made_[v].of(nan) = found.of(nan);
    }
  }

  std::optional<Nonfinite> find() const {
    for (const bool nan : {true, false})
      if (auto found = find(nan))
        return found;
    return std::nullopt;
  }

private:
  // Whether the op that makes a value is given none now. What a constant holds is meant.
  bool begins_at(ValueId v, bool nan) const {
    const NodeId maker = flow_.maker(v).node;
    if (maker == kNone || maker >= graph_.ops().size())
      return false;
    return is_argument(maker) || (graph_.op(maker).num_operands != 0 &&
                                  std::ranges::none_of(graph_.operands(maker), [&](ValueId from) {
                                    return now_[from].of(nan) != 0;
                                  }));
  }

  // From the results back along values that held some.
  std::optional<Nonfinite> find(bool nan) const {
    std::vector<ValueId> open;
    for (const graph::OpId result : graph_.results())
      open.push_back(graph_.operands(result)[0]);
    std::unordered_set<ValueId> seen;
    std::optional<Nonfinite> first;
    while (!open.empty()) {
      const ValueId v = open.back();
      open.pop_back();
      if (ever_[v].of(nan) == 0 || !seen.insert(v).second)
        continue;
      const NodeId maker = flow_.maker(v).node;
      if (maker == kNone)
        continue;
      if (made_[v].of(nan) != 0 && (!first || maker < first->op))
        first = Nonfinite{maker, v, nan, made_[v].of(nan), {}};
      const auto reads = flow_.reads(maker);
      open.insert(open.end(), reads.begin(), reads.end());
    }
    if (first)
      first->arguments = arguments_of(first->op);
    return first;
  }

  bool is_argument(graph::OpId op) const { return std::ranges::count(graph_.arguments(), op) != 0; }

  // Nearest first.
  std::vector<uint32_t> arguments_of(NodeId n) const {
    std::vector<uint32_t> arguments;
    std::vector<NodeId> open{n};
    std::unordered_set<NodeId> seen{n};
    for (size_t i = 0; i < open.size(); ++i) {
      const auto at = std::ranges::find(graph_.arguments(), open[i]);
      if (at != graph_.arguments().end())
        arguments.push_back(static_cast<uint32_t>(at - graph_.arguments().begin()));
      for (const ValueId v : flow_.reads(open[i]))
        if (const NodeId maker = flow_.maker(v).node; maker != kNone && seen.insert(maker).second)
          open.push_back(maker);
    }
    return arguments;
  }

  const graph::Graph &graph_;
  const partition::DataFlow flow_;
  // By value: now; when its op first made some of none; whether there ever were some.
  std::vector<BadElements> now_, made_, ever_;
};

} // namespace

Result<std::optional<Nonfinite>> find_nonfinite(const graph::Graph &graph,
                                                std::span<const kernels::ref::Array> arguments,
                                                const kernels::ref::ForeignKernel &foreign) {
  NonfiniteSearch search(graph);
  for (size_t i = 0; i < arguments.size(); ++i)
    search.note(graph.result(graph.arguments()[i]), arguments[i].bytes);
  TW_TRY(kernels::ref::evaluate(graph, arguments, foreign,
                                [&](ValueId v, std::span<const std::byte> bytes) -> Status {
                                  TW_TRY(check_watch());
                                  search.note(v, bytes);
                                  return {};
                                }));
  return search.find();
}

} // namespace tw::runtime
