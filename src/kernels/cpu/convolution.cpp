// SPDX-License-Identifier: Apache-2.0
// Convolutions of any kind by our own loops: what lies under some windows is laid out as rows of a matrix and multiplied with panels of
// the kernel. Floats of every width (narrow ones accumulate in f32) and integers. Every element is one chain over taps and channels, so its
// bits do not depend on how images, places and features are tiled.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/panel.hpp"
#include "kernels/entry.hpp"
#include "ops/convert.hpp"
#include "ops/convolution.hpp"

namespace tw::kernels::cpu {

namespace {

using graph::DType;
using ops::ConvPicture;

int64_t aligned(int64_t bytes) { return (bytes + 63) / 64 * 64; }
int64_t size_of(DType t) { return static_cast<int64_t>(graph::byte_size(t)); }

// The type in which sums are kept. Integers wrap, so a wider or differently signed one gives the same low bits.
std::optional<DType> accumulator(DType result) {
  if (graph::is_float(result))
    return result == DType::f64 ? DType::f64 : DType::f32;
  if (graph::is_int(result))
    return size_of(result) == 8 ? DType::s64 : DType::s32;
  return std::nullopt;
}

// Rows of a matrix copied to where `stride` says, element by element.
void scatter(const std::byte *from, std::byte *to, int64_t n, int64_t stride, int64_t size) {
  const auto copy = [&](auto unit) {
    using T = decltype(unit);
    for (int64_t i = 0; i < n; ++i)
      std::memcpy(to + i * stride * size, from + i * size, sizeof(T));
  };
  if (stride == 1)
    std::memcpy(to, from, static_cast<size_t>(n * size));
  else if (size == 1)
    copy(uint8_t());
  else if (size == 2)
    copy(uint16_t());
  else if (size == 4)
    copy(uint32_t());
  else
    copy(uint64_t());
}

class Convolution final : public Kernel {
public:
  Convolution(ConvPicture picture, DType operand, DType result, DType sum)
      : c_(std::move(picture)), operand_(operand), result_(result), sum_(sum),
        columns_(kPanelBytes / size_of(sum)), k_(c_.num_taps() * c_.in),
        widen_(operand == sum ? nullptr : ops::convert_block(operand, sum)),
        narrow_(sum == result ? nullptr : ops::convert_block(sum, result)) {
    plan_parts();
    find_elements();
    plan_packing();
    const auto take = [&](int64_t bytes) {
      const int64_t at = scratch_;
      scratch_ += aligned(bytes);
      return at;
    };
    panels_ = take((c_.out + columns_ - 1) / columns_ * k_ * kPanelBytes);
    window_rows_ =
        std::clamp<int64_t>(kWindowBytes / std::max<int64_t>(1, k_ * size_of(sum)) / 8 * 8, 16, kMostRows);
    matrix_ = take(window_rows_ * k_ * size_of(sum));
    sums_ = take(window_rows_ * kPanelBytes);
    row_ = take(kPanelBytes);
    image_ = take(packs_image_ ? c_.image() * c_.in * size_of(operand) : 0);
    wide_image_ = take(widen_ ? c_.image() * c_.in * size_of(sum) : 0);
    kernel_ = take(k_ * c_.out * size_of(operand));
  }

  const char *name() const override { return "cpu:convolution"; }
  int64_t parts() const override { return c_.groups * row_parts_; }
  int64_t scratch_bytes() const override { return scratch_; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *space = static_cast<std::byte *>(scratch);
    const int64_t group = part / row_parts_, first = part % row_parts_ * rows_each_,
                  last = std::min(c_.batch * places_, first + rows_each_);
    const auto *lhs = static_cast<const std::byte *>(operands[0]) + group * c_.lhs.group * size_of(operand_);
    fill_panels(static_cast<const std::byte *>(operands[1]) + group * c_.rhs.group * size_of(operand_),
                space);
    auto *out = static_cast<std::byte *>(results[0]) + group * c_.result.group * size_of(result_);
    for (int64_t row = first; row < last;) {
      const int64_t image = row / places_, begin = row % places_, end = std::min(places_, begin + last - row);
      const std::byte *channels = fetch_image(lhs + image * c_.lhs.batch * size_of(operand_), space);
      for (int64_t p = begin; p < end; p += window_rows_)
        multiply(channels, p, std::min(window_rows_, end - p),
                 out + image * c_.result.batch * size_of(result_), space);
      row += end - begin;
    }
    return {};
  }

private:
  void plan_parts() {
    places_ = c_.num_places();
    const int64_t rows = c_.batch * places_,
                  wanted = static_cast<int64_t>(std::clamp(c_.flops() / kFlopsEach, 1.0, kMostParts)),
                  each = std::max<int64_t>(1, wanted / c_.groups);
    rows_each_ = std::max(std::min(rows, kFewestRows), (rows + each - 1) / each);
    row_parts_ = (rows + rows_each_ - 1) / rows_each_;
  }

