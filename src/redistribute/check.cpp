// SPDX-License-Identifier: Apache-2.0
// Runs the parts of the checker; first of them that a plan's arrays can be trusted at all.
#include "redistribute/check.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "redistribute/check_parts.hpp"

namespace tw::redistribute {

using sharding::Box;

int64_t elements(BoxView box) {
  if (std::ranges::find(box.extent, 0) != box.extent.end())
    return 0;
  int64_t product = 1;
  for (const int64_t n : box.extent)
    product *= n;
  return product;
}

bool contains(BoxView outer, BoxView inner) {
  for (size_t i = 0; i < inner.offset.size(); ++i)
    if (inner.offset[i] < outer.offset[i] || inner.end(i) > outer.end(i))
      return false;
  return true;
}

int64_t overlap(BoxView a, BoxView b) {
  int64_t product = 1;
  for (size_t i = 0; i < a.offset.size(); ++i) {
    const int64_t size = std::min(a.end(i), b.end(i)) - std::max(a.offset[i], b.offset[i]);
    if (size <= 0)
      return 0;
    product *= size; // of a part of both: no more than the array has
  }
  return product;
}

std::string to_text(BoxView box) {
  std::string text = "[";
  for (size_t i = 0; i < box.offset.size(); ++i)
    text += fmt::format("{}{}:{}", i == 0 ? "" : ", ", box.offset[i], box.end(i));
  return text + "]";
}

namespace {

// Whether a box lies in the global array, said without a sum that could wrap.
bool lies_in(const graph::Shape &shape, BoxView box, int64_t least_extent) {
  for (size_t i = 0; i < shape.size(); ++i)
    if (box.extent[i] < least_extent || box.offset[i] < 0 || box.extent[i] > shape[i] ||
        box.offset[i] > shape[i] - box.extent[i])
      return false;
  return true;
}

// Starts of rows: from 0, each row at least `least` long, to `total`.
bool are_starts(std::span<const uint32_t> starts, size_t rows, uint32_t least, size_t total) {
  if (starts.empty())
    return rows == 0 && total == 0;
  if (starts.size() != rows + 1 || starts.front() != 0 || starts.back() != total)
    return false;
  for (size_t i = 0; i < rows; ++i)
    if (starts[i] > starts[i + 1] || starts[i + 1] - starts[i] < least)
      return false;
  return true;
}

void check_step_form(const Plan &plan, size_t s, Findings &findings) {
  const Step &step = plan.steps[s];
  const Problem &problem = *plan.problem;
  const size_t devices = problem.num_devices(), rank = problem.rank(), pieces = step.num_pieces();
  if (static_cast<size_t>(step.kind) >= kNumKinds)
    findings.add("step {}: kind {} does not exist", s, static_cast<int>(step.kind));
  if (step.reduction > sharding::Reduction::pick)
    findings.add("step {}: reduction {} does not exist", s, static_cast<int>(step.reduction));
  if (step.target == 0 || step.target >= plan.buffers.size())
    findings.add("step {} writes buffer {}, and only 1 to {} may be written", s, step.target,
                 plan.buffers.size() - 1);
  const size_t before = findings.count();
  if (step.first_piece.size() != devices + 1 || !are_starts(step.first_piece, devices, 0, pieces))
    findings.add("step {}: first_piece does not share {} pieces among {} devices", s, pieces, devices);
  if (!are_starts(step.first_source, pieces, 1, step.sources.size()))
    findings.add("step {}: first_source does not give each of {} pieces some of {} sources", s, pieces,
                 step.sources.size());
  if (step.bounds.size() != 2 * rank * pieces)
    findings.add("step {}: {} bounds, and {} pieces of rank {} have {}", s, step.bounds.size(), pieces, rank,
                 2 * rank * pieces);
  if (findings.count() != before)
    return;
  for (size_t d = 0; d < devices; ++d)
    for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece)
      if (!lies_in(problem.type().dims, piece_of(step, rank, piece), 1))
        findings.add("step {}, device {}: piece {} is empty or not inside the array", s,
                     problem.device_id(static_cast<Device>(d)), piece - step.first_piece[d]);
  for (const Source &source : step.sources)
    if (source.device < 0 || static_cast<size_t>(source.device) >= devices ||
        source.buffer >= plan.buffers.size())
      findings.add("step {}: no source is device {}, buffer {}", s, source.device, source.buffer);
}

} // namespace

bool check_form(const Plan &plan, Findings &findings) {
  const Problem &problem = *plan.problem;
  if (plan.method == Method::automatic || plan.method > Method::vector)
    findings.add("method {} is not one of a plan", static_cast<int>(plan.method));
  if (plan.fig11_cost < 0)
    findings.add("a negative cost is claimed: {}", plan.fig11_cost);
  if (plan.buffers.size() < 2) {
    findings.add("{} buffers: source and target at least are expected", plan.buffers.size());
    return false;
  }
  for (size_t b = 0; b < plan.buffers.size(); ++b) {
    const Placement &tiles = plan.buffers[b];
    if (tiles.rank() != problem.rank() || tiles.num_devices() != problem.num_devices()) {
      findings.add("buffer {} has tiles of rank {} for {} devices, and expected are {} and {}", b,
                   tiles.rank(), tiles.num_devices(), problem.rank(), problem.num_devices());
      continue;
    }
    for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
      if (!lies_in(problem.type().dims, tile_of(plan, b, d), 0))
        findings.add("buffer {}, device {}: its tile is not inside the array", b, problem.device_id(d));
  }
  for (size_t s = 0; s < plan.steps.size(); ++s)
    check_step_form(plan, s, findings);
  return findings.none();
}

