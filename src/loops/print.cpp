// SPDX-License-Identifier: Apache-2.0
// Plans as loop text: names for the statements, in the order of the text. A value is called as actions call
// it; slices and the results of loops get the numbers that no value has.
#include "loops/loops.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/value_names.hpp"
#include "loops/derive.hpp"
#include "loops/notes.hpp"
#include "loops/spelling.hpp"
#include "loops/statements.hpp"
#include "ops/registry.hpp"

namespace tw::loops {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NestEntry;
using sharding::AxisId;

namespace {

class Printer {
public:
  Printer(const Plan &plan, sharding::Style style)
      : plan_(plan), graph_(plan.graph()), style_(style), program_(make_statements(plan, style)),
        names_(program_.num_symbols), functions_(called_functions(graph_)) {}

  Printed print() {
    reserve_names();
    for (size_t i = 0; i < program_.arguments.size(); ++i)
      names_[program_.arguments[i]] = argument_name(graph_.arguments()[i]);
    std::string body = render(program_.scopes[0].statements, 1);
    body += "  return";
    for (size_t i = 0; i < program_.returned.size(); ++i)
      body += fmt::format("{} {}", i == 0 ? "" : ",", names_[program_.returned[i]]);
    std::string text = signature() + body + "\n}\n";
    if (!functions_.empty())
      text = fmt::format("module{} {{\n{}{}}}\n", module_name().empty() ? "" : " @" + module_name(), text,
                         functions_);
    return {std::move(text), std::move(ops_)};
  }

private:
  std::string argument_name(OpId op) {
    const ValueId v = graph_.result(op);
    const std::string own = graph_.value_name(v);
    const bool word = own.size() > 1 && !(own[1] >= '0' && own[1] <= '9') &&
                      own.find_first_of("%#.\"", 1) == std::string::npos;
    const auto index = std::ranges::find(graph_.arguments(), op) - graph_.arguments().begin();
    return word && taken_.insert(own).second ? own : fmt::format("%arg{}", index);
  }
  std::string range_name(const Scope &loop) {
    static constexpr std::string_view kLetters = "rstuvwxyzabcdefghijklmnopq";
    // Letters that arguments and values bear are passed over.
    std::string found;
    for (uint32_t level = 0, at = 0; level < loop.level; ++at) {
      found = at < kLetters.size() ? fmt::format("%{}", kLetters[at]) : fmt::format("%r{}", at);
      level += !taken_.contains(found);
    }
    return found;
  }

  void indent(std::string &text, uint32_t depth) const { text.append(2 * depth, ' '); }
  // --- names ---

  static std::string_view stem(std::string_view name) { return name.substr(0, name.rfind('#')); }
  // "%0:2, %3", as an op defines "%0#0", "%0#1" and "%3".
  static std::string definition(const std::vector<std::string> &names) {
    std::string text;
    for (size_t i = 0; i < names.size();) {
      const std::string_view base = stem(names[i]);
      size_t count = 0;
      while (i + count < names.size() && names[i + count] == fmt::format("{}#{}", base, count))
        ++count;
      text += text.empty() ? "" : ", ";
      text += count > 1 ? fmt::format("{}:{}", base, count) : names[i];
      i += std::max<size_t>(count, 1);
    }
    return text;
  }
  // What values that are made together are called; none where their names cannot be written here.
  std::optional<std::vector<std::string>> own_names(std::span<const ValueId> values) const {
    if (!prefix_)
      return std::nullopt;
    std::vector<std::string> names;
    for (const ValueId v : values) {
      std::string name = graph_.value_name(v);
      if (!name.starts_with(*prefix_ + "%")) {
        if (prefix_->empty())
          return std::nullopt;
        name = fmt::format("{}%{}", *prefix_, v); // the op around it has another name here
      }
      if (prefix_->size() + name.size() > import::kMaxNameLength)
        return std::nullopt;
      names.push_back(std::move(name));
    }
    return names;
  }
  std::vector<ValueId> results_of(OpId op) const {
    std::vector<ValueId> values;
    for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
      values.push_back(graph_.result(op, i));
    return values;
  }
  void reserve_names() {
    for (const OpId op : graph_.region(0).ops) {
      if (ops::is(graph_, op, ops::OpKind::argument))
        continue;
      const auto names = own_names(results_of(op));
      for (size_t i = 0; names && i < names->size(); ++i) {
        const std::string_view digits = stem((*names)[i]).substr(1);
        uint32_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error == std::errc() && end == digits.data() + digits.size())
          reserved_.insert(number);
        else
          taken_.emplace(stem((*names)[i]));
      }
    }
  }
  // As actions call the values, else a number.
  void name_values(const std::vector<Symbol> &symbols, std::span<const ValueId> values) {
    auto names = own_names(values);
    if (!names)
      return number(symbols);
    for (size_t i = 0; i < symbols.size(); ++i)
      names_[symbols[i]] = std::move((*names)[i]);
  }
  void number(const std::vector<Symbol> &symbols) {
    if (symbols.empty())
      return;
    while (reserved_.contains(next_))
      ++next_;
    const std::string base = fmt::format("%{}", next_++);
    for (size_t i = 0; i < symbols.size(); ++i)
      names_[symbols[i]] = symbols.size() == 1 ? base : fmt::format("{}#{}", base, i);
  }
  std::string list(const std::vector<Symbol> &symbols) const {
    std::vector<std::string_view> all;
    for (const Symbol s : symbols)
      all.push_back(names_[s]);
    return fmt::format("{}", fmt::join(all, ", "));
  }
  std::string left_side(const std::vector<Symbol> &results) const {
    std::vector<std::string> names;
    for (const Symbol s : results)
      names.push_back(names_[s]);
    return names.empty() ? "" : definition(names) + " = ";
  }
  // Names in a region of an op begin with the op's; those of a combiner mean nothing outside.
  std::optional<std::string> prefix_in(const Statement &st, uint32_t region) const {
    if (!prefix_ || st.results.empty() ||
        !plan_.flow().variables().is_body(graph_.op(st.op).first_region + region))
      return std::nullopt;
    return fmt::format("{}{}.", stem(names_[st.results[0]]), region == 0 ? "" : fmt::format(".{}", region));
  }

