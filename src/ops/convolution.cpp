// SPDX-License-Identifier: Apache-2.0
// convolution: windows slide over images and give the products with their taps, summed over channels. With
// any order of dimensions, any dilation, any padding, groups of features or of images.
#include "ops/convolution.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/linear.hpp"
#include "ops/products.hpp"
#include "ops/strided.hpp"

namespace tw::ops::convolution_ops {
namespace {

namespace slots = slot::convolution;

Status check_layouts(const OpView &op) {
  const size_t rank = op.operands[0]->rank();
  if (rank < 2 || op.operands[1]->rank() != rank)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operands are {} and {}: expected two arrays of one rank, at least 2",
                            graph::to_short_text(*op.operands[0]), graph::to_short_text(*op.operands[1])));
  constexpr std::pair<size_t, const char *> kLists[] = {{slots::lhs_dimensions, "lhs_dimensions"},
                                                        {slots::rhs_dimensions, "rhs_dimensions"},
                                                        {slots::result_dimensions, "result_dimensions"}};
  for (const auto &[slot, name] : kLists) {
    std::vector<int64_t> sorted(op.ints(slot).begin(), op.ints(slot).end());
    std::sort(sorted.begin(), sorted.end());
    bool all = sorted.size() == rank;
    for (size_t d = 0; all && d < rank; ++d)
      all = sorted[d] == static_cast<int64_t>(d);
    if (!all)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("{} [{}] must name each of the {} dimensions once", name,
                              fmt::join(op.ints(slot), ", "), rank));
  }
  constexpr std::pair<size_t, const char *> kWindows[] = {{slots::window_strides, "window_strides"},
                                                          {slots::padding, "padding"},
                                                          {slots::lhs_dilation, "lhs_dilation"},
                                                          {slots::rhs_dilation, "rhs_dilation"},
                                                          {slots::window_reversal, "window_reversal"}};
  for (const auto &[slot, name] : kWindows)
    if (const size_t expected = (rank - 2) * (slot == slots::padding ? 2 : 1);
        op.has(slot) && op.ints(slot).size() != expected)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("{} has {} entries: expected {} for {} spatial dimensions", name,
                              op.ints(slot).size(), expected, rank - 2));
  return {};
}

Status check_groups(const OpView &op, const ConvLayout &lhs, const ConvLayout &rhs) {
  const graph::TensorType &images = *op.operands[0], &taps = *op.operands[1];
  const int64_t features = op.integer(slots::feature_group_count, 1),
                batches = op.integer(slots::batch_group_count, 1);
  if (features < 1 || batches < 1 || (features > 1 && batches > 1))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} groups of features and {} groups of images: expected counts of at least 1, "
                            "and one of them 1",
                            features, batches));
  const int64_t in = images.dims[lhs.second], each = taps.dims[rhs.first];
  if (in % features != 0 || in / features != each)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("feature dimension {} of operand 0, {}, has size {}, but dimension {} of operand "
                            "1, {}, has {} input features for each of {} groups",
                            lhs.second, graph::to_short_text(images), in, rhs.first,
                            graph::to_short_text(taps), each, features));
  const int64_t groups = features * batches;
  if (taps.dims[rhs.second] % groups != 0)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("dimension {} of operand 1, {}, has {} output features, which {} groups cannot "
                            "share",
                            rhs.second, graph::to_short_text(taps), taps.dims[rhs.second], groups));
  if (images.dims[lhs.first] % batches != 0)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("batch dimension {} of operand 0, {}, has size {}, which {} groups cannot share",
                            lhs.first, graph::to_short_text(images), images.dims[lhs.first], batches));
  return {};
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  TW_TRY(check_layouts(op));
  const ConvLayout lhs = conv_layout(op, slots::lhs_dimensions), rhs = conv_layout(op, slots::rhs_dimensions),
                   out = conv_layout(op, slots::result_dimensions);
  TW_TRY(check_groups(op, lhs, rhs));
  graph::TensorType type;
  TW_ASSIGN(type.dtype, product_dtype(op));
  type.dims.resize(op.operands[0]->rank());
  type.dims[out.first] = op.operands[0]->dims[lhs.first] / op.integer(slots::batch_group_count, 1);
  type.dims[out.second] = op.operands[1]->dims[rhs.second];
  const std::vector<SlidingWindow> windows = conv_windows(op);
  for (size_t d = 0; d < windows.size(); ++d) {
    const auto size = places(windows[d], op.operands[0]->dims[lhs.spatial[d]]);
    if (!size)
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("the window of spatial dimension {}, dimension {} of operand 1, {}, has a size, "
                      "stride, dilation or padding out of range",
                      d, rhs.spatial[d], graph::to_short_text(*op.operands[1])));
    type.dims[out.spatial[d]] = *size;
  }
  return std::vector<graph::TensorType>{std::move(type)};
}

