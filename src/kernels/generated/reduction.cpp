// SPDX-License-Identifier: Apache-2.0
// What one result is folded from is cut into pieces of a fixed length. Where the innermost dimension is
// folded a piece is a run, folded by 32 threads, one a lane, and the lanes pairwise; a run that is shorter,
// and rows where the innermost dimension is kept, by one thread. A total joins its pieces one after the
// other. Loops over memory are unrolled, so that several loads are under way while sums wait for each other.
#include "kernels/generated/reduction.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/generated/index_text.hpp"
#include "kernels/generated/prelude.hpp"
#include "kernels/generated/scalar_text.hpp"
#include "ops/element.hpp"
#include "ops/reduction.hpp"

namespace tw::kernels::generated {

namespace {

constexpr int64_t kRows = 256;            // of a piece
constexpr int64_t kManyThreads = 1 << 18; // which keep a device busy without a second launch
constexpr int64_t kFewResults = 1024;     // whose pieces a block each joins
constexpr int64_t kAtOnce = 2048;         // pieces that it brings

class ReductionWriter {
public:
  ReductionWriter(const ReductionRequest &r, const std::string &entry) : r_(r), entry_(entry) {
    cut_dims();
    wide_ = ops::wide_type(r.dtype);
    element_ = type_name(r.dtype);
    accumulator_ = type_name(wide_);
    lanes_ = runs_ && run_ >= kLanes ? kLanes : 1;
  }

  Source run() {
    Source source;
    const bool twice = pieces_ > 1 && results_ * lanes_ < kManyThreads;
    write_fold(source.text);
    const Word init{Word::Kind::operand, 1}, array{Word::Kind::operand, 0}, result{Word::Kind::result, 0},
        scratch{Word::Kind::scratch, 0};
    if (twice) {
      write_pieces(source.text);
      source.launches.push_back(
          {entry_ + "_pieces", blocks_for(pieces_ * results_ * lanes_), kThreads, {array, scratch}});
      const bool by_blocks = results_ <= kFewResults && pieces_ >= kThreads;
      by_blocks ? write_joined_by_blocks(source.text) : write_joined(source.text);
      source.launches.push_back(
          {entry_, by_blocks ? results_ : blocks_for(results_), kThreads, {scratch, result}});
      source.scratch_bytes = pieces_ * results_ * static_cast<int64_t>(graph::byte_size(wide_));
    } else {
      write_whole(source.text);
      source.launches.push_back({entry_, blocks_for(results_ * lanes_), kThreads, {array, result}});
    }
    if (r_.use_init)
      source.launches.back().words.push_back(init);
    return source;
  }

private:
  // As the host does: dimensions inside the innermost change between folded and kept are one run, or the
  // columns of rows.
  void cut_dims() {
    const size_t rank = r_.extent.size();
    const auto is_folded = [&](size_t d) {
      return std::ranges::find(r_.dims, static_cast<int64_t>(d)) != r_.dims.end();
    };
    std::vector<int64_t> strides(rank, 1);
    for (size_t d = rank; d-- > 1;)
      strides[d - 1] = strides[d] * r_.extent[d];
    size_t inner = rank;
    runs_ = rank > 0 && is_folded(rank - 1);
    while (inner > 0 && is_folded(inner - 1) == runs_)
      run_ *= r_.extent[--inner];
    for (size_t d = 0; d < inner; ++d)
      (is_folded(d) ? folded_ : kept_).push_back({r_.extent[d], strides[d]});
    columns_ = runs_ ? 1 : run_;
    results_ = product_of(kept_) * columns_;
    const int64_t folded = product_of(folded_);
    run_pieces_ = (run_ + kRun - 1) / kRun;
    pieces_ = runs_ ? folded * run_pieces_ : (folded + kRows - 1) / kRows;
    rows_ = folded;
    kept_ = merged_dims(kept_);
    folded_ = merged_dims(folded_);
  }

