// SPDX-License-Identifier: Apache-2.0
// Reads computations line by line: collectives, and who calls whom how often.
#include "cli/hlo.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/failure.hpp"
#include "cli/hlo_text.hpp"

namespace tw::cli {

namespace {

constexpr double kMostBytes = int64_t{1} << 52; // of the arrays of a collective: sums of them are exact

struct Call {
  std::string computation;
  int64_t times = 1;
};
struct Collective {
  std::string kind, reduction, type, op, location;
  std::vector<std::vector<int64_t>> groups; // of partitions; of a permutation pairs
  bool of_pairs = false;
  int64_t bytes = 0; // of the array as the closed forms count it
  size_t line = 0;
};
struct Computation {
  std::vector<Call> calls;
  std::vector<Collective> collectives;
  std::string root; // its last operation
  int64_t times = 0;
  enum class State : uint8_t { fresh, open, done } state = State::fresh;
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kKinds{
    {{"all-gather", "all_gather"},
     {"all-reduce", "all_reduce"},
     {"reduce-scatter", "reduce_scatter"},
     {"all-to-all", "all_to_all"},
     {"ragged-all-to-all", "exchange"},
     {"collective-permute", "permute"},
     {"collective-broadcast", "exchange"}}};

std::string reduction_of(const std::string &root) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> names{{{"add", "sum"},
                                                                                {"maximum", "max"},
                                                                                {"minimum", "min"},
                                                                                {"multiply", "prod"},
                                                                                {"and", "and"},
                                                                                {"or", "or"},
                                                                                {"xor", "xor"}}};
  for (const auto &[op, name] : names)
    if (op == root)
      return std::string(name);
  return root;
}

class Reader {
public:
  Reader(const std::string &file, const Json &mesh) : file_(file) {
    for (const Json &axis : mesh.at("axes")) {
      axes_.emplace_back(axis.at(0).get<std::string>(), axis.at(1).get<int64_t>());
      const int64_t size = axes_.back().second;
      if (size < 1 || size > kMostDevices / devices_)
        throw wrong(
            0, fmt::format("the mesh of the other side has {} places along {}", size, axes_.back().first));
      devices_ *= size;
    }
  }

  Json read(std::string_view text) {
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      line(text.substr(at, end - at), ++number);
      at = end + 1;
    }
    if (entry_.empty())
      throw wrong(number, "there is no ENTRY computation: give all of the HLO text of a module");
    count();
    return report();
  }

private:
  Failure wrong(size_t number, const std::string &why) const {
    Failure failure = fail("invalid_argument", "TW-813", why);
    failure.file = file_;
    failure.line = static_cast<uint32_t>(number);
    return failure;
  }

  void line(std::string_view text, size_t number) {
    if (text.empty() || text[0] == '}')
      return;
    if (text[0] != ' ') {
      const bool entry = text.starts_with("ENTRY ");
      if (!text.ends_with("{") || text.starts_with("HloModule"))
        return;
      const std::string_view rest = entry ? text.substr(6) : text;
      current_ = std::string(rest.substr(rest.starts_with("%") ? 1 : 0));
      current_.resize(std::min(current_.find_first_of(" ("), current_.size()));
      if (entry)
        entry_ = current_;
      all_[current_];
      return;
    }
    const size_t equals = text.find(" = ");
    if (equals == std::string_view::npos || current_.empty())
      return;
    const bool root = text.find("ROOT ") < equals;
    std::string_view rest = text.substr(equals + 3);
    const size_t type_end = rest.starts_with("(") ? closing(rest) : std::min(rest.find(' '), rest.size());
    const std::string_view type = rest.substr(0, type_end);
    rest = rest.substr(std::min(type_end + 1, rest.size()));
    const size_t open = rest.find('(');
    if (open == std::string_view::npos)
      return;
    const std::string_view op = rest.substr(0, open);
    const std::string_view after = rest.substr(open + closing(rest.substr(open)));
    Computation &here = all_[current_];
    if (root)
      here.root = std::string(op);
    if (op.ends_with("-done") || op.ends_with("-update"))
      return;
    called(here, op, after);
    collective(here, op, type, after, number);
  }

