// SPDX-License-Identifier: Apache-2.0
// GSPMD's custom_calls: shardings of values, and the way into and out of device-local code; and modules that
// GSPMD has partitioned already, whose entry function is such code.
#include "import/dialects/stablehlo/ops.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/dialects/sdy/ops.hpp"
#include "import/local_code.hpp"
#include "import/partitions.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::MeshDecl;
using annotation::ShardingAnnotation;
using annotation::TileAssignment;

// The axes of a GSPMD sharding. Its device list is a shape of numbers too, whose dimensions are runs of the
// mesh's axes; where one begins or ends inside an axis, the axis is cut there when the text is read again.
Result<std::vector<MeshAxes>> tile_dims(const ShardingAnnotation &s, const DeviceLocal &local, size_t rank) {
  if (!s.assignment) {
    if (s.kind == ShardingAnnotation::Kind::axes && !s.constrains())
      return std::vector<MeshAxes>(rank);
    return fail(Code::unimplemented, "TW-113",
                fmt::format("the sharding {} of a value that device-local code takes or gives", s.text));
  }
  const TileAssignment &a = *s.assignment;
  const auto other_order = [&] {
    return fail(Code::unimplemented, "TW-113",
                fmt::format("the sharding {} counts its devices in another order than the first one of this "
                            "device-local code",
                            s.text));
  };
  std::vector<MeshAxes> runs(a.iota.size()); // of each dimension of the device list
  int64_t behind = 1;
  for (size_t i = a.iota.size(); i-- > 0;) {
    auto run = local.axes_between(behind, behind * a.iota[i]);
    if (!run)
      return other_order();
    runs[i] = std::move(*run);
    behind *= a.iota[i];
  }
  MeshAxes order; // in which tiles count them
  for (size_t i = 0; i < runs.size(); ++i) {
    const MeshAxes &run = runs[a.transpose.empty() ? i : static_cast<size_t>(a.transpose[i])];
    order.insert(order.end(), run.begin(), run.end());
  }
  std::vector<MeshAxes> dims;
  auto next = order.begin();
  for (size_t d = 0; d + a.subgroups < a.tiles.size(); ++d) {
    MeshAxes &axes = dims.emplace_back();
    for (int64_t left = a.tiles[d]; left > 1;) {
      if (next == order.end() || (left % local.axis_sizes()[*next] != 0 && !local.cut_axis(*next, left)))
        return other_order();
      left /= std::min(left, local.axis_sizes()[*next]);
      axes.push_back(*next++);
    }
  }
  return dims;
}

// custom_call @Sharding {backend_config = "unspecified_dims=[0]"}: these dimensions may be sharded further.
bool lower_sharding_call(Reader &r, OpText &op) {
  const AttrText *config = op.find_attr("backend_config");
  const std::string open = config == nullptr ? std::string() : plain_text(config->raw);
  for (const AttrText &attr : op.attrs)
    if (attr.name == "mhlo.sharding" && attr.raw.find("manual") != std::string_view::npos) {
      r.c.notes.add(Note::Kind::ignored, "sharding {manual}: the code there is device-local",
                    attr.raw.data());
      op.attrs.clear();
      return pass_through(r, op);
    }
  const size_t before = r.c.annotations.all.size(),
               rank = op.operands.empty() ? 0 : r.c.type_of(op.operands[0]).rank();
  if (!lower_sharding_constraint(r, op))
    return false;
  constexpr std::string_view kUnspecified = "unspecified_dims=[";
  if (!open.starts_with(kUnspecified) || r.c.annotations.all.size() == before)
    return true;
  ShardingAnnotation &sharding = r.c.annotations.all.back().sharding;
  sharding.dims.resize(rank);
  for (size_t at = kUnspecified.size(); at < open.size() && open[at] != ']'; ++at) {
    size_t dim = 0;
    for (; at < open.size() && is_digit(open[at]) && dim <= rank; ++at)
      dim = dim * 10 + static_cast<size_t>(open[at] - '0');
    if (is_digit(open[at - 1]) && dim < rank)
      sharding.dims[dim].open = true;
  }
  return true;
}

// @SPMDFullToShardShape: the operand's sharding, which a call of @Sharding gave it, says how.
bool lower_full_to_shard(Reader &r, OpText &op) {
  if (!r.emitter.check_operand_types(op))
    return false;
  if (op.operands.size() != 1)
    return r.s.fail("TW-110", op.at, "SPMDFullToShardShape takes one operand");
  const auto &all = r.c.annotations.all;
  const auto given = std::find_if(all.rbegin(), all.rend(), [&](const Annotation &a) {
    return a.at == Annotation::At::value && a.index == op.operands[0];
  });
  if (given == all.rend())
    return r.s.fail("TW-113", op.at, "SPMDFullToShardShape of a value that no call of @Sharding has sharded");
  if (given->sharding.assignment && r.c.local.mesh_name() != kGspmdMesh) {
    const MeshDecl mesh{std::string(kGspmdMesh), r.c.local.cut_devices(given->sharding.assignment->iota), {}};
    if (mesh.axes.empty())
      return r.s.fail(
          "TW-113", op.at,
          fmt::format("the sharding {}: device-local code needs devices in an order such as <=[4,2]",
                      given->sharding.text));
    if (auto known = r.c.local.use_mesh(mesh); !known)
      return r.s.adopt(std::move(known.error()), op.at);
  }
  r.c.local.at(r.c.builder.location({op.line, op.column, op.loc.best()}));
  auto dims = tile_dims(given->sharding, r.c.local, r.c.builder.type_of(op.operands[0]).rank());
  auto value = dims ? r.c.local.enter(op.operands[0], *dims) : fail(std::move(dims.error()));
  if (!value)
    return r.s.adopt(std::move(value.error()), op.at);
  annotate_local(r, *value, op, 0);
  return bind_local(r, op, {&*value, 1});
}