  std::string render(const std::vector<Statement> &statements, uint32_t depth) {
    std::string text;
    for (const Statement &st : statements) {
      indent(text, depth);
      switch (st.kind) {
      case Statement::Kind::slice:
        number(st.results);
        text += fmt::format("{}partir.slice {} {}[{}{}]\n", left_side(st.results), st.dim,
                            names_[st.operands[0]], range_name(program_.scopes[st.scope]),
                            st.range.empty() ? "" : fmt::format(" : !partir.{}", st.range));
        break;
      case Statement::Kind::loop: render_loop(text, st, depth); break;
      case Statement::Kind::op: render_op(text, st, depth); break;
      }
    }
    return text;
  }

  void render_loop(std::string &text, const Statement &st, uint32_t depth) {
    const Scope &loop = program_.scopes[st.scope];
    const std::string &axis = plan_.mesh().axis(loop.axis).name;
    const std::string range =
        loop.range ? text_of(*loop.range) : fmt::format("range<{}>", plan_.mesh().size(loop.axis));
    number(st.results);
    text += fmt::format("{}partir.{} ", left_side(st.results),
                        st.actions.size() == 1 ? st.actions[0]
                                               : fmt::format("loop ({})", fmt::join(st.actions, ", ")));
    if (!(axis.starts_with("range<") && axis == range))
      text += fmt::format("{} ", quoted(axis));
    if (axis.starts_with("range<") && std::ranges::find(met_, loop.axis) == met_.end())
      met_.push_back(loop.axis);
    text += fmt::format("({} : !partir.{}) {{\n", range_name(loop), range) + render(st.body, depth + 1);
    indent(text, depth + 1);
    text += st.operands.empty() ? "partir.yield\n" : fmt::format("partir.yield {}\n", list(st.operands));
    indent(text, depth);
    text += "}\n";
  }

  // "tensor<16{%r}x256xf32>"
  template <class CutOf> std::string type_text(ValueId v, uint32_t scope, NodeId n, CutOf cut_of) {
    const graph::TensorType &type = graph_.type(v);
    if (type.dtype == graph::DType::token)
      return "!stablehlo.token";
    const auto nest = plan_.is_op(n) && plan_.takes_part(n) ? plan_.nest(n) : std::span<const NestEntry>();
    std::vector<std::string> cuts(type.rank());
    std::vector<uint32_t> loops(nest.size());
    for (size_t d = nest.size(); d-- > 0; scope = program_.scopes[scope].parent)
      loops[d] = scope;
    for (size_t d = 0; d < nest.size(); ++d)
      if (const std::optional<Plan::Cut> cut = cut_of(nest[d].axis)) {
        std::string &at = cuts[cut->dim];
        at += fmt::format("{}{}", at.empty() ? "" : ",", range_name(program_.scopes[loops[d]]));
      }
    std::string text = "tensor<";
    for (size_t d = 0; d < type.rank(); ++d)
      text += cuts[d].empty() ? fmt::format("{}x", type.dims[d])
                              : fmt::format("{}{{{}}}x", type.dims[d], cuts[d]);
    return text.append(graph::name(type.dtype)).append(">");
  }
  std::string whole_type(ValueId v) {
    return type_text(v, 0, kNone, [](AxisId) { return std::optional<Plan::Cut>(); });
  }

