// SPDX-License-Identifier: Apache-2.0
// Each function appends what it takes to the text and hands out the value that it made.
#include "emit/stablehlo/device_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/stablehlo/attributes.hpp"
#include "emit/stablehlo/collectives.hpp"
#include "loops/spelling.hpp"
#include "ops/reduction.hpp"

namespace tw::emit::stablehlo {

using graph::DType;
using graph::TensorType;

std::string types_text(std::span<const Local> values) {
  std::vector<std::string> all;
  for (const Local &v : values)
    all.push_back(graph::to_text(v.type));
  return fmt::format("{}", fmt::join(all, ", "));
}

namespace {

std::string names_text(std::span<const Local> values) {
  std::vector<std::string_view> all;
  for (const Local &v : values)
    all.push_back(v.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

} // namespace

std::vector<Local> DeviceText::ops(std::string_view name, std::span<const Local> operands,
                                   std::string_view properties, std::span<const TensorType> types,
                                   std::string_view regions) {
  std::vector<Local> made;
  std::string left = types.empty() ? "" : writer_.fresh_name();
  for (size_t i = 0; i < types.size(); ++i)
    made.push_back({types.size() == 1 ? left : fmt::format("{}#{}", left, i), types[i]});
  if (types.size() > 1)
    left += fmt::format(":{}", types.size());
  text_.append(2 * depth(), ' ');
  const std::string results = types_text(made);
  text_ += StatementWriter::statement(left, name, names_text(operands), properties, regions,
                                      fmt::format("({}) -> {}", types_text(operands),
                                                  made.size() == 1 ? results : fmt::format("({})", results)));
  text_ += '\n';
  return made;
}

Local DeviceText::op(std::string_view name, std::span<const Local> operands, std::string_view properties,
                     TensorType type, std::string_view regions) {
  return ops(name, operands, properties, {&type, 1}, regions)[0];
}

void DeviceText::end(std::string_view name, std::span<const Local> operands) { ops(name, operands, "", {}); }

void DeviceText::line(std::string_view statement) {
  text_ += fmt::format("{:{}}{}\n", "", 2 * depth(), statement);
}

std::string DeviceText::combiner(sharding::Reduction kind, DType dtype) {
  const TensorType scalar{dtype, {}};
  const Local arguments[] = {fresh(scalar), fresh(scalar)};
  open_region(arguments);
  const Local made = op(ops::combiner_op(kind), arguments, "", scalar);
  end("stablehlo.return", {&made, 1});
  const std::string region = close_region();
  return fmt::format("{{\n{}{:>{}}", region, '}', 2 * depth() + 1);
}

Local DeviceText::splat(std::span<const std::byte> element, const TensorType &type) {
  if (type.elements() == 0)
    return op("stablehlo.constant", {}, fmt::format("value = dense<> : {}", graph::to_text(type)), type);
  return op("stablehlo.constant", {},
            fmt::format("value = dense<{}> : {}", loops::element_text(type.dtype, element.data()),
                        graph::to_text(type)),
            type);
}

Local DeviceText::zeros(const TensorType &type) {
  const std::vector<std::byte> zero(graph::byte_size(type.dtype));
  return splat(zero, type);
}

Local DeviceText::device_number() {
  const auto [at, fresh] = known_.try_emplace("");
  if (fresh)
    at->second = collectives_.device_number(*this);
  return at->second;
}

Local DeviceText::lookup(const std::vector<int64_t> &by_device) {
  const bool same = std::ranges::all_of(by_device, [&](int64_t n) { return n == by_device[0]; });
  const std::string literal =
      same ? fmt::format("{}", by_device[0]) : fmt::format("[{}]", fmt::join(by_device, ", "));
  if (const auto known = known_.find(literal); known != known_.end())
    return known->second;
  const TensorType scalar{DType::s32, {}}, all{DType::s32, {collectives_.mesh().num_devices()}};
  Local found;
  if (same) {
    found = op("stablehlo.constant", {}, fmt::format("value = dense<{}> : tensor<i32>", literal), scalar);
  } else {
    const Local table = op("stablehlo.constant", {},
                           fmt::format("value = dense<{}> : {}", literal, graph::to_text(all)), all);
    const Local one = op("stablehlo.dynamic_slice", {table, device_number()}, "slice_sizes = array<i64: 1>",
                         {DType::s32, {1}});
    found = op("stablehlo.reshape", {one}, "", scalar);
  }
  return known_.emplace(literal, found).first->second;
}

Local DeviceText::decide(const std::vector<bool> &by_device) {
  const Local number = lookup({by_device.begin(), by_device.end()}),
              zero = lookup(std::vector<int64_t>(by_device.size()));
  return op("stablehlo.compare", {number, zero}, "comparison_direction = #stablehlo<comparison_direction NE>",
            {DType::i1, {}});
}

Local DeviceText::broadcast(const Local &scalar, const graph::Shape &dims) {
  return op("stablehlo.broadcast_in_dim", {scalar}, "broadcast_dimensions = array<i64>",
            {scalar.type.dtype, dims});
}

Local DeviceText::select(const Local &predicate, const Local &yes, const Local &no) {
  return op("stablehlo.select", {predicate, yes, no}, "", yes.type);
}

Local DeviceText::reshape(const Local &value, graph::Shape dims) {
  return op("stablehlo.reshape", {value}, "", {value.type.dtype, std::move(dims)});
}

std::vector<Local> DeviceText::indices(const Starts &starts) {
  std::vector<Local> all;
  for (size_t d = 0; d < starts[0].size(); ++d) {
    std::vector<int64_t> column;
    for (const std::vector<int64_t> &start : starts)
      column.push_back(start[d]);
    all.push_back(lookup(column));
  }
  return all;
}

// Padded at the end, so that boxes that begin there lie in it: slices would be moved otherwise.
Local DeviceText::enlarge(const Local &value, const Starts &starts, const graph::Shape &extent) {
  TensorType type = value.type;
  std::vector<int64_t> high(extent.size());
  for (const std::vector<int64_t> &start : starts)
    for (size_t d = 0; d < extent.size(); ++d)
      high[d] = std::max(high[d], start[d] + extent[d] - value.type.dims[d]);
  for (size_t d = 0; d < extent.size(); ++d)
    type.dims[d] += high[d];
  if (type == value.type)
    return value;
  const std::string zero = array_text(std::vector<int64_t>(extent.size()));
  return op("stablehlo.pad", {value, zeros({value.type.dtype, {}})},
            fmt::format("edge_padding_low = {}, edge_padding_high = {}, interior_padding = {}", zero,
                        array_text(high), zero),
            type);
}

Local DeviceText::slice(const Local &value, const Starts &starts, const graph::Shape &extent) {
  const bool moves = std::ranges::any_of(
      starts, [](const auto &start) { return std::ranges::any_of(start, [](int64_t n) { return n != 0; }); });
  if (extent == value.type.dims && !moves)
    return value;
  std::vector<Local> operands = indices(starts);
  // XLA makes one slice of two, and lets a start of the first one that is out of range go too far then.
  const Local whole =
      value.is_clamped ? op("stablehlo.optimization_barrier", {value}, "", value.type) : value;
  operands.insert(operands.begin(), enlarge(whole, starts, extent));
  return op("stablehlo.dynamic_slice", operands, fmt::format("slice_sizes = {}", array_text(extent)),
            {value.type.dtype, extent});
}

Local DeviceText::update(const Local &value, const Local &piece, const Starts &starts) {
  const bool moves = std::ranges::any_of(
      starts, [](const auto &start) { return std::ranges::any_of(start, [](int64_t n) { return n != 0; }); });
  if (piece.type.dims == value.type.dims && !moves)
    return piece;
  const Local into = enlarge(value, starts, piece.type.dims);
  std::vector<Local> operands = indices(starts);
  operands.insert(operands.begin(), {into, piece});
  const Local made = op("stablehlo.dynamic_update_slice", operands, "", into.type);
  return slice(made, Starts(starts.size(), std::vector<int64_t>(value.type.rank())), value.type.dims);
}

Local DeviceText::first_of(const Local &value, const Starts &sizes, const Local &filler) {
  Local made = value;
  for (size_t d = 0; d < value.type.rank(); ++d) {
    std::vector<int64_t> column;
    for (const std::vector<int64_t> &size : sizes)
      column.push_back(size[d]);
    if (std::ranges::all_of(column, [&](int64_t n) { return n == value.type.dims[d]; }))
      continue;
    const TensorType index{DType::s32, value.type.dims};
    const Local at = op("stablehlo.iota", {}, fmt::format("iota_dimension = {} : i64", d), index);
    const Local end = broadcast(lookup(column), value.type.dims);
    const Local inside =
        op("stablehlo.compare", {at, end}, "comparison_direction = #stablehlo<comparison_direction LT>",
           {DType::i1, value.type.dims});
    made = select(inside, made, filler);
  }
  return made;
}

bool DeviceText::in_branch() const {
  return std::ranges::any_of(regions_, [](const Open &open) { return open.is_branch; });
}

void DeviceText::open_region(std::span<const Local> arguments, bool is_branch) {
  regions_.push_back({std::exchange(text_, {}), known_, is_branch});
  if (arguments.empty())
    return;
  std::vector<std::string> all;
  for (const Local &v : arguments)
    all.push_back(fmt::format("{}: {}", v.name, graph::to_text(v.type)));
  text_.append(2 * depth() - 2, ' ');
  text_ += fmt::format("^bb0({}):\n", fmt::join(all, ", "));
}

std::string DeviceText::close_region() {
  known_ = std::move(regions_.back().known);
  std::string text = std::exchange(text_, std::move(regions_.back().outer));
  regions_.pop_back();
  return text;
}

} // namespace tw::emit::stablehlo
