// SPDX-License-Identifier: Apache-2.0
// Annotations are tried: the text is read, planned, and compared op by op; what differs is annotated too.
#include "emit/shard/annotated.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "emit/shard/read_back.hpp"
#include "emit/shard/reads.hpp"
#include "emit/shard/refusals.hpp"
#include "emit/shard/statements.hpp"
#include "emit/shard/ways.hpp"
#include "emit/shard/words.hpp"
#include "emit/stablehlo/annotated.hpp"
#include "emit/stablehlo/graph_text.hpp"
#include "ops/halo.hpp"
#include "partition/conflicts.hpp"
#include "partition/stated.hpp"
#include "spmd/program.hpp"

namespace tw::emit::shard {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using partition::Plan;
using sharding::Sharding;

namespace {

constexpr int kCarefulRounds = 4;   // after these all that differs is annotated at once
constexpr size_t kMostDropped = 64; // annotations that are tried without

// A text that reads as the plan.
struct Said {
  std::string text;
  bool moves_the_same; // as the plan's own program
};

class Annotator {
public:
  // `program`: the plan's own. `reads`: of it.
  Annotator(const Plan &plan, const spmd::Program &program, const Reads &reads, Way way)
      : plan_(plan), graph_(plan.graph()), program_(program), reads_(reads), way_(way) {
    said_.moves_inside = way.inside;
  }

  Result<Said> run() {
    TW_TRY(say_halos());
    say_signature();
    added_.clear();
    if (way_.program)
      return say_program();
    if (way_.all)
      say_all();
    for (int round = 0;; ++round) {
      TW_ASSIGN(Attempt now, attempt());
      if (now.is_same_plan()) {
        TW_TRY(now.read.check_results());
        TW_ASSIGN(const bool same, now.read.moves_as(program_));
        if (same || way_.all)
          return Said{std::move(now.text), true};
        return say_less();
      }
      if (!say_more(now.differs, round < kCarefulRounds)) {
        if (!way_.all) {
          TW_ASSIGN(const bool same, now.read.runs_as(program_));
          if (same)
            return Said{std::move(now.text), true};
        }
        if (std::exchange(all_, true))
          return fail(cannot_say(plan_, reads_, now.read, now.differs));
      }
    }
  }

private:
  // What has been said so far, and what a reader makes of it.
  struct Attempt {
    std::string text;
    ReadBack read;
    std::vector<bool> differs; // by node

    bool is_same_plan() const { return std::ranges::count(differs, true) == 0; }
  };
  Result<Attempt> attempt() const {
    std::string text = axes_comment(plan_.mesh()) + stablehlo::to_text(graph_, said_.notes(plan_));
    TW_ASSIGN(ReadBack read, ReadBack::read(plan_, text, said_.constraints(graph_)));
    std::vector<bool> differs = read.differing();
    return Attempt{std::move(text), std::move(read), std::move(differs)};
  }

  // All that the plan's own program makes and reads, at once.
  Result<Said> say_program() {
    say_all();
    TW_ASSIGN(Attempt now, attempt());
    TW_ASSIGN(const bool same, now.read.runs_as(program_));
    if (same)
      return Said{std::move(now.text), true};
    if (!now.is_same_plan())
      return fail(cannot_say(plan_, reads_, now.read, now.differs));
    TW_TRY(now.read.check_results());
    return moves_other(now);
  }

  // --- what is said ---
  std::optional<std::string> text_of(const Sharding &s, ValueId v) const {
    return sharding_text(s, graph_.type(v), plan_.mesh());
  }
  bool is_plain(ValueId v) const { // a value with a layout of its own
    const NodeId maker = plan_.flow().maker(v).node;
    return maker != kNone && plan_.takes_part(maker) && !plan_.is_source(maker) &&
           graph_.type(v).dtype != graph::DType::token;
  }

  bool is_source(ValueId v) const { // made anew wherever it is used
    const NodeId maker = plan_.flow().maker(v).node;
    return maker != kNone && plan_.is_source(maker) && graph_.type(v).dtype != graph::DType::token;
  }