  std::string combined(const std::string &a, const std::string &b) const {
    return fmt::format("{}({}, {})", combining_text(r_.kind, wide_), a, b);
  }

  // A function that folds piece `piece` of result `result`: all of it, or in the lanes of a group, whose
  // first thread then has the value. Every thread of a block calls it.
  void write_fold(std::string &text) const {
    text += fmt::format("TW_FN tw::V<tw::{1}> {0}_at(const void *data, tw::i64_t i) {{\n"
                        "  return tw::convert<tw::{1}, tw::{2}>(tw::load<tw::{2}>(data, i));\n}}\n",
                        entry_, accumulator_, element_);
    text += fmt::format(
        "TW_FN tw::V<tw::{}> {}_fold(const void *data, tw::i64_t result, tw::i64_t piece, int lane, "
        "tw::V<tw::{}> *lanes) {{\n  (void)lane;\n  (void)lanes;\n",
        accumulator_, entry_, accumulator_);
    if (runs_)
      write_run(text);
    else
      write_rows(text);
    text += "}\n";
  }

  void write_run(std::string &text) const {
    text += fmt::format("  const tw::i64_t row = piece / {0}ll, begin = piece % {0}ll * {1}ll;\n"
                        "  const tw::i64_t n = {2}ll - begin < {1}ll ? {2}ll - begin : {1}ll;\n"
                        "  const tw::i64_t base = {3} + {4} + begin;\n  (void)row;\n",
                        std::max<int64_t>(run_pieces_, 1), kRun, run_, offset_text(kept_, "result"),
                        offset_text(folded_, "row"));
    if (lanes_ == 1) {
      text +=
          fmt::format("  tw::V<tw::{0}> sum = {1}_at(data, base);\n"
                      "  for (tw::i64_t i = 1; i < n; ++i)\n    sum = {2};\n  return sum;\n",
                      accumulator_, entry_, combined("sum", fmt::format("{}_at(data, base + i)", entry_)));
      return;
    }
    // A last piece of less than 32 elements is folded by the first lane.
    text += fmt::format("  tw::V<tw::{0}> sum = {{}};\n"
                        "  if (n < 32 && lane == 0) {{\n    sum = {1}_at(data, base);\n"
                        "    for (tw::i64_t i = 1; i < n; ++i)\n      sum = {2};\n  }}\n"
                        "  if (n >= 32)\n",
                        accumulator_, entry_, combined("sum", fmt::format("{}_at(data, base + i)", entry_)));
    write_loaded(text, "lane", "n", kLanes, run_ % (kLanes * at_once()) != 0, "base + i");
    text += fmt::format("  lanes[lane] = sum;\n  __syncthreads();\n"
                        "  for (int w = 16; w > 0; w /= 2) {{\n"
                        "    if (lane < w && n >= 32)\n      lanes[lane] = {};\n    __syncthreads();\n  }}\n"
                        "  sum = lanes[0];\n  __syncthreads();\n  return sum;\n",
                        combined("lanes[lane]", "lanes[lane + w]"));
  }

  // What a thread loads together: 64 bytes, so that many are under way while sums wait for each other.
  int64_t at_once() const {
    return std::clamp<int64_t>(64 / static_cast<int64_t>(graph::byte_size(r_.dtype)), 8, 32);
  }

  // A statement that folds elements first, first + step, ... below `end` into `sum`; `index` says where i is.
  void write_loaded(std::string &text, const std::string &first, const std::string &end, int64_t step,
                    bool has_rest, const std::string &index) const {
    const std::string is_in = has_rest ? fmt::format("if (next + u * {} < {}) ", step, end) : "";
    text += fmt::format(
        "  for (tw::i64_t next = {0}; next < {1}; next += {2}) {{\n    tw::V<tw::{3}> x[{4}];\n"
        "#pragma unroll\n    for (int u = 0; u < {4}; ++u) {5}{{\n      const tw::i64_t i = next + u * {6};\n"
        "      x[u] = {7}_at(data, {8});\n    }}\n"
        "#pragma unroll\n    for (int u = 0; u < {4}; ++u) {5}\n      sum = u == 0 && next == {0} ? x[u] : "
        "{9};\n"
        "  }}\n",
        first, end, step * at_once(), accumulator_, at_once(), is_in, step, entry_, index,
        combined("sum", "x[u]"));
  }

