// SPDX-License-Identifier: Apache-2.0
// The naive form as text, with distributed types as the 2021 PartIR slides, the earlier ones or the
// redistribution paper spells them.
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loops/spelling.hpp"
#include "ops/registry.hpp"
#include "redistribute/type_text.hpp"
#include "sharding/axis_names.hpp"
#include "sharding/range.hpp"
#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

namespace {

using sharding::AxisId;
using sharding::Sharding;

class Printer {
public:
  Printer(const Form &form, Spelling spelling)
      : form_(form), lowering_(form.lowering), graph_(lowering_.graph), mesh_(lowering_.mesh),
        spelling_(spelling) {
    std::unordered_map<graph::ValueId, uint32_t> copies;
    for (const Value &value : form.values) {
      const uint32_t n = copies[value.origin]++;
      names_.push_back(n == 0 ? graph_.value_name(value.origin)
                              : fmt::format("{}/{}", graph_.value_name(value.origin), n));
    }
  }

  std::string text() {
    std::vector<std::string> arguments, results;
    for (const Statement &s : form_.statements) {
      if (s.kind == Kind::argument)
        arguments.push_back(fmt::format("{}: {}", names_[s.results[0]], type_text(s.results[0])));
      else if (s.kind == Kind::result)
        results.push_back(names_[s.operands[0]]);
      else
        print(s);
    }
    return fmt::format("func @{}({}) {{ // over {}\n{}  return {}\n}}\n", graph_.module_name(),
                       fmt::join(arguments, ", "), mesh_.text(), text_, fmt::join(results, ", "));
  }

private:
  void line(std::string_view text) { text_ += fmt::format("{:{}}{}\n", "", 2 + 2 * depth_, text); }