  // As it is made, "" where that is in parts which add up; then as its pin wants it.
  std::string made_text(ValueId v) const {
    if (way_.program)
      if (const Sharding *made = reads_.made(v); made != nullptr)
        return text_of(*made, v).value_or("");
    const auto maker = plan_.flow().maker(v);
    const NodeId pin = plan_.pin_of(v);
    if (reads_.is_in_parts(v) && pin == kNone && !all_)
      return "";
    const auto text =
        way_.pins && pin != kNone ? std::nullopt : text_of(plan_.result_sharding(maker.node, maker.index), v);
    return text || pin == kNone ? text.value_or("") : text_of(plan_.result_sharding(pin, 0), v).value_or("");
  }
  bool say_made(ValueId v) { // false where nothing is new
    if (!is_plain(v) || said_.made.contains(v))
      return false;
    std::string text = made_text(v);
    if (text.empty())
      return false;
    added_.push_back(v);
    return said_.made.emplace(v, std::move(text)).second;
  }
  // `anew`: though the value is made so, or wherever it is used.
  bool say_used(OpId op, uint32_t operand, const Sharding &s, bool anew = false) {
    const ValueId v = graph_.operands(op)[operand];
    if ((!is_plain(v) && !anew && !(all_ && is_source(v))) || said_.taken.contains({op, operand}) ||
        (reads_.reads_parts(op, operand) && !all_) || said_.halos.contains(op))
      return false;
    const auto text = used_text(op, operand, s);
    if (!text)
      return false;
    if (const auto made = said_.made.find(v); made != said_.made.end() && made->second == *text && !anew)
      return false;
    if (!may_follow(v))
      return false;
    const size_t passage =
        said_.take({op, operand}, v, {*text, way_.inside ? reads_.own_region(op, operand) : kNone});
    if (way_.reads)
      join_readers(op, operand, passage);
    return true;
  }
  std::optional<std::string> used_text(OpId op, uint32_t operand, const Sharding &s) const {
    const ValueId v = graph_.operands(op)[operand];
    if (const Sharding *read = way_.reads ? reads_.layout(op, operand) : nullptr; read != nullptr)
      if (auto text = text_of(*read, v))
        return text;
    auto text = text_of(s, v);
    if (text || !all_ || !way_.reads)
      return text;
    Sharding balanced = s; // of tiles that overlap: their axes, so that the user hears of no others
    for (sharding::DimSharding &dim : balanced.dims)
      if (dim.rule.kind == sharding::SplitRule::Kind::spans)
        dim.rule = {};
    return text_of(balanced, v);
  }
  // Those who read the same copy of a value in the plan's program read the same statement.
  void join_readers(OpId op, uint32_t operand, size_t passage) {
    for (const graph::Use &use : graph_.uses(graph_.operands(op)[operand]))
      if (reads_.read_the_same(op, operand, use.op, use.operand) && plan_.takes_part(use.op) &&
          !said_.halos.contains(use.op) && !reads_.reads_parts(use.op, use.operand))
        said_.taken.try_emplace({use.op, use.operand}, passage);
  }

  // --- halos ---
  // What keeps halos is a statement that says the layout of its result, and which halos. It says so of users:
  // then the value that it is made of may have any layout. About the maker of an argument it is where the
  // caller gives the halos.
  Status say_halos() {
    for (OpId op = 0; op < graph_.ops().size(); ++op) {
      const auto halo = ops::kept_halo(graph_, op);
      if (!halo)
        continue;
      const ValueId v = graph_.result(op);
      const NodeId pin = plan_.pin_of(v);
      const Sharding layout = plan_.takes_part(op) ? plan_.result_sharding(pin != kNone ? pin : op, 0)
                                                   : Sharding::replicated(graph_.type(v).rank());
      const auto text = sharding_text(layout, graph_.type(v), plan_.mesh(), halo);
      if (!text)
        return fail(
            Code::unimplemented, "TW-730",
            fmt::format("{} keeps halos around tiles [{}], and a sharding of the dialect has "
                        "halo_sizes or sharded_dims_offsets, never both; leave its tiles balanced, or "
                        "emit loops, spmd or shard-local",
                        partition::node_text(plan_, op), sharding::to_text(layout, plan_.mesh())));
      said_.halos.emplace(op, Kept{*text, has_halo(layout, *halo)});
      said_.made.emplace(v, text_of(layout, v).value_or(""));
      said_.said_elsewhere.insert(v);
      if (way_.halos || halo->of_argument)
        say_maker(op);
    }
    return {};
  }
  // That a statement is about the maker of its operand, where this is made in the same tiles.
  bool say_maker(OpId op) {
    Kept &kept = said_.halos.at(op);
    const ValueId operand = graph_.operands(op)[0], v = graph_.result(op);
    if (std::ranges::count(graph_.arguments(), graph_.value(operand).def) != 0 &&
        !ops::kept_halo(graph_, op)->of_argument)
      return false;
    if (kept.of_maker || !is_plain(operand) || said_.said_elsewhere.contains(operand) || !kept.around ||
        said_.used.contains(operand) || made_text(operand) != said_.made.at(v))
      return kept.of_maker;
    said_.made.insert_or_assign(operand, said_.made.at(v));
    said_.said_elsewhere.insert(operand);
    return kept.of_maker = true;
  }
  // Whether statements about its users may follow the value: behind one that is about users already they
  // would contradict it.
  bool may_follow(ValueId v) {
    const OpId op = graph_.value(v).def;
    return !said_.halos.contains(op) || say_maker(op);
  }