  void called(Computation &here, std::string_view op, std::string_view after) {
    int64_t times = 1;
    if (op == "while") {
      const auto known = between(after, "\"known_trip_count\":{", "}");
      const std::vector<int64_t> trips = known ? numbers_in(*known) : std::vector<int64_t>();
      unknown_trips_ = unknown_trips_ || trips.empty();
      times = trips.empty() ? 1 : std::max<int64_t>(trips[0], 0);
    }
    for (const std::string_view key : {"body=", "condition=", "calls=", "to_apply=", "true_computation=",
                                       "false_computation=", "branch_computations={"}) {
      const auto names = between(after, key, key.ends_with("{") ? "}" : ",");
      for (std::string_view rest = names.value_or(""); !rest.empty();) {
        std::string_view name = rest.substr(0, std::min(rest.find(','), rest.size()));
        rest = rest.substr(std::min(name.size() + 1, rest.size()));
        while (name.starts_with(" ") || name.starts_with("%"))
          name.remove_prefix(1);
        name = name.substr(0, std::min(name.find_first_of(" })"), name.size()));
        here.calls.push_back({std::string(name), key == "body=" ? times : 1});
      }
    }
  }

  void collective(Computation &here, std::string_view op, std::string_view type, std::string_view after,
                  size_t number) {
    const bool starts = op.ends_with("-start");
    const std::string_view name = starts ? op.substr(0, op.size() - 6) : op;
    const auto kind = std::ranges::find(kKinds, name, &decltype(kKinds)::value_type::first);
    if (kind == kKinds.end())
      return;
    Collective made;
    made.kind = std::string(kind->second);
    made.line = number;
    std::vector<Shape> shapes = shapes_in(type);
    if (starts && made.kind == "permute" && shapes.size() >= 2)
      shapes = {shapes[1]}; // operand, result, and what the runtime keeps
    else if (starts && made.kind == "all_gather" && shapes.size() % 2 == 0)
      shapes.erase(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(shapes.size() / 2));
    if (shapes.empty())
      throw wrong(number, fmt::format("{} has the type {}: expected arrays", op, type));
    made.of_pairs = made.kind == "permute";
    const std::string_view groups = made.of_pairs ? "source_target_pairs=" : "replica_groups=";
    if (const size_t at = after.find(groups); at != std::string_view::npos) {
      const std::string_view rest = after.substr(at + groups.size());
      const size_t size = rest.starts_with("{") ? closing(rest) : std::min(rest.find(", "), rest.size());
      made.groups = groups_in(rest.substr(0, size));
    }
    if (made.groups.empty() && !made.of_pairs) { // all
      made.groups.emplace_back();
      for (int64_t d = 0; d < devices_; ++d)
        made.groups.back().push_back(d);
    }
    for (const std::vector<int64_t> &group : made.groups)
      for (const int64_t d : group)
        if (d < 0 || d >= devices_)
          throw wrong(number,
                      fmt::format("{} names partition {}, and the mesh of the other side has {} devices", op,
                                  d, devices_));
    const auto group = static_cast<int64_t>(made.groups.empty() ? 0 : made.groups[0].size());
    if (group < 2)
      return; // nothing moves
    double bytes = 0;
    for (const Shape &shape : shapes)
      bytes += bytes_of(shape);
    if (made.kind == "reduce_scatter")
      bytes *= static_cast<double>(group);
    if (!(bytes >= 0 && bytes <= kMostBytes))
      throw wrong(number, fmt::format("{} has arrays of {:.3g} bytes", op, bytes));
    made.bytes = static_cast<int64_t>(bytes);
    // What a device gives, as our reports say it.
    Shape given = shapes[0];
    const std::vector<int64_t> dims = numbers_in(between(after, "dimensions={", "}").value_or(""));
    if (!dims.empty() && dims[0] >= 0 && dims[0] < static_cast<int64_t>(given.dims.size())) {
      int64_t &n = given.dims[static_cast<size_t>(dims[0])];
      n = made.kind == "all_gather"       ? n / group
          : made.kind == "reduce_scatter" ? std::min(n, INT64_MAX / group) * group
                                          : n;
    }
    made.type = fmt::format("{}[{}]", given.dtype, fmt::join(given.dims, ","));
    if (const auto apply = between(after, "to_apply=", ","))
      made.reduction = std::string(apply->substr(apply->starts_with("%") ? 1 : 0));
    made.op = std::string(between(after, "op_name=\"", "\"").value_or(""));
    if (const auto source = between(after, "source_file=\"", "\""))
      made.location = fmt::format(
          "{}:{}", *source, fmt::join(numbers_in(between(after, "source_line=", " ").value_or("")), ""));
    here.collectives.push_back(std::move(made));
  }