void check_ends(const Plan &plan, Findings &findings) {
  const Problem &problem = *plan.problem;
  const auto compare = [&](size_t buffer, const char *what, Device d, const Box &expected) {
    const BoxView tile = tile_of(plan, buffer, d), wanted{expected.offset, expected.extent};
    if (elements(tile) == 0 && elements(wanted) == 0)
      return; // an empty tile lies nowhere
    if (!std::ranges::equal(tile.offset, wanted.offset) || !std::ranges::equal(tile.extent, wanted.extent))
      findings.add("buffer {}, device {}: tile {}, and the {} layout gives {}", buffer, problem.device_id(d),
                   to_text(tile), what, to_text(wanted));
  };
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d) {
    compare(0, "source", d, problem.src_box(d));
    compare(plan.target(), "target", d, problem.dst_box(d));
  }
}

namespace {

int64_t largest_end_tile(const Plan &plan) {
  int64_t most = 0;
  for (Device d = 0; static_cast<size_t>(d) < plan.problem->num_devices(); ++d)
    most = std::max({most, elements(tile_of(plan, 0, d)), elements(tile_of(plan, plan.target(), d))});
  return most;
}

// Direct plans and those by levels are exact where every device receives what it lacks and nothing else.
void check_exact_exchange(const Plan &plan, const Tally &tally, Findings &findings) {
  const Problem &problem = *plan.problem;
  if (!problem.combined().empty())
    findings.add("exact is claimed, and no proof is known where partial values are combined");
  else
    for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d) {
      const BoxView target = tile_of(plan, plan.target(), d);
      const int64_t lacks = (elements(target) - overlap(tile_of(plan, 0, d), target)) * problem.item_size();
      if (const int64_t received = tally.received[static_cast<size_t>(d)]; received != lacks)
        findings.add("exact is claimed, and device {} lacks {} bytes and receives {}", problem.device_id(d),
                     lacks, received);
    }
}

void check_exact(const Plan &plan, const Tally &tally, const CheckOptions &options, CheckReport &report,
                 Findings &findings) {
  if (plan.method != Method::scalar && plan.method != Method::vector) {
    const size_t before = findings.count();
    check_exact_exchange(plan, tally, findings);
    report.certificate = findings.count() == before;
    return;
  }
  const int64_t cap =
      options.height_bytes ? *options.height_bytes / std::max<int64_t>(plan.problem->item_size(), 1) : 0;
  switch (check_certificate(plan, std::max(cap, largest_end_tile(plan)), findings)) {
  case Verdict::verified: report.certificate = true; break;
  case Verdict::refuted: break;
  case Verdict::too_long: report.unverified = "certificate not verified: too many paths"; break;
  }
}

} // namespace

CheckReport check(const Plan &plan, const CheckOptions &options) {
  CheckReport report;
  Findings findings(report.failures);
  if (plan.problem == nullptr) {
    findings.add("a plan without a problem");
    return report;
  }
  if (!check_form(plan, findings))
    return report;
  check_ends(plan, findings);
  check_replay(plan, findings);
  const Tally found = tally(plan);
  report.send_balance = found.send_balance;
  check_labels(plan, found, findings);
  check_cost(plan, found, options, findings);
  const bool right = findings.none();
  if (plan.method == Method::scalar || plan.method == Method::vector)
    check_sequence(plan, findings);
  if (plan.exact && findings.none())
    check_exact(plan, found, options, report, findings);
  if (right)
    report.moved = check_move(plan, options.move_elements, findings);
  return report;
}

namespace {

void add(Hasher &hash, const Layout &layout) {
  hash.add(layout.mesh.num_axes());
  for (const sharding::Axis &axis : layout.mesh.axes())
    hash.add(std::string_view(axis.name)).add(axis.size);
  hash.add(layout.mesh.device_ids());
  hash.add(sharding::hash_value(layout.sharding));
}

} // namespace

uint64_t hash_value(const Plan &plan) {
  const Problem &problem = *plan.problem;
  Hasher hash;
  hash.add(problem.type().dtype).add(std::span(problem.type().dims));
  add(hash, problem.src());
  add(hash, problem.dst());
  hash.add(plan.buffers.size());
  for (const Placement &tiles : plan.buffers) {
    hash.add(tiles.rank()).add(tiles.num_devices());
    for (Device d = 0; static_cast<size_t>(d) < tiles.num_devices(); ++d)
      hash.add(tiles.offset(d)).add(tiles.extent(d));
  }
  hash.add(plan.steps.size());
  for (const Step &step : plan.steps) {
    hash.add(step.kind).add(step.target).add(step.reduction);
    hash.add(std::span(step.first_piece)).add(std::span(step.bounds)).add(std::span(step.first_source));
    for (const Source &source : step.sources)
      hash.add(source.device).add(source.buffer);
  }
  return hash.value();
}

} // namespace tw::redistribute
