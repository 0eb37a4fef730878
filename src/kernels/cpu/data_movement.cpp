// SPDX-License-Identifier: Apache-2.0
// Ops that only move elements, as plans of the copy engine: whatever rearranges the elements of an operand,
// concatenate, pad, dynamic_slice and dynamic_update_slice. Tiles are handled in global coordinates: whatever
// the result's box needs must lie in the operands' boxes, else the kernel does not take the request.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/box_moves.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/entry.hpp"

namespace tw::kernels::cpu::data_movement_kernel {

namespace {

int64_t element_size(const Tile &t) { return static_cast<int64_t>(graph::byte_size(t.dtype)); }

// One plan between one operand and the result.
struct Move {
  size_t operand;
  int64_t src_begin, dst_begin; // bytes
  CopyPlan plan;
};

class Moves final : public Kernel {
public:
  explicit Moves(std::vector<Move> moves) : moves_(std::move(moves)) {
    int64_t bytes = 0;
    for (const Move &m : moves_)
      bytes += m.plan.bytes();
    if (moves_.size() == 1)
      parts_ = std::clamp<int64_t>(bytes / kPartBytes, 1, std::min(kMostParts, moves_[0].plan.max_parts()));
    else if (bytes >= 2 * kPartBytes)
      parts_ = static_cast<int64_t>(moves_.size());
  }
  const char *name() const override { return "cpu:copy"; }
  int64_t parts() const override { return parts_; }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    const auto one = [&](const Move &m, int64_t p, int64_t parts) {
      m.plan.run_part(static_cast<const std::byte *>(operands[m.operand]) + m.src_begin,
                      static_cast<std::byte *>(results[0]) + m.dst_begin, p, parts);
    };
    if (moves_.size() == 1)
      one(moves_[0], part, parts_);
    else if (parts_ > 1)
      one(moves_[static_cast<size_t>(part)], 0, 1);
    else
      for (const Move &m : moves_)
        one(m, 0, 1);
    return {};
  }

private:
  static constexpr int64_t kPartBytes = int64_t{1} << 20, kMostParts = 16;
  std::vector<Move> moves_;
  int64_t parts_ = 1;
};

Move move_of(const BoxMove &box, int64_t size) {
  return {box.source,
          box.source_offset * size,
          box.result_offset * size,
          {box.extent, box.source_strides, box.result_strides, size}};
}

std::unique_ptr<Kernel> moved(const BoxMoves &boxes, const Request &r) {
  if (!boxes)
    return nullptr;
  std::vector<Move> moves;
  for (const BoxMove &box : *boxes)
    moves.push_back(move_of(box, element_size(r.results[0])));
  return std::make_unique<Moves>(std::move(moves));
}

std::unique_ptr<Kernel> concatenate(const Request &r) { return moved(concatenated_boxes(r), r); }

// Fills the result with the padding value, then copies what of the operand lands in it.
class Pad final : public Kernel {
public:
  Pad(CopyPlan fill, std::optional<Move> move) : fill_(std::move(fill)), move_(std::move(move)) {}
  const char *name() const override { return "cpu:copy"; }
  Status run(int64_t, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    fill_.run(operands[1], results[0]);
    if (move_)
      move_->plan.run(static_cast<const std::byte *>(operands[0]) + move_->src_begin,
                      static_cast<std::byte *>(results[0]) + move_->dst_begin);
    return {};
  }

private:
  CopyPlan fill_;
  std::optional<Move> move_; // none: nothing lands
};

std::unique_ptr<Kernel> pad(const Request &r) {
  const Tile &out = r.results[0];
  const int64_t size = element_size(out);
  const BoxMoves boxes = padded_boxes(r);
  if (!boxes)
    return nullptr;
  const std::vector<int64_t> none(out.extent.size(), 0);
  return std::make_unique<Pad>(CopyPlan(out.extent, none, dense_strides(out.extent), size),
                               boxes->empty() ? std::nullopt : std::optional(move_of(boxes->front(), size)));
}

int64_t read_index(const void *data, graph::DType dtype) {
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, data, sizeof value);
    return static_cast<int64_t>(value);
  };
  switch (dtype) {
  case graph::DType::s8: return as(int8_t{});
  case graph::DType::s16: return as(int16_t{});
  case graph::DType::s32: return as(int32_t{});
  case graph::DType::s64: return as(int64_t{});
  case graph::DType::u8: return as(uint8_t{});
  case graph::DType::u16: return as(uint16_t{});
  case graph::DType::u32: return as(uint32_t{});
  case graph::DType::u64: {
    const int64_t value = as(uint64_t{});
    return value < 0 ? INT64_MAX : value;
  }
  default: return 0;
  }
}

// Whether both tiles hold the same range of a dimension they share.
bool same_range(const Tile &a, size_t da, const Tile &b, size_t db) {
  return a.offset[da] == b.offset[db] && a.extent[da] == b.extent[db];
}