  // Where it is made as it is read, that says more: it is heard before what is said of users.
  bool say_operand(OpId op, uint32_t operand) {
    const ValueId v = graph_.operands(op)[operand];
    const Sharding wanted = plan_.operand_sharding(op, operand);
    if (is_plain(v) && plan_.pin_of(v) == kNone && made_text(v) == text_of(wanted, v) && say_made(v))
      return true;
    return say_used(op, operand, wanted);
  }

  // What a loop begins with, or a barrier reads; what regions yield.
  bool say_carried(NodeId n) {
    const ops::Variable &variable = plan_.variable(n);
    if (variable.index == ops::Variable::kCondition)
      return false;
    const bool is_loop = ops::is(graph_, variable.op, ops::OpKind::loop);
    if (ops::is(graph_, variable.op, ops::OpKind::barrier))
      return say_used(variable.op, variable.index, plan_.operand_sharding(n, 0));
    bool said = is_loop && say_used(variable.op, variable.index, plan_.operand_sharding(n, 0));
    const graph::RegionId first = graph_.op(variable.op).first_region;
    for (uint32_t i = is_loop ? 1 : 0; i < variable.reads.size(); ++i)
      said = say_yield(first + i, variable.index, plan_.operand_sharding(n, i)) || said;
    return said;
  }
  // That what a region yields is moved at its end.
  bool say_yield(graph::RegionId region, uint32_t i, const Sharding &s) {
    const ValueId v = graph_.region(region).yields[i];
    const auto text = text_of(s, v);
    if (graph_.type(v).dtype == graph::DType::token || !text || said_.yields.contains({region, i}) ||
        !may_follow(v))
      return false;
    if (const auto made = said_.made.find(v); made != said_.made.end() && made->second == *text)
      return false;
    return said_.yields.emplace(std::pair(region, i), *text).second;
  }

  bool say_uses(ValueId v) {
    bool said = false;
    for (const graph::Use &use : graph_.uses(v))
      if (plan_.takes_part(use.op))
        said = say_used(use.op, use.operand, plan_.operand_sharding(use.op, use.operand)) || said;
    return said;
  }

