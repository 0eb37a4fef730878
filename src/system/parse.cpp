// SPDX-License-Identifier: Apache-2.0
// Reads a system file: sections with `key=value`, several on a line, comments behind '#'.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check_utf8.hpp"
#include "base/figures.hpp"
#include "base/suggest.hpp"
#include "system/system.hpp"

namespace tw::system {
namespace {

constexpr uint32_t kMaxPoints = 1000;

struct Word {
  std::string_view text;
  uint32_t line, column;
};

class Parser {
public:
  Parser(std::string_view text, std::string file) : text_(text) {
    system_.file = std::move(file);
    system_.text = std::string(text);
  }

  Result<System> parse() {
    uint32_t line = 0;
    for (size_t begin = 0; begin <= text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      TW_TRY(read_line(text_.substr(begin, end - begin), ++line));
      begin = end + 1;
    }
    TW_TRY(close());
    return std::move(system_);
  }

private:
  using Set = std::function<Status(const Word &)>;

  tl::unexpected<Error> error(const char *id, const Word &at, std::string message) const {
    return tw::fail(
        Error(Code::invalid_argument, id, std::move(message)).at({system_.file, at.line, at.column}));
  }

  Status read_line(std::string_view line, uint32_t number) {
    line = line.substr(0, line.find('#'));
    size_t at = 0;
    const auto skip_blanks = [&] { at = std::min(line.find_first_not_of(" \t\r", at), line.size()); };
    for (skip_blanks(); at < line.size(); skip_blanks()) {
      if (line[at] == '[') {
        const size_t end = line.find(']', at);
        const Word whole{line.substr(at, end - at), number, static_cast<uint32_t>(at + 1)};
        if (end == std::string_view::npos)
          return error("TW-440", whole, fmt::format("the section {} has no ']'", whole.text));
        TW_TRY(begin_section({line.substr(at + 1, end - at - 1), number, whole.column}));
        at = end + 1;
        continue;
      }
      const size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
      TW_TRY(read_pair({line.substr(at, end - at), number, static_cast<uint32_t>(at + 1)}));
      at = end;
    }
    return {};
  }

  Status begin_section(Word section) {
    std::string_view &text = section.text;
    const size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
    text = from == std::string_view::npos ? std::string_view() : text.substr(from, to - from + 1);
    section_ = std::string(text);
    if (!seen_.insert_or_assign("[" + section_, section).second)
      return error("TW-440", section, fmt::format("the section [{}] is there a second time", section_));
    keys_.clear();
    const size_t blank = text.find(' ');
    const std::string_view kind = text.substr(0, blank);
    if (kind == "axis" || kind == "level") {
      if (blank == std::string_view::npos)
        return error("TW-440", section,
                     fmt::format("[{0}] needs a name: [{0} NAME]{1}", kind,
                                 kind == "axis" ? ", or [axis *] for every other axis" : ""));
      const std::string name(text.substr(text.find_first_not_of(' ', blank)));
      system_.lines[fmt::format("{} {}", kind, name)] = section.line;
      describe_link((kind == "axis" ? system_.axes : system_.levels)[name]);
      needs_bandwidth_.emplace_back(section, &(kind == "axis" ? system_.axes : system_.levels)[name]);
      return {};
    }
    const auto known = sections_.find(text);
    if (known == sections_.end()) {
      std::vector<std::string> names = {"axis NAME", "level NAME"};
      for (const auto &[name, describe] : sections_)
        names.emplace_back(name);
      return error("TW-441", section,
                   fmt::format("there is no section [{}]{}; sections: {}", section_,
                               nearest_text(section_, names), fmt::join(names, ", ")));
    }
    known->second();
    return {};
  }