// A window whose place is known when it runs: in each dimension the clamped start, times a stride.
struct Window {
  std::vector<int64_t> most;         // the largest start
  std::vector<int64_t> begin, count; // the starts that this device holds
  std::vector<int64_t> stride;       // bytes
  std::vector<graph::DType> dtype;
  size_t first; // operand number of the first start

  bool make(const Request &r, const Tile &array, const Tile &window, size_t first_start) {
    first = first_start;
    const auto steps = dense_strides(array.extent);
    for (size_t d = 0; d < array.extent.size(); ++d) {
      most.push_back(array.global[d] - window.global[d]);
      stride.push_back(steps[d] * element_size(array));
      dtype.push_back(r.operands[first + d].dtype);
      // Where the window moves, it must be in the device's part as a whole or not at all; elsewhere both hold
      // the same range.
      const bool moves = most[d] != 0, is_whole = array.extent[d] == array.global[d];
      if (!moves ? !same_range(array, d, window, d)
                 : window.extent[d] != window.global[d] || !(is_whole || window.global[d] == 1))
        return false;
      begin.push_back(moves ? array.offset[d] : 0);
      count.push_back(moves && !is_whole ? array.extent[d] : most[d] + 1);
    }
    return true;
  }
  // In the device's part; -1 where the window is elsewhere.
  int64_t offset(std::span<const void *const> operands) const {
    int64_t at = 0;
    for (size_t d = 0; d < most.size(); ++d) {
      const int64_t start =
          std::clamp<int64_t>(read_index(operands[first + d], dtype[d]), 0, most[d]) - begin[d];
      if (start < 0 || start >= count[d])
        return -1;
      at += start * stride[d];
    }
    return at;
  }
};

// Zeros where the window is elsewhere.
class DynamicSlice final : public Kernel {
public:
  DynamicSlice(Window window, int64_t bytes, CopyPlan plan)
      : window_(std::move(window)), bytes_(bytes), plan_(std::move(plan)) {}
  const char *name() const override { return "cpu:copy"; }
  Status run(int64_t, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    if (const int64_t at = window_.offset(operands); at >= 0)
      plan_.run(static_cast<const std::byte *>(operands[0]) + at, results[0]);
    else if (bytes_ > 0)
      std::memset(results[0], 0, static_cast<size_t>(bytes_));
    return {};
  }

private:
  Window window_;
  int64_t bytes_;
  CopyPlan plan_;
};

std::unique_ptr<Kernel> dynamic_slice(const Request &r) {
  const Tile &in = r.operands[0], &out = r.results[0];
  Window window;
  if (!window.make(r, in, out, 1))
    return nullptr;
  return std::make_unique<DynamicSlice>(
      std::move(window), out.bytes(),
      CopyPlan(out.extent, dense_strides(in.extent), dense_strides(out.extent), element_size(out)));
}

// The result may be the operand itself.
class DynamicUpdate final : public Kernel {
public:
  DynamicUpdate(Window window, int64_t bytes, CopyPlan plan)
      : window_(std::move(window)), bytes_(bytes), plan_(std::move(plan)) {}
  const char *name() const override { return "cpu:copy"; }
  Status run(int64_t, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    if (operands[0] != results[0] && bytes_ > 0)
      std::memcpy(results[0], operands[0], static_cast<size_t>(bytes_));
    if (const int64_t at = window_.offset(operands); at >= 0)
      plan_.run(operands[1], static_cast<std::byte *>(results[0]) + at);
    return {};
  }

private:
  Window window_;
  int64_t bytes_;
  CopyPlan plan_;
};

std::unique_ptr<Kernel> dynamic_update_slice(const Request &r) {
  const Tile &in = r.operands[0], &update = r.operands[1], &out = r.results[0];
  Window window;
  if (in.offset != out.offset || in.extent != out.extent || !window.make(r, out, update, 2))
    return nullptr;
  return std::make_unique<DynamicUpdate>(
      std::move(window), out.bytes(),
      CopyPlan(update.extent, dense_strides(update.extent), dense_strides(out.extent), element_size(out)));
}

struct Binder {
  ops::OpKind op;
  Factory bind;
};
constexpr std::array kBinders{
    Binder{ops::OpKind::concatenate, concatenate},
    Binder{ops::OpKind::dynamic_slice, dynamic_slice},
    Binder{ops::OpKind::dynamic_update_slice, dynamic_update_slice},
    Binder{ops::OpKind::pad, pad},
};
constexpr auto kOps = [] {
  std::array<ops::OpKind, kBinders.size()> kinds{};
  for (size_t i = 0; i < kinds.size(); ++i)
    kinds[i] = kBinders[i].op;
  return kinds;
}();

std::unique_ptr<Kernel> bind(const Request &r) {
  if (r.def.rearranges != nullptr)
    return moved(rearranged_boxes(r), r);
  const auto *binder =
      std::find_if(kBinders.begin(), kBinders.end(), [&](const Binder &b) { return b.op == r.def.kind; });
  return binder->bind(r);
}

} // namespace

Entry entry() { return {"cpu:copy", kOps, bind, ops::kRearranges}; }

} // namespace tw::kernels::cpu::data_movement_kernel