  void render_op(std::string &text, const Statement &st, uint32_t depth) {
    Words words;
    name_values(st.results, results_of(st.op));
    for (const Symbol s : st.operands)
      words.operands.push_back(names_[s]);
    for (uint32_t p = 0; p < graph_.op(st.op).num_operands; ++p)
      words.operand_types.push_back(type_text(graph_.operands(st.op)[p], st.scope, st.op, [&](AxisId axis) {
        return plan_.operand_cut(st.op, p, axis);
      }));
    for (uint32_t r = 0; r < graph_.op(st.op).num_results; ++r)
      words.result_types.push_back(type_text(graph_.result(st.op, r), st.scope, st.op,
                                             [&](AxisId axis) { return plan_.result_cut(st.op, r, axis); }));
    if (!st.factors.empty())
      words.attributes.push_back(st.factors);
    if (const std::string nests = variables_text(plan_, st.op); !nests.empty())
      words.attributes.push_back(nests);
    if (ops::is(graph_, st.op, ops::OpKind::loop)) {
      text += left_side(st.results) + while_text(st, words, depth) + "\n";
    } else {
      for (uint32_t r = 0; r < st.regions.size(); ++r)
        words.regions.push_back(region_text(st, r, true, depth));
      text += left_side(st.results) + spell(graph_, st.op, words) + "\n";
    }
    if (const auto inner = program_.ops_of_region.find(st.op); inner != program_.ops_of_region.end())
      ops_.insert(ops_.end(), inner->second.begin(), inner->second.end());
    ops_.push_back(st.op);
  }

  // { [^bb0(%1: T):] .. stablehlo.return %2 : T }
  std::string region_text(const Statement &st, uint32_t index, bool header, uint32_t depth) {
    const Statement::Region &region = st.regions[index];
    const graph::RegionId id = graph_.op(st.op).first_region + index;
    const auto around = std::exchange(prefix_, prefix_in(st, index));
    std::string text = "{\n";
    const auto &args = graph_.region(id).args;
    if (header)
      for (size_t i = 0; i < region.arguments.size(); ++i)
        name_values({region.arguments[i]}, std::span(args).subspan(i, 1));
    if (header && !args.empty()) {
      std::vector<std::string> typed;
      for (size_t i = 0; i < args.size(); ++i)
        typed.push_back(fmt::format("{}: {}", names_[region.arguments[i]], whole_type(args[i])));
      indent(text, depth);
      text += fmt::format("^bb0({}):\n", fmt::join(typed, ", "));
    }
    text += render(region.body, depth + 1);
    indent(text, depth + 1);
    text += ops::kRegionEnd;
    if (!region.yields.empty()) {
      std::vector<std::string> types;
      for (const ValueId v : graph_.region(id).yields)
        types.push_back(whole_type(v));
      text += fmt::format(" {} : {}", list(region.yields), fmt::join(types, ", "));
    }
    text += "\n";
    indent(text, depth);
    prefix_ = around;
    return text + "}";
  }

  std::string while_text(const Statement &st, const Words &words, uint32_t depth) {
    const auto &args = graph_.region(graph_.op(st.op).first_region).args;
    std::vector<std::string> variables;
    for (size_t i = 0; i < st.operands.size(); ++i) {
      const auto around = std::exchange(prefix_, prefix_in(st, 0));
      name_values({st.regions[0].arguments[i]}, std::span(args).subspan(i, 1));
      prefix_ = around;
      names_[st.regions[1].arguments[i]] = names_[st.regions[0].arguments[i]];
      variables.push_back(fmt::format("{} = {}", names_[st.regions[0].arguments[i]], words.operands[i]));
    }
    std::string text =
        fmt::format("{}({})", ops::op_def(graph_.op(st.op).code).name, fmt::join(variables, ", "));
    if (!variables.empty())
      text += fmt::format(" : {}", fmt::join(words.operand_types, ", "));
    if (!words.attributes.empty())
      text += fmt::format(" attributes {{{}}}", fmt::join(words.attributes, ", "));
    text += " cond " + region_text(st, 0, false, depth);
    return text + " do " + region_text(st, 1, false, depth);
  }

