// SPDX-License-Identifier: Apache-2.0
// select_and_scatter with a comparison and a known reduction: the gradient of max pooling. Windows are taken
// in order; the innermost dimensions over which nothing slides are compared side by side.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "kernels/entry.hpp"
#include "kernels/ref/combiner.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "ops/window.hpp"

namespace tw::kernels::cpu::select_and_scatter_kernel {

namespace {

using graph::DType;
using ops::SlidingWindow;

constexpr size_t kMostDims = 8;

enum class Keep : uint8_t { ge, gt, le, lt }; // the selected element stays if it is .. the next

// `compare DIRECTION, %a, %b` of the region's arguments in their order.
std::optional<Keep> comparison_of(const graph::Graph &graph, graph::RegionId id) {
  const graph::Region &region = graph.region(id);
  if (region.ops.size() != 1 || region.args.size() != 2 || region.yields.size() != 1)
    return std::nullopt;
  const graph::OpId op = region.ops[0];
  const auto operands = graph.operands(op);
  if (!ops::is(graph, op, ops::OpKind::compare) || operands[0] != region.args[0] ||
      operands[1] != region.args[1] || region.yields[0] != graph.result(op))
    return std::nullopt;
  const ops::OpViewHolder holder(graph, op);
  if (holder.view().string(ops::slot::compare::compare_type) == "TOTALORDER")
    return std::nullopt;
  constexpr std::array<std::string_view, 4> kNames{"GE", "GT", "LE", "LT"};
  const auto found =
      std::find(kNames.begin(), kNames.end(), holder.view().string(ops::slot::compare::comparison_direction));
  return found == kNames.end() ? std::nullopt : std::optional(static_cast<Keep>(found - kNames.begin()));
}

template <class V> bool keeps(Keep how, V selected, V next) {
  switch (how) {
  case Keep::ge: return selected >= next;
  case Keep::gt: return selected > next;
  case Keep::le: return selected <= next;
  case Keep::lt: break;
  }
  return selected < next;
}

// The windows that touch a device's part of the result, and where its arrays lie.
struct Picture {
  struct Dim {
    SlidingWindow window;
    int64_t first, count;                 // windows
    int64_t n;                            // of the whole array
    int64_t array, result, result_extent; // offsets of the parts
    int64_t array_step, source_step, result_step;
    int64_t source;
  };
  std::vector<Dim> dims; // the outer ones
  int64_t inner = 1;     // elements of the innermost dimensions, over which nothing slides
  int64_t images = 1;    // windows of the outermost dimensions over which nothing slides
  size_t image_dims = 0;
};

constexpr int64_t kLanes = 256;

template <class E>
void run_image(const Picture &p, Keep how, BlockFn combine, int64_t image, const void *array_data,
               const void *source_data, void *result_data) {
  using V = typename E::Value;
  using S = typename E::Storage;
  const auto *array = static_cast<const S *>(array_data), *source = static_cast<const S *>(source_data);
  auto *result = static_cast<S *>(result_data);
  std::array<int64_t, kMostDims> place{}, tap{};
  for (size_t d = p.image_dims; d-- > 0; image /= p.dims[d].count)
    place[d] = image % p.dims[d].count;
  V best[kLanes];
  int64_t where[kLanes]; // in the result; -1: elsewhere
  const auto next = [&](std::array<int64_t, kMostDims> &index, size_t from, auto &&extent) {
    for (size_t d = p.dims.size(); d-- > from;) {
      if (++index[d] < extent(p.dims[d]))
        return true;
      index[d] = 0;
    }
    return false;
  };
  for (const auto &dim : p.dims)
    if (dim.count == 0)
      return;
  do {
    int64_t from = 0;
    for (size_t d = 0; d < p.dims.size(); ++d)
      from += (p.dims[d].first + place[d] - p.dims[d].source) * p.dims[d].source_step;
    for (int64_t begin = 0; begin < p.inner; begin += kLanes) {
      const int64_t lanes = std::min(kLanes, p.inner - begin);
      bool any = false;
      tap.fill(0);
      do {
        int64_t at = begin, to = begin;
        bool inside = true, here = true;
        for (size_t d = 0; d < p.dims.size(); ++d) {
          const auto &dim = p.dims[d];
          const int64_t i = dim.window.element(dim.first + place[d], tap[d], dim.n);
          inside = inside && i >= 0;
          here = here && i >= dim.result && i < dim.result + dim.result_extent;
          at += (i - dim.array) * dim.array_step;
          to += (i - dim.result) * dim.result_step;
        }
        if (!inside)
          continue;
        for (int64_t j = 0; j < lanes; ++j) {
          const V candidate = E::load(array[at + j]);
          const bool keep = any && keeps(how, best[j], candidate);
          best[j] = keep ? best[j] : candidate;
          where[j] = keep ? where[j] : here ? to + j : -1;
        }
        any = true;
      } while (next(tap, 0, [](const Picture::Dim &d) { return d.window.size; }));
      for (int64_t j = 0; any && j < lanes; ++j)
        if (where[j] >= 0) {
          const void *in[] = {result + where[j], source + from + begin + j};
          combine(in, result + where[j], 1);
        }
    }
  } while (next(place, p.image_dims, [](const Picture::Dim &d) { return d.count; }));
}

using ImageFn = void (*)(const Picture &, Keep, BlockFn, int64_t, const void *, const void *, void *);

ImageFn image_fn(DType dtype) {
  ImageFn fn = nullptr;
  ops::visit_dtype(dtype, [&]<class E>(E) {
    if constexpr (!ops::is_complex_value<typename E::Value> && E::dtype != DType::i1)
      fn = run_image<E>;
  });
  return fn;
}

class SelectAndScatter final : public Kernel {
public:
  SelectAndScatter(const Request &r, Keep how, BlockFn combine, ImageFn image)
      : how_(how), combine_(combine), image_(image),
        element_(static_cast<int64_t>(graph::byte_size(r.results[0].dtype))),
        elements_(r.results[0].elements()) {
    namespace slots = ops::slot::select_and_scatter;
    const Tile &array = r.operands[0], &source = r.operands[1], &result = r.results[0];
    const auto array_steps = dense_strides(array.extent), source_steps = dense_strides(source.extent),
               result_steps = dense_strides(result.extent);
    const auto entry = [&](size_t slot, size_t at, int64_t fallback) {
      return r.op.has(slot) ? r.op.ints(slot)[at] : fallback;
    };
    for (size_t d = 0; d < array.extent.size(); ++d) {
      SlidingWindow w;
      w.size = entry(slots::window_dimensions, d, 1);
      w.stride = entry(slots::window_strides, d, 1);
      w.low = entry(slots::padding, 2 * d, 0);
      w.high = entry(slots::padding, 2 * d + 1, 0);
      const int64_t low = result.offset[d] + w.low - w.size + 1,
                    high = result.offset[d] + result.extent[d] - 1 + w.low;
      const int64_t first = std::max(source.offset[d], low <= 0 ? 0 : (low + w.stride - 1) / w.stride),
                    end = high < 0 ? 0 : std::min(source.offset[d] + source.extent[d], high / w.stride + 1);
      picture_.dims.push_back({w, first, std::max<int64_t>(0, end - first), array.global[d], array.offset[d],
                               result.offset[d], result.extent[d], array_steps[d], source_steps[d],
                               result_steps[d], source.offset[d]});
    }
    auto &dims = picture_.dims;
    while (!dims.empty() && dims.back().window.trivial()) {
      picture_.inner *= dims.back().result_extent;
      dims.pop_back();
    }
    while (picture_.image_dims < dims.size() && dims[picture_.image_dims].window.trivial())
      picture_.images *= dims[picture_.image_dims++].count;
  }

