// SPDX-License-Identifier: Apache-2.0
// Reductions along any dimensions. How an element is folded follows from which dimensions are folded and how long those are, never from
// the extents of the others: a tile of the result has the bits of the whole.
//
// Where the innermost dimension is folded, the contiguous run of innermost folded dimensions is folded in lanes, and the runs one after
// the other. Where it is kept, whole rows are folded, in chunks of fixed length and then chunk by chunk.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/reduce_loops.hpp"
#include "kernels/entry.hpp"
#include "ops/attributes.hpp"
#include "ops/reduction.hpp"

namespace tw::kernels::cpu {

namespace {

constexpr int64_t kChunk = 256;             // rows folded before a chunk joins the total
constexpr int64_t kPartElements = 64 << 10; // of the operand, at least
constexpr int64_t kPartColumns = 256; // where caches hold the operand; from memory parts of pages come slowly

struct Dim {
  int64_t extent, stride;
};

// Neighbours that are walked as one become one; the order of elements stays.
std::vector<Dim> merged(const std::vector<Dim> &dims) {
  std::vector<Dim> out;
  for (const Dim &d : dims) {
    if (d.extent == 1)
      continue;
    if (!out.empty() && out.back().stride == d.extent * d.stride)
      out.back() = {out.back().extent * d.extent, d.stride};
    else
      out.push_back(d);
  }
  return out;
}

int64_t product(const std::vector<Dim> &dims) {
  int64_t n = 1;
  for (const Dim &d : dims)
    n *= d.extent;
  return n;
}

// Offset of the i-th index in row-major order.
int64_t offset_of(const std::vector<Dim> &dims, int64_t i) {
  if (dims.size() == 1)
    return i * dims[0].stride;
  int64_t at = 0;
  for (size_t d = dims.size(); d-- > 0; i /= dims[d].extent)
    at += i % dims[d].extent * dims[d].stride;
  return at;
}

class Reduce final : public Kernel {
public:
  Reduce(const Request &r, const ReduceLoops &loops, std::vector<std::byte> identity)
      : loops_(loops), element_(static_cast<int64_t>(graph::byte_size(r.operands[0].dtype))),
        identity_(std::move(identity)) {
    const Tile &in = r.operands[0];
    const auto strides = dense_strides(in.extent);
    const auto folded = r.op.ints(ops::slot::reduce::dimensions);
    const auto is_folded = [&](size_t d) {
      return std::find(folded.begin(), folded.end(), static_cast<int64_t>(d)) != folded.end();
    };
    size_t inner = in.extent.size(); // dimensions from here on are all folded, or all kept
    runs_ = inner > 0 && is_folded(inner - 1);
    while (inner > 0 && is_folded(inner - 1) == runs_)
      run_ *= in.extent[--inner];
    for (size_t d = 0; d < inner; ++d)
      (is_folded(d) ? folded_ : kept_).push_back({in.extent[d], strides[d]});
    kept_ = merged(kept_);
    folded_ = merged(folded_);
    num_kept_ = product(kept_);
    num_folded_ = product(folded_);
    plan_parts(in.elements());
  }

  const char *name() const override { return "cpu:reduce"; }
  int64_t parts() const override { return kept_parts_ * column_parts_; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    const auto *x = static_cast<const std::byte *>(operands[0]);
    auto *out = static_cast<std::byte *>(results[0]);
    const void *init = identity_.empty() ? operands[1] : identity_.data();
    const int64_t k = part / column_parts_, begin = k * kept_each_,
                  end = std::min(num_kept_, begin + kept_each_);
    if (runs_)
      fold_runs(x, init, out, begin, end);
    else
      fold_rows(x, init, out, begin, end, part % column_parts_);
    return {};
  }

private:
  void plan_parts(int64_t elements) {
    const int64_t wanted = std::clamp<int64_t>(elements / kPartElements, 1, 8);
    kept_each_ = std::max<int64_t>(1, (num_kept_ + wanted - 1) / wanted);
    kept_parts_ = std::max<int64_t>(1, (num_kept_ + kept_each_ - 1) / kept_each_);
    columns_each_ = std::max<int64_t>(1, run_);
    if (!runs_ && kept_parts_ < wanted) {
      const int64_t cuts = (wanted + kept_parts_ - 1) / kept_parts_;
      const int64_t least =
          elements * element_ < streaming_threshold() ? kPartColumns : ReduceLoops::kColumns;
      columns_each_ = std::max(least, ((run_ + cuts - 1) / cuts + least - 1) / least * least);
      column_parts_ = std::max<int64_t>(1, (run_ + columns_each_ - 1) / columns_each_);
    }
  }

