// SPDX-License-Identifier: Apache-2.0
// Names of methods; tiles of buffers; steps on demand.
#include "redistribute/plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace tw::redistribute {

using sharding::Box;

int64_t Placement::elements(Device d) const {
  const auto e = extent(d);
  return std::accumulate(e.begin(), e.end(), int64_t{1}, std::multiplies<>());
}

int64_t Placement::largest() const {
  int64_t most = 0;
  for (size_t d = 0; d < devices_; ++d)
    most = std::max(most, elements(static_cast<Device>(d)));
  return most;
}

Box Placement::box(Device d) const {
  const auto o = offset(d), e = extent(d);
  return {{o.begin(), o.end()}, {e.begin(), e.end()}};
}

Box Step::box(size_t piece, size_t rank) const {
  const auto o = offset(piece, rank), e = extent(piece, rank);
  return {{o.begin(), o.end()}, {e.begin(), e.end()}};
}

void Placement::set(Device d, const Box &box) {
  std::ranges::copy(box.offset, offset(d).begin());
  std::ranges::copy(box.extent, extent(d).begin());
}

void Placement::enclose(Device d, std::span<const int64_t> more_offset,
                        std::span<const int64_t> more_extent) {
  const bool empty = elements(d) == 0;
  const auto o = offset(d), e = extent(d);
  for (size_t i = 0; i < rank_; ++i) {
    const int64_t begin = empty ? more_offset[i] : std::min(o[i], more_offset[i]);
    const int64_t end = std::max(empty ? begin : o[i] + e[i], more_offset[i] + more_extent[i]);
    o[i] = begin;
    e[i] = end - begin;
  }
}

Placement source_tiles(const Problem &problem) {
  Placement tiles(problem.rank(), problem.num_devices());
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
    problem.src_tile(d, tiles.offset(d), tiles.extent(d));
  return tiles;
}

Placement target_tiles(const Problem &problem) {
  Placement tiles(problem.rank(), problem.num_devices());
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
    problem.dst_tile(d, tiles.offset(d), tiles.extent(d));
  return tiles;
}

Placement Placement::seen_from(std::span<const int64_t> shift) const {
  Placement seen = *this;
  for (Device d = 0; static_cast<size_t>(d) < devices_; ++d)
    for (size_t i = 0; i < rank_; ++i)
      seen.offset(d)[i] += shift[i];
  return seen;
}

const Image *find_image(std::span<const Image> images, uint32_t buffer) {
  const auto at = std::ranges::lower_bound(images, buffer, {}, &Image::buffer);
  return at == images.end() || at->buffer != buffer ? nullptr : &*at;
}

uint32_t memory_of(std::span<const Image> images, uint32_t buffer) {
  const Image *image = find_image(images, buffer);
  return image == nullptr ? buffer : image->of;
}

Steps::Steps(Later later) : written_(std::make_shared<Written>()) {
  written_->is_later = true;
  written_->later = std::move(later);
}

const std::vector<Step> &Steps::read() const {
  static const std::vector<Step> none;
  if (!written_)
    return none;
  if (written_->is_later)
    std::call_once(written_->once, [this] { written_->steps = written_->later.write(); });
  return written_->steps;
}

const std::vector<StepHead> &Steps::later_heads() const {
  std::call_once(written_->headed, [this] {
    if (written_->later.heads)
      written_->heads = written_->later.heads();
    else
      written_->heads.assign(read().begin(), read().end());
  });
  return written_->heads;
}

std::vector<StepHead> Steps::heads() const {
  if (written_ && written_->is_later)
    return later_heads();
  return {read().begin(), read().end()};
}

size_t Steps::size() const { return written_ && written_->is_later ? later_heads().size() : read().size(); }

std::vector<Step> &Steps::edit() {
  auto own = std::make_shared<Written>();
  if (written_ && written_.use_count() == 1 && !written_->is_later)
    return written_->steps;
  own->steps = read();
  written_ = std::move(own);
  return written_->steps;
}

namespace {
constexpr StepSize kMost{int64_t{1} << 25, int64_t{1} << 28};
constexpr StepSize kMany{INT64_MAX, int64_t{1} << 20};
} // namespace

Status StepSize::check() const {
  if (pieces <= kMost.pieces && sources <= kMost.sources)
    return {};
  return fail(Code::resource_exhausted, "TW-524",
              fmt::format("the steps of this plan have {} pieces from {} tiles, and {} from {} is the limit "
                          "where they are written down: redistribute over one axis after another, so that "
                          "each device exchanges with fewer",
                          pieces, sources, kMost.pieces, kMost.sources));
}

bool StepSize::is_large() const { return sources > kMany.sources; }

namespace {
constexpr std::array<std::string_view, 7> kMethods = {"auto",   "direct", "level", "relay",
                                                      "scalar", "vector", "stated"};
}

std::string_view name(Method m) { return kMethods[static_cast<size_t>(m)]; }

Result<Method> parse_method(std::string_view text) {
  const auto at = std::ranges::find(kMethods, text);
  if (at == kMethods.end() || text == name(Method::stated))
    return fail(Code::invalid_argument, "TW-521",
                fmt::format("'{}' is no method: auto, direct, level, relay, scalar or vector", text));
  return static_cast<Method>(at - kMethods.begin());
}

} // namespace tw::redistribute
