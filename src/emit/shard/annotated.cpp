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
#include "emit/shard/ways.hpp"
#include "emit/shard/words.hpp"
#include "emit/stablehlo/graph_text.hpp"
#include "ops/halo.hpp"
#include "partition/conflicts.hpp"
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

class Annotator {
public:
  Annotator(const Plan &plan, Way way) : plan_(plan), graph_(plan.graph()), way_(way) {}

  Result<std::string> run() {
    TW_ASSIGN(program_, spmd::lower(plan_));
    reads_.emplace(*program_);
    TW_TRY(say_halos());
    say_signature();
    added_.clear();
    if (way_.all)
      say_all();
    for (int round = 0;; ++round) {
      TW_ASSIGN(Attempt now, attempt());
      if (now.is_same_plan()) {
        TW_TRY(now.read.check_results());
        TW_ASSIGN(const bool same, now.read.moves_as(*program_));
        return same || way_.all ? std::move(now.text) : say_less();
      }
      if (!say_more(now.differs, round < kCarefulRounds)) {
        if (std::exchange(all_, true))
          return refuse(now);
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
    std::string text = axes_comment(plan_.mesh()) + stablehlo::to_text(graph_, notes());
    TW_ASSIGN(ReadBack read, ReadBack::read(plan_, text, constraints()));
    std::vector<bool> differs = read.differing();
    return Attempt{std::move(text), std::move(read), std::move(differs)};
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
    const auto maker = plan_.flow().maker(v);
    const NodeId pin = plan_.pin_of(v);
    if (reads_->is_in_parts(v) && pin == kNone && !all_)
      return "";
    const auto text =
        way_.pins && pin != kNone ? std::nullopt : text_of(plan_.result_sharding(maker.node, maker.index), v);
    return text || pin == kNone ? text.value_or("") : text_of(plan_.result_sharding(pin, 0), v).value_or("");
  }
  bool say_made(ValueId v) { // false where nothing is new
    if (!is_plain(v) || made_.contains(v))
      return false;
    std::string text = made_text(v);
    if (text.empty())
      return false;
    added_.push_back(v);
    return made_.emplace(v, std::move(text)).second;
  }
  // `anew`: though the value is made so, or wherever it is used.
  bool say_used(OpId op, uint32_t operand, const Sharding &s, bool anew = false) {
    const ValueId v = graph_.operands(op)[operand];
    if ((!is_plain(v) && !anew && !(all_ && is_source(v))) || taken_.contains({op, operand}) ||
        (reads_->reads_parts(op, operand) && !all_) || halos_.contains(op))
      return false;
    const auto text = used_text(op, operand, s);
    if (!text)
      return false;
    if (const auto made = made_.find(v); made != made_.end() && made->second == *text && !anew)
      return false;
    if (!may_follow(v))
      return false;
    std::vector<Used> &used = used_[v];
    const Used said{*text, way_.inside ? reads_->own_region(op, operand) : kNone};
    const auto known = std::ranges::find(used, said);
    const auto passage = static_cast<size_t>(known - used.begin());
    if (known == used.end())
      used.push_back(said);
    taken_[{op, operand}] = passage;
    if (way_.reads)
      join_readers(op, operand, passage);
    return true;
  }
  std::optional<std::string> used_text(OpId op, uint32_t operand, const Sharding &s) const {
    const ValueId v = graph_.operands(op)[operand];
    if (const Sharding *read = way_.reads ? reads_->layout(op, operand) : nullptr; read != nullptr)
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
      if (reads_->read_the_same(op, operand, use.op, use.operand) && plan_.takes_part(use.op) &&
          !halos_.contains(use.op) && !reads_->reads_parts(use.op, use.operand))
        taken_.try_emplace({use.op, use.operand}, passage);
  }

  // --- halos ---
  // What keeps halos is a statement that says the layout of its result, and which halos. It says so of users:
  // then the value that it is made of may have any layout.
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
      halos_.emplace(op, Kept{*text, has_halo(layout, *halo)});
      made_.emplace(v, text_of(layout, v).value_or(""));
      said_elsewhere_.insert(v);
      if (way_.halos)
        say_maker(op);
    }
    return {};
  }
  // That a statement is about the maker of its operand, where this is made in the same tiles.
  bool say_maker(OpId op) {
    Kept &kept = halos_.at(op);
    const ValueId operand = graph_.operands(op)[0], v = graph_.result(op);
    if (kept.of_maker || !is_plain(operand) || said_elsewhere_.contains(operand) || !kept.around ||
        used_.contains(operand) || made_text(operand) != made_.at(v))
      return kept.of_maker;
    made_.insert_or_assign(operand, made_.at(v));
    said_elsewhere_.insert(operand);
    return kept.of_maker = true;
  }
  // Whether statements about its users may follow the value: behind one that is about users already they
  // would contradict it.
  bool may_follow(ValueId v) {
    const OpId op = graph_.value(v).def;
    return !halos_.contains(op) || say_maker(op);
  }