  void fold_runs(const std::byte *x, const void *init, std::byte *out, int64_t begin, int64_t end) const {
    constexpr int64_t kBatch = 64; // results finished together
    alignas(64) std::byte total[kBatch * kAccumulator], ones[kBatch * kAccumulator];
    for (int64_t first = begin; first < end; first += kBatch) {
      const int64_t n = std::min(kBatch, end - first);
      loops_.start(init, total, n);
      for (int64_t f = 0; f < num_folded_ && run_ > 0; ++f) {
        const int64_t base = offset_of(folded_, f);
        for (int64_t i = 0; i < n; ++i)
          loops_.fold_run(x + (base + offset_of(kept_, first + i)) * element_, run_,
                          ones + i * loops_.accumulator_size);
        loops_.combine(total, ones, n);
      }
      loops_.finish(total, out + first * element_, n);
    }
  }

  void fold_rows(const std::byte *x, const void *init, std::byte *out, int64_t begin, int64_t end,
                 int64_t column_part) const {
    alignas(64) std::byte total[ReduceLoops::kColumns * kAccumulator],
        chunk[ReduceLoops::kColumns * kAccumulator];
    std::array<int64_t, kChunk> offsets;
    const int64_t last_column = std::min(run_, (column_part + 1) * columns_each_);
    for (int64_t k = begin; k < end; ++k) {
      const int64_t base = offset_of(kept_, k);
      for (int64_t c = column_part * columns_each_; c < last_column; c += ReduceLoops::kColumns) {
        const int64_t columns = std::min(ReduceLoops::kColumns, last_column - c);
        loops_.start(init, total, columns);
        for (int64_t f = 0; f < num_folded_; f += kChunk) {
          const int64_t rows = std::min(kChunk, num_folded_ - f);
          for (int64_t r = 0; r < rows; ++r)
            offsets[static_cast<size_t>(r)] = offset_of(folded_, f + r);
          loops_.fold_rows(x + (base + c) * element_, offsets.data(), rows, columns, chunk);
          loops_.combine(total, chunk, columns);
        }
        loops_.finish(total, out + (k * run_ + c) * element_, columns);
      }
    }
  }

  static constexpr int64_t kAccumulator = 8; // bytes, at most

  ReduceLoops loops_;
  int64_t element_;                 // bytes
  std::vector<std::byte> identity_; // in place of the initial value; empty: use that
  bool runs_ = false;
  int64_t run_ = 1;                // the innermost folded (or kept) dimensions, contiguous
  std::vector<Dim> kept_, folded_; // the others, in elements
  int64_t num_kept_ = 1, num_folded_ = 1;
  int64_t kept_each_ = 1, kept_parts_ = 1, columns_each_ = 1, column_parts_ = 1;
};

std::unique_ptr<Kernel> bind(const Request &r) {
  if (r.results.size() != 1 || r.operands[0].dtype != r.results[0].dtype)
    return nullptr;
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  if (!kind)
    return nullptr;
  const ReduceLoops loops = reduce_loops(r.operands[0].dtype, *kind);
  if (loops.accumulator_size == 0)
    return nullptr;
  return std::make_unique<Reduce>(
      r, loops, r.use_init ? std::vector<std::byte>() : ops::identity_of(*kind, r.results[0].dtype));
}

constexpr std::array kOps{"stablehlo.reduce"};

} // namespace

Entry reduce() { return {"cpu:reduce", kOps, bind}; }

} // namespace tw::kernels::cpu
