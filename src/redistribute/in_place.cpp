// SPDX-License-Identifier: Apache-2.0
// Finds what would be written over before it is read.
#include "redistribute/in_place.hpp"

#include <algorithm>
#include <utility>

#include "redistribute/combined_pieces.hpp"
#include "redistribute/step_builder.hpp"

namespace tw::redistribute {

namespace {

// Whether a piece lies at the same place of two dense tiles.
bool at_same_place(const Placement &before, const Placement &after, Device d, std::span<const int64_t> offset,
                   std::span<const int64_t> extent) {
  int64_t from = 0, to = 0, from_stride = 1, to_stride = 1; // in elements
  for (size_t dim = offset.size(); dim-- > 0;) {
    if (extent[dim] != 1 && from_stride != to_stride)
      return false;
    from += (offset[dim] - before.offset(d)[dim]) * from_stride;
    to += (offset[dim] - after.offset(d)[dim]) * to_stride;
    from_stride *= before.extent(d)[dim];
    to_stride *= after.extent(d)[dim];
  }
  return from == to;
}

// Puts the saved tiles, and what is seen of them from away, in front of the target, which stays the last
// buffer.
class Saved {
public:
  explicit Saved(const Plan &plan)
      : plan_(plan), made_(std::make_shared<Plan>(plan)),
        tiles_(plan.buffers[0].rank(), plan.buffers[0].num_devices()) {}

  // From where a piece is read that is saved.
  uint32_t read(Device d, const Source &source, std::span<const int64_t> offset,
                std::span<const int64_t> extent) {
    const Image *image = plan_.find_image(source.buffer);
    std::vector<int64_t> begin(offset.begin(), offset.end());
    for (size_t dim = 0; image != nullptr && dim < begin.size(); ++dim)
      begin[dim] -= image->shift[dim];
    tiles_.enclose(d, begin, extent);
    if (image == nullptr)
      return plan_.target();
    const auto known = std::ranges::find(shifts_, image->shift);
    const auto number = static_cast<uint32_t>(known - shifts_.begin());
    if (known == shifts_.end())
      shifts_.push_back(image->shift);
    return plan_.target() + 1 + number;
  }

  // `steps`: those of the plan, from `first` on with sources that are read here; these numbers count already,
  // all others do not.
  std::shared_ptr<const Plan> finish(std::vector<Step> steps, size_t first) {
    StepBuilder save(*plan_.problem);
    for (Device d = 0; static_cast<size_t>(d) < tiles_.num_devices(); ++d)
      if (tiles_.elements(d) != 0)
        save.add(d, tiles_.box(d), {d, 0});
    if (save.empty())
      return nullptr;
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(first), save.finish(plan_.target()));
    made_->steps = Steps(std::move(steps));
    made_->buffers.pop_back();
    made_->buffers.push_back(tiles_);
    for (Image &image : made_->images)
      image.of = image.of == plan_.target() ? target() : image.of;
    for (const auto &shift : shifts_) {
      made_->images.push_back({static_cast<uint32_t>(made_->buffers.size()), plan_.target(), shift});
      made_->buffers.push_back(tiles_.seen_from(shift));
    }
    made_->buffers.push_back(plan_.buffers.back());
    return made_;
  }
  // Where the target then is.
  uint32_t target() const { return plan_.target() + 1 + static_cast<uint32_t>(shifts_.size()); }

private:
  const Plan &plan_;
  std::shared_ptr<Plan> made_;
  Placement tiles_;
  std::vector<std::vector<int64_t>> shifts_; // of images of them
};

} // namespace

std::vector<bool> stays_in_place(const Step &step, std::span<const Placement> buffers) {
  const Placement &before = buffers[0], &after = buffers[step.target];
  const size_t rank = after.rank();
  const auto same_place = [&](size_t piece, Device d) {
    return at_same_place(before, after, d, step.offset(piece, rank), step.extent(piece, rank));
  };
  std::vector<bool> stays(step.num_pieces(), false);
  for (size_t d = 0; d + 1 < step.first_piece.size(); ++d)
    for (size_t p = step.first_piece[d]; p < step.first_piece[d + 1]; ++p)
      if (const auto sources = step.sources_of(p); sources.size() == 1)
        stays[p] = sources[0] == Source{static_cast<Device>(d), 0} && same_place(p, static_cast<Device>(d));
  // What one job writes must not be read by another: then all that read a region also take it.
  for (const Combined &combined : combined_pieces(step, rank)) {
    std::vector<Device> holders;
    bool stay = true;
    for (const auto &[device, buffer] : step.sources_of(combined.piece)) {
      holders.push_back(device);
      stay &= buffer == 0 && same_place(combined.piece, device);
    }
    stay &=
        std::is_permutation(holders.begin(), holders.end(), combined.takers.begin(), combined.takers.end());
    for (const size_t p : combined.pieces)
      stays[p] = stay;
  }
  return stays;
}

std::shared_ptr<const Plan> save_sources(std::shared_ptr<const Plan> plan, bool by_taker) {
  std::vector<Step> steps = plan->steps.read();
  const size_t rank = plan->buffers[0].rank();
  const auto first =
      static_cast<size_t>(std::ranges::find(steps, plan->target(), &Step::target) - steps.begin());
  Saved saved(*plan);
  std::vector<Source *> of_target;
  for (size_t s = 0; s < steps.size(); ++s) {
    Step &step = steps[s];
    const auto stays =
        s == first ? stays_in_place(step, plan->buffers) : std::vector<bool>(step.num_pieces());
    for (size_t p = 0; p < step.num_pieces(); ++p)
      for (uint32_t i = step.first_source[p]; i < step.first_source[p + 1]; ++i) {
        Source &source = step.sources[i];
        if (source.buffer == plan->target())
          of_target.push_back(&source);
        else if (s >= first && !(stays[p] && (!by_taker || step.sources_of(p).size() == 1)) &&
                 plan->memory_of(source.buffer) == 0)
          source.buffer = saved.read(source.device, source, step.offset(p, rank), step.extent(p, rank));
      }
  }
  for (Source *source : of_target)
    source->buffer = saved.target();
  for (Step &step : steps)
    if (step.target == plan->target())
      step.target = saved.target();
  auto made = saved.finish(std::move(steps), first);
  return made != nullptr ? made : plan;
}

} // namespace tw::redistribute