// Images and output features are free, input features and taps are summed over, and places slide: the image
// is read as far as the windows reach. Of places and taps the longer loop is the one that is tiled with the
// images: taps where the kernel is the gradient of a result.
Rule rule(const OpView &op) {
  const ConvLayout lhs = conv_layout(op, slots::lhs_dimensions), rhs = conv_layout(op, slots::rhs_dimensions),
                   out = conv_layout(op, slots::result_dimensions);
  const graph::Shape &images = op.operands[0]->dims, &taps = op.operands[1]->dims,
                     &result = op.results[0]->dims;
  const auto kind =
      op.results[0]->dtype == graph::DType::i1 ? sharding::Reduction::lor : sharding::Reduction::sum;
  const int64_t feature_groups = op.integer(slots::feature_group_count, 1),
                batch_groups = op.integer(slots::batch_group_count, 1);
  RuleBuilder rule(op);
  if (batch_groups > 1) {
    const FactorId group = rule.pass(batch_groups);
    rule.in(0, lhs.first, group).in(1, rhs.second, group).out(0, out.second, group);
  }
  if (feature_groups > 1) {
    const FactorId group = rule.pass(feature_groups);
    rule.in(0, lhs.second, group).in(1, rhs.second, group).out(0, out.second, group);
  }
  const int64_t each = taps[rhs.second] / (feature_groups * batch_groups);
  // One of a group is no loop beside that of the groups.
  if (batch_groups == 1 || result[out.first] != 1) {
    const FactorId batch = rule.pass(result[out.first]);
    rule.in(0, lhs.first, batch).out(0, out.first, batch);
  }
  if (feature_groups * batch_groups == 1 || each != 1) {
    const FactorId feature = rule.pass(each);
    rule.in(1, rhs.second, feature).out(0, out.second, feature);
  }
  if (feature_groups == 1 || taps[rhs.first] != 1) {
    const FactorId channel = rule.reduce(taps[rhs.first], kind);
    rule.in(0, lhs.second, channel).in(1, rhs.first, channel);
  }
  const std::vector<SlidingWindow> windows = conv_windows(op);
  for (size_t d = 0; d < windows.size(); ++d) {
    const int64_t n = images[lhs.spatial[d]], to = result[out.spatial[d]];
    const FactorId place = rule.pass(to), tap = rule.reduce(windows[d].size, kind);
    rule.out(0, out.spatial[d], place).in(1, rhs.spatial[d], tap);
    rule.slide(slide_over(windows[d], 0, lhs.spatial[d], n, place, tap), windows[d].size > to ? 1 : 0);
  }
  return rule.build();
}

Cost cost(const OpView &op) {
  Cost cost;
  const graph::TensorType &taps = *op.operands[1], &result = *op.results[0];
  const ConvLayout rhs = conv_layout(op, slots::rhs_dimensions);
  cost.flops = 2.0 * static_cast<double>(result.elements());
  for (size_t d = 0; d < taps.rank(); ++d)
    if (d != rhs.second)
      cost.flops *= static_cast<double>(taps.dims[d]);
  cost.bytes_read = static_cast<double>(op.operands[0]->bytes()) + static_cast<double>(taps.bytes());
  cost.bytes_written = static_cast<double>(result.bytes());
  return cost;
}

OpDef convolution() {
  OpDef def{
      "stablehlo.convolution",
      "Sums of products of a kernel with the windows that slide over images. Spec: convolution.",
      2,
      2,
      1,
      {{"lhs_dimensions", AttrKind::ints, true, "operand 0's batch, feature and spatial dimensions"},
       {"rhs_dimensions", AttrKind::ints, true,
        "operand 1's input feature, output feature and spatial dimensions"},
       {"result_dimensions", AttrKind::ints, true, "the result's batch, feature and spatial dimensions"},
       {"window_strides", AttrKind::ints, false, "step of the window, per spatial dimension; 1 if absent"},
       {"padding", AttrKind::ints, false,
        "zeros put before and after, two per spatial dimension; 0 if absent"},
       {"lhs_dilation", AttrKind::ints, false,
        "distance at which operand 0's elements are put, per spatial dimension; 1 if absent"},
       {"rhs_dilation", AttrKind::ints, false,
        "distance between the elements under the window, per spatial dimension; 1 if absent"},
       {"window_reversal", AttrKind::ints, false,
        "1 where the kernel is read backwards, per spatial dimension; 0 if absent"},
       {"feature_group_count", AttrKind::integer, false,
        "groups of features that are convolved apart; 1 if absent"},
       {"batch_group_count", AttrKind::integer, false,
        "groups of images, each for its share of the output features; 1 if absent"},
       {"precision_config", AttrKind::string, false,
        "precision asked for, as text; all our kernels meet HIGHEST"}}};
  def.kind = OpKind::convolution;
  def.infer = infer;
  def.rule = rule;
  def.mark_placed = [](const OpView &op, const Rule &rule, std::vector<bool> &placed) { // groups are counted
    if (op.integer(slot::convolution::feature_group_count, 1) != 1 ||
        op.integer(slot::convolution::batch_group_count, 1) != 1)
      mark_all(rule.operands[1], placed);
  };
  def.rule_text = "([b,x+k,c],[k,c,o])->([b,x,o]) c:sum k:sum";
  def.cost = cost;
  def.linear = linear::product;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {convolution()};
  return defs;
}

} // namespace tw::ops::convolution_ops

