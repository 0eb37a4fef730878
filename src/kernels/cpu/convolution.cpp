// SPDX-License-Identifier: Apache-2.0
// Convolutions of any kind by our own loops: what lies under some windows is laid out as rows of a matrix and
// multiplied with panels of the kernel; padding adds nothing, whatever the kernel holds. Floats of every
// width (narrow ones accumulate in f32) and integers. Every element is one chain over taps and channels, so
// its bits do not depend on how images, places and features are tiled. Longer than others: packing, product
// and gradients share one picture of the windows.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/cpu/accumulator.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/meeting_classes.hpp"
#include "kernels/cpu/panel.hpp"
#include "kernels/entry.hpp"
#include "kernels/ref/convert.hpp"
#include "ops/convolution.hpp"

namespace tw::kernels::cpu::convolution_kernel {

namespace {

using graph::DType;
using ops::ConvPicture;

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
  static constexpr size_t kMostDims = 8;

  Convolution(ConvPicture picture, DType operand, DType result, DType sum)
      : c_(std::move(picture)), operand_(operand), result_(result), sum_(sum), element_(size_of(sum)),
        columns_(kPanelBytes / element_), panels_count_((c_.out + columns_ - 1) / columns_),
        widen_(operand == sum ? nullptr : ref::convert_block(operand, sum)),
        narrow_(sum == result ? nullptr : ref::convert_block(sum, result)) {
    find_classes();
    plan_parts();
    plan_packing();
    const auto take = [&](int64_t bytes) {
      const int64_t at = scratch_;
      scratch_ += aligned(bytes);
      return at;
    };
    const int64_t kernel = c_.num_taps() * c_.in;
    panels_ = take(panels_count_ * kernel * kPanelBytes);
    kernel_ = take(packs_kernel_ ? kernel * c_.out * size_of(operand) : 0);
    matrix_ = take(kRows * most_block_ * element_);
    sums_ = take(panels_count_ * kRows * kPanelBytes);
    row_ = take(kPanelBytes);
    masked_ = take(reaches_out_ ? most_block_ * kPanelBytes : 0);
    image_ = take(packs_image_ ? images_each_ * c_.image() * c_.in * size_of(operand) : 0);
    wide_image_ = take(widen_ ? images_each_ * c_.image() * c_.in * element_ : 0);
  }

  const char *name() const override { return "cpu:convolution"; }
  int64_t parts() const override { return c_.groups * image_parts_ * place_parts_; }
  int64_t scratch_bytes() const override { return scratch_; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *space = static_cast<std::byte *>(scratch);
    const int64_t slice = part % place_parts_, group = part / place_parts_ / image_parts_,
                  first = part / place_parts_ % image_parts_ * images_each_,
                  last = std::min(c_.batch, first + images_each_);
    const auto *lhs = static_cast<const std::byte *>(operands[0]) +
                      (group * c_.lhs.group + first * c_.lhs.batch) * size_of(operand_);
    const auto *rhs = static_cast<const std::byte *>(operands[1]) + group * c_.rhs.group * size_of(operand_);
    auto *out = static_cast<std::byte *>(results[0]) +
                (group * c_.result.group + first * c_.result.batch) * size_of(result_);
    if (packs_kernel_) {
      pack_kernel_.run(rhs, space + kernel_);
      rhs = space + kernel_;
    }
    const std::byte *images = fetch_images(lhs, last - first, space);
    for (const Job &job : jobs_) {
      fill_panels(job, rhs, space);
      Rows rows{images, out, job.places * slice / place_parts_, 0, false};
      rows.masks = reaches_out_ && !is_finite(space + panels_, panels_count_ * job.taps * c_.in * columns_);
      rows.places = job.places * (slice + 1) / place_parts_ - rows.begin;
      const int64_t all = (last - first) * rows.places;
      for (int64_t row = 0; row < all; row += kRows)
        multiply(job, rows, row, std::min(kRows, all - row), space);
    }
    return {};
  }

private:
  // One class of each dimension: a convolution without holes.
  struct Job {
    std::array<const MeetingClass *, kMostDims> of{};
    int64_t places = 1, taps = 1;
  };

