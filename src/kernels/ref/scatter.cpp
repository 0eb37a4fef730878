// SPDX-License-Identifier: Apache-2.0
// Updates combined into slices of an array, each starting where an index vector says.
#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/ref/indexing.hpp"
#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/reduction.hpp"

namespace tw::kernels::ref::scatter_reference {
namespace {

// Combines runs of updates into runs of the results.
class Combiner {
public:
  Combiner(const KernelArgs &args, RegionFn region)
      : args_(args), region_(std::move(region)), n_(args.results.size()) {
    old_.resize(n_);
    new_.resize(n_);
    for (size_t i = 0; i < n_; ++i) {
      old_[i].resize(RegionFn::kBlock * graph::byte_size(args.results[i].dtype));
      new_[i].resize(old_[i].size());
    }
    in_.resize(2 * n_);
    out_.resize(n_);
  }

  // `count` elements from result position `to` by `to_step`, and from update position `from` by `from_step`.
  void run(int64_t to, int64_t to_step, int64_t from, int64_t from_step, int64_t count) {
    const int64_t one = 1;
    for (int64_t done = 0; done < count; done += RegionFn::kBlock) {
      const int64_t m = std::min(RegionFn::kBlock, count - done);
      for (size_t i = 0; i < n_; ++i) {
        const size_t size = graph::byte_size(args_.results[i].dtype);
        copy_strided(old_[i].data(), {&one, 1}, at(args_.results[i], to + done * to_step), {&to_step, 1},
                     {&m, 1}, size);
        copy_strided(new_[i].data(), {&one, 1}, at(args_.operands[n_ + 1 + i], from + done * from_step),
                     {&from_step, 1}, {&m, 1}, size);
        in_[i] = old_[i].data();
        in_[n_ + i] = new_[i].data();
        out_[i] = old_[i].data();
      }
      region_.run(in_, out_, m);
      for (size_t i = 0; i < n_; ++i)
        copy_strided(at(args_.results[i], to + done * to_step), {&to_step, 1}, old_[i].data(), {&one, 1},
                     {&m, 1}, graph::byte_size(args_.results[i].dtype));
    }
  }

private:
  static std::byte *at(const Buffer &b, int64_t element) {
    return static_cast<std::byte *>(b.data) + element * static_cast<int64_t>(graph::byte_size(b.dtype));
  }
  const KernelArgs &args_;
  RegionFn region_;
  size_t n_;
  std::vector<std::vector<std::byte>> old_, new_;
  std::vector<const void *> in_;
  std::vector<void *> out_;
};

void set_initial(const KernelArgs &args) {
  for (size_t i = 0; i < args.results.size(); ++i) {
    const Buffer &out = args.results[i];
    const size_t size = graph::byte_size(out.dtype);
    if (!args.use_init)
      fill(out.data, identity_of(*reduction_of(args.op.graph, args.op.regions[0]), out.dtype).data(),
           out.elements(), size);
    else if (out.elements() != 0)
      std::memcpy(out.data, args.operands[i].data, static_cast<size_t>(out.elements()) * size);
  }
}

// Updates are combined one by one in their row-major order; an element that falls outside the array, or into
// another device's part, is dropped.
Status reference(const KernelArgs &args) {
  set_initial(args);
  TW_ASSIGN(RegionFn region, RegionFn::make(args.op.graph, args.op.regions[0]));
  const size_t n = args.results.size();
  const Indexing indexing = scatter_indexing(args.op);
  const Buffer &array = args.results[0], &updates = args.operands[n + 1];
  const StartReader starts(indexing, args.operands[n]);
  const std::vector<int64_t> array_steps = dense_strides(array.extent),
                             update_steps = dense_strides(updates.extent);
  if (updates.elements() == 0 || array.elements() == 0)
    return {};

  // The last window dimension is done a run at a time.
  size_t line = array.extent.size();
  for (size_t d = 0; d < array.extent.size(); ++d)
    if (indexing.array[d].kind == IndexedDim::Kind::window)
      line = d;
  std::vector<int64_t> outer(updates.extent.begin(), updates.extent.end());
  if (line < array.extent.size())
    outer[indexing.array[line].slices_dim] = 1;

  Combiner combiner(args, std::move(region));
  std::vector<int64_t> start(array.extent.size());
  for (Walk w(outer); w.more(); w.next()) {
    starts.read(w.index(), start);
    int64_t to = 0, from = 0, begin = 0, end = 1;
    bool here = true;
    for (size_t d = 0; d < start.size(); ++d) {
      const IndexedDim &dim = indexing.array[d];
      // Bounded so that sums below cannot overflow; beyond the array is beyond the array.
      int64_t at = std::clamp<int64_t>(start[d], -array.global[d] - 1, array.global[d] + 1);
      if (dim.kind != IndexedDim::Kind::removed)
        at += updates.offset[dim.slices_dim] + (d == line ? 0 : w[dim.slices_dim]);
      at -= array.offset[d];
      if (d == line) {
        begin = std::max<int64_t>(0, -at);
        end = std::min(updates.extent[dim.slices_dim], array.extent[d] - at);
      } else {
        here = here && at >= 0 && at < array.extent[d];
      }
      to += at * array_steps[d];
    }
    for (size_t d = 0; d < outer.size(); ++d)
      from += w[d] * update_steps[d];
    if (!here || begin >= end)
      continue;
    const int64_t to_step = line < start.size() ? array_steps[line] : 1;
    const int64_t from_step = line < start.size() ? update_steps[indexing.array[line].slices_dim] : 1;
    combiner.run(to + begin * to_step, to_step, from + begin * from_step, from_step, end - begin);
  }
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.scatter", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::scatter_reference