  // Callers before what they call, without recursion.
  void count() {
    std::vector<std::string> order;
    std::vector<std::pair<std::string, size_t>> path{{entry_, 0}};
    all_[entry_].state = Computation::State::open;
    while (!path.empty()) {
      Computation &at = all_[path.back().first];
      if (path.back().second == at.calls.size()) {
        at.state = Computation::State::done;
        order.push_back(path.back().first);
        path.pop_back();
        continue;
      }
      const std::string next = at.calls[path.back().second++].computation;
      const auto found = all_.find(next);
      if (found == all_.end() || found->second.state == Computation::State::done)
        continue;
      if (found->second.state == Computation::State::open)
        throw wrong(0, fmt::format("computation {} calls itself", next));
      found->second.state = Computation::State::open;
      path.emplace_back(next, 0);
    }
    all_[entry_].times = 1;
    for (auto name = order.rbegin(); name != order.rend(); ++name)
      for (const Call &call : all_[*name].calls)
        if (const auto found = all_.find(call.computation); found != all_.end())
          found->second.times =
              std::min<int64_t>(found->second.times + std::min<int64_t>(all_[*name].times, 1 << 30) *
                                                          std::min<int64_t>(call.times, 1 << 30),
                                int64_t{1} << 40);
  }

  // The axes along which the members of groups differ; where groups are no full axes, what they are.
  Json axes_of(const Collective &c) const {
    std::set<size_t> differ;
    for (const std::vector<int64_t> &group : c.groups)
      for (const int64_t d : group) {
        int64_t one = d, other = group[0];
        for (size_t a = axes_.size(); a-- > 0;) {
          if (one % axes_[a].second != other % axes_[a].second)
            differ.insert(a);
          one /= axes_[a].second, other /= axes_[a].second;
        }
      }
    int64_t size = 1;
    Json names = Json::array();
    for (const size_t a : differ) {
      names.push_back(axes_[a].first);
      size *= axes_[a].second;
    }
    if (!c.of_pairs && size != static_cast<int64_t>(c.groups[0].size()))
      return Json::array({fmt::format("{} of {}", c.groups[0].size(), fmt::join(c.groups[0], " "))});
    return names;
  }

  Json report() {
    Json json{{"collectives", Json::array()}, {"counts", Json::object()}, {"executed", Json::object()}};
    for (const auto kind :
         {"all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute", "exchange"})
      json["counts"][kind] = json["executed"][kind] = 0;
    double received = 0;
    for (const auto &[name, computation] : all_)
      for (const Collective &c : computation.collectives) {
        if (computation.times == 0)
          continue;
        const auto group = static_cast<double>(c.groups[0].size());
        const double part = c.of_pairs ? 1 : (c.kind == "all_reduce" ? 2 : 1) * (group - 1) / group;
        const auto bytes = static_cast<int64_t>(static_cast<double>(c.bytes) * part);
        received += static_cast<double>(bytes) * static_cast<double>(computation.times);
        const auto applied = all_.find(c.reduction);
        json["collectives"].push_back(
            {{"id", json["collectives"].size()},
             {"kind", c.kind},
             {"axes", axes_of(c)},
             {"reduction", applied == all_.end() ? "" : reduction_of(applied->second.root)},
             {"local_type", c.type},
             {"bytes_received", bytes},
             {"times", computation.times},
             {"op", c.op},
             {"location", c.location.empty() ? fmt::format("{}:{}", file_, c.line) : c.location}});
        json["counts"][c.kind] = json["counts"][c.kind].get<int64_t>() + 1;
        json["executed"][c.kind] = json["executed"][c.kind].get<int64_t>() + computation.times;
      }
    if (unknown_trips_)
      json["unknown_trips"] = true;
    const auto all = static_cast<int64_t>(std::min(received, 9e18));
    json["bytes_received"] = {{"max", all}, {"mean", all}};
    return json;
  }

  const std::string &file_;
  std::vector<std::pair<std::string, int64_t>> axes_;
  int64_t devices_ = 1;
  std::map<std::string, Computation> all_;
  std::string current_, entry_;
  bool unknown_trips_ = false;
};

} // namespace

bool is_hlo(const std::string &text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string::npos && text.compare(begin, 9, "HloModule") == 0;
}

Json read_hlo(const std::string &text, const std::string &file, const Json &mesh) {
  return Reader(file, mesh).read(text);
}

} // namespace tw::cli