  // Where it is made as it is read, that says more: it is heard before what is said of users.
  bool say_operand(OpId op, uint32_t operand) {
    const ValueId v = graph_.operands(op)[operand];
    const Sharding wanted = plan_.operand_sharding(op, operand);
    if (is_plain(v) && plan_.pin_of(v) == kNone && made_text(v) == text_of(wanted, v) && say_made(v))
      return true;
    return say_used(op, operand, wanted);
  }

  // What a loop begins with, or a barrier reads.
  bool say_carried(NodeId n) {
    const ops::Variable &variable = plan_.flow().variables().all()[n - graph_.ops().size()];
    const bool is_operand =
        ops::is(graph_, variable.op, ops::OpKind::loop) || ops::is(graph_, variable.op, ops::OpKind::barrier);
    return is_operand && variable.index != ops::Variable::kCondition &&
           say_used(variable.op, variable.index, plan_.operand_sharding(n, 0));
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
  void say_result(uint32_t i) {
    const OpId op = graph_.results()[i];
    const ValueId v = graph_.operands(op)[0];
    if (taken_.contains({op, 0}) || graph_.type(v).dtype == graph::DType::token)
      return;
    const Sharding layout = result_layout(plan_, i);
    if (is_plain(v) && made_text(v) == text_of(layout, v))
      say_made(v);
    say_used(op, 0, layout, is_overwriting(i) || (!is_plain(v) && !layout.is_replicated()));
  }
  // It has the layout of an argument where nothing else is said.
  bool is_overwriting(uint32_t result) const {
    for (size_t a = 0; a < graph_.arguments().size(); ++a)
      if (graph_.alias_of_argument(a) == static_cast<int32_t>(result))
        return true;
    return false;
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

  void drop_use(std::pair<OpId, uint32_t> use) {
    const ValueId v = graph_.operands(use.first)[use.second];
    const size_t passage = taken_.at(use);
    taken_.erase(use);
    const auto of_value = [&](const auto &other) {
      return graph_.operands(other.first.first)[other.first.second] == v;
    };
    if (std::ranges::any_of(taken_,
                            [&](const auto &other) { return of_value(other) && other.second == passage; }))
      return;
    std::vector<Used> &all = used_.at(v);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(passage));
    for (auto &other : taken_)
      if (of_value(other) && other.second > passage)
        --other.second;
  }
  // The layout of an annotated value is not chosen when the program is made of the plan. Where that costs a
  // move, some annotations are too many: those without which the plan is the same are left out.
  Result<std::string> say_less() {
    std::vector<std::pair<OpId, uint32_t>> uses;
    for (const auto &[use, passage] : taken_)
      uses.push_back(use);
    const size_t count = std::min(uses.size() + added_.size(), kMostDropped);
    for (size_t i = 0; i < count; ++i) {
      const auto made = made_;
      const auto used = used_;
      const auto taken = taken_;
      if (i < uses.size())
        drop_use(uses[i]);
      else
        made_.erase(added_[i - uses.size()]);
      TW_ASSIGN(Attempt now, attempt());
      if (!now.is_same_plan() || !now.read.check_results()) {
        made_ = made;
        used_ = used;
        taken_ = taken;
        continue;
      }
      TW_ASSIGN(const bool same, now.read.moves_as(*program_));
      if (same)
        return std::move(now.text);
    }
    TW_ASSIGN(const Attempt last, attempt());
    TW_ASSIGN(const std::string move, last.read.other_move(*program_));
    return fail(
        Code::unimplemented, "TW-730",
        fmt::format("annotations give the shardings of this plan, but a value that is annotated has its "
                    "layout before its users choose one, and their program would move other than the "
                    "plan's own, {}{}; emit stablehlo+sdy, loops or shard-local",
                    move, parts_note()));
  }
  // An annotated value that the plan would leave in parts.
  std::string parts_note() const {
    for (const auto &[v, text] : made_)
      if (reads_->is_in_parts(v) && plan_.pin_of(v) == kNone)
        return fmt::format(": {} is in parts that add up, and an annotated value has them added",
                           graph_.value_name(v));
    return {};
  }

  // --- the text ---
  Constraints constraints() const {
    Constraints all;
    for (const auto &[v, used] : used_)
      for (const Used &said : used)
        ++(said.region == kNone ? all.passages[v] : all.inside[said.region]);
    for (const auto &[op, kept] : halos_)
      if (!kept.around)
        all.ops.insert(op);
    return all;
  }
  stablehlo::Notes notes() const {
    stablehlo::Notes notes;
    std::map<std::string, std::string> names; // of shardings
    notes.header = grid_text(plan_.mesh());
    const auto passage = [&](const std::string &sharding, ValueId v, std::string_view clause) {
      const auto [at, fresh] = names.try_emplace(sharding, fmt::format("%sharding{}", names.size()));
      if (fresh)
        notes.definitions +=
            fmt::format("    {} = shard.sharding {} : !shard.sharding\n", at->second, sharding);
      return stablehlo::Passage{
          "shard.shard", fmt::format("to {}{} : {}", at->second, clause, graph::to_text(graph_.type(v)))};
    };
    for (const auto &[v, sharding] : made_)
      if (!said_elsewhere_.contains(v))
        notes.made[v] = passage(sharding, v, "");
    for (const auto &[op, kept] : halos_)
      notes.instead[op] = passage(kept.text, graph_.result(op), kept.of_maker ? "" : " annotate_for_users");
    for (const auto &[v, used] : used_)
      for (const Used &said : used) {
        if (said.region != kNone)
          notes.inside[said.region].emplace_back(v, notes.used[v].size());
        notes.used[v].push_back(passage(said.text, v, " annotate_for_users"));
      }
    notes.taken = taken_;
    return notes;
  }

  // --- what cannot be said ---
  Result<std::string> refuse(const Attempt &tried) const {
    const auto n = static_cast<NodeId>(std::ranges::find(tried.differs, true) - tried.differs.begin());
    return fail(Code::unimplemented, "TW-730",
                fmt::format("no annotations of values give this plan: {} runs {} here, and {} where all that "
                            "it reads and makes is annotated{}; emit stablehlo+sdy or loops, or tile what it "
                            "reads by an action",
                            partition::node_text(plan_, n), loops_text(plan_, n), tried.read.loops_text_of(n),
                            unsaid(plan_, *reads_, n)));
  }

  const Plan &plan_;
  const graph::Graph &graph_;
  const Way way_;
  std::shared_ptr<const spmd::Program> program_;
  std::optional<Reads> reads_; // of program_
  bool all_ =
      false; // in the end also what may cost a move: parts that add up, what each user makes for itself
  std::map<ValueId, std::string> made_;       // what is said of makers
  std::map<ValueId, std::vector<Used>> used_; // and of users, one for those that want the same
  std::map<std::pair<OpId, uint32_t>, size_t> taken_;
  std::map<OpId, Kept> halos_;       // what keeps halos
  std::set<ValueId> said_elsewhere_; // of made_, by such a statement
  std::vector<ValueId> added_;       // to made_, for what propagation does not find
};

} // namespace

Result<std::string> to_annotated_text(const Plan &plan, bool says_all) {
  if (plan.mesh().num_axes() == 0)
    return stablehlo::to_text(plan.graph());
  TW_TRY(check_mesh(plan.mesh()));
  std::optional<Result<std::string>> first;
  for (Way way : kWays) {
    way.all = says_all;
    auto text = Annotator(plan, way).run();
    if (text)
      return text;
    if (!first)
      first.emplace(std::move(text));
  }
  return *std::move(first);
}

} // namespace tw::emit::shard
