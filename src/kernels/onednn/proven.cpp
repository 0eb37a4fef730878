// SPDX-License-Identifier: Apache-2.0
// The same random numbers, whose sums have other bits in another order, are multiplied whole and in tiles: a
// single row, a single column, a few of both, two products in place of one, some with packed right matrices.
// Depths are tried from small to large, up to the first that fails: on AMX sums of bf16 over more than 1024
// depend on the numbers of rows and columns (seen on Sapphire Rapids), those over less do not.
#include "kernels/onednn/proven.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "kernels/onednn/few_rows_loops.hpp"
#include "kernels/onednn/product.hpp"

namespace tw::kernels::onednn {

namespace {

using graph::DType;
using Bytes = std::vector<std::byte>;

constexpr int64_t kProvenRows = 70,
                  kProvenColumns = 130; // more than a block of each, and not multiples of one
constexpr int64_t kPackedColumns = 128, kChainRows = 8;

// Rows and columns of the whole product, and in how many products.
struct Tile {
  int64_t row, rows, column, columns, batch = 1;
};
constexpr Tile kWhole{0, kProvenRows, 0, kProvenColumns}, kOneRow{kProvenRows - 1, 1, 0, kProvenColumns},
    kOneColumn{0, kProvenRows, kProvenColumns - 1, 1}, kFew{3, 17, 5, 9},
    kTwoProducts{0, kProvenRows, 0, kProvenColumns, 2};

// How deep, which way the operands lie, and which tile there is beside a single row. A primitive takes some
// 0.2 ms to make, so there are few.
struct Sample {
  int64_t k;
  bool lhs_transposed, rhs_transposed;
  Tile tile;
};
struct Level {
  int64_t depth;
  std::vector<Sample> samples;
};
// oneDNN's blocks of k are 512 and 1024 long as far as they are known, and it pads k to pairs, 16 and 32.
std::vector<Level> levels() {
  return {
      {512, {{31, false, false, kOneColumn}, {480, true, true, kFew}}},
      {1024, {{992, false, false, kOneColumn}, {1024, false, true, kFew}, {701, true, false, kTwoProducts}}},
      {Proven::kAny,
       {{1025, false, false, kOneColumn}, {1536, false, true, kFew}, {2592, false, false, kTwoProducts}}}};
}
constexpr int64_t kDeepest = 2592;

class Prover {
public:
  Prover(DType operand, DType result)
      : operand_(operand), result_(result), size_(static_cast<int64_t>(graph::byte_size(operand))),
        result_size_(static_cast<int64_t>(graph::byte_size(result))), lhs_(numbers(kProvenRows * kDeepest)),
        rhs_(numbers(kProvenColumns * kDeepest)) {}

  Proven run() {
    proven_.packs = true;
    proven_.chains = operand_ == DType::f32;
    for (const Level &level : levels()) {
      if (!std::ranges::all_of(level.samples, [&](const Sample &s) { return holds(s); }))
        break;
      proven_.depth = level.depth;
    }
    proven_.chains = proven_.chains && proven_.depth == Proven::kAny;
    return proven_;
  }

private:
  // In (-1, 1), with all bits of the type in use.
  Bytes numbers(int64_t count) {
    Bytes bytes(static_cast<size_t>(count * size_));
    for (int64_t i = 0; i < count; ++i) {
      state_ = state_ * 6364136223846793005u + 1442695040888963407u;
      const float value = static_cast<float>(static_cast<int32_t>(state_ >> 32)) * 0x1p-31f;
      const std::byte *upper = reinterpret_cast<const std::byte *>(&value) + 4 - size_; // bf16 is half of f32
      std::memcpy(bytes.data() + i * size_, upper, static_cast<size_t>(size_));
    }
    return bytes;
  }

  // Some rows (or columns) of a matrix that has `all` of them, dense.
  Bytes take(const Bytes &matrix, int64_t first, int64_t count, int64_t all, int64_t k, bool k_inner) const {
    Bytes part(static_cast<size_t>(count * k * size_));
    const int64_t runs = k_inner ? 1 : k, run = (k_inner ? count * k : count) * size_;
    for (int64_t i = 0; i < runs; ++i)
      std::memcpy(part.data() + i * run, matrix.data() + (k_inner ? first * k : i * all + first) * size_,
                  static_cast<size_t>(run));
    return part;
  }

  ProductShape shape_of(const Sample &s, const Tile &t) const {
    return {t.batch, t.rows / t.batch, t.columns, s.k, s.lhs_transposed, s.rhs_transposed, operand_, result_};
  }

  // None: oneDNN would not run it in the way that is known.
  std::optional<Bytes> multiply(const ProductShape &shape, const void *lhs, const void *rhs) {
    const auto product = Product::create(shape);
    if (product == nullptr || !product->is_known())
      return std::nullopt;
    if (proven_.implementation.empty())
      proven_.implementation = product->implementation();
    Bytes packed;
    if (shape.rhs_packed) {
      packed.resize(static_cast<size_t>(product->packing().bytes()));
      product->packing().run(rhs, packed.data());
      rhs = packed.data();
    }
    Bytes result(static_cast<size_t>(shape.batch * shape.m * shape.n * result_size_)),
        scratch(static_cast<size_t>(product->scratch_bytes() + 64));
    void *aligned = scratch.data();
    size_t space = scratch.size();
    std::align(64, static_cast<size_t>(product->scratch_bytes()), aligned, space);
    if (!product->run(lhs, rhs, result.data(), aligned))
      return std::nullopt;
    return result;
  }