  // The rows of a part: some places of a job, image after image.
  struct Rows {
    const std::byte *images;
    std::byte *out;
    int64_t begin, places;
    bool masks; // the kernel holds infinities or NaN, to which padding must not come
  };

  void find_classes() {
    const size_t rank = c_.windows.size();
    classes_.resize(rank);
    for (size_t d = 0; d < rank; ++d)
      classes_[d] = classes_of(c_.windows[d], c_.places[d]);
    image_steps_ = strides_around(c_.size, c_.in);
    jobs_.emplace_back();
    for (size_t d = 0; d < rank; ++d) {
      std::vector<Job> more;
      for (const Job &job : jobs_)
        for (const MeetingClass &c : classes_[d]) {
          more.push_back(job);
          more.back().of[d] = &c;
          more.back().places *= static_cast<int64_t>(c.places.size());
          more.back().taps *= c.taps;
        }
      jobs_ = std::move(more);
    }
    for (const auto &dimension : classes_)
      for (const MeetingClass &c : dimension) {
        const int64_t n = c_.size[static_cast<size_t>(&dimension - classes_.data())],
                      reach = std::max<int64_t>(c.taps - 1, 0) * c.step;
        for (const int64_t first : c.first)
          reaches_out_ =
              reaches_out_ || std::min(first, first + reach) < 0 || std::max(first, first + reach) >= n;
      }
    reaches_out_ = reaches_out_ && graph::is_float(sum_);
    int64_t inner = 1;
    if (rank > 0)
      for (const MeetingClass &c : classes_[rank - 1])
        inner = std::max(inner, c.taps);
    inner_each_ = std::clamp<int64_t>(kBlock / c_.in, 1, inner);
    most_block_ = std::max(kBlock, c_.in) + inner_each_ * c_.in;
  }

  // Images apart, then places, by shape alone.
  void plan_parts() {
    const int64_t places = c_.num_places(),
                  wanted = static_cast<int64_t>(std::clamp(c_.flops() / kFlopsEach, 1.0, kMostParts)),
                  each = std::max<int64_t>(1, std::min(wanted / c_.groups, c_.batch * places / kFewestRows));
    images_each_ = (c_.batch + each - 1) / each;
    image_parts_ = (c_.batch + images_each_ - 1) / images_each_;
    place_parts_ = std::clamp<int64_t>(each / image_parts_, 1, std::max<int64_t>(1, places / kRows));
  }

  void plan_packing() {
    std::vector<int64_t> extent{images_each_}, from{c_.lhs.batch}, to{c_.image() * c_.in};
    const std::vector<int64_t> dense = strides_around(c_.size, c_.in);
    extent.insert(extent.end(), c_.size.begin(), c_.size.end());
    from.insert(from.end(), c_.lhs.spatial.begin(), c_.lhs.spatial.end());
    to.insert(to.end(), dense.begin(), dense.end());
    extent.push_back(c_.in);
    from.push_back(c_.lhs.in);
    to.push_back(1);
    packs_image_ = widen_ != nullptr || !std::equal(from.begin() + 1, from.end(), to.begin() + 1);
    image_step_ = packs_image_ ? to[0] : c_.lhs.batch;
    pack_image_ = CopyPlan(extent, from, to, size_of(operand_), CopyPlan::Stream::never);
    extent[0] = c_.batch - (image_parts_ - 1) * images_each_;
    pack_last_ = CopyPlan(extent, from, to, size_of(operand_), CopyPlan::Stream::never);

    std::vector<int64_t> taps;
    for (const auto &w : c_.windows)
      taps.push_back(w.size);
    std::vector<int64_t> kernel = taps, strides = c_.rhs.spatial, rows = strides_around(taps, c_.in * c_.out);
    kernel.insert(kernel.end(), {c_.in, c_.out});
    strides.insert(strides.end(), {c_.rhs.in, c_.rhs.out});
    rows.insert(rows.end(), {c_.out, 1});
    packs_kernel_ = strides != rows;
    pack_kernel_ = CopyPlan(kernel, strides, rows, size_of(operand_), CopyPlan::Stream::never);
    tap_steps_ = strides_around(taps, 1);
  }

