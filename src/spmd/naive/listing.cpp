// SPDX-License-Identifier: Apache-2.0
// The naive form as the paper on redistribution lists programs: `mesh {"a": 2}`, then `fn main(x : [8{"a"}16,
// 4]) -> [..] { y = spmd_op x (a0 : [8, 4]) { return (negate a0) } as [8{"a"}16, 4] .. }`. The importer reads
// it.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loops/spelling.hpp"
#include "ops/registry.hpp"
#include "redistribute/type_text.hpp"
#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

namespace {

using sharding::Sharding;

class Lister {
public:
  explicit Lister(const Form &form)
      : form_(form), lowering_(form.lowering), graph_(lowering_.graph), mesh_(lowering_.mesh),
        names_(form.values.size()) {}

  std::string text() {
    std::vector<std::string> axes, arguments, types, results;
    for (sharding::AxisId axis = 0; axis < mesh_.num_axes(); ++axis)
      axes.push_back(fmt::format("\"{}\": {}", mesh_.axis(axis).name, mesh_.size(axis)));
    for (const Statement &s : form_.statements)
      if (s.kind == Kind::argument) {
        names_[s.results[0]] = fresh(graph_.value_name(form_.value(s.results[0]).origin).substr(1));
        arguments.push_back(fmt::format("{} : {}", names_[s.results[0]], type(s.results[0])));
      }
    std::string body;
    for (const Statement &s : form_.statements)
      body += line(s);
    for (const Statement &s : form_.statements)
      if (s.kind == Kind::result) {
        types.push_back(type(s.operands[0]));
        results.push_back(names_[s.operands[0]]);
      }
    const std::string made = types.size() == 1 ? types[0] : fmt::format("({})", fmt::join(types, ", "));
    return fmt::format("mesh {{{}}}\n\nfn main({}) -> {} {{\n{}  return {}\n}}\n", fmt::join(axes, ", "),
                       fmt::join(arguments, ", "), made, body, fmt::join(results, ", "));
  }

private:
  std::string fresh(std::string name) {
    const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    for (char &c : name)
      if (!is_word(c) && !(c >= '0' && c <= '9'))
        c = '_';
    if (name.empty() || !is_word(name[0]))
      name.insert(0, "v");
    std::string free = name;
    for (int n = 1; !taken_.insert(free).second; ++n)
      free = fmt::format("{}_{}", name, n);
    return free;
  }

  // [8{"x","y"}32, 16]: axes minor to major.
  std::string type(ValueRef v) const {
    const Value &value = form_.value(v);
    const graph::Shape &dims = graph_.type(value.origin).dims;
    if (value.type == graph::kNone)
      return fmt::format("[{}]", fmt::join(dims, ", "));
    const std::string plain = redistribute::paper_text(lowering_.sharding(value.type), dims, mesh_);
    std::string quoted;
    for (size_t i = 0, depth = 0; i < plain.size(); ++i) {
      const char c = plain[i];
      depth -= c == '}';
      if (depth == 1 && (c == ',' || plain[i - 1] == '{'))
        quoted += c == ',' ? "\",\"" : "\"";
      if (c == '}' && plain[i - 1] != '{')
        quoted += '"';
      if (depth != 1 || c != ',')
        quoted += c;
      depth += c == '{';
    }
    return quoted;
  }
  std::string tile(ValueRef v) const {
    const Value &value = form_.value(v);
    return fmt::format(
        "[{}]",
        fmt::join(largest_tile(lowering_.sharding(value.type), graph_.type(value.origin).dims, mesh_), ", "));
  }

  std::string line(const Statement &s) {
    switch (s.kind) {
    case Kind::argument:
    case Kind::result: return "";
    case Kind::spmd: return spmd(s);
    case Kind::tile_stacked: // an spmd_op says of what its pieces are tiles
      names_[s.results[0]] = names_[s.operands[0]];
      return "";
    case Kind::distribute:
    case Kind::undistribute:
    case Kind::redistribute:
    case Kind::reduce:
    case Kind::marker: break;
    }
    const Value &from = form_.value(s.operands[0]), &to = form_.value(s.results[0]);
    names_[s.results[0]] = fresh(graph_.value_name(to.origin).substr(1));
    const std::string_view word =
        s.kind == Kind::reduce
            ? redistribute::name(lowering_.summary(graph_.value(from.origin).type, from.type, to.type).kind)
            : "redistribute";
    return fmt::format("  {} = {} {} as {}\n", names_[s.results[0]], word, names_[s.operands[0]],
                       type(s.results[0]));
  }

  std::string spmd(const Statement &s) {
    std::vector<std::string> given, parameters, read, made, types;
    for (size_t i = 0; i < s.operands.size(); ++i) {
      if (s.operands[i] == graph::kNone) { // made from constants, in the body
        read.emplace_back(
            ops::short_name(ops::op_def(graph_.op(graph_.value(graph_.operands(s.node)[i]).def).code).name));
        continue;
      }
      read.push_back(fmt::format("a{}", given.size()));
      parameters.push_back(fmt::format("{} : {}", read.back(), tile(s.operands[i])));
      given.push_back(names_[s.operands[i]]);
    }
    for (const ValueRef v : s.results) {
      names_[v] = fresh(graph_.value_name(form_.value(v).origin).substr(1));
      made.push_back(names_[v]);
      types.push_back(type(v));
    }
    const std::string op = loops::is_matmul(graph_, s.node)
                               ? "matmul"
                               : std::string(ops::short_name(ops::op_def(graph_.op(s.node).code).name));
    return fmt::format("  {} = spmd_op {} ({}) {{\n    return ({} {})\n  }} as {}\n", fmt::join(made, ", "),
                       fmt::join(given, " "), fmt::join(parameters, ", "), op, fmt::join(read, " "),
                       fmt::join(types, ", "));
  }

  const Form &form_;
  Lowering &lowering_;
  const graph::Graph &graph_;
  const sharding::Mesh &mesh_;
  std::vector<std::string> names_;
  std::set<std::string> taken_;
};

} // namespace

bool is_listing(const Form &form) {
  return std::ranges::none_of(form.statements, [](const Statement &s) {
    return s.kind == Kind::distribute || s.kind == Kind::undistribute || s.kind == Kind::marker;
  });
}

std::string to_listing(const Form &form) { return Lister(form).text(); }

} // namespace tw::spmd::naive