  std::optional<Bytes> multiply(const Sample &s, const Tile &t) {
    Bytes lhs, rhs;
    const int64_t rows = t.rows / t.batch;
    for (int64_t b = 0; b < t.batch; ++b) {
      const Bytes l = take(lhs_, t.row + b * rows, rows, kProvenRows, s.k, !s.lhs_transposed),
                  r = take(rhs_, t.column, t.columns, kProvenColumns, s.k, s.rhs_transposed);
      lhs.insert(lhs.end(), l.begin(), l.end());
      rhs.insert(rhs.end(), r.begin(), r.end());
    }
    return multiply(shape_of(s, t), lhs.data(), rhs.data());
  }

  bool agrees(const Bytes &whole, const Tile &t, const Bytes &part) const {
    for (int64_t r = 0; r < t.rows; ++r)
      if (std::memcmp(part.data() + r * t.columns * result_size_,
                      whole.data() + ((t.row + r) * kProvenColumns + t.column) * result_size_,
                      static_cast<size_t>(t.columns * result_size_)) != 0)
        return false;
    return true;
  }

  bool holds(const Sample &s) {
    const auto whole = multiply(shape_of(s, kWhole), lhs_.data(), rhs_.data());
    if (!whole)
      return false;
    for (const Tile &t : {kOneRow, s.tile}) {
      const auto part = multiply(s, t);
      if (!part || !agrees(*whole, t, *part))
        return false;
    }
    proven_.packs = proven_.packs && holds_packed(s, *whole);
    proven_.chains = proven_.chains && are_chains(s, *whole);
    return true;
  }

  // Also where the right matrix cannot be packed: then it never is.
  bool holds_packed(const Sample &s, const Bytes &whole) {
    const Tile t{2, s.rhs_transposed ? 1 : kProvenRows - 2, 0, kPackedColumns};
    ProductShape shape = shape_of(s, t);
    shape.rhs_packed = true;
    shape.rhs_stride = s.rhs_transposed ? s.k : kProvenColumns;
    const Bytes lhs = take(lhs_, t.row, t.rows, kProvenRows, s.k, !s.lhs_transposed);
    const auto part = multiply(shape, lhs.data(), rhs_.data());
    return !part || agrees(whole, t, *part);
  }

  // The first rows, by our own loops.
  bool are_chains(const Sample &s, const Bytes &whole) const {
    const auto *lhs = reinterpret_cast<const float *>(lhs_.data()),
               *rhs = reinterpret_cast<const float *>(rhs_.data());
    std::vector<float> a(static_cast<size_t>(kChainRows * s.k)), b(static_cast<size_t>(s.k * kProvenColumns)),
        sums(static_cast<size_t>(kChainRows * kProvenColumns)), result(sums.size());
    for (int64_t r = 0; r < kChainRows; ++r)
      for (int64_t i = 0; i < s.k; ++i)
        a[static_cast<size_t>(r * s.k + i)] = lhs[s.lhs_transposed ? i * kProvenRows + r : r * s.k + i];
    for (int64_t i = 0; i < s.k; ++i)
      for (int64_t c = 0; c < kProvenColumns; ++c)
        b[static_cast<size_t>(i * kProvenColumns + c)] =
            rhs[s.rhs_transposed ? c * s.k + i : i * kProvenColumns + c];
    const int64_t chain = Product::chain(s.k);
    for (int64_t k = 0; k < s.k; k += chain) {
      extend_chains(a.data() + k, s.k, kChainRows, b.data() + k * kProvenColumns, kProvenColumns,
                    std::min(chain, s.k - k), sums.data(), kProvenColumns, kProvenColumns);
      end_chains(sums.data(), result.data(), kChainRows * kProvenColumns, k == 0);
    }
    return std::memcmp(result.data(), whole.data(), result.size() * sizeof(float)) == 0;
  }

  DType operand_, result_;
  int64_t size_, result_size_;
  uint64_t state_ = 1;
  Bytes lhs_, rhs_;
  Proven proven_;
};

struct Types {
  DType operand, result;
};
constexpr std::array kTypes{Types{DType::f32, DType::f32}, Types{DType::bf16, DType::bf16},
                            Types{DType::bf16, DType::f32}};

} // namespace

const Proven &proven(DType operand, DType result) {
  struct Entry {
    std::once_flag once;
    Proven proven;
  };
  static std::array<Entry, kTypes.size() + 1> entries;
  size_t i = 0;
  while (i < kTypes.size() && (kTypes[i].operand != operand || kTypes[i].result != result))
    ++i;
  if (i < kTypes.size())
    std::call_once(entries[i].once, [&] { entries[i].proven = Prover(operand, result).run(); });
  return entries[i].proven;
}

std::string proven_text() {
  std::string text;
  for (const auto &[operand, result] : kTypes) {
    const Proven &p = proven(operand, result);
    const std::string how = p.depth == 0              ? " by our own loops"
                            : p.depth == Proven::kAny ? ""
                                                      : fmt::format(" in blocks of {}", p.depth);
    text += fmt::format(
        "{}{}{}{}{}{}{}", text.empty() ? "" : ", ", graph::name(operand),
        operand == result ? "" : fmt::format(" to {}", graph::name(result)),
        p.depth == 0 ? "" : " " + p.implementation, how, p.depth > 0 && !p.packs ? " not packed" : "",
        p.depth == Proven::kAny && operand == DType::f32 && !p.chains ? " in other chains" : "");
  }
  return text;
}

} // namespace tw::kernels::onednn
