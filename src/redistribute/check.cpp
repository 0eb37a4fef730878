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

int64_t distinct_elements(const Layout &layout, const graph::Shape &shape, BoxView tile) {
  int64_t product = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t along = 0;
    for (const sharding::Interval part : elements_of(layout.halo(d), shape[d], {tile.offset[d], tile.end(d)}))
      along += part.size();
    product *= along;
  }
  return product;
}

sharding::Interval valid_part(const sharding::Halo &halo, int64_t n, BoxView tile, size_t d) {
  if (halo.wraps() && n > 0)
    return {tile.offset[d], tile.end(d)};
  return {std::max<int64_t>(tile.offset[d], 0), std::min(tile.end(d), n)};
}

std::string to_text(BoxView box) {
  std::string text = "[";
  for (size_t i = 0; i < box.offset.size(); ++i)
    text += fmt::format("{}{}:{}", i == 0 ? "" : ", ", box.offset[i], box.end(i));
  return text + "]";
}

namespace {

// Whether a box lies in the array and the halos around it, said without a sum that could wrap.
bool lies_in(const Problem &problem, BoxView box, int64_t least_extent) {
  for (size_t i = 0; i < problem.rank(); ++i) {
    const sharding::Halo a = problem.src().halo(i), b = problem.dst().halo(i);
    const int64_t begin = -std::max(a.before, b.before),
                  end = problem.type().dims[i] + std::max(a.after, b.after);
    if (box.extent[i] < least_extent || box.offset[i] < begin || box.extent[i] > end - begin ||
        box.offset[i] > end - box.extent[i])
      return false;
  }
  return true;
}

// Nor may a step write where the target ends and has zeros.
bool may_be_written(const Problem &problem, BoxView box) {
  for (size_t i = 0; i < problem.rank(); ++i)
    if (const auto part = valid_part(problem.dst().halo(i), problem.type().dims[i], box, i);
        part != sharding::Interval{box.offset[i], box.end(i)})
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
  else if (plan.find_image(step.target) != nullptr)
    findings.add("step {} writes buffer {}, which is an image of buffer {}", s, step.target,
                 plan.memory_of(step.target));
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
      if (const BoxView box = piece_of(step, rank, piece);
          !lies_in(problem, box, 1) || !may_be_written(problem, box))
        findings.add("step {}, device {}: piece {} is empty or not inside the array", s,
                     problem.device_id(static_cast<Device>(d)), piece - step.first_piece[d]);
  for (const Source &source : step.sources)
    if (source.device < 0 || static_cast<size_t>(source.device) >= devices ||
        source.buffer >= plan.buffers.size())
      findings.add("step {}: no source is device {}, buffer {}", s, source.device, source.buffer);
}

void check_images(const Plan &plan, Findings &findings) {
  const Problem &problem = *plan.problem;
  for (size_t i = 0; i < plan.images.size(); ++i) {
    const auto &[buffer, of, shift] = plan.images[i];
    if (buffer == 0 || buffer >= plan.target() || (i > 0 && buffer <= plan.images[i - 1].buffer) ||
        (of != 0 && of != plan.target()) || shift.size() != problem.rank()) {
      findings.add("image {} is buffer {}, of buffer {}, in {} dimensions: no such image", i, buffer, of,
                   shift.size());
      continue;
    }
    for (size_t d = 0; d < shift.size(); ++d) {
      const int64_t n = problem.type().dims[d];
      if (shift[d] != 0 && (!problem.wraps(d) || n == 0 || shift[d] % n != 0))
        findings.add("buffer {} is seen from {} away along dimension {} of {} elements", buffer, shift[d], d,
                     n);
    }
    const Placement &tiles = plan.buffers[buffer], &from = plan.buffers[of];
    for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
      for (size_t dim = 0; dim < problem.rank(); ++dim) {
        int64_t there = 0;
        if (__builtin_add_overflow(from.offset(d)[dim], shift[dim], &there) ||
            tiles.offset(d)[dim] != there || tiles.extent(d)[dim] != from.extent(d)[dim])
          findings.add("buffer {}, device {}: not the tile of buffer {} seen from {} away", buffer,
                       problem.device_id(d), of, shift[dim]);
      }
  }
}

} // namespace

bool check_form(const Plan &plan, Findings &findings) {
  const Problem &problem = *plan.problem;
  if (plan.method == Method::automatic || plan.method > Method::stated)
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
      if (plan.find_image(static_cast<uint32_t>(b)) == nullptr && !lies_in(problem, tile_of(plan, b, d), 0))
        findings.add("buffer {}, device {}: its tile is not inside the array", b, problem.device_id(d));
  }
  if (findings.none())
    check_images(plan, findings);
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

