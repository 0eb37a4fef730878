// SPDX-License-Identifier: Apache-2.0
// The actions in their order, and the command that makes this page again.
#include <fmt/format.h>

#include "report/page/section.hpp"

namespace tw::report::section_again {
namespace {

Result<Json> facts(const PageOf &of, Texts &texts) {
  const auto actions = of.subject.program->actions();
  return Json{{"command", std::string(of.command)},
              {"system", of.estimated ? Json(of.estimated->system) : Json()},
              {"action", column(actions, [&](const partition::Action &a) { return texts.id(a.text); })},
              {"where", column(actions, [&](const partition::Action &a) {
                 return texts.id(a.pos.file.empty() ? std::string()
                                 : a.pos.line == 0  ? a.pos.file
                                                    : fmt::format("{}:{}", a.pos.file, a.pos.line));
               })}};
}

} // namespace

const Section section = {"again", facts};

} // namespace tw::report::section_again