  static std::vector<int64_t> strides_around(const std::vector<int64_t> &extent, int64_t inner) {
    std::vector<int64_t> strides = dense_strides(extent);
    for (int64_t &s : strides)
      s *= inner;
    return strides;
  }

  // Images with their channels together, in the type of sums.
  const std::byte *fetch_images(const std::byte *lhs, int64_t images, std::byte *space) const {
    if (packs_image_) {
      (images == images_each_ ? pack_image_ : pack_last_).run(lhs, space + image_);
      lhs = space + image_;
    }
    if (widen_) {
      const void *from = lhs;
      widen_(&from, space + wide_image_, images * c_.image() * c_.in);
      lhs = space + wide_image_;
    }
    return lhs;
  }

  // The kernel's rows of a job (its taps, and their channels), cut into panels; what is beyond the last
  // column is zero.
  void fill_panels(const Job &job, const std::byte *kernel, std::byte *space) const {
    const size_t rank = c_.windows.size();
    for (int64_t t = 0; t < job.taps; ++t) {
      int64_t tap = 0;
      for (int64_t d = static_cast<int64_t>(rank) - 1, rest = t; d >= 0; --d) {
        const MeetingClass &c = *job.of[static_cast<size_t>(d)];
        tap += (c.first_tap + rest % c.taps * c.tap_step) * tap_steps_[static_cast<size_t>(d)];
        rest /= c.taps;
      }
      for (int64_t i = 0; i < c_.in; ++i)
        for (int64_t panel = 0, first = 0; panel < panels_count_; ++panel, first += columns_) {
          const int64_t columns = std::min(columns_, c_.out - first);
          const void *from = kernel + ((tap * c_.in + i) * c_.out + first) * size_of(operand_);
          std::byte *to = space + panels_ + ((panel * job.taps + t) * c_.in + i) * kPanelBytes;
          if (widen_)
            widen_(&from, to, columns);
          else
            std::memcpy(to, from, static_cast<size_t>(columns * element_));
          std::memset(to + columns * element_, 0, static_cast<size_t>((columns_ - columns) * element_));
        }
    }
  }

  bool is_finite(const std::byte *numbers, int64_t n) const {
    const auto finite = [&](auto of_type) {
      using T = decltype(of_type);
      const auto *x = reinterpret_cast<const T *>(numbers);
      int other = 0;
      for (int64_t i = 0; i < n; ++i)
        other |= std::abs(x[i]) <= std::numeric_limits<T>::max() ? 0 : 1;
      return other == 0;
    };
    return sum_ == DType::f64 ? finite(double()) : finite(float());
  }

  // Whether an element of the image lies under a tap, given by its number in the innermost dimension and by
  // that in the others.
  bool is_inside(const Job &job, const std::array<int64_t, kMostDims> &at, int64_t outer,
                 int64_t inner) const {
    for (size_t d = c_.windows.size(); d-- > 0;) {
      const MeetingClass &c = *job.of[d];
      const bool innermost = d + 1 == c_.windows.size();
      const int64_t element =
          c.first[static_cast<size_t>(at[d])] + (innermost ? inner : outer % c.taps) * c.step;
      if (element < 0 || element >= c_.size[d])
        return false;
      outer /= innermost ? 1 : c.taps;
    }
    return true;
  }

