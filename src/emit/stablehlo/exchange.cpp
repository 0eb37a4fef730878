// SPDX-License-Identifier: Apache-2.0
// Layout by layout: what each collective leaves is the layout from which the next goes on.
#include "emit/stablehlo/exchange.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "emit/stablehlo/boxes.hpp"
#include "emit/stablehlo/collectives.hpp"
#include "emit/stablehlo/widen.hpp"
#include "ops/reduction.hpp"

namespace tw::emit::stablehlo {

using graph::DType;
using graph::TensorType;
using sharding::AxisId;
using sharding::DimSharding;
using sharding::Mesh;
using sharding::Reduction;
using sharding::Sharding;
using Axes = MeshAxes;

namespace {

// The axes of `more` behind those of `less`; nothing where it does not begin with them.
std::optional<Axes> behind(const Axes &less, const Axes &more) {
  if (less.size() > more.size() || !std::equal(less.begin(), less.end(), more.begin()))
    return std::nullopt;
  return Axes(more.begin() + static_cast<ptrdiff_t>(less.size()), more.end());
}

class Exchange {
public:
  Exchange(DeviceText &text, Local value, const TensorType &global, Sharding from, const Sharding &to,
           const Sharding &needed)
      : text_(text), say_(text.collectives()), mesh_(say_.mesh()), value_(std::move(value)), global_(global),
        at_(std::move(from)), to_(to), needed_(needed) {}

  Local run() {
    combine();
    if (cut())
      return value_;
    const auto steps = plan(at_);
    if (!steps && !widen())
      value_ = Boxes(text_, global_, at_, to_).move(value_);
    else
      take(steps.value_or(std::vector<Step>()));
    return value_;
  }

private:
  // --- partial values ---
  void combine() {
    Axes left;
    Reduction kind = Reduction::raw;
    for (const sharding::Partial &partial : at_.partial)
      if (std::ranges::count(to_.partial, partial) == 0) {
        left.push_back(partial.axis);
        kind = partial.kind;
      }
    at_.partial = to_.partial;
    if (say_.group_size(left) == 1)
      return;
    const DType dtype = value_.type.dtype;
    const bool as_bits = kind == Reduction::pick && byte_pattern(dtype) != dtype;
    if (as_bits) // all but one are zero, so that the sum of the bits is the one
      value_ = recast(byte_pattern(dtype));
    if (kind == Reduction::pick)
      kind = dtype == DType::i1 ? Reduction::lor : Reduction::sum;
    for (size_t d = 0; d < to_.dims.size(); ++d)
      if (const auto more = behind(at_.dims[d].axes, to_.dims[d].axes);
          more && !more->empty() && !is_window(to_.dims[d]) && say_.combines(kind, value_.type.dtype) &&
          is_even(d) &&
          std::ranges::all_of(*more, [&](AxisId a) { return std::ranges::count(left, a) != 0; })) {
        value_ = say_.reduce_scatter(text_, value_, *more, kind, d);
        at_.dims[d] = to_.dims[d];
        std::erase_if(left, [&](AxisId a) { return std::ranges::count(*more, a) != 0; });
      }
    if (say_.group_size(left) > 1)
      value_ = say_.combines(kind, value_.type.dtype) ? say_.all_reduce(text_, value_, left, kind)
                                                      : fold(left, kind);
    if (as_bits)
      value_ = recast(dtype);
  }
  bool is_even(size_t d) const {
    return tiles_of(at_, global_, mesh_).even(d) && tiles_of(to_, global_, mesh_).even(d);
  }
  Local fold(const Axes &axes, Reduction kind) {
    TensorType one = value_.type;
    one.dims.insert(one.dims.begin(), 1);
    const Local rows = say_.all_gather(text_, text_.reshape(value_, one.dims), axes, 0);
    const Local start = text_.splat(ops::identity_of(kind, one.dtype), {one.dtype, {}});
    return text_.op("stablehlo.reduce", {rows, start}, "dimensions = array<i64: 0>", value_.type,
                    fmt::format(" ({})", text_.combiner(kind, one.dtype)));
  }
  static DType byte_pattern(DType dtype) {
    if (!graph::is_float(dtype))
      return dtype;
    switch (graph::byte_size(dtype)) {
    case 8: return DType::u64;
    case 4: return DType::u32;
    case 2: return DType::u16;
    default:
      return dtype == DType::f4e2m1fn || dtype == DType::f6e2m3fn || dtype == DType::f6e3m2fn ? dtype
                                                                                              : DType::u8;
    }
  }
  Local recast(DType dtype) {
    return text_.op("stablehlo.bitcast_convert", {value_}, "", {dtype, value_.type.dims});
  }
  // --- moving ---
  // Every device has all that it wants: it cuts that out.
  bool cut() {
    const Tiles have = tiles_of(at_, global_, mesh_), want = tiles_of(to_, global_, mesh_);
    Starts starts = want.starts;
    for (size_t p = 0; p < starts.size(); ++p)
      for (size_t d = 0; d < starts[p].size(); ++d) {
        starts[p][d] -= have.starts[p][d];
        if (want.sizes[p][d] != 0 && (starts[p][d] < 0 || starts[p][d] + want.sizes[p][d] > have.sizes[p][d]))
          return false;
        starts[p][d] = std::clamp<int64_t>(starts[p][d], 0, have.extent[d]);
      }
    if (!slice_all(have, want))
      value_ = text_.slice(value_, starts, want.extent);
    return true;
  }
  // By the collective that does so, along every dimension that is cut; false where some part is none of that.
  bool slice_all(const Tiles &have, const Tiles &want) {
    for (size_t d = 0; d < to_.dims.size(); ++d)
      if (!behind(at_.dims[d].axes, to_.dims[d].axes) || is_window(at_.dims[d]) || is_window(to_.dims[d]) ||
          !have.even(d) || !want.even(d))
        return false;
    for (size_t d = 0; d < to_.dims.size(); ++d)
      if (const auto more = behind(at_.dims[d].axes, to_.dims[d].axes); !more->empty()) {
        const auto made = say_.all_slice(text_, value_, *more, d);
        if (!made)
          return false;
        value_ = *made;
      }
    return true;
  }

