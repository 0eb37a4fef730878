// SPDX-License-Identifier: Apache-2.0
// Reads distributed types, and brings the two types of a problem to one shape.
#include "redistribute/type_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_reader.hpp"
#include "graph/limits.hpp"
#include "sharding/parts.hpp"

namespace tw::redistribute {

using graph::DType;
using sharding::AxisId;
using sharding::DimSharding;
using sharding::Mesh;
using sharding::Reduction;
using sharding::Sharding;
using sharding::SplitRule;

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A digit, then a brace: only the paper writes that.
bool is_papers(std::string_view text) {
  char last = '\0';
  for (const char c : text) {
    if (c == '{' && is_digit(last))
      return true;
    if (c != ' ' && c != '\t')
      last = c;
  }
  return false;
}

// The axes between the braces of a dimension.
struct PapersAxes {
  std::vector<AxisId> axes; // major to minor
  int64_t tiles = 1;
  std::string text; // "4 x 2", the sizes
};

// `x`, `c:(1)2` (a part of c) or `c:2` (the size said again, as Figure 13 has it).
Result<sharding::Part> papers_part(TextReader &reader, const Mesh &mesh) {
  TW_ASSIGN(const std::string_view name, reader.name());
  sharding::Part part{name, 1, sharding::whole_size(name, mesh)};
  if (!reader.accept(':'))
    return part;
  if (reader.accept('(')) {
    TW_ASSIGN(part.pre, reader.integer());
    TW_TRY(reader.expect(')'));
    TW_ASSIGN(part.size, reader.integer());
    return part;
  }
  TW_ASSIGN(const int64_t size, reader.integer());
  if (size != part.size)
    return fail(Code::invalid_argument, "TW-526",
                fmt::format("type '{}': axis '{}' is {} in mesh {}, not {}", reader.text(), name, part.size,
                            mesh.text(), size));
  return part;
}

// `x,y}`, minor to major; `before`: the dimensions that have been read.
Result<PapersAxes> papers_axes(TextReader &reader, const Mesh &mesh, const Sharding &before) {
  PapersAxes found;
  if (reader.peek() == '*')
    return fail(
        Code::invalid_argument, "TW-526",
        fmt::format("type '{}': '{{*}}' stands for tiles that no axes describe, and cannot be asked for",
                    reader.text()));
  if (reader.accept('}'))
    return found;
  do {
    TW_ASSIGN(const sharding::Part part, papers_part(reader, mesh));
    const std::vector<AxisId> axes = axes_of(part, mesh);
    if (axes.empty())
      return fail(
          Code::not_found, "TW-315",
          part.size == sharding::whole_size(part.axis, mesh)
              ? fmt::format("type '{}': mesh {} has no axis '{}'", reader.text(), mesh.text(), part.axis)
              : fmt::format("type '{}': axis '{}' of mesh {} has no part '{}:({}){}'", reader.text(),
                            part.axis, mesh.text(), part.axis, part.pre, part.size));
    for (const AxisId axis : axes) {
      if (before.uses(axis))
        return fail(Code::invalid_argument, "TW-526",
                    fmt::format("type '{}': axis '{}' partitions two dimensions", reader.text(), part.axis));
      if (std::ranges::count(found.axes, axis) != 0)
        return fail(Code::invalid_argument, "TW-526",
                    fmt::format("type '{}': axis '{}' occurs twice", reader.text(), part.axis));
    }
    found.text += fmt::format("{}{}", found.text.empty() ? "" : " x ", part.size);
    found.tiles *= part.size;
    found.axes.insert(found.axes.begin(), axes.begin(), axes.end());
  } while (reader.accept(','));
  TW_TRY(reader.expect('}'));
  return found;
}

// `8{"x","y"}32`, `8{"x"}`, `16`; `~3{x}8` is what we print of tiles that are not all 3.
Status papers_dimension(TextReader &reader, const Mesh &mesh, DistributedType &result) {
  const bool uneven = reader.accept('~');
  TW_ASSIGN(const int64_t tile, reader.integer());
  DimSharding dim;
  if (!reader.accept('{')) {
    result.type.dims.push_back(tile);
    result.sharding.dims.push_back(std::move(dim));
    return {};
  }
  TW_ASSIGN(PapersAxes found, papers_axes(reader, mesh, result.sharding));
  const int64_t tiles = found.tiles;
  dim.axes = std::move(found.axes);
  if (uneven) {
    TW_ASSIGN(const int64_t global, reader.integer());
    dim.rule.kind = sharding::tile(SplitRule{}, global, tiles, tiles - 1).size() == tile
                        ? SplitRule::Kind::balanced
                        : SplitRule::Kind::ceil;
    if (sharding::tile(dim.rule, global, tiles, dim.rule.kind == SplitRule::Kind::ceil ? 0 : tiles - 1)
            .size() != tile)
      return fail(Code::invalid_argument, "TW-526",
                  fmt::format("type '{}': {} over {} tiles ({}) has no largest tile of {}; other cuts are "
                              "written as f32[{},..] [{{..}}:cuts=[..],..]",
                              reader.text(), global, tiles, found.text, tile, global));
    result.type.dims.push_back(global);
    result.sharding.dims.push_back(std::move(dim));
    return {};
  }
  int64_t whole = 0;
  if (__builtin_mul_overflow(tile, tiles, &whole))
    return fail(Code::out_of_range, "TW-526",
                fmt::format("type '{}': {} tiles of {} overflow", reader.text(), tiles, tile));
  if (is_digit(reader.peek())) {
    TW_ASSIGN(const int64_t global, reader.integer());
    if (global != whole)
      return fail(Code::invalid_argument, "TW-526",
                  fmt::format("type '{}': dimension {} has {} tiles ({}) of {}, which make {} and not {}; "
                              "sizes that do not divide are "
                              "written as f32[{},..] [{{..}},..]",
                              reader.text(), result.type.dims.size(), tiles, found.text, tile, whole, global,
                              global));
  }
  result.type.dims.push_back(whole);
  result.sharding.dims.push_back(std::move(dim));
  return {};
}

Result<DistributedType> papers(std::string_view text, const Mesh &mesh) {
  TextReader reader("type", "TW-526", text);
  DistributedType result;
  TW_TRY(reader.expect('['));
  if (!reader.accept(']')) {
    do {
      if (result.type.dims.size() == graph::kMaxRank)
        return reader.error(fmt::format("no more than {} dimensions", graph::kMaxRank));
      TW_TRY(papers_dimension(reader, mesh, result));
    } while (reader.accept(','));
    TW_TRY(reader.expect(']'));
  }
  if (reader.peek() == '+') { // values partial over axes are written as in ours
    const std::vector<std::string> dims(result.type.rank(), "{}");
    TW_ASSIGN(const Sharding partial,
              sharding::parse_sharding(fmt::format("[{}] {}", fmt::join(dims, ","), reader.rest()), mesh));
    result.sharding.partial = partial.partial;
    return result;
  }
  if (!reader.at_end())
    return reader.error("the end");
  return result;
}

// `[{y,x}, {}]`, with no sizes before it.
bool is_sharding_alone(std::string_view text) {
  TextReader reader("type", "TW-526", text);
  return reader.accept('[') && reader.accept('{');
}

// `f32[32,16]`; the element type may be left out.
Result<graph::TensorType> type_of(TextReader &reader) {
  graph::TensorType result;
  if (reader.peek() != '[') {
    TW_ASSIGN(const std::string_view outer, reader.name());
    std::string word(outer);
    if (reader.accept('<')) { // complex<f32>
      TW_ASSIGN(const std::string_view inner, reader.name());
      TW_TRY(reader.expect('>'));
      word = fmt::format("{}<{}>", outer, inner);
    }
    const auto dtype = graph::parse_dtype(word);
    if (!dtype)
      return fail(Code::invalid_argument, "TW-526",
                  fmt::format("type '{}': '{}' is no element type", reader.text(), word));
    result.dtype = *dtype;
  }
  TW_TRY(reader.expect('['));
  if (!reader.accept(']')) {
    do {
      if (result.dims.size() == graph::kMaxRank)
        return reader.error(fmt::format("no more than {} dimensions", graph::kMaxRank));
      TW_ASSIGN(const int64_t size, reader.integer());
      result.dims.push_back(size);
    } while (reader.accept(','));
    TW_TRY(reader.expect(']'));
  }
  return result;
}

// `f32[32,16] [{y,x}, {}]`; the sharding may be left out.
Result<DistributedType> ours(std::string_view text, const Mesh &mesh, const graph::TensorType *of_source) {
  TextReader reader("type", "TW-526", text);
  DistributedType result;
  if (!is_sharding_alone(text)) {
    TW_ASSIGN(result.type, type_of(reader));
  } else if (of_source != nullptr) {
    result.type = *of_source;
  } else {
    return fail(Code::invalid_argument, "TW-526",
                fmt::format("type '{}': expected sizes before the sharding: f32[SIZE,..] {}", text, text));
  }
  result.sharding = Sharding::replicated(result.type.rank());
  if (reader.at_end())
    return result;
  if (reader.peek() == '+') { // the brackets may be left out where nothing is tiled
    const std::string written = fmt::format(
        "[{}] {}", fmt::join(std::vector<std::string>(result.type.rank(), "{}"), ","), reader.rest());
    TW_ASSIGN(result.sharding, sharding::parse_sharding(written, mesh));
    return result;
  }
  TW_ASSIGN(auto distribution, sharding::parse_distribution(reader.rest(), mesh, result.type.dims));
  result.sharding = std::move(distribution.sharding);
  result.halos = std::move(distribution.halos);
  if (result.sharding.dims.size() != result.type.rank())
    return fail(Code::invalid_argument, "TW-526",
                fmt::format("type '{}': {} dimensions and a sharding of {}", text, result.type.rank(),
                            result.sharding.dims.size()));
  return result;
}

std::vector<AxisId> raw_axes(const Sharding &s) {
  std::vector<AxisId> axes;
  for (const sharding::Partial &partial : s.partial)
    if (partial.kind == Reduction::raw)
      axes.push_back(partial.axis);
  return axes;
}

int64_t product(const std::vector<AxisId> &axes, const Mesh &mesh) {
  int64_t n = 1;
  for (const AxisId axis : axes)
    n *= mesh.size(axis);
  return n;
}

// The slices that are partial (raw) become tiles of dimension d, outside those that it has.
Status view_as_tiles(DistributedType &t, const std::vector<AxisId> &axes, size_t d, const Mesh &mesh) {
  DimSharding &dim = t.sharding.dims[d];
  const int64_t inner = num_tiles(dim, mesh);
  if (inner > 1 && (dim.rule.kind == SplitRule::Kind::cuts || t.type.dims[d] % inner != 0))
    return fail(
        Code::unimplemented, "TW-520",
        fmt::format(
            "slices that are partial (raw) become tiles of dimension {}, whose own {} tiles of {} are uneven",
            d, inner, t.type.dims[d]));
  if (!sharding::halo_of(t.halos, d).empty())
    return fail(
        Code::unimplemented, "TW-520",
        fmt::format("slices that are partial (raw) become tiles of dimension {}, which has halos of its own",
                    d));
  t.type.dims[d] *= product(axes, mesh);
  dim.axes.insert(dim.axes.begin(), axes.begin(), axes.end());
  dim.rule = SplitRule{};
  std::erase_if(t.sharding.partial, [](const sharding::Partial &s) { return s.kind == Reduction::raw; });
  return {};
}

void view_as_leading(DistributedType &t, const std::vector<AxisId> &axes, const Mesh &mesh) {
  t.type.dims.insert(t.type.dims.begin(), product(axes, mesh));
  t.sharding.dims.insert(t.sharding.dims.begin(), DimSharding{axes, {}});
  if (!t.halos.empty())
    t.halos.insert(t.halos.begin(), sharding::Halo{});
  std::erase_if(t.sharding.partial, [](const sharding::Partial &s) { return s.kind == Reduction::raw; });
}

tl::unexpected<Error> different_shapes(const DistributedType &src, const DistributedType &dst) {
  return fail(Code::invalid_argument, "TW-520",
              fmt::format("global shapes differ: the source is [{}], the target [{}]",
                          fmt::join(src.type.dims, ","), fmt::join(dst.type.dims, ",")));
}

Status view_raw(DistributedType &src, const Mesh &src_mesh, DistributedType &dst, const Mesh &dst_mesh) {
  const auto from = raw_axes(src.sharding), to = raw_axes(dst.sharding);
  if (from == to || (src.type.dims == dst.type.dims && (from.empty() || to.empty())))
    return {}; // the second is Problem::create's to refuse
  if (!from.empty() && !to.empty()) {
    if (product(from, src_mesh) != product(to, dst_mesh) || src.type.dims != dst.type.dims)
      return different_shapes(src, dst);
    view_as_leading(src, from, src_mesh);
    view_as_leading(dst, to, dst_mesh);
    return {};
  }
  DistributedType &partial = from.empty() ? dst : src;
  const DistributedType &tiled = from.empty() ? src : dst;
  const Mesh &mesh = from.empty() ? dst_mesh : src_mesh;
  const auto &axes = from.empty() ? to : from;
  if (partial.type.rank() != tiled.type.rank())
    return different_shapes(src, dst);
  for (size_t d = 0; d < tiled.type.rank(); ++d) {
    auto dims = partial.type.dims;
    if (__builtin_mul_overflow(dims[d], product(axes, mesh), &dims[d]))
      continue;
    if (dims == tiled.type.dims)
      return view_as_tiles(partial, axes, d, mesh);
  }
  return different_shapes(src, dst);
}

} // namespace

