// SPDX-License-Identifier: Apache-2.0
// Shardy's attributes: meshes, shardings and rules. What stands inside of one is an attribute of its own.
#include <charconv>

#include <fmt/format.h>

#include "emit/artifact/values.hpp"
#include "import/bytecode/codes.hpp"
#include "import/shardings.hpp"

namespace tw::emit::artifact {

namespace codes = import::bytecode;
using annotation::AxisRef;
using annotation::DimAnnotation;
using annotation::MeshDecl;
using annotation::ShardingAnnotation;
using codes::SdyAttribute;
using import::Scanner;

namespace {

constexpr std::string_view kSharding = "#sdy.sharding", kShardings = "#sdy.sharding_per_value<",
                           kRule = "#sdy.op_sharding_rule<", kMesh = "#sdy.mesh";

Sink begin(SdyAttribute code) {
  Sink to;
  to.number(static_cast<uint64_t>(code));
  return to;
}

// "ij" at the cursor of a rule: i, j, .., z, z_1, .. by number. A dimension of no loop is "*".
bool read_factors(std::string_view &text, std::vector<int64_t> &factors) {
  constexpr int64_t kLetters = 'z' - 'i' + 1;
  while (!text.empty() && text[0] >= 'i' && text[0] <= 'z') {
    int64_t factor = text[0] - 'i';
    text.remove_prefix(1);
    if (factor == kLetters - 1 && text.starts_with('_')) {
      const auto [stop, error] = std::from_chars(text.data() + 1, text.data() + text.size(), factor);
      if (error != std::errc() || factor < 1 || factor > INT32_MAX)
        return false;
      text.remove_prefix(static_cast<size_t>(stop - text.data()));
      factor += kLetters - 1;
    }
    factors.push_back(factor);
  }
  if (factors.empty() && text.starts_with('*'))
    return text.remove_prefix(1), true;
  return !factors.empty();
}

void skip_blanks(std::string_view &text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}
bool take(std::string_view &text, std::string_view word) {
  skip_blanks(text);
  if (!text.starts_with(word))
    return false;
  text.remove_prefix(word.size());
  return true;
}

// open a, b, .. close, each with `read`.
template <class Read>
bool read_all(std::string_view &text, std::string_view open, std::string_view close, const Read &read) {
  if (!take(text, open))
    return false;
  if (take(text, close))
    return true;
  do {
    skip_blanks(text);
    if (!read())
      return false;
  } while (take(text, ","));
  return take(text, close);
}

} // namespace

Result<uint32_t> Values::shardy(std::string_view text) {
  need(kMixed);
  if (text.starts_with(kRule) && text.ends_with('>'))
    return rule(text.substr(kRule.size(), text.size() - kRule.size() - 1));
  if (text.starts_with(kShardings))
    return shardings(text);
  if (text.starts_with(kMesh)) {
    MeshDecl read;
    Scanner s(text.substr(kMesh.size()), {}, 1);
    if (!import::parse_mesh(s, read))
      return tl::unexpected(s.take_error());
    return mesh_data(read);
  }
  if (!text.starts_with(kSharding))
    return not_written(fmt::format("the attribute {} has no form in an artifact", text.substr(0, 100)));
  Scanner s(text.substr(kSharding.size()), {}, 1);
  ShardingAnnotation read;
  const bool in_place = s.text().starts_with("<mesh");
  if (!import::parse_sharding(s, meshes_, read))
    return tl::unexpected(s.take_error());
  return sharding(read, in_place);
}

Result<uint32_t> Values::mesh(std::string_view name, std::string_view text) {
  MeshDecl read;
  Scanner s(text.substr(std::min(kMesh.size(), text.size())), {}, 1);
  if (!import::parse_mesh(s, read))
    return tl::unexpected(s.take_error());
  read.name = name;
  meshes_.push_back(read);
  return attribute(Of::builtin, text);
}

uint32_t Values::mesh_data(const MeshDecl &mesh) {
  std::vector<uint32_t> axes;
  for (const auto &[name, size] : mesh.axes) {
    Sink to = begin(SdyAttribute::kMeshAxis);
    to.number(tables_.string(name));
    to.signed_number(size);
    axes.push_back(tables_.attribute("sdy", to));
  }
  Sink to = begin(SdyAttribute::kMesh);
  to.numbers(axes);
  to.signed_numbers(mesh.device_ids);
  return tables_.attribute("sdy", to);
}

uint32_t Values::axis(const AxisRef &axis) {
  uint32_t part = 0;
  if (axis.size != 0) {
    Sink to = begin(SdyAttribute::kSubAxis);
    to.signed_number(axis.pre);
    to.signed_number(axis.size);
    part = tables_.attribute("sdy", to);
  }
  Sink to = begin(SdyAttribute::kAxis);
  to.number(tables_.string(axis.name));
  to.number_with_flag(part, axis.size != 0);
  return tables_.attribute("sdy", to);
}

uint32_t Values::sharding(const ShardingAnnotation &sharding, bool mesh_in_place) {
  const auto axes = [&](const std::vector<AxisRef> &list) {
    std::vector<uint32_t> all;
    for (const AxisRef &one : list)
      all.push_back(axis(one));
    return all;
  };
  std::vector<uint32_t> dims;
  for (const DimAnnotation &dim : sharding.dims) {
    const std::vector<uint32_t> held = axes(dim.axes);
    Sink to = begin(SdyAttribute::kDimension);
    to.numbers(held);
    to.byte(dim.open ? 0 : 1);
    to.number_with_flag(static_cast<uint64_t>(std::max(dim.priority, 0)), dim.priority >= 0);
    dims.push_back(tables_.attribute("sdy", to));
  }
  const std::vector<uint32_t> replicated = axes(sharding.replicated), unreduced = axes(sharding.unreduced);
  uint32_t mesh = 0;
  if (mesh_in_place) {
    mesh = mesh_data(*std::ranges::find(meshes_, sharding.mesh, &MeshDecl::name));
  } else {
    Sink to;
    to.number(static_cast<uint64_t>(codes::BuiltinAttribute::kSymbol));
    to.number(string(Of::builtin, sharding.mesh));
    mesh = tables_.attribute("builtin", to);
  }
  Sink to = begin(unreduced.empty() ? SdyAttribute::kSharding : SdyAttribute::kShardingWithUnreduced);
  to.number(mesh);
  to.numbers(dims);
  to.numbers(replicated);
  if (!unreduced.empty())
    to.numbers(unreduced);
  return tables_.attribute("sdy", to);
}

// #sdy.sharding_per_value<[<@mesh, [{}]>, ..]>
Result<uint32_t> Values::shardings(std::string_view text) {
  Scanner s(text.substr(kShardings.size()), {}, 1);
  std::vector<std::string_view> items;
  if (!import::parse_items(s, items))
    return tl::unexpected(s.take_error());
  std::vector<uint32_t> all;
  for (const std::string_view item : items) {
    TW_ASSIGN(const uint32_t one, attribute(Of::vhlo, fmt::format("{}{}", kSharding, item)));
    all.push_back(one);
  }
  Sink to = begin(SdyAttribute::kShardings);
  to.numbers(all);
  return tables_.attribute("sdy", to);
}

// ([i, k], [k, j])->([i, j]) {i=4, j=8, k=2} reduction={k}, custom
Result<uint32_t> Values::rule(std::string_view text) {
  std::string_view rest = text;
  std::vector<int64_t> sizes;
  std::array<std::vector<uint32_t>, 2> sides;
  const auto read_side = [&](std::vector<uint32_t> &side) {
    return read_all(rest, "(", ")", [&] {
      std::vector<uint32_t> dims;
      const bool ok = read_all(rest, "[", "]", [&] {
        std::vector<int64_t> factors;
        if (!read_factors(rest, factors))
          return false;
        Sink to = begin(SdyAttribute::kDimensionFactors);
        to.signed_numbers(factors);
        dims.push_back(tables_.attribute("sdy", to));
        return true;
      });
      Sink to = begin(SdyAttribute::kFactors);
      to.numbers(dims);
      side.push_back(tables_.attribute("sdy", to));
      return ok;
    });
  };
  bool ok = read_side(sides[0]) && take(rest, "->") && read_side(sides[1]);
  skip_blanks(rest);
  if (ok && rest.starts_with('{'))
    ok = read_all(rest, "{", "}", [&] {
      std::vector<int64_t> factor;
      int64_t size = 0;
      if (!read_factors(rest, factor) || factor.size() != 1 || !take(rest, "="))
        return false;
      const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
      rest.remove_prefix(static_cast<size_t>(stop - rest.data()));
      const auto at = static_cast<size_t>(factor[0]);
      sizes.resize(std::max(sizes.size(), at < text.size() ? at + 1 : 0));
      if (error != std::errc() || at >= sizes.size())
        return false;
      sizes[at] = size;
      return true;
    });
  std::array<std::vector<int64_t>, 4> kinds;
  static constexpr std::string_view kKinds[] = {
      "reduction=", "need_replication=", "permutation=", "blocked_propagation="};
  for (bool more = ok; more;) {
    more = false;
    for (size_t i = 0; i < kinds.size() && ok; ++i)
      if (take(rest, kKinds[i])) {
        more = true;
        ok = read_all(rest, "{", "}", [&] { return read_factors(rest, kinds[i]); });
      }
  }
  const bool custom = take(rest, ",") && take(rest, "custom");
  skip_blanks(rest);
  if (!ok || !rest.empty())
    return not_written(fmt::format("the rule {} has no form in an artifact", text.substr(0, 100)));
  Sink to = begin(SdyAttribute::kRule);
  to.signed_numbers(sizes);
  to.numbers(sides[0]);
  to.numbers(sides[1]);
  for (const std::vector<int64_t> &kind : kinds)
    to.signed_numbers(kind);
  to.byte(custom ? 1 : 0);
  return tables_.attribute("sdy", to);
}

} // namespace tw::emit::artifact