  std::string module_name() const {
    return graph_.module_name().empty() ? "" : name_or_quoted(graph_.module_name());
  }
  std::string signature() {
    std::vector<std::string> arguments, results;
    bool says_more = style_ == sharding::Style::extents;
    for (size_t i = 0; i < graph_.arguments().size(); ++i) {
      const OpId op = graph_.arguments()[i];
      const std::string &own = names_[program_.arguments[i]];
      std::vector<std::string> attrs = argument_attributes(graph_, i, own);
      if (const auto nest = program_.nests.find(op); nest != program_.nests.end())
        attrs.push_back(fmt::format("partir.nest = {}", nest->second));
      arguments.push_back(fmt::format("{}: {}{}", own, whole_type(graph_.result(op)), dict(attrs)));
    }
    for (uint32_t i = 0; i < graph_.results().size(); ++i) {
      const OpId op = graph_.results()[i];
      std::vector<std::string> attrs = result_attributes(graph_, i);
      if (const std::string layout = layout_text(plan_, i); !layout.empty())
        attrs.push_back(layout);
      says_more = says_more || !attrs.empty();
      results.push_back(whole_type(graph_.operands(op)[0]) + dict(attrs));
    }
    std::string text =
        fmt::format("func @{}({})", module_name().empty() || !functions_.empty() ? "main" : module_name(),
                    fmt::join(arguments, ", "));
    if (says_more)
      text += results.size() == 1 && !results[0].ends_with('}')
                  ? fmt::format(" -> {}", results[0])
                  : fmt::format(" -> ({})", fmt::join(results, ", "));
    return text + mesh_text() + " {\n";
  }
  static std::string dict(const std::vector<std::string> &attrs) {
    return attrs.empty() ? "" : fmt::format(" {{{}}}", fmt::join(attrs, ", "));
  }

  // attributes {batch:2, shard:2}. Axes that ranges make by themselves are left out where the reader makes
  // them in the same order.
  std::string mesh_text() const {
    const sharding::Mesh &mesh = plan_.mesh();
    std::vector<AxisId> anonymous;
    std::vector<std::string> axes, rules;
    for (size_t a = 0; a < mesh.num_axes(); ++a)
      if (mesh.axis(static_cast<AxisId>(a)).name.starts_with("range<"))
        anonymous.push_back(static_cast<AxisId>(a));
    for (size_t a = 0; a < mesh.num_axes(); ++a) {
      const sharding::Axis &axis = mesh.axis(static_cast<AxisId>(a));
      if (anonymous != met_ || !axis.name.starts_with("range<"))
        axes.push_back(fmt::format("{}:{}",
                                   axis.kind == sharding::AxisKind::device
                                       ? name_or_quoted(axis.name)
                                       : quoted(fmt::format("{} {}", name(axis.kind), axis.name)),
                                   axis.size));
    }
    for (const ops::OpaqueRule &rule : plan_.opaque_rules())
      if (rule.op == kNone)
        axes.push_back(fmt::format("\"partir.rule {}\":{}",
                                   quoted(rule.target).substr(1, quoted(rule.target).size() - 2),
                                   quoted(rule.text)));
    for (size_t i = 0; i < program_.rules.size(); ++i)
      axes.push_back(fmt::format(
          "\"partir.rule_of {}\":{}", i,
          quoted(fmt::format("{} {}", names_[program_.rules[i].first], program_.rules[i].second))));
    for (size_t i = 0; i < program_.groups.size(); ++i)
      axes.push_back(fmt::format("\"partir.group {}\":\"{}\"", i, list(program_.groups[i])));
    for (size_t i = 0; i < program_.directions.size(); ++i)
      axes.push_back(fmt::format("\"partir.passage {} {}\":\"{}\"", i,
                                 direction_name(program_.directions[i].second),
                                 names_[program_.directions[i].first]));
    for (size_t i = 0; const auto &[axis, values] : program_.materialised)
      axes.push_back(fmt::format(
          "{}:\"{}\"", quoted(fmt::format("partir.apart {} {}", i++, mesh.axis(axis).name)), list(values)));
    return axes.empty() ? "" : fmt::format("\n  attributes {{{}}}", fmt::join(axes, ", "));
  }

  const Plan &plan_;
  const graph::Graph &graph_;
  sharding::Style style_;
  const Statements program_;
  std::vector<std::string> names_;         // by symbol
  const std::string functions_;            // that calls of foreign code name
  std::set<std::string> taken_;            // by arguments and values
  std::vector<AxisId> met_;                // axes without a name of their own, as they occur
  std::optional<std::string> prefix_ = ""; // of the names of values where the text stands; none: numbers
  std::set<uint32_t> reserved_;            // numbers that are names of values of the body
  uint32_t next_ = 0;
  std::vector<OpId> ops_;
};

} // namespace

Printed print(const Plan &plan, sharding::Style style) { return Printer(plan, style).print(); }

} // namespace tw::loops
