// SPDX-License-Identifier: Apache-2.0
// A sum over devices of one process that only the fused step behind it reads, and that this step computes
// once for all of them, needs no array: the step reads what the devices hold, and the collective is no step
// any more. That saves a pass: an optimizer's update reads its gradients' parts.
#include <algorithm>

#include "kernels/ref/combiner.hpp"
#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

using spmd::ValueRef;

class Sums {
public:
  explicit Sums(Scheduling &s)
      : steps_(s.schedule.steps), places_(s.places), runs_(s.straight_runs()), program_(s.program),
        layouts_(s.layouts), roles_(s.roles), readers_(count_readers(s.program, {steps_}, s.roles.views())) {}

  void run() {
    if (!program_.mesh().loop_axes().empty()) // then devices share nothing
      return;
    size_t kept = 0;
    for (size_t s = 0; s < steps_.size(); ++s) {
      if (s + 1 < steps_.size() && runs_[s] == runs_[s + 1] && take_in(steps_[s], steps_[s + 1]))
        continue;
      if (kept != s) {
        steps_[kept] = std::move(steps_[s]);
        places_[kept] = places_[s];
      }
      ++kept;
    }
    steps_.resize(kept);
    places_.resize(kept);
  }

private:
  const sharding::Sharding &sharding(ValueRef v) const {
    return program_.sharding(program_.values()[v].sharding);
  }

  // The axis along which this is a sum, or another combination, of whole tiles.
  std::optional<sharding::AxisId> combined_axis(const Step &step) const {
    if (step.kind != Step::Kind::collective || step.operands.size() != 1 || step.results.size() != 1)
      return {};
    if (!program_.collectives()[program_.instrs()[step.instrs[0]].index].moves[0]->is_straight())
      return {}; // adds in another order
    const ValueRef from = step.operands[0], to = step.results[0];
    const sharding::Sharding &parts = sharding(from), &whole = sharding(to);
    if (parts.partial.size() != 1 || !whole.partial.empty() || parts.dims != whole.dims ||
        layouts_.of(from) != layouts_.of(to) || !roles_.view(from).offset.empty())
      return {};
    const auto [axis, kind] = parts.partial[0];
    if (kind == sharding::Reduction::pick)
      return {};
    const kernels::BlockFn by =
        kernels::ref::combiner(kind, program_.type(to).dtype).of(program_.mesh().size(axis));
    return by != nullptr ? std::optional(axis) : std::nullopt;
  }

  bool is_whole(ValueRef v, sharding::AxisId axis) const {
    return !sharding(v).uses(axis) && sharding(v).find_partial(axis) == nullptr;
  }

  bool take_in(const Step &collective, Step &step) const {
    const auto axis = combined_axis(collective);
    const bool is_chain = step.kind == Step::Kind::chain;
    if (!axis || (step.kind != Step::Kind::fused && !is_chain) || readers_[collective.results[0]] != 1)
      return false;
    const auto whole = [&](ValueRef v) { return is_whole(v, *axis); };
    if (!std::ranges::all_of(step.results, whole) || !std::ranges::all_of(step.operands, whole) ||
        !std::ranges::all_of(step.reads, whole, &FusedRead::value))
      return false;
    const ValueRef sum = collective.results[0];
    FusedRead *read = find_read(is_chain ? find_member(step, sum) : &step, sum);
    if (read == nullptr)
      return false;
    read->value = collective.operands[0];
    read->combined = axis;
    read->from_zero = roles_.from_zero(read->value);
    if (is_chain) {
      std::erase(step.operands, sum);
      step.reads.push_back(*read);
    }
    return true;
  }

  // The only member of a chain that reads it, which is fused; null: there is none, or another.
  Step *find_member(Step &chain, ValueRef v) const {
    Step *found = nullptr;
    for (Step &member : chain.members) {
      bool reads = false;
      member.each_read([&](ValueRef read) { reads = reads || roles_.view(read).root == v; });
      if (reads && (found != nullptr || member.kind != Step::Kind::fused))
        return nullptr;
      found = reads ? &member : found;
    }
    return found;
  }

  // How a fused step reads it, once and element by element; null: in another way.
  FusedRead *find_read(Step *step, ValueRef v) const {
    FusedRead *found = nullptr;
    for (FusedRead &read : step != nullptr ? std::span(step->reads) : std::span<FusedRead>()) {
      if (read.constant || roles_.view(read.value).root != v)
        continue;
      if (found != nullptr || read.value != v || !read.is_identity() || layouts_.of(v) != step->space)
        return nullptr;
      found = &read;
    }
    return found;
  }

  std::vector<Step> &steps_;
  std::vector<uint32_t> &places_;
  const std::vector<uint32_t> runs_;
  const spmd::Program &program_;
  const Layouts &layouts_;
  const Roles &roles_;
  const std::vector<uint32_t> readers_; // by root
};

} // namespace

// A step combines for all devices only where they run it together.
void fuse_sums(Scheduling &s) {
  if (s.options.process.empty() && s.does("share_replicated"))
    Sums(s).run();
}

} // namespace tw::runtime
