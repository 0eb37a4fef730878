// SPDX-License-Identifier: Apache-2.0
// Reads spec text line by line and hands each statement to its action.
#include "partition/spec.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/check_utf8.hpp"
#include "base/suggest.hpp"
#include "base/text_reader.hpp"
#include "base/trim.hpp"
#include "base/watch.hpp"
#include "partition/calls.hpp"
#include "partition/choices.hpp"

namespace tw::partition {

#define TW_ACTION(name)                                                                                      \
  namespace name##_action {                                                                                  \
    const ActionDef &action();                                                                               \
  }
#include "partition/action_list.inc"
#undef TW_ACTION

namespace {

const ActionDef *find_action(std::string_view name) {
  const auto actions = all_actions();
  const auto found =
      std::ranges::find(actions, name, [](const ActionDef *a) { return std::string_view(a->name); });
  return found == actions.end() ? nullptr : *found;
}

Word classify(std::string_view word) {
  const ActionDef *action = find_action(word);
  if (action == nullptr)
    return Word::other;
  return std::string_view(action->signature) == action->name ? Word::lone_action : Word::action;
}

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  const ActionDef *action = find_action(statement.action);
  if (action == nullptr) {
    std::vector<std::string> known;
    for (const ActionDef *a : all_actions())
      known.emplace_back(a->name);
    return fail(statement.error(
        Code::not_found, "TW-401",
        fmt::format("there is no action '{}'{}", statement.action, nearest_text(statement.action, known))));
  }
  plan.begin_action({statement.text, statement.pos});
  auto status = action->apply(plan, statement, names);
  if (status)
    status = check_watch(); // what was given up is undone
  if (!status)
    return fail(statement.error(std::move(status.error())));
  return {};
}

} // namespace

std::span<const ActionDef *const> all_actions() {
  static const std::vector<const ActionDef *> actions = [] {
    std::vector<const ActionDef *> all{
#define TW_ACTION(name) &name##_action::action(),
#include "partition/action_list.inc"
#undef TW_ACTION
    };
    std::ranges::sort(all, {}, [](const ActionDef *a) { return std::string_view(a->name); });
    return all;
  }();
  return actions;
}

namespace {

// `%1, %2, %3`.
Result<std::vector<Target>> find_all(const Targets &find, std::string_view list) {
  std::vector<Target> all;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    TW_ASSIGN(const std::vector<Target> some,
              find.values(std::string(trim(list.substr(begin, end - begin)))));
    all.insert(all.end(), some.begin(), some.end());
    begin = end + 1;
  }
  return all;
}

} // namespace

Result<std::vector<Target>> read_targets(Reader &reader, const Statement &statement, const Names &names,
                                         const Plan &plan, std::string_view keys, const Obstacle &obstacle) {
  TW_ASSIGN(const Argument named, reader.one_of(keys));
  const Targets find(names, plan.graph());
  auto targets = named.key == "arg"      ? find.arguments(named.text)
                 : named.key == "result" ? find.results(named.text)
                 : named.key == "op"     ? find_all(find, named.text)
                                         : find.values(named.text);
  if (!targets)
    return fail(statement.error(std::move(targets.error()), named.column));
  if (!obstacle)
    return targets;
  std::string left_out;
  auto suited = with_place(plan, named.text, std::move(*targets), obstacle, &left_out);
  if (!left_out.empty())
    statement.note(left_out);
  return suited;
}

Result<std::vector<Place>> read_places(Reader &reader, const Statement &statement, const Names &names,
                                       const Plan &plan, std::string_view keys) {
  TW_ASSIGN(const std::string text, reader.text("dim"));
  const bool largest = text == "largest";
  int64_t dim = 0;
  if (!largest) {
    TW_ASSIGN(dim, reader.integer("dim", " or `largest`"));
  }
  TW_ASSIGN(const std::vector<Target> targets,
            read_targets(reader, statement, names, plan, keys, lacks_dimension(plan, dim)));
  std::vector<Place> places;
  for (const Target &target : targets) {
    const graph::Shape &dims = plan.graph().type(target.value).dims;
    places.push_back({target, largest ? std::ranges::max_element(dims) - dims.begin() : dim});
  }
  return places;
}