  const char *name() const override { return "cpu:select_and_scatter"; }
  int64_t parts() const override { return std::clamp<int64_t>(picture_.images, 1, kMostParts); }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    auto *out = static_cast<std::byte *>(results[0]);
    const int64_t images = picture_.images, first = images * part / parts(),
                  last = images * (part + 1) / parts();
    const int64_t each = images == 0 ? 0 : elements_ / images;
    for (int64_t i = first * each; i < last * each; ++i)
      std::memcpy(out + i * element_, operands[2], static_cast<size_t>(element_));
    for (int64_t image = first; image < last && elements_ > 0; ++image)
      image_(picture_, how_, combine_, image, operands[0], operands[1], results[0]);
    return {};
  }

private:
  static constexpr int64_t kMostParts = 8;

  Keep how_;
  BlockFn combine_;
  ImageFn image_;
  int64_t element_, elements_;
  Picture picture_;
};

std::unique_ptr<Kernel> bind(const Request &r) {
  const auto how = comparison_of(r.op.graph, r.op.regions[0]);
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[1]);
  const DType dtype = r.results[0].dtype;
  const BlockFn combine = kind ? ref::combine_block(*kind, dtype) : nullptr;
  const ImageFn image = image_fn(dtype);
  if (!how || !combine || !image || r.operands[0].extent.size() > kMostDims)
    return nullptr;
  return std::make_unique<SelectAndScatter>(r, *how, combine, image);
}

constexpr std::array kOps{ops::OpKind::select_and_scatter};

} // namespace

Entry entry() { return {"cpu:select_and_scatter", kOps, bind}; }

} // namespace tw::kernels::cpu::select_and_scatter_kernel
