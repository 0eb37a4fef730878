// SPDX-License-Identifier: Apache-2.0
// A section of the page: NAME.cpp gives its facts, NAME.js shows them, and section_list.inc names it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/page/page.hpp"

namespace tw::report {

using Json = nlohmann::ordered_json;

// Every text of the page's columns, once.
class Texts {
public:
  uint32_t id(std::string text) {
    const auto [at, fresh] = ids_.try_emplace(std::move(text), static_cast<uint32_t>(ids_.size()));
    if (fresh)
      all_.push_back(&at->first);
    return at->second;
  }
  // The lines of a text, without the ends of lines.
  std::vector<uint32_t> lines(std::string_view text) {
    std::vector<uint32_t> ids;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      ids.push_back(id(std::string(text.substr(at, end - at))));
      at = end + 1;
    }
    return ids;
  }
  Json json() const {
    Json texts = Json::array();
    for (const std::string *text : all_)
      texts.push_back(*text);
    return texts;
  }

private:
  std::unordered_map<std::string, uint32_t> ids_; // whose keys stay where they are
  std::vector<const std::string *> all_;
};

struct Section {
  const char *name;
  Result<Json> (*facts)(const PageOf &of, Texts &texts);
};

#define TW_SECTION(name)                                                                                     \
  namespace section_##name {                                                                                 \
    extern const Section section;                                                                            \
  }
#include "report/page/section_list.inc"
#undef TW_SECTION

// One value a row.
template <class Rows, class Of> Json column(const Rows &rows, Of &&of) {
  Json values = Json::array();
  for (const auto &row : rows)
    values.push_back(of(row));
  return values;
}

// Rows that are alike: [[name, [members]]], and only those of several.
template <class Groups> Json alike_json(const Groups &groups, Texts &texts) {
  Json all = Json::array();
  for (const auto &group : groups)
    if (group.members.size() > 1)
      all.push_back({texts.id(group.name), group.members});
  return all;
}

} // namespace tw::report