  // Per spatial dimension, place and tap: the offset of the element in an image whose channels lie together, -1 for padding.
  void find_elements() {
    elements_.resize(c_.windows.size());
    int64_t step = c_.in;
    for (size_t d = c_.windows.size(); d-- > 0; step *= c_.size[d])
      for (int64_t p = 0; p < c_.places[d]; ++p)
        for (int64_t t = 0; t < c_.windows[d].size; ++t) {
          const int64_t at = c_.windows[d].element(p, t, c_.size[d]);
          elements_[d].push_back(at < 0 ? -1 : at * step);
        }
  }

  void plan_packing() {
    std::vector<int64_t> extent = c_.size, from = c_.lhs.spatial, to = ops_strides(extent, c_.in);
    extent.push_back(c_.in);
    from.push_back(c_.lhs.in);
    to.push_back(1);
    packs_image_ = from != to && c_.image() * c_.in > 1;
    pack_image_ = CopyPlan(extent, from, to, size_of(operand_), CopyPlan::Stream::never);
    std::vector<int64_t> taps;
    for (const auto &w : c_.windows)
      taps.push_back(w.size);
    std::vector<int64_t> kernel = taps, strides = c_.rhs.spatial, dense = ops_strides(taps, c_.in * c_.out);
    for (const auto &[n, stride, place] :
         {std::array{c_.in, c_.rhs.in, c_.out}, std::array{c_.out, c_.rhs.out, int64_t{1}}}) {
      kernel.push_back(n);
      strides.push_back(stride);
      dense.push_back(place);
    }
    pack_kernel_ = CopyPlan(kernel, strides, dense, size_of(operand_), CopyPlan::Stream::never);
  }

  static std::vector<int64_t> ops_strides(const std::vector<int64_t> &extent, int64_t inner) {
    std::vector<int64_t> strides = dense_strides(extent);
    for (int64_t &s : strides)
      s *= inner;
    return strides;
  }

  // The kernel as rows of taps and channels, cut into panels; what is beyond the last column is zero.
  void fill_panels(const std::byte *rhs, std::byte *space) const {
    pack_kernel_.run(rhs, space + kernel_);
    for (int64_t first = 0, panel = 0; first < c_.out; first += columns_, ++panel) {
      const int64_t columns = std::min(columns_, c_.out - first);
      for (int64_t k = 0; k < k_; ++k) {
        const void *from = space + kernel_ + (k * c_.out + first) * size_of(operand_);
        std::byte *to = space + panels_ + (panel * k_ + k) * kPanelBytes;
        if (widen_)
          widen_(&from, to, columns);
        else
          std::memcpy(to, from, static_cast<size_t>(columns * size_of(sum_)));
        std::memset(to + columns * size_of(sum_), 0,
                    static_cast<size_t>((columns_ - columns) * size_of(sum_)));
      }
    }
  }

  // One image with its channels together, in the type of sums.
  const std::byte *fetch_image(const std::byte *lhs, std::byte *space) const {
    if (packs_image_) {
      pack_image_.run(lhs, space + image_);
      lhs = space + image_;
    }
    if (widen_) {
      const void *from = lhs;
      widen_(&from, space + wide_image_, c_.image() * c_.in);
      lhs = space + wide_image_;
    }
    return lhs;
  }

  // Some places of one image: what lies under their windows, times every panel.
  void multiply(const std::byte *image, int64_t place, int64_t rows, std::byte *out, std::byte *space) const {
    for (int64_t r = 0; r < rows; ++r)
      lay_out(image, place + r, space + matrix_ + r * k_ * size_of(sum_));
    for (int64_t first = 0, panel = 0; first < c_.out; first += columns_, ++panel) {
      multiply_panel(sum_, space + matrix_, rows, k_, space + panels_ + panel * k_ * kPanelBytes,
                     space + sums_);
      const int64_t columns = std::min(columns_, c_.out - first);
      for (int64_t r = 0; r < rows; ++r) {
        const std::byte *from = space + sums_ + r * kPanelBytes;
        if (narrow_) {
          const void *wide = from;
          narrow_(&wide, space + row_, columns);
          from = space + row_;
        }
        scatter(from, out + (place_offset(place + r) + first * c_.result.out) * size_of(result_), columns,
                c_.result.out, size_of(result_));
      }
    }
  }

