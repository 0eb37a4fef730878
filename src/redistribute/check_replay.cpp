// SPDX-License-Identifier: Apache-2.0
// Replays the steps of a plan on boxes: what every device has by then, what it reads and what it writes.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "redistribute/check_parts.hpp"

namespace tw::redistribute {

using sharding::AxisId;
using sharding::Mesh;

namespace {

// The positions whose partial values are in some elements, in the order in which they were added.
using SummedTerms = std::vector<Position>;

// What a device holds of a tile so far: disjoint boxes, unless that was found wrong.
struct Filled {
  std::vector<BoxView> parts;
  std::vector<std::shared_ptr<const SummedTerms>> terms; // by part, of partial sums; null: complete
  std::vector<bool> read;                                // by part, of partial sums
  int64_t elements = 0;
};

// Two of the boxes that meet, at least one of them from `fresh` on.
std::optional<std::pair<BoxView, BoxView>> find_overlap(std::span<const BoxView> boxes, size_t fresh) {
  constexpr size_t kFew = 16;
  const size_t n = boxes.size();
  if (n <= kFew) {
    for (size_t i = fresh; i < n; ++i)
      for (size_t j = 0; j < i; ++j)
        if (overlap(boxes[i], boxes[j]) != 0)
          return std::pair(boxes[j], boxes[i]);
    return std::nullopt;
  }
  // A sweep along the dimension in which most boxes begin at different places.
  size_t along = 0, most = 0;
  std::vector<int64_t> begins(n);
  for (size_t d = 0; d < boxes[0].offset.size(); ++d) {
    for (size_t i = 0; i < n; ++i)
      begins[i] = boxes[i].offset[d];
    std::ranges::sort(begins);
    const auto distinct = static_cast<size_t>(std::unique(begins.begin(), begins.end()) - begins.begin());
    if (distinct > most) {
      most = distinct;
      along = d;
    }
  }
  std::vector<BoxView> sorted(boxes.begin(), boxes.end()), open;
  std::ranges::sort(sorted, {}, [&](const BoxView &box) { return box.offset[along]; });
  for (const BoxView &box : sorted) {
    std::erase_if(open, [&](const BoxView &other) { return other.end(along) <= box.offset[along]; });
    for (const BoxView &other : open)
      if (overlap(other, box) != 0)
        return std::pair(other, box);
    open.push_back(box);
  }
  return std::nullopt;
}

class Replay {
public:
  Replay(const Plan &plan, Findings &findings)
      : plan_(plan), problem_(*plan.problem), rank_(problem_.rank()), devices_(problem_.num_devices()),
        findings_(findings), held_(plan), filled_(plan.buffers.size(), std::vector<Filled>(devices_)) {
    for (const AxisId axis : problem_.combined())
      terms_ *= problem_.src().mesh.size(axis);
  }

  void run() {
    std::vector<bool> read(plan_.buffers.size(), false);
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      const Step &step = plan_.steps[s];
      for (size_t d = 0; d < devices_; ++d)
        for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece)
          check_piece(s, static_cast<Device>(d), piece);
      for (const Source &source : step.sources)
        read[source.buffer] = true;
      for (size_t d = 0; d < devices_; ++d)
        fill(s, static_cast<Device>(d));
    }
    for (uint32_t b = 1; b < plan_.target(); ++b)
      if (!read[b] && std::ranges::any_of(filled_[b], [](const Filled &f) { return f.elements != 0; }))
        findings_.add("buffer {} is filled and never read", b);
    for (uint32_t b = 1; b < plan_.target(); ++b)
      for (Device d = 0; static_cast<size_t>(d) < devices_; ++d) {
        const Filled &filled = filled_[b][static_cast<size_t>(d)];
        for (size_t i = 0; i < filled.parts.size(); ++i)
          if (filled.terms[i] != nullptr && !filled.read[i])
            findings_.add("buffer {}, device {}: a partial sum of box {} is never read", b,
                          problem_.device_id(d), to_text(filled.parts[i]));
      }
    for (Device d = 0; static_cast<size_t>(d) < devices_; ++d) {
      const int64_t wanted = elements_to_write(tile_of(plan_, plan_.target(), d));
      if (const int64_t got = filled_.back()[static_cast<size_t>(d)].elements; got != wanted)
        findings_.add("target, device {}: {} of {} elements of its tile {} were written",
                      problem_.device_id(d), got, wanted, to_text(tile_of(plan_, plan_.target(), d)));
    }
  }

private:
  // Of a target tile: what lies around an array that ends is zero, and what nobody holds any more stays away.
  int64_t elements_to_write(BoxView tile) const {
    if (!problem_.lost().empty())
      return held_.count(tile);
    int64_t product = 1;
    for (size_t i = 0; i < rank_; ++i)
      product *=
          std::max<int64_t>(valid_part(problem_.dst().halo(i), problem_.type().dims[i], tile, i).size(), 0);
    return product;
  }

