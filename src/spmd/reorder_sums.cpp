// SPDX-License-Identifier: Apache-2.0
// Adds up in another order where several terms of a sum are all_reduced alike and others stand between them:
// (r + p) + q becomes r + (p + q), so that `simplify` reduces p + q and not each of them.
#include <algorithm>
#include <map>
#include <tuple>

#include "spmd/check_sums.hpp"
#include "spmd/rewrite.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;

class Reorderer {
public:
  explicit Reorderer(Lowering &lowering)
      : lowering_(lowering), program_(*lowering.program), readers_(program_.values_.size(), 0),
        reader_(program_.values_.size(), kNone), body_(find_bodies(program_)),
        taken_(program_.instrs_.size(), false) {
    for (uint32_t i = 0; i < program_.instrs_.size(); ++i)
      for (const ValueRef v : operands(i)) {
        ++readers_[v];
        reader_[v] = i;
      }
  }

  void run() {
    for (uint32_t i = 0; i < program_.instrs_.size(); ++i)
      if (is_sum(i) && !is_term_of_sum(i))
        reorder(i);
    if (adds_.empty())
      return;
    Rewrite rewrite(lowering_);
    for (uint32_t i = 0; i < taken_.size(); ++i) {
      if (const auto found = adds_.find(i); found != adds_.end())
        for (const uint32_t add : found->second)
          rewrite.copy(add);
      if (!taken_[i])
        rewrite.copy(i);
    }
  }

private:
  // How a term is reduced: from which layout to which; the same numbers for no reduction.
  using How = std::pair<ShardingId, ShardingId>;
  struct Term {
    ValueRef v;
    How how;
  };

  std::span<ValueRef> operands(uint32_t i) {
    const Instr &instr = program_.instrs_[i];
    return {program_.operand_refs_.data() + instr.first_operand, instr.num_operands};
  }
  ShardingId layout(ValueRef v) const { return program_.values_[v].sharding; }

  bool is_sum(uint32_t i) const {
    const Instr &instr = program_.instrs_[i];
    return instr.kind == InstrKind::compute && is_addition(program_.graph(), instr.op) &&
           instr.reduce_axes.empty();
  }
  // An addition of which nobody reads the result but another one.
  bool is_term_of_sum(uint32_t i) const {
    const ValueRef v = program_.instrs_[i].first_result;
    return readers_[v] == 1 && is_sum(reader_[v]) && body_[reader_[v]] == body_[i];
  }

  How reduced_how(ValueRef v, uint32_t reader) {
    const How none{layout(v), layout(v)};
    const uint32_t maker = program_.values_[v].def;
    const Instr &instr = program_.instrs_[maker];
    if (instr.kind != InstrKind::collective || instr.num_operands != 1 || readers_[v] != 1 ||
        body_[maker] != body_[reader])
      return none;
    const redistribute::Summary &summary = program_.collectives_[instr.index].summary;
    return summary.kind == redistribute::Kind::all_reduce && summary.reduction == sharding::Reduction::sum
               ? How(layout(operands(maker)[0]), layout(v))
               : none;
  }

  void reorder(uint32_t root) {
    std::vector<Term> terms;    // in their order
    std::vector<uint32_t> adds; // that add them up
    std::vector<ValueRef> stack{program_.instrs_[root].first_result};
    while (!stack.empty()) {
      const ValueRef v = stack.back();
      stack.pop_back();
      const uint32_t maker = program_.values_[v].def;
      if (is_sum(maker) && (maker == root || (is_term_of_sum(maker) && body_[maker] == body_[root]))) {
        adds.push_back(maker);
        stack.push_back(operands(maker)[1]);
        stack.push_back(operands(maker)[0]);
      } else {
        terms.push_back({v, reduced_how(v, root)});
      }
    }
    std::map<How, std::vector<ValueRef>> alike;
    for (const Term &term : terms)
      if (term.how.first != term.how.second)
        alike[term.how].push_back(term.v);
    if (std::ranges::all_of(alike, [&](const auto &entry) {
          return added_together(entry.second, root) + 1 >= std::ssize(entry.second);
        }))
      return;
    write(root, terms, alike, std::move(adds));
  }

  // How many of the additions below have only these terms on both sides.
  ptrdiff_t added_together(std::span<const ValueRef> terms, uint32_t root) {
    std::vector<ValueRef> sums(terms.begin(), terms.end());
    const auto has = [&](ValueRef v) { return std::ranges::find(sums, v) != sums.end(); };
    ptrdiff_t count = 0;
    for (size_t i = 0; i < sums.size(); ++i) { // grows by what is added up of them
      const uint32_t add = reader_[sums[i]];
      if (!is_sum(add) || !has(operands(add)[0]) || !has(operands(add)[1]) ||
          has(program_.instrs_[add].first_result))
        continue;
      ++count;
      if (add != root)
        sums.push_back(program_.instrs_[add].first_result);
      else
        break;
    }
    return count;
  }

  // The same additions with other operands, in front of the last of them: those that are reduced alike, where
  // the last of them was.
  void write(uint32_t root, std::span<const Term> terms, std::map<How, std::vector<ValueRef>> &alike,
             std::vector<uint32_t> adds) {
    std::ranges::sort(adds); // the root is the last
    size_t next = 0;
    const auto add = [&](ValueRef a, ValueRef b) {
      const uint32_t i = adds[next++];
      operands(i)[0] = a;
      operands(i)[1] = b;
      return program_.instrs_[i].first_result;
    };
    ValueRef all = kNone;
    for (const Term &term : terms) {
      ValueRef v = term.v;
      if (const auto group = alike.find(term.how); group != alike.end()) {
        if (v != group->second.back())
          continue;
        v = group->second[0];
        for (size_t i = 1; i < group->second.size(); ++i)
          v = add(v, group->second[i]);
      }
      all = all == kNone ? v : add(all, v);
    }
    for (const uint32_t i : adds)
      taken_[i] = true;
    adds_[root] = std::move(adds);
  }

  Lowering &lowering_;
  Program &program_;
  std::vector<uint32_t> readers_, reader_;         // per value: how many, and the last
  std::vector<uint32_t> body_;                     // per instruction
  std::vector<bool> taken_;                        // per instruction: stands elsewhere
  std::map<uint32_t, std::vector<uint32_t>> adds_; // in front of what they stand
};

} // namespace

Status reorder_sums(Lowering &lowering) {
  const auto reduces = [](const Collective &c) { return c.summary.kind == redistribute::Kind::all_reduce; };
  if (std::ranges::count_if(lowering.program->collectives(), reduces) > 1)
    Reorderer(lowering).run();
  return {};
}

} // namespace tw::spmd
