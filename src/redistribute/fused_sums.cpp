// SPDX-License-Identifier: Apache-2.0
// Puts the sources of a sum in the place of its share.
#include "redistribute/fused_sums.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "redistribute/step_builder.hpp"

namespace tw::redistribute {

namespace {

using sharding::Box;

template <class Visit> void each_piece(const Step &step, Device d, Visit visit) {
  for (size_t p = step.first_piece[static_cast<size_t>(d)]; p < step.first_piece[static_cast<size_t>(d) + 1];
       ++p)
    visit(p);
}

// Every piece that many want names all whom it sums: of N devices that all want a sum N^3 altogether.
constexpr size_t kMostSources = 1 << 20;

bool sums(const Step &step) { return step.sources.size() > step.num_pieces(); }

bool reads(const Step &step, uint32_t buffer) {
  for (const Source &source : step.sources)
    if (source.buffer == buffer)
      return true;
  return false;
}

// Both steps as one; none where `copies` does anything else than copy what `made` has made, or they are too
// many.
std::optional<Step> fuse(const Step &made, const Step &copies, const Problem &problem) {
  if (!sums(made) || sums(copies))
    return {};
  const size_t rank = problem.rank();
  StepBuilder fused(problem);
  size_t num_sources = 0;
  const auto add = [&](Device to, const Box &box, std::span<const Source> from) {
    fused.add(to, box, from);
    num_sources += from.size();
  };
  bool possible = true;
  for (Device d = 0; possible && static_cast<size_t>(d) < problem.num_devices(); ++d) {
    if (copies.target == made.target)
      each_piece(made, d, [&](size_t p) { add(d, made.box(p, rank), made.sources_of(p)); });
    each_piece(copies, d, [&](size_t p) {
      const Source from = copies.sources_of(p)[0];
      const Box wanted = copies.box(p, rank);
      int64_t found = 0;
      if (from.buffer == made.target)
        each_piece(made, from.device, [&](size_t m) {
          const Box part = intersect(wanted, made.box(m, rank));
          if (!part.empty())
            add(d, part, made.sources_of(m));
          found += part.elements();
        });
      possible = possible && found == wanted.elements();
    });
    possible = possible && num_sources <= kMostSources;
  }
  if (!possible)
    return {};
  return fused.finish(copies.target, made.reduction);
}

} // namespace

std::shared_ptr<const Plan> fuse_sums(std::shared_ptr<const Plan> plan) {
  std::vector<Step> steps;
  bool fused = false;
  const std::vector<Step> &all = plan->steps.read();
  for (size_t s = 0; s < all.size(); ++s) {
    std::optional<Step> both;
    if (s + 1 < all.size())
      both = fuse(all[s], all[s + 1], *plan->problem);
    for (size_t later = s + 2; both && all[s].target != all[s + 1].target && later < all.size(); ++later)
      if (reads(all[later], all[s].target))
        both.reset();
    fused = fused || both;
    s += both ? 1 : 0;
    if (both)
      steps.push_back(*std::move(both));
    else
      steps.push_back(all[s]);
  }
  if (!fused)
    return plan;
  auto made = std::make_shared<Plan>(*plan);
  made->steps = Steps(std::move(steps));
  return made;
}

} // namespace tw::redistribute