  void say_signature() {
    for (const OpId argument : graph_.arguments())
      say_made(graph_.result(argument));
    for (auto n = static_cast<NodeId>(plan_.flow().num_nodes()); n < plan_.num_nodes(); ++n)
      for (const ValueId v : plan_.pinned(n))
        say_pin(v, plan_.result_sharding(n, 0));
    for (uint32_t i = 0; i < graph_.results().size(); ++i)
      say_result(i);
  }
  // What makes each value, and who reads it in another layout.
  void say_all() {
    for (NodeId n = 0; n < plan_.flow().num_nodes(); ++n) {
      for (uint32_t i = 0; i < plan_.num_made(n); ++i)
        say_made(plan_.made(n, i));
      for (uint32_t i = 0; plan_.is_op(n) && plan_.takes_part(n) && i < graph_.op(n).num_operands; ++i)
        say_used(n, i, plan_.operand_sharding(n, i));
    }
  }
  // A layout in which all who read a value find it.
  void say_pin(ValueId v, const Sharding &pinned) {
    say_made(v);
    for (const graph::Use &use : graph_.uses(v))
      if (plan_.takes_part(use.op))
        say_used(use.op, use.operand, pinned);
  }
  // Whether a result has the halos of the argument in whose place it is, which no statement about it says.
  bool has_given_halo(uint32_t i) const {
    return std::ranges::any_of(program_.instrs(), [&](const spmd::Instr &instr) {
      return instr.kind == spmd::InstrKind::result && instr.index == i &&
             !program_.handed_out(instr).halos.empty();
    });
  }
  void say_result(uint32_t i) {
    const OpId op = graph_.results()[i];
    const ValueId v = graph_.operands(op)[0];
    if (said_.taken.contains({op, 0}) || graph_.type(v).dtype == graph::DType::token || has_given_halo(i))
      return;
    const Sharding layout = result_layout(plan_, i);
    if (is_plain(v) && made_text(v) == text_of(layout, v))
      say_made(v);
    const bool overwrites = partition::overwritten_argument(graph_, i) != kNone;
    say_used(op, 0, layout, overwrites || (!is_plain(v) && !layout.is_replicated()));
  }
  // Annotates nodes that differ; careful: where all that they read is as it should be. What makes a value
  // comes before what reads it.
  bool say_more(const std::vector<bool> &differs, bool careful) {
    bool more = false;
    for (NodeId n = 0; n < differs.size(); ++n) {
      const bool follows = careful && std::ranges::any_of(plan_.reads(n), [&](ValueId v) {
                             const NodeId maker = plan_.flow().maker(v).node;
                             return maker != kNone && maker != n && differs[maker];
                           });
      if (!differs[n] || follows)
        continue;
      bool said = false;
      for (uint32_t i = 0; i < plan_.num_made(n); ++i)
        said = say_made(plan_.made(n, i)) || said;
      if (!said && plan_.is_op(n))
        for (uint32_t i = 0; i < graph_.op(n).num_operands; ++i)
          said = say_operand(n, i) || said;
      else if (!said)
        said = say_carried(n);
      for (uint32_t i = 0; i < plan_.num_made(n) && !said; ++i)
        said = say_uses(plan_.made(n, i));
      more = more || said;
    }
    return more || (careful && say_more(differs, false));
  }

  // The layout of an annotated value is not chosen when the program is made of the plan. Where that costs a
  // move, some annotations are too many: those without which the plan is the same are left out.
  Result<Said> say_less() {
    std::vector<std::pair<OpId, uint32_t>> uses;
    for (const auto &[use, passage] : said_.taken)
      uses.push_back(use);
    const size_t count = std::min(uses.size() + added_.size(), kMostDropped);
    for (size_t i = 0; i < count; ++i) {
      const Statements said = said_;
      if (i < uses.size())
        said_.drop(graph_, uses[i]);
      else
        said_.made.erase(added_[i - uses.size()]);
      TW_ASSIGN(Attempt now, attempt());
      const bool is_same_plan = now.is_same_plan() && now.read.check_results();
      TW_ASSIGN(const bool same, is_same_plan ? now.read.moves_as(program_) : now.read.runs_as(program_));
      if (same)
        return Said{std::move(now.text), true};
      if (!is_same_plan)
        said_ = said;
    }
    TW_ASSIGN(const Attempt last, attempt());
    return moves_other(last);
  }
  // The plan all the same: a comment says what moves.
  Result<Said> moves_other(const Attempt &now) const {
    TW_ASSIGN(std::string comment, other_moves_comment(plan_, reads_, now.read, program_, said_));
    return Said{std::move(comment) + now.text, false};
  }

  const Plan &plan_;
  const graph::Graph &graph_;
  const spmd::Program &program_;
  const Reads &reads_;
  const Way way_;
  bool all_ =
      false; // in the end also what may cost a move: parts that add up, what each user makes for itself
  Statements said_;
  std::vector<ValueId> added_; // to what is said of makers, for what propagation does not find
};

} // namespace

Result<std::string> to_annotated_text(const Plan &plan, bool says_all) {
  if (plan.mesh().num_axes() == 0) {
    stablehlo::Notes notes;
    stablehlo::add_rules(plan, notes);
    return stablehlo::to_text(plan.graph(), notes);
  }
  TW_TRY(check_mesh(plan.mesh()));
  // What the ops themselves read, which annotations say.
  TW_ASSIGN(const auto program, spmd::lower(plan, {.without = {"fold_tiles"}}));
  const Reads reads(*program);
  std::optional<std::string> moving; // the first that moves other than the plan's own program
  std::optional<Error> first;
  for (Way way : kWays) {
    way.all = says_all;
    auto said = Annotator(plan, *program, reads, way).run();
    if (said && said->moves_the_same)
      return std::move(said->text);
    if (said && !moving)
      moving = std::move(said->text);
    else if (!said && !first)
      first = std::move(said.error());
  }
  if (moving)
    return *std::move(moving);
  return fail(*std::move(first));
}

} // namespace tw::emit::shard