  Status read_pair(const Word &word) {
    const size_t equals = word.text.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return error("TW-440", word, fmt::format("expected key=value, found '{}'", word.text));
    if (seen_.empty())
      return error("TW-440", word, fmt::format("'{}' stands before the first section", word.text));
    const std::string key(word.text.substr(0, equals));
    const Word value{word.text.substr(equals + 1), word.line,
                     word.column + static_cast<uint32_t>(equals) + 1};
    auto known = keys_.find(key);
    if (const std::string figure = key.substr(0, key.find('.') + 1);
        known == keys_.end() &&
        ((section_ == "device" && figure == "flops.") || (section_ == "eff" && figure == "matmul."))) {
      static const std::vector<std::string> kTypes = {"bf16", "f16", "f32", "f64", "tf32",
                                                      "f8",   "i8",  "c64", "c128"};
      const std::string type = key.substr(figure.size());
      if (std::ranges::count(kTypes, type) == 0 ||
          (section_ == "eff" && type == "tf32")) // which no array has
        return error("TW-441", word,
                     fmt::format("there is no figure {}{}{}; types: {}", figure, type,
                                 nearest_text(type, kTypes), fmt::join(kTypes, ", ")));
      known = keys_
                  .emplace(key, section_ == "eff" ? ladder(system_.matmul_of[type])
                                                  : number(system_.device.flops[type], kPositive))
                  .first;
    }
    if (known == keys_.end()) {
      std::vector<std::string> names;
      for (const auto &[name, set] : keys_)
        names.push_back(name);
      if (section_ == "device")
        names.emplace_back("flops.TYPE");
      if (section_ == "eff")
        names.emplace_back("matmul.TYPE");
      return error("TW-441", word,
                   fmt::format("[{}] has no key '{}'{}; keys: {}", section_, key, nearest_text(key, names),
                               fmt::join(names, ", ")));
    }
    if (known->second == nullptr)
      return error("TW-440", word, fmt::format("'{}' is given a second time in [{}]", key, section_));
    const Set set = std::exchange(known->second, nullptr);
    return set(value);
  }

  // --- values ---

  struct Range {
    double least, most;
    bool open; // the least one is none itself
    const char *text;
  };
  static constexpr Range kPositive{0, 1e300, true, "more than 0"}, kNotNegative{0, 1e300, false, "0 or more"},
      kFlag{0, 1, false, "0 or 1"}, kFraction{0, 1, true, "more than 0 and at most 1"},
      kFactor{1, 1000, false, "1 to 1000"}, kCount{0, 9e15, false, "a whole number"};

  // "40e9", "16GiB".
  Result<double> parse_number(const Word &value, const Range &range) const {
    double number = 0;
    const char *const end = value.text.data() + value.text.size();
    const auto [rest, failed] = std::from_chars(value.text.data(), end, number);
    if (failed != std::errc())
      return error("TW-440", value, fmt::format("expected a number, found '{}'", value.text));
    if (const std::string_view unit(rest, static_cast<size_t>(end - rest)); !unit.empty()) {
      const auto factor = bytes_in(unit);
      if (!factor)
        return error(
            "TW-441", {unit, value.line, value.column + static_cast<uint32_t>(rest - value.text.data())},
            fmt::format("'{}' is no unit{}; units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, and none for "
                        "seconds and counts",
                        unit,
                        nearest_text(unit, std::vector<std::string>{"kB", "MB", "GB", "TB", "KiB", "MiB",
                                                                    "GiB", "TiB"})));
      number *= *factor;
    }
    if (!(number >= range.least && number <= range.most) || (range.open && number == range.least))
      return error("TW-442", value, fmt::format("'{}' is out of range: {}", value.text, range.text));
    return number;
  }

  template <class T> Set number(T &into, Range range) {
    return [this, &into, range](const Word &value) -> Status {
      TW_ASSIGN(const double parsed, parse_number(value, range));
      if (!std::is_same_v<T, double> && parsed != std::floor(parsed))
        return error("TW-442", value, fmt::format("'{}' is out of range: {}", value.text, range.text));
      into = static_cast<T>(parsed);
      return {};
    };
  }

  // "0:0.10,16:0.60"
  Set ladder(Ladder &into) {
    return [this, &into](const Word &value) -> Status {
      for (size_t begin = 0; begin <= value.text.size();) {
        const size_t end = std::min(value.text.find(',', begin), value.text.size());
        const Word point{value.text.substr(begin, end - begin), value.line,
                         value.column + static_cast<uint32_t>(begin)};
        const size_t colon = point.text.find(':');
        if (colon == std::string_view::npos)
          return error("TW-440", point, fmt::format("expected SIZE:FRACTION, found '{}'", point.text));
        TW_ASSIGN(const double size,
                  parse_number({point.text.substr(0, colon), point.line, point.column}, kNotNegative));
        TW_ASSIGN(const double fraction, parse_number({point.text.substr(colon + 1), point.line,
                                                       point.column + static_cast<uint32_t>(colon) + 1},
                                                      kFraction));
        if (into.points.size() == kMaxPoints)
          return error("TW-442", point, fmt::format("no more than {} points", kMaxPoints));
        if (into.points.empty() ? size != 0 : size <= into.points.back().first)
          return error("TW-442", point,
                       into.points.empty() ? "the first point is for size 0"
                                           : "sizes ascend from point to point");
        into.points.emplace_back(size, fraction);
        begin = end + 1;
      }
      return {};
    };
  }

