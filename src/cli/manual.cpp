// SPDX-License-Identifier: Apache-2.0
// The man page and the completion of tw. Each verb is run with --help, up to where it has declared its
// options.
#include "cli/manual.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "cli/verb.hpp"
#include <tilewright/tw.h>

namespace tw::cli {

namespace {

struct OptionText {
  std::vector<std::string> names;   // "-a", "--actions"; or the one of a positional: "FILE"
  std::vector<std::string> choices; // where it takes one of these
  std::string type;                 // "TEXT"; empty for a flag
  std::string meaning;
  bool positional = false;
};

struct VerbText {
  const Verb *verb;
  std::vector<OptionText> options;
};

// Of "TEXT:{auto,always,never}" the type before the colon, and what the braces hold.
OptionText option_text(const CLI::Option &option) {
  OptionText text;
  text.meaning = option.get_description();
  text.positional = option.get_positional();
  if (text.positional)
    text.names.push_back(option.get_name(true));
  for (const auto &name : option.get_snames())
    text.names.push_back("-" + name);
  for (const auto &name : option.get_lnames())
    text.names.push_back("--" + name);
  const std::string type = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  text.type = type.substr(0, type.find(':'));
  const size_t begin = type.find(":{"), end = type.find('}');
  if (begin != std::string::npos && end != std::string::npos)
    text.choices = CLI::detail::split(type.substr(begin + 2, end - begin - 2), ',');
  return text;
}

std::vector<VerbText> all_texts() {
  std::vector<VerbText> texts;
  for (const Verb *verb : all_verbs()) {
    const char *const arguments[] = {verb->name, "--help"};
    CommandLine line(verb->name, verb->summary, 2, arguments);
    try {
      verb->run(line);
    } catch (const CLI::Success &) { // everything is declared
    }
    VerbText text{verb, {}};
    for (const CLI::Option *option : line.app.get_options())
      text.options.push_back(option_text(*option));
    texts.push_back(std::move(text));
  }
  return texts;
}

// Text of a line of roff: dashes are dashes, a line may break behind a bar, and nothing is taken as a
// request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '|' ? "|\\:" : std::string(1, c);
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string option_entry(const OptionText &option) {
  const std::string type = option.type.empty() || option.positional ? "" : " " + option.type;
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(fmt::format("{}", fmt::join(option.names, ", "))),
                     roff(type), roff(option.meaning));
}

} // namespace

std::string man_page() {
  const auto verbs = all_texts();
  std::map<std::string, size_t> uses; // of an option, by its last name
  for (const VerbText &verb : verbs)
    for (const OptionText &option : verb.options)
      ++uses[option.names.back()];
  const auto common = [&](const OptionText &option) { return uses[option.names.back()] == verbs.size(); };

  std::string text =
      fmt::format(".TH TW 1 \"\" \"tilewright {}\" \"User Commands\"\n.ad l\n.nh\n", tw_version());
  text += ".SH NAME\ntw \\- partition array programs over meshes of devices, and run the result\n"
          ".SH SYNOPSIS\n\\fBtw\\fR \\fIVERB\\fR [\\fIARGUMENTS\\fR]\n"
          ".SH DESCRIPTION\n";
  for (const VerbText &verb : verbs)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", verb.verb->name, roff(verb.verb->summary));
  text += ".SH OPTIONS OF ALL VERBS\n";
  for (const OptionText &option : verbs.front().options)
    if (common(option))
      text += option_entry(option);
  for (const VerbText &verb : verbs) {
    std::string name = verb.verb->name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    text += fmt::format(".SH TW {}\n{}\n", name, roff(verb.verb->summary));
    for (const bool positional : {true, false})
      for (const OptionText &option : verb.options)
        if (option.positional == positional && !common(option))
          text += option_entry(option);
  }
  text += ".SH EXIT STATUS\n"
          ".TP\n0\nSuccess.\n"
          ".TP\n1\nAn error in the input, or while running.\n"
          ".TP\n2\nWrong usage.\n"
          ".TP\n3\nThe answer is no: results differ, or an expectation does not hold.\n"
          ".SH EXAMPLE\n.EX\n";
  text += roff("tw run model.mlir --mesh data=2,model=4 --spec megatron.txt") + "\n.EE\n";
  return text;
}

std::string bash_completion(const std::vector<std::string> &topics) {
  std::string words, values;
  for (const VerbText &verb : all_texts()) {
    std::vector<std::string> names;
    for (const OptionText &option : verb.options) {
      if (option.positional)
        continue;
      for (const std::string &name : option.names)
        if (name.starts_with("--") || &name == &option.names.back())
          names.push_back(name);
      if (!option.choices.empty())
        values += fmt::format("  {}:{}) words='{}' ;;\n", verb.verb->name, option.names.back(),
                              fmt::join(option.choices, " "));
    }
    if (verb.verb == &verb_help::verb)
      names.insert(names.end(), topics.begin(), topics.end());
    words += fmt::format("  {}) words='{}' ;;\n", verb.verb->name, fmt::join(names, " "));
  }
  return fmt::format(R"(# Completion of tw for bash, made by `tw help --completion`.
_tw() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} words=
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  case ${{COMP_WORDS[1]}}:$previous in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  ((${{#COMPREPLY[@]}})) || mapfile -t COMPREPLY < <(compgen -f -- "$current")
}}
complete -o filenames -F _tw tw
)",
                     fmt::join(verb_names(), " "), words, values);
}

} // namespace tw::cli