  void write_rows(std::string &text) const {
    text +=
        fmt::format("  const tw::i64_t group = result / {0}ll, column = result % {0}ll;\n"
                    "  const tw::i64_t base = {1} + column, first = piece * {2}ll;\n  (void)group;\n"
                    "  const tw::i64_t end = {3}ll - first < {2}ll ? {3}ll : first + {2}ll;\n"
                    "  tw::V<tw::{4}> sum = {{}};\n",
                    std::max<int64_t>(columns_, 1), offset_text(kept_, "group"), kRows, rows_, accumulator_);
    write_loaded(text, "first", "end", 1, rows_ % at_once() != 0,
                 fmt::format("base + {}", offset_text(folded_, "i")));
    text += "  return sum;\n";
  }

  std::string start_text(size_t word) const {
    return r_.use_init ? fmt::format("{}_at((const void *)args.word[{}], 0)", entry_, word)
                       : identity_text(r_.kind, r_.dtype);
  }

  // The beginning of a kernel: `unit` is what a group of lanes does; one that is too many does the last once
  // more, since all threads meet at barriers, and writes nothing.
  void write_head(std::string &text, const std::string &name, size_t words, int64_t units, int lanes) const {
    text += fmt::format("{}({}, {}) {{\n", lanes > 1 ? "TW_BLOCK_KERNEL" : "TW_KERNEL", name, words);
    if (lanes > 1)
      text += fmt::format("  __shared__ tw::V<tw::{}> all_lanes[{}];\n", accumulator_, kThreads);
    text += fmt::format(
        "  const tw::i64_t thread = (tw::i64_t)blockIdx.x * {0} + threadIdx.x, wanted = thread / {1};\n"
        "  const tw::i64_t unit = wanted < {2}ll ? wanted : {2}ll - 1;\n"
        "  const int lane = (int)(thread % {1});\n"
        "  const bool writes = lane == 0 && wanted < {2}ll;\n",
        kThreads, lanes, units);
    text += lanes > 1
                ? fmt::format("  tw::V<tw::{}> *const lanes = all_lanes + threadIdx.x / {} * {};\n",
                              accumulator_, lanes, lanes)
                : fmt::format("  tw::V<tw::{}> *const lanes = nullptr;\n  (void)lanes;\n", accumulator_);
  }

  void write_whole(std::string &text) const {
    write_head(text, entry_, 2 + (r_.use_init ? 1 : 0), results_, lanes_);
    text += fmt::format("  tw::V<tw::{}> total = {};\n", accumulator_, start_text(2));
    if (pieces_ > 0)
      text += fmt::format(
          "  for (tw::i64_t piece = 0; piece < {}ll; ++piece)\n    total = {};\n", pieces_,
          combined("total",
                   fmt::format("{}_fold((const void *)args.word[0], unit, piece, lane, lanes)", entry_)));
    write_end(text, "args.word[1]");
  }

  void write_pieces(std::string &text) const {
    write_head(text, entry_ + "_pieces", 2, pieces_ * results_, lanes_);
    text += fmt::format(
        "  const tw::V<tw::{0}> sum = {1}_fold((const void *)args.word[0], unit % {2}ll, unit / {2}ll, "
        "lane, lanes);\n"
        "  if (writes)\n    tw::store<tw::{0}>((void *)args.word[1], unit, sum);\n}}\n",
        accumulator_, entry_, results_);
  }

