// SPDX-License-Identifier: Apache-2.0
// tw help: what a verb takes, what an error means and what to do about it, pages of docs/; the man
// page and the completion that are installed.
#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.hpp"
#include "cli/failure.hpp"
#include "cli/json.hpp"
#include "cli/manual.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include <tilewright/tw.h>

namespace tw::cli::verb_help {

namespace {

constexpr std::pair<std::string_view, const char *> kPages[] = {
#include "cli/pages.inc"
};

constexpr size_t kPageWidth = 108; // of what is kept as a file

// "404", "tw-404" and "TW-404" are one.
std::optional<size_t> find_diagnostic(std::string topic) {
  std::ranges::transform(topic, topic.begin(), [](unsigned char c) { return std::toupper(c); });
  for (size_t i = 0; i < tw_diagnostic_count(); ++i) {
    const std::string_view id = tw_diagnostic_id(i);
    if (topic == id || topic == id.substr(3))
      return i;
  }
  return std::nullopt;
}

// docs/errors.md
std::string errors_page() {
  constexpr const char *areas[] = {"base",
                                   "import",
                                   "graphs and ops",
                                   "shardings",
                                   "actions and plans",
                                   "redistribution and lowering",
                                   "kernels, runs and communication",
                                   "the C interface",
                                   "the command line",
                                   "arrays on disk"};
  std::string text =
      "# Errors\n\n"
      "Every error has an id, which never changes its meaning. `tw help TW-404` prints one entry, and\n"
      "`tw help errors` this page. It is made from `src/base/diag_list.inc`.\n";
  char area = '\0';
  for (size_t i = 0; i < tw_diagnostic_count(); ++i) {
    const char *id = tw_diagnostic_id(i);
    if (id[3] != area)
      text += fmt::format("\n## TW-{}xx: {}\n", area = id[3], areas[id[3] - '0']);
    text += fmt::format("\n### {}: {}\n\n{}\n", id, tw_diagnostic_meaning(i), tw_diagnostic_advice(i));
  }
  return wrapped(text, kPageWidth);
}

std::string_view page_of(std::string_view name) {
  const auto *page = std::ranges::find(kPages, name, [](const auto &p) { return p.first; });
  return page == std::end(kPages) ? std::string_view() : page->second;
}

// What the page on specs says of an action: under a heading of its own, else in the section that has it.
std::string_view about_action(std::string_view action) {
  const std::string_view page = page_of("spec");
  const auto section = [&](size_t at) {
    const size_t begin = page.rfind("\n##", at) + 1;
    return page.substr(begin, page.find("\n##", at + 1) - begin + 1);
  };
  constexpr std::string_view heading = "\n### ";
  for (size_t at = page.find(heading); at != std::string_view::npos; at = page.find(heading, at + 1)) {
    const size_t begin = at + heading.size();
    const std::string names = fmt::format(", {}, ", page.substr(begin, page.find('\n', begin) - begin));
    if (names.find(fmt::format(", {}, ", action)) != std::string::npos)
      return section(at);
  }
  const std::string code = fmt::format("`{}", action);
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-'; };
  for (size_t at = page.find(code, page.find("\n## Placing")); at != std::string_view::npos;
       at = page.find(code, at + 1))
    if (at + code.size() < page.size() && !is_word(page[at + code.size()]))
      return section(at);
  return {};
}

// The row of a term in the glossary.
std::string about_term(std::string_view term) {
  const std::string_view page = page_of("glossary");
  const std::string row = fmt::format("\n| {} | ", term);
  const size_t at = page.find(row), begin = at + row.size();
  return at == std::string_view::npos
             ? std::string()
             : fmt::format("{}: {}\n", term, page.substr(begin, page.find(" |\n", begin) - begin));
}

std::vector<std::string> topics() {
  auto names = verb_names();
  for (const auto &[name, text] : kPages)
    names.emplace_back(name);
  names.emplace_back("errors");
  return names;
}

Failure unknown_topic(const std::string &topic) {
  auto names = topics();
  for (size_t i = 0; i < tw_diagnostic_count(); ++i)
    names.emplace_back(tw_diagnostic_id(i));
  const auto near = nearest_names(topic, names, 3);
  return usage(
      fmt::format("there is no help on '{}'{}; the topics are {}, actions of a spec, terms and TW-nnn", topic,
                  near.empty() ? "" : fmt::format(" (did you mean {}?)", fmt::join(near, ", ")),
                  fmt::join(topics(), ", ")));
}

int run(CommandLine &line) {
  std::string topic;
  bool man = false, completion = false;
  line.app.add_option("TOPIC", topic,
                      fmt::format("{}; or an action of a spec, a term, the id of an error: TW-404",
                                  fmt::join(topics(), ", ")));
  line.app.add_flag("--man", man, "print the man page tw(1)");
  line.app.add_flag("--completion", completion, "print the completion for bash");
  line.parse();
  if (man || completion) {
    print(man ? man_page() : bash_completion(topics()));
    return kGood;
  }
  if (const Verb *verb = find_verb(topic)) {
    const char *const arguments[] = {verb->name, "--help"};
    return run_verb(*verb, 2, arguments);
  }
  if (const auto i = find_diagnostic(topic)) {
    if (line.options.json)
      print(Json{{"id", tw_diagnostic_id(*i)},
                 {"meaning", tw_diagnostic_meaning(*i)},
                 {"advice", tw_diagnostic_advice(*i)}}
                .dump(2) +
            "\n");
    else
      print(wrapped(fmt::format("{}: {}\n\n{}\n", tw_diagnostic_id(*i), tw_diagnostic_meaning(*i),
                                tw_diagnostic_advice(*i)),
                    output_width()));
    return kGood;
  }
  std::string text;
  if (topic.empty())
    text = wrapped(overview(), output_width(), 16);
  else if (topic == "errors")
    text = errors_page();
  else if (const std::string_view page = page_of(topic); !page.empty())
    text = page;
  else if (const std::string_view action = about_action(topic); !action.empty())
    text = action;
  else
    text = wrapped(about_term(topic), output_width());
  if (text.empty())
    throw unknown_topic(topic);
  print(line.options.json ? Json{{"topic", topic}, {"text", text}}.dump(2) + "\n" : text);
  return kGood;
}

} // namespace

const Verb verb = {"help", "what a verb takes, what an error means; the spec language and other pages", run};

} // namespace tw::cli::verb_help