  Set choice(std::vector<std::string> names, std::function<void(size_t)> take) {
    return [this, names = std::move(names), take = std::move(take)](const Word &value) -> Status {
      const auto found = std::ranges::find(names, value.text);
      if (found == names.end())
        return error("TW-441", value,
                     fmt::format("expected {}, found '{}'", fmt::join(names, ", "), value.text));
      take(static_cast<size_t>(found - names.begin()));
      return {};
    };
  }

  void describe_link(Link &link) {
    keys_ = {{"topology", choice({"ring", "switch", "torus"},
                                 [&link](size_t i) { link.topology = static_cast<Link::Topology>(i); })},
             {"bw", number(link.bytes_per_s, kPositive)},
             {"lat", number(link.step_s, kNotNegative)},
             {"base", number(link.base_s, kNotNegative)}};
  }

  Status close() {
    const Word begin{text_, 1, 1};
    for (const auto &[section, link] : needs_bandwidth_)
      if (link->bytes_per_s == 0)
        return error("TW-442", section,
                     fmt::format("[{}] needs bw, in bytes a second of a device and direction", section.text));
    if (!gives_functions_)
      system_.functions = system_.other;
    const Device &device = system_.device;
    const auto needs = [&](double figure, const char *key) -> Status {
      if (figure != 0)
        return {};
      const auto section = seen_.find("[device");
      return error("TW-442", section == seen_.end() ? begin : section->second,
                   fmt::format("[device] needs {}", key));
    };
    TW_TRY(needs(device.flops.empty() ? 0 : 1, "flops.TYPE, in operations a second: flops.f32=19.5e12"));
    TW_TRY(needs(device.hbm_bytes, "hbm_bytes, the memory of a device"));
    return needs(device.hbm_bytes_per_s, "hbm_bw, in bytes a second");
  }

  const std::string_view text_;
  System system_;
  bool gives_functions_ = false;
  std::string section_;
  std::map<std::string, Word> seen_; // sections, with '[' before their names
  std::map<std::string, Set> keys_;  // of the section; null: given
  std::vector<std::pair<Word, const Link *>> needs_bandwidth_;
  const std::map<std::string_view, std::function<void()>> sections_ = {
      {"device",
       [this] {
         Device &device = system_.device;
         keys_ = {{"name",
                   [&device](const Word &value) -> Status {
                     device.name = std::string(value.text);
                     return {};
                   }},
                  {"hbm_bytes", number(device.hbm_bytes, kPositive)},
                  {"hbm_bw", number(device.hbm_bytes_per_s, kPositive)},
                  {"reserve_bytes", number(device.reserve_bytes, kNotNegative)},
                  {"library_bytes", number(device.library_bytes, kNotNegative)},
                  {"round_bytes", number(device.round_bytes, kPositive)},
                  {"launch_s", number(device.launch_s, kNotNegative)},
                  {"at_once", number(device.at_once, kCount)},
                  {"shared_memory", number(device.shared_memory, kFlag)}};
       }},
      {"eff",
       [this] {
         keys_ = {
             {"matmul", ladder(system_.matmul)},
             {"hbm", ladder(system_.hbm)},
             {"other", number(system_.other, kFraction)},
             {"functions",
              [this](const Word &value) -> Status {
                gives_functions_ = true;
                return number(system_.functions, kFraction)(value);
              }},
             {"by", choice({"flops", "min_dim"}, [this](size_t i) { system_.matmul_by_min_dim = i == 1; })}};
       }},
      {"overlap",
       [this] {
         keys_ = {{"enabled", number(system_.overlaps, kFlag)},
                  {"slowdown", number(system_.slowdown, kFactor)}};
       }},
      {"fusion",
       [this] {
         keys_ = {{"chains", number(system_.chains, kFlag)}};
       }},
      {"loops", [this] {
         keys_ = {{"trip_count", number(system_.trip_count, kCount)}};
       }}};
};

} // namespace

Result<System> parse(std::string_view text, std::string file) {
  TW_TRY(check_utf8(text, "a system", file));
  return Parser(text, std::move(file)).parse();
}

} // namespace tw::system