  struct Step {
    enum class Kind : uint8_t { cut, all_to_all, all_gather } kind;
    size_t dim;          // that changes; all_to_all: that is cut
    size_t gathered = 0; // all_to_all: the other one
    Axes axes = {};
  };
  // How dimensions change one by one, or two that exchange axes; nothing where they do not.
  std::optional<std::vector<Step>> plan(const Sharding &from) const {
    const Tiles have = tiles_of(from, global_, mesh_), want = tiles_of(to_, global_, mesh_);
    for (size_t d = 0; d < to_.dims.size(); ++d) {
      const auto same = [d](const std::vector<int64_t> &a, const std::vector<int64_t> &b) {
        return a[d] == b[d];
      };
      if ((!have.even(d) || !want.even(d)) && !(std::ranges::equal(have.starts, want.starts, same) &&
                                                std::ranges::equal(have.sizes, want.sizes, same)))
        return std::nullopt;
    }
    std::vector<Step> steps;
    std::vector<DimSharding> at = from.dims;
    const auto in_use = [&](const Axes &axes) {
      return std::ranges::any_of(at, [&](const DimSharding &dim) {
        return std::ranges::any_of(axes, [&](AxisId a) { return std::ranges::count(dim.axes, a) != 0; });
      });
    };
    for (size_t d = 0; d < at.size(); ++d) {
      if (is_window(to_.dims[d]) && !(to_.dims[d] == at[d]))
        return std::nullopt;
      if (const auto more = behind(at[d].axes, to_.dims[d].axes); more && !more->empty() && !in_use(*more)) {
        steps.push_back({Step::Kind::cut, d, 0, *more});
        at[d] = to_.dims[d];
      }
    }
    for (size_t d = 0; d < at.size(); ++d)
      for (size_t e = 0; e < at.size() && at[d].axes != to_.dims[d].axes; ++e) {
        const auto more = behind(at[d].axes, to_.dims[d].axes), less = behind(to_.dims[e].axes, at[e].axes);
        if (d == e || !more || more->empty() || more != less)
          continue;
        steps.push_back({Step::Kind::all_to_all, d, e, *more});
        at[d] = to_.dims[d];
        at[e] = to_.dims[e];
      }
    for (size_t d = 0; d < at.size(); ++d)
      if (const auto less = behind(to_.dims[d].axes, at[d].axes); less && !less->empty()) {
        steps.push_back({Step::Kind::all_gather, d, 0, *less});
        at[d] = to_.dims[d];
      }
    const bool done = std::ranges::equal(
        at, to_.dims, [](const DimSharding &a, const DimSharding &b) { return a.axes == b.axes; });
    return done ? std::optional(std::move(steps)) : std::nullopt;
  }
  void take(const std::vector<Step> &steps) {
    for (const Step &step : steps)
      take(step);
  }
  // What lies around tiles by a collective that takes halos, other dimensions as they can be; false where
  // boxes move less.
  bool widen() {
    const auto halos = find_halos(say_, value_.type, global_, at_, to_, needed_);
    if (!halos || halos->moved() > Boxes(text_, global_, at_, to_).moved())
      return false;
    Sharding wide = at_;
    for (const size_t d : halos->dims())
      wide.dims[d] = to_.dims[d];
    const auto steps = plan(wide);
    if (!steps)
      return false;
    value_ = halos->take(text_, value_);
    at_ = std::move(wide);
    take(*steps);
    return true;
  }
  void take(const Step &step) {
    switch (step.kind) {
    case Step::Kind::cut: {
      if (const auto made = say_.all_slice(text_, value_, step.axes, step.dim)) {
        value_ = *made;
        break;
      }
      Sharding to = at_;
      to.dims[step.dim] = to_.dims[step.dim];
      const Tiles have = tiles_of(at_, global_, mesh_), want = tiles_of(to, global_, mesh_);
      Starts starts = want.starts;
      for (size_t p = 0; p < starts.size(); ++p)
        for (size_t d = 0; d < starts[p].size(); ++d)
          starts[p][d] -= have.starts[p][d];
      value_ = text_.slice(value_, starts, want.extent);
      break;
    }
    case Step::Kind::all_to_all:
      value_ = say_.all_to_all(text_, value_, step.axes, step.dim, step.gathered);
      at_.dims[step.gathered] = to_.dims[step.gathered];
      break;
    case Step::Kind::all_gather: value_ = say_.all_gather(text_, value_, step.axes, step.dim); break;
    }
    at_.dims[step.dim] = to_.dims[step.dim];
  }