  std::string list(const std::vector<ValueRef> &values) const {
    std::vector<std::string> names;
    for (const ValueRef v : values)
      names.push_back(names_[v]);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void print(const Statement &s) {
    if (s.kind == Kind::spmd)
      return print_spmd(s);
    if (s.kind == Kind::marker)
      return print_marker(s);
    line(fmt::format("{} = {}({}) : {}{}", names_[s.results[0]], word(s), names_[s.operands[0]],
                     type_text(s.results[0]), note(s)));
  }

  std::string word(const Statement &s) const {
    switch (s.kind) {
    case Kind::distribute: return "distribute";
    case Kind::undistribute: return "undistribute";
    case Kind::redistribute: return "redistribute";
    case Kind::reduce: return std::string(redistribute::name(move(s).kind));
    default: break;
    }
    std::vector<size_t> dims; // of tiles
    const Sharding &type = lowering_.sharding(form_.value(s.results[0]).type);
    for (size_t d = 0; d < type.dims.size(); ++d)
      if (!type.dims[d].axes.empty())
        dims.push_back(d);
    return fmt::format("tile_stacked_tensor {} ", fmt::join(dims, ", "));
  }

  const redistribute::Summary &move(const Statement &s) const {
    const Value &from = form_.value(s.operands[0]);
    return lowering_.summary(graph_.value(from.origin).type, from.type, form_.value(s.results[0]).type);
  }
  std::string note(const Statement &s) const {
    if (s.kind != Kind::reduce && s.kind != Kind::redistribute)
      return "";
    const redistribute::Summary &summary = move(s);
    if (summary.kind == redistribute::Kind::copy)
      return " // a slice";
    std::string text = s.kind == Kind::reduce ? fmt::format(" // {}", sharding::name(summary.reduction))
                                              : fmt::format(" // {}", redistribute::name(summary.kind));
    return text + fmt::format(" over {}", fmt::join(sharding::axis_names(summary.axes, mesh_), ","));
  }

  // What runs over an axis; those that a range made by itself have no name that could stand here.
  std::string variable(AxisId axis) const {
    const std::string &name = mesh_.axis(axis).name;
    return name.find('<') == name.npos ? "%" + name : fmt::format("%r{}", axis);
  }

  // "32,16" of the axis that a range<32,16> made; empty for others.
  std::string_view own_interval(AxisId axis) const {
    const std::string_view name = mesh_.axis(axis).name;
    const bool is_interval = spelling_ == Spelling::intervals && name.starts_with("range<") &&
                             name.find(',') != std::string_view::npos;
    return is_interval ? name.substr(6, name.find('>') - 6) : std::string_view();
  }

  void print_marker(const Statement &s) {
    const graph::OpId op = lowering_.plan.op_of(s.node);
    const std::string_view name = ops::op_def(graph_.op(op).code).name;
    line(s.index == 0 ? fmt::format("{}({}) {{", name, list(s.operands))
                      : fmt::format("yield {}", list(s.operands)));
    depth_ -= s.index != 0;
    std::vector<std::string> variables;
    for (const ValueRef v : s.results)
      variables.push_back(fmt::format("{}: {}", names_[v], type_text(v)));
    if (s.index == graph_.op(op).num_regions)
      return line(fmt::format("}} -> ({})", fmt::join(variables, ", ")));
    line(fmt::format("region {} ({})", s.index, fmt::join(variables, ", ")));
    ++depth_;
  }

  void print_spmd(const Statement &s) {
    std::vector<ValueRef> given;
    std::vector<std::string> parameters, read;
    std::vector<AxisId> axes;
    const auto add_axes = [&](partition::NodeId n) {
      for (const partition::NestEntry &e : lowering_.plan.nest(n))
        if (std::ranges::find(axes, e.axis) == axes.end())
          axes.push_back(e.axis);
    };
    add_axes(s.node);
    const auto [variable_of, count] = lowering_.plan.flow().variables_of(s.node);
    for (uint32_t i = 0; i < count; ++i) // of a barrier
      add_axes(variable_of + i);
    for (const AxisId axis : axes)
      parameters.push_back(own_interval(axis).empty()
                               ? fmt::format("{}:range<{}>", variable(axis), mesh_.size(axis))
                               : fmt::format("{}:range({})", variable(axis), own_interval(axis)));
    for (size_t i = 0; i < s.operands.size(); ++i) {
      if (s.operands[i] == graph::kNone) {
        const graph::ValueId made = graph_.operands(s.node)[i];
        read.push_back(std::string(ops::op_def(graph_.op(graph_.value(made).def).code).name));
        continue;
      }
      const std::string name = fmt::format("%a{}", given.size());
      parameters.push_back(fmt::format("{}: {}", name, piece_text(s.operands[i])));
      read.push_back(
          sliced(name, lowering_.sharding(form_.value(s.operands[i]).type), lowering_.sharding(s.tiles[i])));
      given.push_back(s.operands[i]);
    }
    const std::string names = s.results.empty() ? "" : list(s.results) + " = ";
    line(fmt::format("{}spmd({}){} ({}) {{", names, list(given),
                     spelling_ == Spelling::intervals ? "" : fmt::format(" [{}]", quoted(axes)),
                     fmt::join(parameters, ", ")));
    line(fmt::format("  yield {}({})",
                     loops::is_matmul(graph_, s.node)
                         ? "matmul"
                         : ops::short_name(ops::op_def(graph_.op(s.node).code).name),
                     fmt::join(read, ", ")));
    std::vector<std::string> types;
    for (const ValueRef v : s.results)
      types.push_back(type_text(v));
    line(fmt::format("}} : {}", fmt::join(types, ", ")));
  }
  std::string quoted(const std::vector<AxisId> &axes) const {
    std::vector<std::string> names;
    for (const AxisId axis : axes)
      names.push_back(fmt::format("\"{}\"", mesh_.axis(axis).name));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  // What a body takes of an argument: slices by the axes that its type does not cut, and the windows of ops
  // that reach over their tile.
  std::string sliced(std::string text, const Sharding &from, const Sharding &tile) const {
    for (size_t d = 0; d < tile.dims.size(); ++d) {
      const char *word = tile.dims[d].rule.kind == sharding::SplitRule::Kind::spans ? "window" : "slice";
      for (const AxisId axis : tile.dims[d].axes)
        if (std::ranges::count(from.dims[d].axes, axis) == 0)
          text = fmt::format("{} {} {}[{}]", word, d, text, variable(axis));
    }
    return text;
  }

  // Of what a device has of it.
  std::string piece_text(ValueRef v) const {
    graph::TensorType type = graph_.type(form_.value(v).origin);
    type.dims = largest_tile(lowering_.sharding(form_.value(v).type), type.dims, mesh_);
    return graph::to_text(type);
  }

  std::string type_text(ValueRef v) const {
    const Value &value = form_.value(v);
    const graph::TensorType &type = graph_.type(value.origin);
    if (value.type == graph::kNone)
      return graph::to_text(type);
    const Sharding &s = lowering_.sharding(value.type);
    if (spelling_ == Spelling::paper)
      return redistribute::paper_text(s, type.dims, mesh_);
    const bool pieces = form_.maker(v).kind == Kind::spmd; // not yet tiles of the array
    const std::vector<int64_t> local = largest_tile(s, type.dims, mesh_);
    std::vector<std::string> ranges, dims;
    std::vector<AxisId> listed;
    for (AxisId axis = 0; axis < mesh_.num_axes(); ++axis) {
      if (mesh_.size(axis) == 1)
        continue;
      const bool stacked = s.find_partial(axis) != nullptr || (pieces && s.uses(axis));
      ranges.push_back(range_text(axis, s, type.dims, stacked));
      listed.push_back(axis);
    }
    for (size_t d = 0; d < type.rank(); ++d) {
      std::vector<std::string> cuts;
      for (const AxisId axis : s.dims[d].axes)
        cuts.push_back(spelling_ == Spelling::counts
                           ? fmt::format("{}", std::ranges::find(listed, axis) - listed.begin())
                           : variable(axis));
      if (pieces || cuts.empty())
        dims.push_back(fmt::format("{}", local[d]));
      else if (spelling_ == Spelling::counts)
        dims.push_back(fmt::format("{}{{{}}}", type.dims[d], fmt::join(cuts, ",")));
      else
        dims.push_back(fmt::format("{}", fmt::join(cuts, "*")));
    }
    if (spelling_ == Spelling::counts)
      return fmt::format("dist_tensor<[{}],[{}]>", fmt::join(ranges, ", "), fmt::join(dims, ","));
    return fmt::format("distributed_tensor<({}) -> [{}]>", fmt::join(ranges, ", "), fmt::join(dims, ","));
  }

  std::string range_text(AxisId axis, const Sharding &s, std::span<const int64_t> shape, bool stacked) const {
    if (spelling_ == Spelling::counts)
      return fmt::format("{}\"{}\":range<{}>", stacked ? "stacked " : "", mesh_.axis(axis).name,
                         mesh_.size(axis));
    sharding::RangeCut cut{
        mesh_.size(axis), 1, mesh_.size(axis), {}}; // one turn a device where it cuts nothing
    bool cuts = false;
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t before = 1;
      for (const AxisId other : s.dims[d].axes) {
        cuts = cuts || other == axis;
        if (other == axis)
          cut = {shape[d], before, mesh_.size(axis),
                 other == s.dims[d].axes.back() ? s.dims[d].rule : sharding::SplitRule()};
        before *= mesh_.size(other);
      }
    }
    const std::string_view own = own_interval(axis);
    if (!cuts && !own.empty())
      return fmt::format("{}{}:range({})", stacked ? "@stacked " : "", variable(axis), own);
    const std::string width = cut.rule.kind == sharding::SplitRule::Kind::spans ? "halo" : width_text(cut);
    return fmt::format("{}{}:range({},{})", stacked ? "@stacked " : "", variable(axis), cut.size, width);
  }

  const Form &form_;
  Lowering &lowering_;
  const graph::Graph &graph_;
  const sharding::Mesh &mesh_;
  const Spelling spelling_;
  std::vector<std::string> names_;
  std::string text_;
  size_t depth_ = 0; // of regions
};

} // namespace

std::string to_text(const Form &form, Spelling spelling) {
  return spelling == Spelling::paper && is_listing(form) ? to_listing(form) : Printer(form, spelling).text();
}

} // namespace tw::spmd::naive