  void write_joined(std::string &text) const {
    write_head(text, entry_, 2 + (r_.use_init ? 1 : 0), results_, 1);
    text += fmt::format(
        "  tw::V<tw::{0}> total = {1};\n#pragma unroll 8\n"
        "  for (tw::i64_t piece = 0; piece < {2}ll; ++piece)\n    total = {3};\n",
        accumulator_, start_text(2), pieces_,
        combined("total", fmt::format("tw::load<tw::{}>((const void *)args.word[0], piece * {}ll + unit)",
                                      accumulator_, results_)));
    write_end(text, "args.word[1]");
  }

  // A block brings the pieces of its result, and its first thread joins them one after the other.
  void write_joined_by_blocks(std::string &text) const {
    const auto joined = [&](const char *piece) {
      return fmt::format("tw::load<tw::{}>((const void *)args.word[0], ({}) * {}ll + unit)", accumulator_,
                         piece, results_);
    };
    text += fmt::format(
        "TW_BLOCK_KERNEL({0}, {1}) {{\n  __shared__ tw::V<tw::{2}> some[{3}];\n"
        "  const tw::i64_t unit = blockIdx.x;\n  const bool writes = threadIdx.x == 0;\n"
        "  tw::V<tw::{2}> total = {4};\n"
        "  for (tw::i64_t first = 0; first < {5}ll; first += {3}) {{\n"
        "    const int n = {5}ll - first < {3} ? (int)({5}ll - first) : {3};\n"
        "#pragma unroll 8\n    for (int i = (int)threadIdx.x; i < n; i += {8})\n      some[i] = {6};\n"
        "    __syncthreads();\n"
        "    if (writes) {{\n#pragma unroll 8\n      for (int i = 0; i < n; ++i)\n        total = {7};\n    "
        "}}\n"
        "    __syncthreads();\n  }}\n",
        entry_, 2 + (r_.use_init ? 1 : 0), accumulator_, kAtOnce, start_text(2), pieces_, joined("first + i"),
        combined("total", "some[i]"), kThreads);
    write_end(text, "args.word[1]");
  }

  void write_end(std::string &text, const char *result) const {
    text += fmt::format(
        "  if (writes)\n    tw::store<tw::{1}>((void *){0}, unit, tw::convert<tw::{1}, tw::{2}>(total));\n"
        "}}\n",
        result, element_, accumulator_);
  }

  const ReductionRequest &r_;
  const std::string &entry_;
  graph::DType wide_;
  std::string element_, accumulator_;
  bool runs_ = false;
  int lanes_ = 1;
  int64_t run_ = 1; // the innermost folded, or kept, dimensions
  std::vector<IndexDim> kept_, folded_;
  int64_t columns_ = 1, results_ = 1, rows_ = 1, run_pieces_ = 1, pieces_ = 1;
};

} // namespace

Source reduction_source(const ReductionRequest &request, const std::string &entry) {
  return ReductionWriter(request, entry).run();
}

std::string identity_text(sharding::Reduction kind, graph::DType dtype) {
  const std::vector<std::byte> bytes = ops::identity_of(kind, dtype);
  const auto code = [&](size_t from, size_t size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + from, size);
    return bits;
  };
  const auto part = [&](size_t from, size_t size) {
    return fmt::format("tw::{}_of({:#x}ull)", size == 4 ? "float" : "double", code(from, size));
  };
  const size_t size = bytes.size();
  const std::string type = type_name(dtype), wide = type_name(ops::wide_type(dtype));
  if (graph::is_complex(dtype))
    return fmt::format("tw::complex<tw::{}>({}, {})", type, part(0, size / 2), part(size / 2, size / 2));
  if (dtype == graph::DType::f32 || dtype == graph::DType::f64)
    return part(0, size);
  return fmt::format("tw::convert<tw::{0}, tw::{1}>((tw::V<tw::{1}>){2:#x}ull)", wide, type, code(0, size));
}

} // namespace tw::kernels::generated