Result<std::vector<sharding::AxisId>> read_axes(Reader &reader, const Statement &statement, Plan &plan) {
  TW_ASSIGN(const std::string name, reader.text("axis"));
  auto axes = make_axes(plan, name);
  if (!axes)
    return fail(statement.error(std::move(axes.error()), reader.column("axis")));
  return axes;
}

Status make_axis(Plan &plan, const Statement &statement, sharding::AxisKind kind) {
  Reader reader(statement, {"axis", "size"});
  TW_ASSIGN(const std::string axis, reader.text("axis"));
  TW_ASSIGN(const int64_t size, reader.integer("size"));
  TW_TRY(reader.finish());
  if (axis.empty() || !std::ranges::all_of(axis, is_name_char))
    return fail(statement.error(Code::invalid_argument, "TW-403",
                                fmt::format("'{}' is no axis name (letters, digits, '_', '-', '.')", axis),
                                reader.column("axis")));
  if (plan.mesh().find(axis) || std::ranges::count(plan.mesh().axes(), axis, &sharding::Axis::parent) != 0)
    return fail(
        statement.error(Code::invalid_argument, "TW-403",
                        fmt::format("the mesh {} has an axis '{}' already; a {} axis needs a name of its own",
                                    plan.mesh().text(), axis, name(kind)),
                        reader.column("axis")));
  if (kind == sharding::AxisKind::threads && size > sharding::kMostThreads)
    return fail(
        statement.error(Code::out_of_range, "TW-403",
                        fmt::format("{} threads: at most {} are supported", size, sharding::kMostThreads),
                        reader.column("size")));
  auto made = plan.add_axis(axis, size, kind);
  if (!made)
    return fail(statement.error(std::move(made.error()), reader.column("size")));
  return {};
}

Status rewrite_values(Plan &plan, const Statement &statement, const Names &names, std::string_view keys,
                      Status (*rewrite)(Plan &, graph::ValueId, sharding::AxisId)) {
  Reader reader(statement, {keys, "axis"});
  TW_ASSIGN(const std::vector<Target> targets, read_targets(reader, statement, names, plan, keys));
  TW_ASSIGN(const std::vector<sharding::AxisId> axes, read_axes(reader, statement, plan));
  TW_TRY(reader.finish());
  for (const Target &target : targets)
    for (const sharding::AxisId axis : axes)
      TW_TRY(rewrite(plan, target.value, axis));
  return {};
}

namespace {

// What a text is that is plainly no spec.
const char *other_text(std::string_view text) {
  if (text.find("tensor<") != std::string_view::npos)
    return "this is a program, and a spec has actions: tw plan PROGRAM.mlir --spec SPEC.txt";
  if (text.find("[device]") != std::string_view::npos)
    return "this describes a machine, and a spec has actions: tw estimate .. --spec SPEC.txt --system FILE";
  return nullptr;
}

Status apply_lines(Plan &plan, std::string_view text, const std::string &file, const Observer &observe) {
  for (uint32_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const Plan::Stamp before = plan.stamp();
    TW_ASSIGN(const std::vector<Statement> statements,
              parse_line(text.substr(0, end), file, number, classify));
    for (const Statement &statement : statements)
      if (auto status = apply(plan, statement, plan.names()); !status) {
        plan.undo_to(before);
        return status;
      } else if (observe) {
        observe(statement);
      }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return {};
}

} // namespace

Status apply_spec(Plan &plan, std::string_view text, const std::string &file, const Observer &observe) {
  TW_TRY(check_utf8(text, "the spec", file));
  Status applied = Choices::least_of_policies(plan, observe != nullptr, [&](bool last) -> Result<size_t> {
    const size_t before = plan.actions().size();
    TW_TRY(apply_lines(plan, text, file, last ? observe : Observer()));
    return static_cast<size_t>(std::ranges::count_if(plan.actions().subspan(before), is_propagation));
  });
  if (!applied)
    if (const char *note = other_text(text))
      applied.error().info().notes.emplace_back(note);
  return applied;
}

} // namespace tw::partition
