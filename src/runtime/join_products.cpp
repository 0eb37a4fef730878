// SPDX-License-Identifier: Apache-2.0
// A product and the one op that alone reads what it makes are one step where the devices have a kernel for
// both: a sum, a bias or a conversion is made while the product is stored, which saves a pass over its
// result.
//
// Chains come first: in a row of a chain such an op costs no pass either. The order between processes is made
// before, since each of them asks its own devices. The group comes to the product's place, so what it reads
// has to be there, and what it might be written over must not be read behind it.
#include <algorithm>
#include <optional>

#include "ops/registry.hpp"
#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

using spmd::ValueRef;

constexpr uint32_t kMostBetween = 64; // steps between a product and its group

class Products {
public:
  explicit Products(Scheduling &s)
      : s_(s), steps_(s.schedule.steps), places_(s.places), runs_(s.straight_runs()), roles_(s.roles),
        readers_(count_readers(s.program, {steps_}, s.roles.views())),
        last_reader_(s.program.values().size(), graph::kNone) {
    for (uint32_t i = 0; i < steps_.size(); ++i)
      steps_[i].each_read([&](ValueRef v) { last_reader_[root(v)] = i; });
  }

  void run() {
    for (uint32_t i = 0; i < steps_.size(); ++i)
      if (const uint32_t group = find_group(i); group != graph::kNone)
        if (Step both = joined(steps_[i], steps_[group]); s_.options.has_product(both)) {
          steps_[i] = std::move(both);
          is_gone_[group] = true;
        }
    drop();
  }

private:
  ValueRef root(ValueRef v) const { return roles_.view(v).root; }

  // The group that may join a step; kNone: none.
  uint32_t find_group(uint32_t i) const {
    const Step &product = steps_[i];
    if (product.kind != Step::Kind::kernel || product.results.size() != 1 ||
        !ops::is(s_.program.graph(), s_.program.instrs()[product.instrs[0]].op, ops::OpKind::dot))
      return graph::kNone;
    const ValueRef made = product.results[0];
    const uint32_t at = last_reader_[made];
    if (root(made) != made || readers_[made] != 1 || at == graph::kNone || at <= i || is_gone_[at] ||
        at - i > kMostBetween + 1 || runs_[at] != runs_[i] || !takes(steps_[at], made))
      return graph::kNone;
    for (uint32_t between = i + 1; between < at; ++between)
      if (holds_up(steps_[between], steps_[at]))
        return graph::kNone;
    return keeps_donations(i, at) ? at : graph::kNone;
  }

  // One op of one result that reads the product element by element.
  bool takes(const Step &group, ValueRef made) const {
    if (group.kind != Step::Kind::fused || group.instrs.size() != 1 || !group.again.empty() ||
        group.results.size() != 1 || s_.layouts.of(made) != group.space)
      return false;
    return std::ranges::all_of(group.reads, [&](const FusedRead &read) {
      const bool is_made = root(read.value) == made;
      return !read.constant && !read.combined && (!is_made || (read.value == made && read.is_identity()));
    });
  }

  // The group cannot run before this step.
  bool holds_up(const Step &step, const Step &group) const {
    const auto is_read = [&](ValueRef v) {
      return std::ranges::any_of(group.reads,
                                 [&](const FusedRead &read) { return root(read.value) == root(v); });
    };
    return std::ranges::any_of(step.results, is_read) ||
           (step.kind == Step::Kind::await && std::ranges::any_of(step.operands, is_read));
  }

  // The argument over which the group may be written is not read by the product, nor until the group.
  bool keeps_donations(uint32_t first, uint32_t group) const {
    return std::ranges::all_of(s_.schedule.donations, [&](const Donation &d) {
      bool reads = false;
      for (uint32_t i = first; root(d.made) == steps_[group].results[0] && i < group; ++i)
        steps_[i].each_read([&](ValueRef v) { reads = reads || root(v) == root(d.given); });
      return !reads;
    });
  }

  static Step joined(const Step &product, const Step &group) {
    Step both{};
    both.kind = Step::Kind::product;
    both.instrs = {product.instrs[0], group.instrs[0]};
    both.results = group.results;
    both.operands = product.operands;
    for (const FusedRead &read : group.reads)
      if (read.value != product.results[0])
        both.operands.push_back(read.value);
    both.space = group.space;
    both.members = {product, group};
    return both;
  }

  // Steps that joined others go; collectives and those that wait for them find each other again.
  void drop() {
    std::vector<uint32_t> now(steps_.size());
    uint32_t kept = 0;
    for (uint32_t i = 0; i < steps_.size(); ++i) {
      now[i] = kept;
      if (is_gone_[i])
        continue;
      if (kept != i) {
        steps_[kept] = std::move(steps_[i]);
        places_[kept] = places_[i];
      }
      ++kept;
    }
    steps_.resize(kept);
    places_.resize(kept);
    for (Step &step : steps_)
      if (step.awaited != graph::kNone)
        step.awaited = now[step.awaited];
  }

  Scheduling &s_;
  std::vector<Step> &steps_;
  std::vector<uint32_t> &places_;
  const std::vector<uint32_t> runs_;
  const Roles &roles_;
  const std::vector<uint32_t> readers_; // by root
  std::vector<uint32_t> last_reader_;   // by root: a step
  std::vector<bool> is_gone_ = std::vector<bool>(steps_.size());
};

} // namespace

void join_products(Scheduling &s) {
  if (s.options.has_product)
    Products(s).run();
}

} // namespace tw::runtime
