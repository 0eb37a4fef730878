// SPDX-License-Identifier: Apache-2.0
// sort by one key and top_k: keys become unsigned integers of the same order, lines are sorted by digits,
// from the least (stable, nothing is compared); the greatest few are picked with a heap. Comparators of
// several keys are left to the reference.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/entry.hpp"
#include "ops/attributes.hpp"
#include "ops/sort_order.hpp"

namespace tw::kernels::cpu::sort_kernel {

namespace {

constexpr int64_t kPartElements = 1 << 14;
constexpr int64_t kFew = 48; // lines up to this length are sorted by insertion
constexpr size_t kDigits = 256;

template <class Key> struct Item {
  Key key;
  uint32_t index;
};

template <class Key> void insertion_sort(Item<Key> *items, int64_t n) {
  for (int64_t i = 1; i < n; ++i) {
    const Item<Key> item = items[i];
    int64_t at = i;
    for (; at > 0 && items[at - 1].key > item.key; --at)
      items[at] = items[at - 1];
    items[at] = item;
  }
}

// Answers where the sorted items are: digits that all keys share cost no pass.
template <class Key> Item<Key> *sort_items(Item<Key> *items, Item<Key> *other, int64_t n) {
  if (n <= kFew) {
    insertion_sort(items, n);
    return items;
  }
  uint32_t counts[sizeof(Key)][kDigits] = {};
  for (int64_t i = 0; i < n; ++i)
    for (size_t d = 0; d < sizeof(Key); ++d)
      ++counts[d][items[i].key >> (8 * d) & 0xff];
  for (size_t d = 0; d < sizeof(Key); ++d) {
    uint32_t *const count = counts[d];
    if (count[items[0].key >> (8 * d) & 0xff] == static_cast<uint32_t>(n))
      continue;
    uint32_t next = 0;
    for (size_t digit = 0; digit < kDigits; ++digit)
      next += std::exchange(count[digit], next);
    for (int64_t i = 0; i < n; ++i)
      other[count[items[i].key >> (8 * d) & 0xff]++] = items[i];
    std::swap(items, other);
  }
  return items;
}

// Where the lines of an array along one dimension lie.
struct Lines {
  int64_t length = 0, step = 1, count = 0;
  Lines(const Tile &tile, size_t along) : length(tile.extent[along]) {
    for (size_t d = along + 1; d < tile.extent.size(); ++d)
      step *= tile.extent[d];
    count = length == 0 ? 0 : tile.elements() / length;
  }
  int64_t first(int64_t line) const { return line / step * step * length + line % step; }
};

template <size_t Size> void permute(const void *in, void *out, int64_t step, int64_t n, const auto *items) {
  using Block = std::array<std::byte, Size>;
  const auto *from = static_cast<const Block *>(in);
  auto *to = static_cast<Block *>(out);
  for (int64_t i = 0; i < n; ++i)
    to[i * step] = from[items[i].index * step];
}

template <class E> class Sort final : public Kernel {
public:
  using Key = ops::SortKey<E>;
  Sort(const Request &r, const ops::SortOrder &order, size_t along)
      : order_(order), lines_(r.operands[0], along),
        parts_(std::clamp<int64_t>(r.operands[0].elements() / kPartElements, 1,
                                   std::clamp<int64_t>(lines_.count, 1, 8))) {
    for (const Tile &t : r.operands)
      sizes_.push_back(graph::byte_size(t.dtype));
  }
  const char *name() const override { return "cpu:sort"; }
  int64_t parts() const override { return parts_; }
  int64_t scratch_bytes() const override {
    return 2 * lines_.length * static_cast<int64_t>(sizeof(Item<Key>));
  }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *items = static_cast<Item<Key> *>(scratch);
    const auto *keys = static_cast<const typename E::Storage *>(operands[order_.operand]);
    for (int64_t line = lines_.count * part / parts_; line < lines_.count * (part + 1) / parts_; ++line) {
      const int64_t first = lines_.first(line);
      for (int64_t i = 0; i < lines_.length; ++i)
        items[i] = {ops::sort_key<E>(E::load(keys[first + i * lines_.step]), order_),
                    static_cast<uint32_t>(i)};
      const Item<Key> *sorted = sort_items(items, items + lines_.length, lines_.length);
      for (size_t v = 0; v < sizes_.size(); ++v) {
        const auto at = first * static_cast<int64_t>(sizes_[v]);
        const std::byte *from = static_cast<const std::byte *>(operands[v]) + at;
        std::byte *to = static_cast<std::byte *>(results[v]) + at;
        switch (sizes_[v]) {
        case 1: permute<1>(from, to, lines_.step, lines_.length, sorted); break;
        case 2: permute<2>(from, to, lines_.step, lines_.length, sorted); break;
        case 4: permute<4>(from, to, lines_.step, lines_.length, sorted); break;
        case 8: permute<8>(from, to, lines_.step, lines_.length, sorted); break;
        default: permute<16>(from, to, lines_.step, lines_.length, sorted);
        }
      }
    }
    return {};
  }

private:
  ops::SortOrder order_;
  Lines lines_;
  int64_t parts_;
  std::vector<size_t> sizes_; // of an element, per operand
};

template <class E> class TopK final : public Kernel {
public:
  using Key = ops::SortKey<E>;
  explicit TopK(const Request &r)
      : lines_(r.operands[0], r.operands[0].extent.size() - 1), k_(r.results[0].extent.back()),
        parts_(std::clamp<int64_t>(r.operands[0].elements() / kPartElements, 1,
                                   std::clamp<int64_t>(lines_.count, 1, 8))) {
    order_.descending = true;
  }
  const char *name() const override { return "cpu:sort"; }
  int64_t parts() const override { return parts_; }
  int64_t scratch_bytes() const override { return lines_.length * static_cast<int64_t>(sizeof(Item<Key>)); }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *items = static_cast<Item<Key> *>(scratch);
    for (int64_t line = lines_.count * part / parts_; line < lines_.count * (part + 1) / parts_; ++line) {
      const auto *x = static_cast<const typename E::Storage *>(operands[0]) + line * lines_.length;
      for (int64_t i = 0; i < lines_.length; ++i)
        items[i] = {ops::sort_key<E>(E::load(x[i]), order_), static_cast<uint32_t>(i)};
      std::partial_sort(items, items + k_, items + lines_.length, [](const Item<Key> &a, const Item<Key> &b) {
        return a.key != b.key ? a.key < b.key : a.index < b.index;
      });
      auto *values = static_cast<typename E::Storage *>(results[0]) + line * k_;
      auto *indices = static_cast<int32_t *>(results[1]) + line * k_;
      for (int64_t i = 0; i < k_; ++i) {
        values[i] = x[items[i].index];
        indices[i] = static_cast<int32_t>(items[i].index);
      }
    }
    return {};
  }

private:
  ops::SortOrder order_;
  Lines lines_;
  int64_t k_, parts_;
};

constexpr std::array kOps{ops::OpKind::top_k, ops::OpKind::sort};

std::unique_ptr<Kernel> bind(const Request &r) {
  const bool top_k = r.def.kind == kOps[0];
  const auto order = top_k ? ops::SortOrder{} : ops::sort_order_of(r.op.graph, r.op.regions[0]);
  const int64_t dim = top_k ? -1 : r.op.integer(ops::slot::sort::dimension, -1);
  const auto along =
      static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(r.operands[0].extent.size()) : dim);
  if (!order || r.operands[0].extent[along] > INT32_MAX)
    return nullptr;
  return ops::visit_dtype(r.operands[order->operand].dtype, [&]<class E>(E) -> std::unique_ptr<Kernel> {
    if constexpr (!ops::kSortKeys.has(E::dtype))
      return nullptr;
    else if (top_k)
      return std::make_unique<TopK<E>>(r);
    else
      return std::make_unique<Sort<E>>(r, *order, along);
  });
}

} // namespace

Entry entry() { return {"cpu:sort", kOps, bind}; }

} // namespace tw::kernels::cpu::sort_kernel
