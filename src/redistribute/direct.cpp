// SPDX-License-Identifier: Apache-2.0
// Intersects the target box of a device with the source tiles, dimension by dimension, and names a holder for
// every piece.
#include "redistribute/direct.hpp"

#include <algorithm>

#include "redistribute/cost.hpp"
#include "redistribute/step_builder.hpp"
#include "redistribute/takers.hpp"

namespace tw::redistribute {

using sharding::AxisId;
using sharding::Box;
using sharding::DimSharding;
using sharding::Interval;
using sharding::Mesh;
using sharding::Sharding;
using sharding::SplitRule;

namespace {

constexpr unsigned kTogether = sharding::kMaxAxes; // receiver and holder stand apart along no axis

bool tiles(const Sharding &s, AxisId axis) {
  return std::ranges::any_of(s.dims,
                             [axis](const DimSharding &d) { return std::ranges::count(d.axes, axis) != 0; });
}
bool stacks(const Sharding &s, AxisId axis) {
  return std::ranges::count(s.partial, axis, &sharding::Partial::axis) != 0;
}

// The first tile from number `low` on that ends behind `begin`; the last where none does.
int64_t first_tile(const SplitRule &rule, int64_t n, int64_t F, int64_t begin, int64_t low) {
  int64_t high = F - 1;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (tile(rule, n, F, middle).end > begin)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

} // namespace

DirectExchange::DirectExchange(const Problem &p, Sources sources)
    : src_mesh_(p.src().mesh), dst_mesh_(p.dst().mesh), shape_(p.type().dims), src_(p.src().sharding),
      dst_(p.dst().sharding), one_mesh_(p.same_mesh()), sources_(sources) {
  const auto digit = [&](AxisId a) { return Digit{a, src_mesh_.size(a), src_mesh_.stride(a)}; };
  bool is_tiled = false;
  for (size_t i = 0; i < src_mesh_.num_axes(); ++i) {
    const auto axis = static_cast<AxisId>(i);
    const bool source_tiled = tiles(src_, axis), partial = stacks(src_, axis);
    const bool target_tiled = one_mesh_ && tiles(dst_, axis), stays = one_mesh_ && stacks(dst_, axis);
    if (source_tiled && !target_tiled)
      takers_.push_back(digit(axis));
    if (!source_tiled && !partial && (target_tiled || !one_mesh_)) {
      turns_.push_back(digit(axis));
      takes_turns_ = takes_turns_ || is_tiled || !one_mesh_;
    }
    if (partial && !stays)
      combined_.push_back(digit(axis));
    else if (!source_tiled && one_mesh_)
      kept_.push_back(digit(axis));
    is_tiled = is_tiled || source_tiled;
  }
  dims_.resize(shape_.size());
  for (size_t d = 0; d < dims_.size(); ++d) {
    const auto &axes = src_.dims[d].axes;
    for (size_t i = axes.size(); i-- > 0;)
      dims_[d].digits.push_back(digit(axes[i]));
    dims_[d].tiles = num_tiles(src_.dims[d], src_mesh_);
  }
  terms_ = {0};
  for (const Digit &axis : combined_) { // outermost first, so that each keeps the order
    std::vector<int64_t> next;
    for (const int64_t shift : terms_)
      for (int64_t c = 0; c < axis.size; ++c)
        next.push_back(shift + c * axis.stride);
    terms_ = std::move(next);
  }
  at_.resize(dims_.size());
  wanted_.resize(dims_.size());
}

// Tiles with halos overlap: every device slices its own.
bool DirectExchange::slices_own(size_t d) const {
  return dims_[d].tiles == 1 || src_.dims[d].rule.kind == SplitRule::Kind::spans;
}

// The non-empty source tiles that meet `wanted`, and where they are seen from position `stand`.
void DirectExchange::find_segments(size_t d, Interval wanted, int64_t stand) {
  Dim &dim = dims_[d];
  dim.segments.clear();
  if (slices_own(d)) {
    dim.segments.push_back({wanted.begin, wanted.end, 0, kTogether});
    return;
  }
  const SplitRule &rule = src_.dims[d].rule;
  const int64_t n = shape_[d];
  int64_t t = first_tile(rule, n, dim.tiles, wanted.begin, 0);
  Interval held = tile(rule, n, dim.tiles, t);
  while (true) {
    Segment segment{std::max(held.begin, wanted.begin), std::min(held.end, wanted.end), 0, kTogether};
    if (segment.begin >= segment.end)
      return;
    int64_t index = t;
    for (const Digit &axis : dim.digits) {
      const int64_t there = index % axis.size, here = stand / axis.stride % axis.size;
      index /= axis.size;
      segment.shift += (there - here) * axis.stride;
      if (there != here)
        segment.apart = std::min<unsigned>(segment.apart, axis.axis);
    }
    dim.segments.push_back(segment);
    if (++t == dim.tiles)
      return;
    held = tile(rule, n, dim.tiles, t);
    if (held.size() <= 0) { // there may be far more empty tiles than others
      t = first_tile(rule, n, dim.tiles, segment.end, t);
      held = tile(rule, n, dim.tiles, t);
    }
  }
}

// Along the axes inside `apart` that the source replicates and the target tiles, all holders are equally
// near, and the takers of one piece all stand at the same coordinate: they differ along the axes that only
// the source tiles, so these decide whose turn it is.
int64_t DirectExchange::nearest(int64_t holder, unsigned apart, int64_t receiver) const {
  if (turns_.empty() || turns_.back().axis <= apart)
    return holder;
  int64_t turn = 0;
  for (const Digit &axis : takers_)
    turn = turn * axis.size +
           (receiver / axis.stride % axis.size - holder / axis.stride % axis.size + axis.size) % axis.size;
  for (size_t i = turns_.size(); i-- > 0 && turns_[i].axis > apart;) {
    const Digit &axis = turns_[i];
    const int64_t own = receiver / axis.stride % axis.size;
    holder += ((own + turn) % axis.size - own) * axis.stride;
    turn /= axis.size;
  }
  return holder;
}

// Between meshes: the copies of a source tile serve the target positions in turn.
int64_t DirectExchange::any(int64_t holder, Position dst_position) const {
  int64_t turn = dst_position;
  for (size_t i = turns_.size(); i-- > 0;) {
    const Digit &axis = turns_[i];
    holder += (turn % axis.size - holder / axis.stride % axis.size) * axis.stride;
    turn /= axis.size;
  }
  return holder;
}

bool DirectExchange::find_wanted(Position dst_position) {
  for (size_t d = 0; d < dims_.size(); ++d) {
    const DimSharding &dim = dst_.dims[d];
    wanted_[d] =
        tile(dim.rule, shape_[d], num_tiles(dim, dst_mesh_), tile_index(dim, dst_mesh_, dst_position));
    if (wanted_[d].size() <= 0)
      return false;
  }
  return true;
}

int64_t DirectExchange::find_givers(Position dst_position, Position src_position, bool boxes,
                                    std::vector<int64_t> &key) {
  if (!find_wanted(dst_position))
    return 0;
  const int64_t stand = std::max<int64_t>(src_position, 0);
  const auto keep = [&](const Digit &axis) { key.push_back(stand / axis.stride % axis.size); };
  int64_t pieces = 1;
  for (size_t d = 0; d < dims_.size(); ++d) {
    const Interval wanted = wanted_[d];
    if (boxes)
      key.insert(key.end(), {wanted.begin, wanted.end});
    if (slices_own(d)) {
      std::ranges::for_each(dims_[d].digits, keep);
      continue;
    }
    const SplitRule &rule = src_.dims[d].rule;
    const int64_t n = shape_[d], tiles = dims_[d].tiles, first = first_tile(rule, n, tiles, wanted.begin, 0),
                  last = first_tile(rule, n, tiles, wanted.end - 1, first);
    key.insert(key.end(), {first, last});
    // Each tile that is not empty has an element at least.
    if (__builtin_mul_overflow(pieces, std::min(last - first + 1, wanted.size()), &pieces))
      pieces = INT64_MAX;
  }
  std::ranges::for_each(kept_, keep);
  if (takes_turns_)
    key.insert(key.end(), {int64_t{dst_position}, int64_t{src_position}});
  return pieces;
}

void DirectExchange::append(Position dst_position, Position src_position, PieceList &out) {
  if (find_wanted(dst_position))
    append(wanted_, dst_position, src_position, out);
}

void DirectExchange::append(std::span<const Interval> wanted, Position dst_position, Position src_position,
                            PieceList &out) {
  const int64_t stand = std::max<int64_t>(src_position, 0);
  const size_t rank = dims_.size();
  for (size_t d = 0; d < rank; ++d)
    find_segments(d, wanted[d], stand);
  std::ranges::fill(at_, 0);
  for (;;) {
    int64_t holder = stand;
    unsigned apart = kTogether;
    const size_t first = out.bounds.size();
    out.bounds.resize(first + 2 * rank);
    for (size_t d = 0; d < rank; ++d) {
      const Segment &segment = dims_[d].segments[at_[d]];
      out.bounds[first + d] = segment.begin;
      out.bounds[first + rank + d] = segment.end - segment.begin;
      holder += segment.shift;
      apart = std::min(apart, segment.apart);
    }
    if (one_mesh_) {
      if (apart != kTogether)
        holder = nearest(holder, apart, stand);
    } else if (src_position < 0 || apart != kTogether) {
      holder = any(holder, dst_position);
    }
    for (const Digit &axis : combined_)
      holder -= holder / axis.stride % axis.size * axis.stride;
    if (sources_ == Sources::first)
      out.sources.push_back(Position(holder));
    else
      for (const int64_t shift : terms_)
        out.sources.push_back(Position(holder + shift));
    out.first_source.push_back(static_cast<uint32_t>(out.sources.size()));
    size_t d = rank;
    while (d-- > 0) {
      if (++at_[d] < dims_[d].segments.size())
        break;
      at_[d] = 0;
    }
    if (d == SIZE_MAX)
      return;
  }
}

std::vector<Piece> direct(const Problem &problem, Position position) {
  const PieceList list = direct_part(problem, problem.dst_device(position));
  const size_t rank = problem.rank();
  std::vector<Piece> pieces(list.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const int64_t *bounds = list.bounds.data() + 2 * rank * i;
    pieces[i].box.offset.assign(bounds, bounds + rank);
    pieces[i].box.extent.assign(bounds + rank, bounds + 2 * rank);
    pieces[i].sources.assign(list.sources.begin() + list.first_source[i],
                             list.sources.begin() + list.first_source[i + 1]);
  }
  return pieces;
}

PieceList direct_part(const Problem &problem, Device device) {
  PieceList list;
  if (problem.dst_position(device) >= 0)
    DirectExchange(problem).append(problem.dst_position(device), problem.src_position(device), list);
  return list;
}

Step direct_pieces(const Problem &problem, const std::function<bool(Device)> &receives) {
  DirectExchange exchange(problem);
  PieceList list;
  Step step;
  step.target = 1;
  step.reduction = problem.reduction();
  step.first_piece.reserve(problem.num_devices() + 1);
  step.first_piece.push_back(0);
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d) {
    if (problem.dst_position(d) >= 0 && (!receives || receives(d)))
      exchange.append(problem.dst_position(d), problem.src_position(d), list);
    step.first_piece.push_back(static_cast<uint32_t>(list.size()));
  }
  step.bounds = std::move(list.bounds);
  step.first_source = std::move(list.first_source);
  step.sources.reserve(list.sources.size());
  for (const Position position : list.sources)
    step.sources.push_back({problem.src_device(position), 0});
  return step;
}

Step direct_step(const Problem &problem) {
  Step step = direct_pieces(problem);
  describe(step, problem);
  if (problem.same_mesh() && step.kind != Kind::copy)
    step.kind = summarise(problem).kind;
  return step;
}

Plan direct_plan(std::shared_ptr<const Problem> problem, Placement before, Placement after) {
  Plan plan;
  plan.buffers = {std::move(before), std::move(after)};
  // Each device takes from each at most; few of them are not counted.
  const auto devices = static_cast<int64_t>(problem->num_devices());
  StepSize size{devices * devices, devices * devices};
  if (size.is_large()) {
    size.pieces = count_pieces(plan.buffers[0], plan.buffers[1]);
    size.sources = size.pieces * problem->num_terms();
  } else {
    size = {};
  }
  plan.steps = Steps(Steps::Later{[problem] { return std::vector{direct_step(*problem)}; },
                                  [problem] { return std::vector{direct_head(*problem)}; }, size});
  plan.exact = problem->combined().empty();
  plan.problem = std::move(problem);
  return plan;
}

} // namespace tw::redistribute