  // A block of a row times a panel, without the taps that lie outside the image: zero times infinity is no
  // zero.
  void multiply_masked(const Job &job, const std::array<int64_t, kMostDims> &at, const void *row,
                       int64_t done, int64_t taps, const std::byte *panel, std::byte *sums,
                       std::byte *masked) const {
    const int64_t inner = job.of[c_.windows.size() - 1]->taps, bytes = c_.in * kPanelBytes;
    std::memcpy(masked, panel, static_cast<size_t>(taps * bytes));
    for (int64_t t = 0; t < taps; ++t)
      if (!is_inside(job, at, (done + t) / inner, (done + t) % inner))
        std::memset(masked + t * bytes, 0, static_cast<size_t>(bytes));
    multiply_panel(sum_, &row, 1, taps * c_.in, masked, sums, done != 0);
  }

  // Some rows: what lies under their windows, in blocks of taps that stay in cache, times every panel.
  void multiply(const Job &job, const Rows &rows, int64_t first_row, int64_t count, std::byte *space) const {
    const size_t rank = c_.windows.size(), last = rank == 0 ? 0 : rank - 1;
    std::array<std::array<int64_t, kMostDims>, kRows> at{}; // of each row: its place, as number in the class
    std::array<const std::byte *, kRows> image{};
    std::array<std::byte *, kRows> out{};
    std::array<const void *, kRows> from{}; // what lies under its window
    for (size_t r = 0; r < static_cast<size_t>(count); ++r) {
      const int64_t row = first_row + static_cast<int64_t>(r), number = row / rows.places;
      image[r] = rows.images + number * image_step_ * element_;
      int64_t rest = rows.begin + row % rows.places, to = number * c_.result.batch;
      for (size_t d = rank; d-- > 0;) {
        const auto n = static_cast<int64_t>(job.of[d]->places.size());
        at[r][d] = rest % n;
        to += job.of[d]->places[static_cast<size_t>(rest % n)] * c_.result.spatial[d];
        rest /= n;
      }
      out[r] = rows.out + to * size_of(result_);
    }
    const int64_t inner = rank == 0 ? 1 : job.of[last]->taps;
    std::byte *matrix = space + matrix_, *sums = space + sums_;
    int64_t done = 0; // taps multiplied
    while (done < job.taps) {
      // A block: several short runs of inner taps, a whole long one, or a part of it.
      const int64_t begin = done % inner, part = std::min(inner_each_, inner - begin);
      const int64_t runs = begin == 0 && part == inner && inner * c_.in < kLongRun
                               ? std::clamp<int64_t>(kBlock / (inner * c_.in), 1, (job.taps - done) / inner)
                               : 1;
      const int64_t k = runs * part * c_.in;
      for (size_t r = 0; r < static_cast<size_t>(count); ++r) {
        std::byte *row = matrix + static_cast<int64_t>(r) * k * element_;
        from[r] = row;
        for (int64_t run = 0; run < runs; ++run) {
          const std::byte *lies = lay_out(job, image[r], at[r], done / inner + run, begin, part,
                                          row + run * part * c_.in * element_, runs > 1);
          from[r] = runs == 1 ? lies : row;
        }
      }
      for (int64_t panel = 0; panel < panels_count_; ++panel) {
        const std::byte *of = space + panels_ + (panel * job.taps + done) * c_.in * kPanelBytes;
        std::byte *to = sums + panel * kRows * kPanelBytes;
        if (!rows.masks)
          multiply_panel(sum_, from.data(), count, k, of, to, done != 0);
        for (size_t r = 0; rows.masks && r < static_cast<size_t>(count); ++r)
          multiply_masked(job, at[r], from[r], done, runs * part, of,
                          to + static_cast<int64_t>(r) * kPanelBytes, space + masked_);
      }
      done += runs * part;
    }
    for (int64_t panel = 0, first = 0; panel < panels_count_; ++panel, first += columns_)
      for (size_t r = 0; r < static_cast<size_t>(count); ++r)
        store(job.taps == 0 ? nullptr : sums + (panel * kRows + static_cast<int64_t>(r)) * kPanelBytes,
              out[r] + first * c_.result.out * size_of(result_), std::min(columns_, c_.out - first),
              space + row_);
  }

