// SPDX-License-Identifier: Apache-2.0
// Reductions along any dimensions. How an element is folded follows from which dimensions are folded and how
// long those are, never from the extents of the others: a tile of the result has the bits of the whole.
//
// Where the innermost dimension is folded, the contiguous run of innermost folded dimensions is folded in
// lanes, kRun elements a piece; where it is kept, whole rows are, kRows a piece. A total joins its pieces one
// after the other; of few results different parts fold the pieces.
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

namespace tw::kernels::cpu::reduce_kernel {

namespace {

constexpr int64_t kRows = 256, kRun = 32 << 10; // of a piece
constexpr int64_t kPartElements = 64 << 10;     // of the operand, at least
constexpr int64_t kMostShared = 1 << 20;        // bytes of folded pieces
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
    columns_ = runs_ ? 1 : run_;
    run_pieces_ = (run_ + kRun - 1) / kRun;
    num_pieces_ = runs_ ? num_folded_ * run_pieces_ : (num_folded_ + kRows - 1) / kRows;
    plan_parts(in.elements());
  }

  const char *name() const override { return "cpu:reduce"; }
  int64_t prepare_parts() const override { return prepare_parts_; }
  int64_t shared_bytes() const override { return prepare_parts_ > 0 ? num_pieces_ * piece_bytes() : 0; }
  int64_t parts() const override { return kept_parts_ * column_parts_; }

  Status prepare(int64_t part, std::span<const void *const> operands, void *shared) const override {
    const int64_t end = std::min(num_pieces_, (part + 1) * pieces_each_);
    for (int64_t p = part * pieces_each_; p < end; ++p)
      each_batch(0, num_kept_, 0, columns_, [&](int64_t k, int64_t c, int64_t n) {
        fold_piece(operands[0], p, k, c, n, static_cast<std::byte *>(shared) + place(p, k, c));
      });
    return {};
  }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    // At the beginning of pages: accumulators that begin elsewhere than rows of whole pages are up to a fifth
    // slower.
    alignas(4096) std::byte total[kMostResults * kAccumulator], one[kMostResults * kAccumulator];
    const void *init = identity_.empty() ? operands[1] : identity_.data();
    const int64_t kept = part / column_parts_ * kept_each_, column = part % column_parts_ * columns_each_;
    each_batch(
        kept, std::min(num_kept_, kept + kept_each_), column, std::min(columns_, column + columns_each_),
        [&](int64_t k, int64_t c, int64_t n) {
          loops_.start(init, total, n);
          for (int64_t p = 0; p < num_pieces_; ++p)
            if (prepare_parts_ > 0) {
              loops_.combine(total, static_cast<const std::byte *>(operands.back()) + place(p, k, c), n);
            } else {
              fold_piece(operands[0], p, k, c, n, one);
              loops_.combine(total, one, n);
            }
          loops_.finish(total, static_cast<std::byte *>(results[0]) + (k * columns_ + c) * element_, n);
        });
    return {};
  }

private:
  void plan_parts(int64_t elements) {
    const int64_t wanted = std::clamp<int64_t>(elements / kPartElements, 1, 8);
    kept_each_ = std::max<int64_t>(1, (num_kept_ + wanted - 1) / wanted);
    kept_parts_ = std::max<int64_t>(1, (num_kept_ + kept_each_ - 1) / kept_each_);
    columns_each_ = std::max<int64_t>(1, columns_);
    if (!runs_ && kept_parts_ < wanted) {
      const int64_t cuts = (wanted + kept_parts_ - 1) / kept_parts_;
      const int64_t least = elements * element_ < streaming_threshold() ? kPartColumns : kMostResults;
      columns_each_ = std::max(least, ((columns_ + cuts - 1) / cuts + least - 1) / least * least);
      column_parts_ = std::max<int64_t>(1, (columns_ + columns_each_ - 1) / columns_each_);
    }
    if (num_pieces_ > 1 && 2 * parts() <= wanted && num_pieces_ * piece_bytes() <= kMostShared) {
      pieces_each_ = (num_pieces_ + wanted - 1) / wanted;
      prepare_parts_ = (num_pieces_ + pieces_each_ - 1) / pieces_each_;
      kept_each_ = num_kept_; // what is left to do is little
      columns_each_ = columns_;
      kept_parts_ = column_parts_ = 1;
    }
  }

  // Of accumulators: those of all results, and where a piece has that of a result.
  int64_t piece_bytes() const { return num_kept_ * columns_ * loops_.accumulator_size; }
  int64_t place(int64_t piece, int64_t k, int64_t c) const {
    return piece * piece_bytes() + (k * columns_ + c) * loops_.accumulator_size;
  }

  // Calls fold(k, c, n) for n results at a time: of so many k from there on, if runs are folded; else of one
  // k in so many columns.
  void each_batch(int64_t kept, int64_t last_kept, int64_t column, int64_t last_column,
                  const auto &fold) const {
    constexpr int64_t kRunsAtOnce = 64;
    for (int64_t k = kept; k < last_kept; k += runs_ ? kRunsAtOnce : 1)
      if (runs_)
        fold(k, 0, std::min(kRunsAtOnce, last_kept - k));
      else
        for (int64_t c = column; c < last_column; c += kMostResults)
          fold(k, c, std::min(kMostResults, last_column - c));
  }

  void fold_piece(const void *operand, int64_t piece, int64_t k, int64_t c, int64_t n,
                  std::byte *accumulators) const {
    const auto at = [&](int64_t offset) {
      return static_cast<const std::byte *>(operand) + offset * element_;
    };
    if (runs_) {
      const int64_t begin = piece % run_pieces_ * kRun, length = std::min(kRun, run_ - begin),
                    base = offset_of(folded_, piece / run_pieces_) + begin;
      for (int64_t i = 0; i < n; ++i)
        loops_.fold_run(at(base + offset_of(kept_, k + i)), length,
                        accumulators + i * loops_.accumulator_size);
      return;
    }
    std::array<int64_t, kRows> offsets;
    const int64_t first = piece * kRows, rows = std::min(kRows, num_folded_ - first);
    for (int64_t r = 0; r < rows; ++r)
      offsets[static_cast<size_t>(r)] = offset_of(folded_, first + r);
    loops_.fold_rows(at(offset_of(kept_, k) + c), offsets.data(), rows, n, accumulators);
  }

  static constexpr int64_t kMostResults = ReduceLoops::kColumns; // of a batch
  static constexpr int64_t kAccumulator = 8;                     // bytes, at most

  ReduceLoops loops_;
  int64_t element_;                 // bytes
  std::vector<std::byte> identity_; // in place of the initial value; empty: use that
  bool runs_ = false;
  int64_t run_ = 1;                // the innermost folded (or kept) dimensions, contiguous
  std::vector<Dim> kept_, folded_; // the others, in elements
  int64_t num_kept_ = 1, num_folded_ = 1;
  int64_t columns_ = 1;                     // results beside each other that are folded as one
  int64_t run_pieces_ = 1, num_pieces_ = 1; // of a run, and of all that one result is folded from
  int64_t kept_each_ = 1, kept_parts_ = 1, columns_each_ = 1, column_parts_ = 1;
  int64_t pieces_each_ = 1, prepare_parts_ = 0; // other parts fold the pieces
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

constexpr std::array kOps{ops::OpKind::reduce};

} // namespace

Entry entry() { return {"cpu:reduce", kOps, bind}; }

} // namespace tw::kernels::cpu::reduce_kernel