namespace tw::ops {

ConvLayout conv_layout(const OpView &op, size_t slot) {
  const auto dims = op.ints(slot);
  ConvLayout layout{static_cast<size_t>(dims[0]), static_cast<size_t>(dims[1]), {}};
  for (const int64_t d : dims.subspan(2))
    layout.spatial.push_back(static_cast<size_t>(d));
  return layout;
}

int64_t ConvPicture::num_taps() const {
  int64_t n = 1;
  for (const SlidingWindow &w : windows)
    n *= w.size;
  return n;
}
int64_t ConvPicture::num_places() const { return product(places); }
int64_t ConvPicture::image() const { return product(size); }
double ConvPicture::flops() const {
  return 2.0 * static_cast<double>(groups * batch * out * num_places()) *
         static_cast<double>(in * num_taps());
}

std::vector<SlidingWindow> conv_windows(const OpView &op) {
  using namespace convolution_ops;
  const ConvLayout rhs = conv_layout(op, slots::rhs_dimensions);
  std::vector<SlidingWindow> windows;
  for (size_t d = 0; d < rhs.spatial.size(); ++d) {
    windows.push_back(window_of(op, d, op.operands[1]->dims[rhs.spatial[d]], slots::window_strides,
                                slots::lhs_dilation, slots::rhs_dilation, slots::padding));
    windows.back().reversed = op.has(slots::window_reversal) && op.ints(slots::window_reversal)[d] != 0;
  }
  return windows;
}

ConvPicture conv_picture(const OpView &op, const PartView &lhs, const PartView &rhs, const PartView &result) {
  using namespace convolution_ops;
  const ConvLayout images = conv_layout(op, slots::lhs_dimensions),
                   taps = conv_layout(op, slots::rhs_dimensions),
                   out = conv_layout(op, slots::result_dimensions);
  const bool batch_groups = op.integer(slots::batch_group_count, 1) > 1;
  ConvPicture c;
  c.batch = result.extent[out.first];
  c.in = rhs.extent[taps.first];
  // A part holds whole groups, or some of one.
  if (batch_groups)
    c.groups = c.batch == 0 ? 0 : lhs.extent[images.first] / c.batch;
  else if (op.integer(slots::feature_group_count, 1) > 1)
    c.groups = c.in == 0 ? (result.extent[out.second] != 0 ? 1 : 0) : lhs.extent[images.second] / c.in;
  c.out = c.groups == 0 ? 0 : result.extent[out.second] / c.groups;
  const std::vector<int64_t> lhs_steps = dense_strides(lhs.extent), rhs_steps = dense_strides(rhs.extent),
                             result_steps = dense_strides(result.extent);
  c.lhs.batch = lhs_steps[images.first];
  c.lhs.in = lhs_steps[images.second];
  c.lhs.group = batch_groups ? c.batch * c.lhs.batch : c.in * c.lhs.in;
  c.rhs.in = rhs_steps[taps.first];
  c.rhs.out = rhs_steps[taps.second];
  c.rhs.group = c.out * c.rhs.out;
  c.result.batch = result_steps[out.first];
  c.result.out = result_steps[out.second];
  c.result.group = c.out * c.result.out;
  const std::vector<SlidingWindow> windows = conv_windows(op);
  for (size_t d = 0; d < windows.size(); ++d) {
    const size_t image = images.spatial[d], tap = taps.spatial[d], place = out.spatial[d];
    c.size.push_back(lhs.extent[image]);
    c.places.push_back(result.extent[place]);
    c.windows.push_back(localised(windows[d], {lhs.offset[image], lhs.extent[image], rhs.offset[tap],
                                               rhs.extent[tap], result.offset[place], result.extent[place]}));
    c.lhs.spatial.push_back(lhs_steps[image]);
    c.rhs.spatial.push_back(rhs_steps[tap]);
    c.result.spatial.push_back(result_steps[place]);
  }
  return c;
}

} // namespace tw::ops
