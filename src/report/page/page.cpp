// SPDX-License-Identifier: Apache-2.0
// Puts facts, style and scripts into the template.
#include "report/page/page.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/markup.hpp"
#include "base/utf8.hpp"
#include "report/page/section.hpp"

namespace tw::report {
namespace {

constexpr const Section *kSections[] = {
#define TW_SECTION(name) &section_##name::section,
#include "report/page/section_list.inc"
#undef TW_SECTION
};

// Made by the build: the files of this folder.
constexpr std::string_view kTemplate =
#include "report/page/template.inc"
    ;
constexpr std::string_view kStyle =
#include "report/page/style.inc"
    ;
constexpr std::string_view kScripts[] = {
#include "report/page/scripts.inc"
};

// JSON that cannot end the script element around it, in ASCII: nothing in it is markup, and no mark turns the
// order of what stands behind it around.
std::string in_script(const Json &json) {
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text)
    if (c == '<' || c == '>' || c == '&')
      out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    else
      out += c;
  return out;
}

} // namespace

Result<Json> page_facts(const PageOf &given) {
  PageOf of = given;
  std::optional<partition::Explainer> explainer;
  if (of.explainer == nullptr && of.subject.plan)
    of.explainer = &explainer.emplace(*of.subject.plan);
  Texts texts;
  Json sections;
  for (const Section *section : kSections) {
    TW_ASSIGN(Json facts, section->facts(of, texts));
    TW_TRY(check_watch());
    sections[section->name] = std::move(facts);
  }
  return Json{{"schema", kSchema}, {"texts", texts.json()}, {"sections", std::move(sections)}};
}

Result<std::string> page(const PageOf &of) {
  TW_ASSIGN(const Json facts, page_facts(of));
  std::string scripts;
  for (const std::string_view script : kScripts)
    scripts += script;
  constexpr size_t kMostOfTitle = 200;
  std::string title = facts_of(of.subject)->title.substr(0, kMostOfTitle);
  title.resize(std::min(title.size(), find_not_utf8(title))); // half a character
  const std::pair<std::string_view, std::string> filled[] = {
      {"{{title}}", as_markup(title)},
      {"{{style}}", std::string(kStyle)},
      {"{{facts}}", in_script(facts)},
      {"{{scripts}}", std::move(scripts)},
  };
  std::string html;
  size_t at = 0;
  for (const auto &[mark, text] : filled) { // in the order of the template
    const size_t mark_at = kTemplate.find(mark, at);
    TW_ASSERT(mark_at != std::string_view::npos);
    html += kTemplate.substr(at, mark_at - at);
    html += text;
    at = mark_at + mark.size();
  }
  html += kTemplate.substr(at);
  return html;
}

} // namespace tw::report