  DeviceText &text_;
  const Collectives &say_;
  const Mesh &mesh_;
  Local value_;
  const TensorType &global_;
  Sharding at_;
  const Sharding &to_, &needed_;
};

} // namespace

Tiles tiles_of(const Sharding &s, const TensorType &global, const Mesh &mesh) {
  return tiles_of(sharding::Distribution{s, {}}, global, mesh);
}

Tiles tiles_of(const sharding::Distribution &layout, const TensorType &global, const Mesh &mesh) {
  Tiles tiles{{}, {}, largest_tile(layout.sharding, layout.halos, global.dims, mesh)};
  for (sharding::Position p; p < mesh.num_devices(); ++p) {
    sharding::Box box = box_of(layout, global.dims, mesh, p);
    tiles.starts.push_back(std::move(box.offset));
    tiles.sizes.push_back(std::move(box.extent));
  }
  return tiles;
}

Local cut_out(DeviceText &text, const Local &value, const Tiles &have, const Tiles &want) {
  std::vector<int64_t> low(value.type.rank()); // how far a device begins before what it has
  Starts starts = want.starts;
  for (size_t p = 0; p < starts.size(); ++p)
    for (size_t d = 0; d < low.size(); ++d) {
      starts[p][d] -= have.starts[p][d];
      low[d] = std::max(low[d], -starts[p][d]);
    }
  TensorType wide = value.type;
  for (size_t d = 0; d < low.size(); ++d) {
    wide.dims[d] += low[d];
    for (auto &start : starts)
      start[d] += low[d];
  }
  const Local all =
      wide == value.type ? value : text.update(text.zeros(wide), value, Starts(starts.size(), low));
  return text.slice(all, starts, want.extent);
}

Sharding even_windows(Sharding s, const TensorType &global, const Mesh &mesh) {
  for (size_t d = 0; d < s.dims.size(); ++d) {
    if (!is_window(s.dims[d]))
      continue;
    const int64_t tiles = num_tiles(s.dims[d], mesh), n = global.dims[d];
    std::vector<sharding::Interval> spans;
    int64_t width = 0;
    for (int64_t t = 0; t < tiles; ++t) {
      spans.push_back(tile(s.dims[d].rule, n, tiles, t));
      width = std::max(width, spans.back().size());
    }
    for (sharding::Interval &span : spans) {
      span.begin = std::min(span.begin, n - width);
      span.end = span.begin + width;
    }
    s.dims[d].rule = sharding::make_spans(spans, n);
  }
  return s;
}

Local exchange(DeviceText &text, const Local &value, const TensorType &global, const Sharding &from,
               const Sharding &to, const Sharding &needed) {
  return Exchange(text, value, global, from, to, needed).run();
}

} // namespace tw::emit::stablehlo
