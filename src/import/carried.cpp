// SPDX-License-Identifier: Apache-2.0
// Shardy's notation as text in attributes. It stands in a string, so that each place in it is where the
// string stands.
#include <algorithm>

#include <fmt/format.h>

#include "import/index.hpp"
#include "import/shardings.hpp"

namespace tw::import {

using annotation::MeshDecl;
using annotation::ShardingAnnotation;

namespace {

constexpr std::string_view kAttribute = "mhlo.frontend_attributes", kPrefix = "xla.sdy.";

// Some exporters escape quotes twice.
std::string carried_text(std::string_view raw) {
  std::string text = plain_text(raw);
  return text.find('\\') == std::string::npos ? text : unescape(text);
}

// Reads the text with a scanner of its own.
template <class Read> bool read_carried(Scanner &s, std::string_view raw, const Read &read) {
  const std::string text = carried_text(raw);
  Scanner own(text, s.file(), 1);
  if (read(own))
    return true;
  Error error = own.take_error();
  error.info().notes.assign(1, fmt::format("in the text {}", text));
  return s.adopt(std::move(error), raw.data());
}

} // namespace

bool unfold_carried(Scanner &s, std::vector<AttrText> &attrs) {
  const auto found = std::ranges::find_if(attrs, [](const AttrText &attr) {
    return attr.name == kAttribute && attr.raw.starts_with('{') &&
           attr.raw.find(kPrefix) != std::string_view::npos;
  });
  if (found == attrs.end())
    return true;
  const std::string_view raw = found->raw;
  std::vector<AttrText> held;
  const Cursor back = s.cursor();
  s.seek({raw.data(), back.line, raw.data()});
  if (!parse_dict(s, held))
    return false;
  s.seek(back);
  if (std::ranges::none_of(held, [](const AttrText &attr) { return attr.name.starts_with(kPrefix); }))
    return true;
  attrs.erase(found);
  bool says_sharding = false;
  for (const AttrText &attr : held) {
    if (!attr.name.starts_with(kPrefix))
      continue;
    if (attr.name == "xla.sdy.sharding_rule")
      attrs.push_back({"sdy.sharding_rule", unquoted(attr.raw), nullptr});
    else
      attrs.push_back(attr);
    says_sharding = says_sharding || attr.name == "xla.sdy.sharding";
  }
  if (says_sharding)
    std::erase_if(attrs, [](const AttrText &attr) { return attr.name == "mhlo.sharding"; });
  return true;
}

bool parse_carried_shardings(Scanner &s, std::string_view raw, std::vector<MeshDecl> &meshes,
                             std::vector<ShardingAnnotation> &shardings) {
  return read_carried(
      s, raw, [&](Scanner &own) { return parse_sharding_attribute(own, own.text(), meshes, shardings); });
}

// {mesh = #sdy.mesh<["a"=2]>, other = #sdy.mesh<[], device_ids=[0]>}
bool parse_carried_meshes(Scanner &s, std::string_view raw, std::vector<MeshDecl> &meshes) {
  return read_carried(s, raw, [&](Scanner &own) {
    std::vector<AttrText> attrs;
    if (!parse_dict(own, attrs))
      return false;
    for (const AttrText &attr : attrs) {
      const size_t open = std::min(attr.raw.find('<'), attr.raw.size());
      MeshDecl mesh;
      own.seek({attr.raw.data() + open, 1, own.text().data()});
      if (!parse_mesh(own, mesh))
        return false;
      mesh.name = attr.name;
      if (std::ranges::find(meshes, mesh.name, &MeshDecl::name) != meshes.end())
        return own.fail("TW-106", attr.name.data(), fmt::format("the mesh @{} is defined twice", mesh.name));
      meshes.push_back(std::move(mesh));
    }
    return true;
  });
}

// #sdy<manual_axes{"a", "b"}>
bool read_carried_names(Scanner &s, std::string_view raw, std::vector<std::string> &names) {
  return read_carried(s, raw, [&](Scanner &own) { return read_names(own, own.text(), names); });
}

} // namespace tw::import