  int64_t place_offset(int64_t place) const {
    int64_t at = 0;
    for (size_t d = c_.places.size(); d-- > 0; place /= c_.places[d])
      at += place % c_.places[d] * c_.result.spatial[d];
    return at;
  }

  void lay_out(const std::byte *image, int64_t place, std::byte *row) const {
    const size_t rank = c_.windows.size();
    std::array<const int64_t *, kMostDims> at{}; // the elements of each dimension's taps
    std::array<int64_t, kMostDims> tap{};
    for (size_t d = rank; d-- > 0; place /= c_.places[d])
      at[d] = elements_[d].data() + place % c_.places[d] * c_.windows[d].size;
    const auto bytes = static_cast<size_t>(c_.in * size_of(sum_));
    const size_t outer = rank == 0 ? 0 : rank - 1;
    const int64_t inner = rank == 0 ? 1 : c_.windows[outer].size;
    for (;;) {
      int64_t base = 0;
      bool inside = true;
      for (size_t d = 0; d < outer; ++d) {
        inside = inside && at[d][tap[d]] >= 0;
        base += at[d][tap[d]];
      }
      for (int64_t t = 0; t < inner; ++t, row += bytes) {
        const int64_t element = rank == 0 ? 0 : at[outer][t];
        if (inside && element >= 0)
          std::memcpy(row, image + (base + element) * size_of(sum_), bytes);
        else
          std::memset(row, 0, bytes);
      }
      size_t d = outer;
      while (d-- > 0) {
        if (++tap[d] < c_.windows[d].size)
          break;
        tap[d] = 0;
      }
      if (d == SIZE_MAX)
        return;
    }
  }

public:
  static constexpr size_t kMostDims = 8;

private:
  static constexpr double kFlopsEach = 4e6, kMostParts = 8;
  static constexpr int64_t kFewestRows = 32, kMostRows = 128, kWindowBytes = 128 << 10;

  ConvPicture c_;
  DType operand_, result_, sum_;
  int64_t columns_;             // of a panel
  int64_t k_;                   // taps times channels
  ops::BlockFn widen_, narrow_; // null: nothing to convert
  int64_t places_ = 0, rows_each_ = 0, row_parts_ = 0, window_rows_ = 0;
  std::vector<std::vector<int64_t>> elements_;
  CopyPlan pack_image_, pack_kernel_;
  bool packs_image_ = false;
  int64_t panels_ = 0, matrix_ = 0, sums_ = 0, row_ = 0, image_ = 0, wide_image_ = 0, kernel_ = 0;
  int64_t scratch_ = 0;
};

// A result without elements, or a sum of nothing.
class Zeros final : public Kernel {
public:
  explicit Zeros(int64_t bytes) : bytes_(static_cast<size_t>(bytes)) {}
  const char *name() const override { return "cpu:convolution empty"; }
  Status run(int64_t, std::span<const void *const>, std::span<void *const> results, void *) const override {
    if (bytes_ != 0)
      std::memset(results[0], 0, bytes_);
    return {};
  }

private:
  size_t bytes_;
};

std::unique_ptr<Kernel> bind(const Request &r) {
  const DType operand = r.operands[0].dtype, result = r.results[0].dtype;
  const auto sum = accumulator(result);
  const bool same_kind =
      graph::is_float(operand) == graph::is_float(result) && graph::is_int(operand) == graph::is_int(result);
  if (r.operands[1].dtype != operand || !sum || !same_kind)
    return nullptr;
  const auto part = [](const Tile &t) { return ops::PartView{t.offset, t.extent}; };
  ConvPicture c = ops::conv_picture(r.op, part(r.operands[0]), part(r.operands[1]), part(r.results[0]));
  if (c.empty() || c.in * c.num_taps() * c.image() == 0)
    return std::make_unique<Zeros>(r.results[0].bytes());
  if (c.windows.size() > Convolution::kMostDims)
    return nullptr;
  return std::make_unique<Convolution>(std::move(c), operand, result, *sum);
}

constexpr std::array kOps{"stablehlo.convolution"};

} // namespace

Entry convolution() { return {"cpu:convolution", kOps, bind}; }

} // namespace tw::kernels::cpu