Result<DistributedType> parse_distributed_type(std::string_view text, const Mesh &mesh,
                                               const graph::TensorType *of_source) {
  return is_papers(text) ? papers(text, mesh) : ours(text, mesh, of_source);
}

Result<std::shared_ptr<const Problem>> make_problem(Mesh src_mesh, DistributedType src, Mesh dst_mesh,
                                                    DistributedType dst, DType dtype,
                                                    std::vector<int64_t> lost) {
  for (DistributedType *t : {&src, &dst})
    if (t->type.dtype == DType::invalid)
      t->type.dtype = src.type.dtype != DType::invalid   ? src.type.dtype
                      : dst.type.dtype != DType::invalid ? dst.type.dtype
                                                         : dtype;
  if (src.type.dtype != dst.type.dtype)
    return fail(Code::invalid_argument, "TW-520",
                fmt::format("element types differ: the source has {}, the target {}",
                            graph::name(src.type.dtype), graph::name(dst.type.dtype)));
  TW_TRY(view_raw(src, src_mesh, dst, dst_mesh));
  if (src.type.dims != dst.type.dims)
    return different_shapes(src, dst);
  TW_ASSIGN(Problem problem,
            Problem::create(
                std::move(src.type), {std::move(src_mesh), std::move(src.sharding), std::move(src.halos)},
                {std::move(dst_mesh), std::move(dst.sharding), std::move(dst.halos)}, std::move(lost)));
  return std::make_shared<const Problem>(std::move(problem));
}

} // namespace tw::redistribute