  // Null: a place under which nothing lies.
  void store(const std::byte *sums, std::byte *out, int64_t columns, std::byte *row) const {
    if (sums == nullptr) {
      std::memset(row, 0, kPanelBytes);
      sums = row;
    } else if (narrow_) {
      const void *wide = sums;
      narrow_(&wide, row, columns);
      sums = row;
    }
    scatter(sums, out, columns, c_.result.out, size_of(result_));
  }

  // The elements under `count` inner taps from `begin`, for one combination of the outer taps: where they lie
  // together already, unless they must be copied, else in `row`.
  const std::byte *lay_out(const Job &job, const std::byte *image, const std::array<int64_t, kMostDims> &at,
                           int64_t outer, int64_t begin, int64_t count, std::byte *row, bool copies) const {
    const size_t rank = c_.windows.size();
    const int64_t bytes = c_.in * element_;
    if (rank == 0)
      return image;
    for (size_t d = rank - 1; d-- > 0;) {
      const MeetingClass &c = *job.of[d];
      const int64_t element = c.first[static_cast<size_t>(at[d])] + outer % c.taps * c.step;
      outer /= c.taps;
      if (element < 0 || element >= c_.size[d]) {
        std::memset(row, 0, static_cast<size_t>(count * bytes));
        return row;
      }
      image += element * image_steps_[d] * element_;
    }
    const MeetingClass &c = *job.of[rank - 1];
    const int64_t n = c_.size[rank - 1], first = c.first[static_cast<size_t>(at[rank - 1])] + begin * c.step;
    if (c.step == 1) { // neighbours
      if (!copies && first >= 0 && first + count <= n)
        return image + first * bytes;
      const int64_t low = std::clamp<int64_t>(-first, 0, count),
                    high = std::clamp<int64_t>(n - first, low, count);
      std::memset(row, 0, static_cast<size_t>(low * bytes));
      if (high > low)
        std::memcpy(row + low * bytes, image + (first + low) * bytes,
                    static_cast<size_t>((high - low) * bytes));
      std::memset(row + high * bytes, 0, static_cast<size_t>((count - high) * bytes));
      return row;
    }
    for (int64_t t = 0; t < count; ++t) {
      const int64_t element = first + t * c.step;
      if (element < 0 || element >= n)
        std::memset(row + t * bytes, 0, static_cast<size_t>(bytes));
      else
        std::memcpy(row + t * bytes, image + element * bytes, static_cast<size_t>(bytes));
    }
    return row;
  }

  static constexpr double kFlopsEach = 4e6, kMostParts = 8;
  static constexpr int64_t kFewestRows = 192;        // of a part: each part packs the kernel
  static constexpr int64_t kRows = 64, kBlock = 768; // places at once, columns of what is laid out
  static constexpr int64_t kLongRun = 96;            // columns that are worth a product of their own

  ConvPicture c_;
  DType operand_, result_, sum_;
  int64_t element_;        // bytes of a sum
  int64_t columns_;        // of a panel
  int64_t panels_count_;   // of one group's features
  BlockFn widen_, narrow_; // null: nothing to convert
  std::vector<std::vector<MeetingClass>> classes_;
  std::vector<Job> jobs_;
  int64_t inner_each_ = 1, most_block_ = 0;
  int64_t images_each_ = 1, image_parts_ = 1, place_parts_ = 1;
  CopyPlan pack_image_, pack_last_, pack_kernel_;
  bool packs_image_ = false, packs_kernel_ = false;
  int64_t image_step_ = 0;
  std::vector<int64_t> tap_steps_, image_steps_;
  bool reaches_out_ = false; // some windows of floats
  int64_t panels_ = 0, kernel_ = 0, matrix_ = 0, sums_ = 0, row_ = 0, masked_ = 0, image_ = 0,
          wide_image_ = 0;
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

constexpr std::array kOps{ops::OpKind::convolution};

} // namespace

Entry entry() { return {"cpu:convolution", kOps, bind}; }

} // namespace tw::kernels::cpu::convolution_kernel