// @SPMDShardToFullShape: its own sharding says how the parts make a whole.
bool lower_shard_to_full(Reader &r, OpText &op) {
  if (!r.emitter.check_operand_types(op))
    return false;
  if (op.operands.size() != 1)
    return r.s.fail("TW-110", op.at, "SPMDShardToFullShape takes one operand");
  std::vector<ShardingAnnotation> shardings;
  for (const AttrText &attr : op.attrs)
    if (Emitter::is_sharding(attr.name) && !r.emitter.read_shardings(attr, shardings))
      return false;
  if (shardings.size() != 1)
    return r.s.fail("TW-107", op.at, "SPMDShardToFullShape needs one sharding");
  r.c.local.at(r.c.builder.location({op.line, op.column, op.loc.best()}));
  const size_t rank = r.c.type_of(op.operands[0]).rank();
  auto dims = tile_dims(shardings[0], r.c.local, rank);
  if (dims && dims->size() != rank)
    return r.s.fail("TW-107", op.at,
                    fmt::format("a sharding of {} dimensions for a value of {}", dims->size(), rank));
  MeshAxes all(r.c.local.axis_sizes().size());
  std::iota(all.begin(), all.end(), size_t{0});
  auto value = dims ? leave_local(r, op.operands[0], *dims, all, op) : fail(std::move(dims.error()));
  if (!value)
    return r.s.adopt(std::move(value.error()), op.at);
  return bind_local(r, op, {&*value, 1});
}

// --- the entry function as the code of one partition ---

namespace {

// The dimensions of a value that its sharding cuts; none without one.
bool read_dims(Reader &r, std::span<const AttrText> attrs, size_t rank, std::vector<MeshAxes> &dims) {
  dims.assign(rank, {});
  for (const AttrText &attr : attrs) {
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!r.emitter.read_shardings(attr, shardings))
      return false;
    if (shardings.size() != 1)
      return r.s.fail("TW-107", attr.raw.data(), fmt::format("{} shardings for one value", shardings.size()));
    auto found = tile_dims(shardings[0], r.c.local, rank);
    if (!found)
      return r.s.adopt(std::move(found.error()), attr.raw.data());
    if (found->size() != rank)
      return r.s.fail("TW-107", attr.raw.data(),
                      fmt::format("a sharding of {} dimensions for a value of {}", found->size(), rank));
    dims = std::move(*found);
  }
  return true;
}

} // namespace

bool begin_partition(Reader &r) {
  const int64_t partitions = r.c.findings.partitions();
  if (partitions == 0)
    return true;
  const annotation::MeshDecl mesh{std::string(kGspmdMesh), r.c.local.cut_devices({&partitions, 1}), {}};
  auto known = r.c.local.use_mesh(mesh);
  return known || r.s.adopt(std::move(known.error()), r.s.here());
}

bool read_whole_argument(Reader &r, const Argument &argument, graph::TensorType &whole,
                         std::vector<MeshAxes> &dims) {
  if (!read_dims(r, argument.attrs, whole.rank(), dims))
    return false;
  for (size_t d = 0; d < dims.size(); ++d)
    for (const size_t axis : dims[d])
      whole.dims[d] *= r.c.local.axis_sizes()[axis];
  auto fits = graph::check_size(whole);
  return fits || r.s.adopt(std::move(fits.error()), argument.at);
}

bool enter_argument(Reader &r, const Argument &argument, std::span<const MeshAxes> dims,
                    graph::ValueId &value) {
  auto part = r.c.local.enter(value, dims);
  if (!part)
    return r.s.adopt(std::move(part.error()), argument.at);
  value = *part;
  annotate_local(r, value, in_signature("of an argument of a partition", argument.line, argument.column), 0);
  return true;
}

bool leave_result(Reader &r, uint32_t index, std::span<const AttrText> attrs, graph::ValueId &value) {
  std::vector<MeshAxes> dims;
  if (!read_dims(r, attrs, r.c.type_of(value).rank(), dims))
    return false;
  const bool is_cut = std::ranges::any_of(dims, [](const MeshAxes &axes) { return !axes.empty(); });
  const bool says =
      std::ranges::any_of(attrs, [](const AttrText &a) { return Emitter::is_sharding(a.name); });
  if (!says && r.c.local.differs(value))
    return r.s.fail(
        "TW-113", r.yields_at[index],
        fmt::format("result {} differs between the {} partitions of the module, and no mhlo.sharding "
                    "says of which array it is a part",
                    index, r.c.findings.partitions()));
  if (!is_cut && !r.c.local.differs(value))
    return true;
  const Cursor here = r.s.cursor();
  MeshAxes all(r.c.local.axis_sizes().size());
  std::iota(all.begin(), all.end(), size_t{0});
  auto whole =
      leave_local(r, value, dims, all, in_signature("of a result of a partition", here.line, here.column()));
  if (!whole)
    return r.s.adopt(std::move(whole.error()), r.yields_at[index]);
  value = *whole;
  return true;
}

} // namespace tw::import