  // What a source reads, in the buffer whose memory it is.
  struct Read {
    uint32_t buffer;
    Device device;
    std::vector<int64_t> offset; // of the box, where it is read through an image
    BoxView box;
  };
  Read read_by(const Source &source, BoxView box) const {
    const Image *image = plan_.find_image(source.buffer);
    if (image == nullptr)
      return {source.buffer, source.device, {}, box};
    Read read{image->of, source.device, {box.offset.begin(), box.offset.end()}, {}};
    for (size_t i = 0; i < rank_; ++i)
      read.offset[i] -= image->shift[i];
    read.box = {read.offset, box.extent};
    return read;
  }

  // "step 2, device 3, box [0:4]"
  std::string place(size_t s, Device d, BoxView box) const {
    return fmt::format("step {}, device {}, box {}", s, problem_.device_id(d), to_text(box));
  }

  void check_piece(size_t s, Device d, size_t piece) {
    const Step &step = plan_.steps[s];
    const BoxView box = piece_of(step, rank_, piece);
    const auto sources = step.sources_of(piece);
    if (const BoxView tile = tile_of(plan_, step.target, d); !contains(tile, box))
      findings_.add("{}: not in its tile {} of buffer {}", place(s, d, box), to_text(tile), step.target);
    for (const Source &source : sources) {
      if (!holds(source, box))
        findings_.add("{}: device {} does not hold it in buffer {} by then", place(s, d, box),
                      problem_.device_id(source.device), source.buffer);
      check_kept(s, d, box, source);
    }
    if (terms_ > 1)
      check_terms(s, d, box, step, sources);
    else if (sources.size() != 1)
      findings_.add("{}: {} sources of values that are not partial", place(s, d, box), sources.size());
  }

  // Parts of buffers that this step fills do not count yet.
  bool holds(const Source &source, BoxView wanted) const {
    const Read read = read_by(source, wanted);
    const BoxView tile = tile_of(plan_, read.buffer, read.device);
    if (!contains(tile, read.box))
      return false;
    if (read.buffer == 0) {
      for (size_t i = 0; i < rank_; ++i) {
        const auto part = valid_part(problem_.src().halo(i), problem_.type().dims[i], tile, i);
        if (read.box.offset[i] < part.begin || read.box.end(i) > part.end)
          return false;
      }
      return true;
    }
    const Filled &filled = filled_[read.buffer][static_cast<size_t>(read.device)];
    if (filled.elements == elements(tile))
      return true;
    int64_t there = 0;
    for (const BoxView &part : filled.parts)
      there = add_saturating(there, overlap(part, read.box));
    return there == elements(read.box);
  }

  // What stays partial comes from the same coordinate of the axis. Then both layouts stand on one mesh, and
  // every device in it.
  void check_kept(size_t s, Device d, BoxView box, const Source &source) {
    for (const sharding::Partial &partial : problem_.dst().sharding.partial) {
      const Mesh &mesh = problem_.dst().mesh;
      const int64_t here = mesh.coordinate(problem_.dst_position(d), partial.axis),
                    there = mesh.coordinate(problem_.dst_position(source.device), partial.axis);
      if (here != there)
        findings_.add("{}: values partial over '{}' come from coordinate {}, and not {}", place(s, d, box),
                      mesh.axis(partial.axis).name, there, here);
    }
  }

  // What is copied is complete. What is summed are partial values of one sum, each once, in the order of the
  // first position of each source, and all of them where the target is written.
  void check_terms(size_t s, Device d, BoxView box, const Step &step, std::span<const Source> sources) {
    const auto found = terms_of(s, d, box, sources);
    if (!found)
      return;
    const auto &[terms, complete] = *found;
    if (complete) {
      if (sources.size() != 1)
        findings_.add("{}: {} sources of values that are not partial", place(s, d, box), sources.size());
      return;
    }
    if (step.reduction != problem_.reduction() && sources.size() > 1)
      findings_.add("{}: partial values combine by {}, and not {}", place(s, d, box),
                    sharding::name(problem_.reduction()), sharding::name(step.reduction));
    if (!is_one_sum(s, d, box, terms))
      return;
    if (static_cast<int64_t>(terms.size()) == terms_)
      return;
    if (step.target != plan_.target())
      partial_[{s, static_cast<size_t>(d), box.offset.data()}] = std::make_shared<const SummedTerms>(terms);
    else
      findings_.add("{}: {} of {} partial values", place(s, d, box), terms.size(), terms_);
  }

