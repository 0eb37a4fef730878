// SPDX-License-Identifier: Apache-2.0
// iota: runs of one value, or, where the innermost dimension is counted, of rising ones.
#include <algorithm>
#include <array>
#include <limits>

#include "kernels/entry.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"

namespace tw::kernels::cpu::iota_kernel {

namespace {

constexpr int64_t kPartElements = 64 << 10;

// value(i) of each element of y.
template <class E, class Value> void write(typename E::Storage *y, int64_t n, Value value) {
  using V = typename E::Value;
  for (int64_t i = 0; i < n; ++i)
    if constexpr (ops::is_complex_value<V>)
      y[i] = E::store(V(static_cast<typename V::value_type>(value(i))));
    else
      y[i] = E::store(static_cast<V>(value(i)));
}

class Iota final : public Kernel {
public:
  explicit Iota(const Request &r) : dtype_(r.results[0].dtype) {
    const Tile &tile = r.results[0];
    const auto dim = static_cast<size_t>(r.op.integer(ops::slot::iota::iota_dimension));
    first_ = tile.offset[dim];
    count_ = tile.extent[dim];
    for (size_t d = dim + 1; d < tile.extent.size(); ++d)
      run_ *= tile.extent[d];
    rows_ = run_ == 0 ? 0 : tile.elements() / run_;
    rows_each_ = std::max<int64_t>(1, kPartElements / std::max<int64_t>(run_, 1));
  }

  const char *name() const override { return "cpu:iota"; }
  int64_t parts() const override { return std::max<int64_t>(1, (rows_ + rows_each_ - 1) / rows_each_); }

  Status run(int64_t part, std::span<const void *const>, std::span<void *const> results,
             void *) const override {
    const int64_t begin = part * rows_each_, end = std::min(rows_, begin + rows_each_);
    ops::visit_dtype(dtype_, [&]<class E>(E) {
      if constexpr (ops::kNumbers.has(E::dtype)) {
        auto *y = static_cast<typename E::Storage *>(results[0]) + begin * run_;
        for (int64_t row = begin, n = 0; row < end; row += n, y += n * run_) {
          const int64_t at = first_ + row % count_;
          n = run_ > 1 ? 1 : std::min(end - row, count_ - row % count_);
          if (run_ > 1)
            write<E>(y, run_, [&](int64_t) { return at; });
          else if (at + n <= std::numeric_limits<int32_t>::max()) // which vectors convert
            write<E>(y, n,
                     [at = static_cast<int32_t>(at)](int64_t i) { return at + static_cast<int32_t>(i); });
          else
            write<E>(y, n, [&](int64_t i) { return at + i; });
        }
      }
    });
    return {};
  }

private:
  graph::DType dtype_;
  int64_t first_, count_;              // of the dimension that is counted
  int64_t run_ = 1, rows_, rows_each_; // elements of one value; runs, and those of a part
};

constexpr std::array kOps{ops::OpKind::iota};

std::unique_ptr<Kernel> bind(const Request &r) { return std::make_unique<Iota>(r); }

} // namespace

Entry entry() { return {"cpu:iota", kOps, bind}; }

} // namespace tw::kernels::cpu::iota_kernel