bool is_equal(BoxView a, BoxView b) {
  return std::ranges::equal(a.offset, b.offset) && std::ranges::equal(a.extent, b.extent);
}

} // namespace

HeldTiles::HeldTiles(const Plan &plan) : all_(plan.problem->lost().empty()) {
  for (Device d = 0; static_cast<size_t>(d) < plan.problem->num_devices() && !all_; ++d)
    if (const BoxView tile = tile_of(plan, 0, d); elements(tile) != 0)
      tiles_.push_back(tile);
  std::ranges::sort(tiles_, [](const BoxView &a, const BoxView &b) {
    return std::ranges::lexicographical_compare(a.offset, b.offset);
  });
  tiles_.erase(std::unique(tiles_.begin(), tiles_.end(), is_equal), tiles_.end());
}

int64_t HeldTiles::count(BoxView tile) const {
  if (all_)
    return elements(tile);
  int64_t held = 0;
  for (const BoxView &other : tiles_)
    held += overlap(tile, other);
  return held;
}

bool HeldTiles::contains(std::span<const int64_t> index) const {
  const std::vector<int64_t> one(index.size(), 1);
  return all_ || count({index, one}) != 0;
}

namespace {

int64_t largest_end_tile(const Plan &plan) {
  int64_t most = 0;
  for (Device d = 0; static_cast<size_t>(d) < plan.problem->num_devices(); ++d)
    most = std::max({most, elements(tile_of(plan, 0, d)), elements(tile_of(plan, plan.target(), d))});
  return most;
}

// How many elements of its target tile a device does not hold, and another does.
int64_t lacking(const Problem &problem, const HeldTiles &held_tiles, BoxView source, BoxView target) {
  if (!problem.has_halos())
    return held_tiles.count(target) - overlap(source, target);
  int64_t held = 1;
  for (size_t d = 0; d < problem.rank(); ++d) {
    const int64_t n = problem.type().dims[d];
    const auto before = elements_of(problem.src().halo(d), n, {source.offset[d], source.end(d)}),
               after = elements_of(problem.dst().halo(d), n, {target.offset[d], target.end(d)});
    int64_t both = 0;
    for (const sharding::Interval a : before)
      for (const sharding::Interval b : after)
        both += std::max<int64_t>(0, std::min(a.end, b.end) - std::max(a.begin, b.begin));
    held *= both;
  }
  return distinct_elements(problem.dst(), problem.type().dims, target) - held;
}

// Direct plans and those by levels are exact where every device receives what it lacks and nothing else.
void check_exact_exchange(const Plan &plan, const Tally &tally, Findings &findings) {
  const Problem &problem = *plan.problem;
  if (!problem.combined().empty()) {
    findings.add("exact is claimed, and no proof is known where partial values are combined");
    return;
  }
  const HeldTiles held(plan);
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d) {
    const BoxView target = tile_of(plan, plan.target(), d);
    const int64_t lacks = lacking(problem, held, tile_of(plan, 0, d), target) * problem.item_size();
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
  for (const sharding::Halo &halo : layout.halos)
    hash.add(halo.before).add(halo.after).add(halo.border);
}

} // namespace

uint64_t hash_value(const Plan &plan) {
  const Problem &problem = *plan.problem;
  Hasher hash;
  hash.add(problem.type().dtype).add(std::span(problem.type().dims));
  add(hash, problem.src());
  add(hash, problem.dst());
  if (!problem.lost().empty())
    hash.add(problem.lost());
  hash.add(plan.buffers.size());
  for (const Placement &tiles : plan.buffers) {
    hash.add(tiles.rank()).add(tiles.num_devices());
    for (Device d = 0; static_cast<size_t>(d) < tiles.num_devices(); ++d)
      hash.add(tiles.offset(d)).add(tiles.extent(d));
  }
  for (const Image &image : plan.images)
    hash.add(image.buffer).add(image.of).add(std::span(image.shift));
  hash.add(plan.steps.size());
  if (plan.steps.later_size().is_large()) {
    for (const StepHead &head : plan.steps.heads())
      hash.add(head.kind)
          .add(head.target)
          .add(head.reduction)
          .add(std::string_view(head.axes))
          .add(head.group);
    return hash.value();
  }
  for (const Step &step : plan.steps) {
    hash.add(step.kind).add(step.target).add(step.reduction);
    hash.add(std::span(step.first_piece)).add(std::span(step.bounds)).add(std::span(step.first_source));
    for (const Source &source : step.sources)
      hash.add(source.device).add(source.buffer);
  }
  return hash.value();
}

} // namespace tw::redistribute