  struct Found {
    SummedTerms terms;
    bool complete;
  };
  std::optional<Found> terms_of(size_t s, Device d, BoxView box, std::span<const Source> sources) {
    Found all{{}, false};
    int64_t before = -1; // the first position of the source before
    for (const Source &source : sources) {
      const bool partial = plan_.memory_of(source.buffer) == 0;
      const SummedTerms *terms = partial ? nullptr : filled_terms(source, box);
      if (!partial && terms == nullptr) {
        all.complete = true;
        continue;
      }
      const Position position = terms == nullptr ? problem_.src_position(source.device) : terms->front();
      if (position < 0) {
        findings_.add("{}: device {}, buffer {} has no partial values", place(s, d, box),
                      problem_.device_id(source.device), source.buffer);
        return std::nullopt;
      }
      if (position <= before) {
        findings_.add("{}: partial values are not combined in the order of their positions: {} after {}",
                      place(s, d, box), position, before);
        return std::nullopt;
      }
      before = position;
      if (terms == nullptr)
        all.terms.push_back(position);
      else
        all.terms.insert(all.terms.end(), terms->begin(), terms->end());
    }
    if (all.complete && !all.terms.empty()) {
      findings_.add("{}: adds partial values to what is complete", place(s, d, box));
      return std::nullopt;
    }
    return all;
  }

  // Of the elements of a box in a buffer that steps have filled, all alike; null where they are complete.
  const SummedTerms *filled_terms(const Source &source, BoxView wanted) {
    const Read read = read_by(source, wanted);
    const BoxView box = read.box;
    Filled &filled = filled_[read.buffer][static_cast<size_t>(read.device)];
    const SummedTerms *found = nullptr;
    bool any = false;
    for (size_t i = 0; i < filled.parts.size(); ++i) {
      if (overlap(filled.parts[i], box) == 0)
        continue;
      const SummedTerms *terms = filled.terms[i].get();
      if (any && !(found == terms || (found != nullptr && terms != nullptr && *found == *terms)))
        findings_.add("box {} of buffer {} of device {} holds sums of different values", to_text(box),
                      source.buffer, problem_.device_id(source.device));
      found = terms;
      any = filled.read[i] = true;
    }
    return found;
  }

  // Positions that differ along the combined axes alone, each once.
  bool is_one_sum(size_t s, Device d, BoxView box, const SummedTerms &terms) {
    const Mesh &mesh = problem_.src().mesh;
    SummedTerms sorted = terms;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) {
      findings_.add("{}: a partial value is added twice, that of position {}", place(s, d, box),
                    *std::ranges::adjacent_find(sorted));
      return false;
    }
    int64_t first = -1;
    for (const Position position : terms) {
      int64_t common = position;
      for (const AxisId axis : problem_.combined())
        common -= mesh.coordinate(position, axis) * mesh.stride(axis);
      if (first >= 0 && common != first) {
        findings_.add("{}: device {} has values of another sum", place(s, d, box),
                      problem_.device_id(problem_.src_device(position)));
        return false;
      }
      first = common;
    }
    return true;
  }

  void fill(size_t s, Device d) {
    const Step &step = plan_.steps[s];
    const auto at = static_cast<size_t>(d);
    Filled &filled = filled_[step.target][at];
    const size_t fresh = filled.parts.size();
    for (uint32_t piece = step.first_piece[at]; piece < step.first_piece[at + 1]; ++piece) {
      filled.parts.push_back(piece_of(step, rank_, piece));
      const auto terms = partial_.find({s, at, filled.parts.back().offset.data()});
      filled.terms.push_back(terms == partial_.end() ? nullptr : terms->second);
      filled.read.push_back(false);
      filled.elements = add_saturating(filled.elements, elements(filled.parts.back()));
    }
    if (filled.parts.size() == fresh)
      return;
    if (const auto both = find_overlap(filled.parts, fresh))
      findings_.add("{}: overlaps with {}, which buffer {} has already", place(s, d, both->second),
                    to_text(both->first), step.target);
  }

  const Plan &plan_;
  const Problem &problem_;
  size_t rank_, devices_;
  Findings &findings_;
  const HeldTiles held_;
  std::vector<std::vector<Filled>> filled_; // per buffer and device
  int64_t terms_ = 1;                       // of a sum
  // What pieces of intermediate buffers are sums of: by step, device, and where their bounds lie.
  std::map<std::tuple<size_t, size_t, const int64_t *>, std::shared_ptr<const SummedTerms>> partial_;
};

} // namespace

void check_replay(const Plan &plan, Findings &findings) { Replay(plan, findings).run(); }

} // namespace tw::redistribute
