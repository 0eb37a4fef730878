// SPDX-License-Identifier: Apache-2.0
// Groups rows by what they say, then by the numbers in their names.
#include "report/alike.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::report {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A name as what stands between its numbers, and these.
struct Parts {
  std::vector<std::string> text, numbers; // one text more than numbers
};

Parts parts_of(const std::string &name) {
  Parts parts{{""}, {}};
  for (size_t i = 0; i < name.size(); ++i) {
    if (!is_digit(name[i])) {
      parts.text.back() += name[i];
      continue;
    }
    if (i == 0 || !is_digit(name[i - 1])) {
      parts.numbers.emplace_back();
      parts.text.emplace_back();
    }
    parts.numbers.back() += name[i];
  }
  return parts;
}

std::string with_star(const Parts &parts, size_t star) {
  std::string name = parts.text[0];
  for (size_t i = 0; i < parts.numbers.size(); ++i)
    name += (i == star ? "*" : parts.numbers[i]) + parts.text[i + 1];
  return name;
}

// Whether b is the number behind a.
bool follows(const std::string &a, const std::string &b) {
  constexpr size_t kMostDigits = 18;
  return a.size() <= kMostDigits && b.size() <= kMostDigits && std::stoll(a) + 1 == std::stoll(b);
}

class Grouping {
public:
  explicit Grouping(const std::vector<ValueFacts> &values) {
    for (const ValueFacts &value : values)
      parts_.push_back(parts_of(value.name));
  }

  // Rows that say the same and have the same text in their names.
  void add(std::vector<uint32_t> rows) {
    const size_t numbers = parts_[rows[0]].numbers.size();
    size_t varying = 0, fewest = 0, star = 0;
    size_t least = SIZE_MAX;
    for (size_t n = 0; n < numbers; ++n) {
      const size_t distinct = by_number(rows, n).size();
      if (distinct == 1)
        continue;
      ++varying;
      star = n;
      if (distinct < least) {
        least = distinct;
        fewest = n;
      }
    }
    if (varying > 1)
      for (auto &[number, part] : by_number(rows, fewest))
        add(std::move(part));
    else if (varying == 1 && star + 1 == numbers && parts_[rows[0]].text.back().empty())
      add_runs(rows, star); // "arg*" would not say which
    else
      alike.push_back(
          {rows.size() == 1 ? with_star(parts_[rows[0]], SIZE_MAX) : with_star(parts_[rows[0]], star),
           std::move(rows)});
  }

  std::vector<Alike> alike;

private:
  std::map<std::string, std::vector<uint32_t>> by_number(const std::vector<uint32_t> &rows, size_t n) const {
    std::map<std::string, std::vector<uint32_t>> all;
    for (const uint32_t row : rows)
      all[parts_[row].numbers[n]].push_back(row);
    return all;
  }

  void add_runs(const std::vector<uint32_t> &rows, size_t n) {
    for (size_t i = 0; i < rows.size(); ++i) {
      const bool goes_on = i > 0 && rows[i] == rows[i - 1] + 1 &&
                           follows(parts_[rows[i - 1]].numbers[n], parts_[rows[i]].numbers[n]);
      if (!goes_on)
        alike.push_back({with_star(parts_[rows[i]], SIZE_MAX), {}});
      else
        alike.back().name = fmt::format("{}..{}", with_star(parts_[alike.back().members[0]], SIZE_MAX),
                                        with_star(parts_[rows[i]], SIZE_MAX));
      alike.back().members.push_back(rows[i]);
    }
  }

  std::vector<Parts> parts_;
};

std::vector<Alike> in_order(std::vector<Alike> groups) {
  std::ranges::sort(groups, {}, [](const Alike &group) { return group.members[0]; });
  return groups;
}

} // namespace

std::vector<Alike> alike_values(const std::vector<ValueFacts> &values) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::vector<uint32_t>> same;
  for (uint32_t i = 0; i < values.size(); ++i) {
    const ValueFacts &value = values[i];
    same[{fmt::format("{}", fmt::join(parts_of(value.name).text, "*")), value.type, value.sharding,
          value.cause}]
        .push_back(i);
  }
  Grouping grouping(values);
  for (auto &[key, rows] : same)
    grouping.add(std::move(rows));
  return in_order(std::move(grouping.alike));
}

std::vector<Alike> alike_collectives(const std::vector<CollectiveFacts> &collectives) {
  std::map<std::string, Alike> same;
  for (uint32_t i = 0; i < collectives.size(); ++i) {
    const CollectiveFacts &c = collectives[i];
    Alike &group =
        same[fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", redistribute::name(c.kind),
                         c.reduction ? sharding::name(*c.reduction) : "", fmt::join(c.axes, ","), c.type,
                         c.local_type, c.bytes_received, c.times, c.values.size(), c.op, c.cause,
                         c.plan ? fmt::format("{} {} {}", redistribute::name(c.plan->method), c.plan->steps,
                                              fmt::join(c.plan->bytes_by_level, ","))
                                : std::string())];
    if (group.members.empty())
      group.name = c.value;
    group.members.push_back(i);
  }
  std::vector<Alike> groups;
  for (auto &[key, group] : same)
    groups.push_back(std::move(group));
  return in_order(std::move(groups));
}

std::vector<uint32_t> firsts_first(const std::vector<Alike> &groups) {
  std::vector<uint32_t> rows;
  for (const Alike &group : groups)
    rows.push_back(group.members[0]);
  for (const Alike &group : groups)
    rows.insert(rows.end(), group.members.begin() + 1, group.members.end());
  return rows;
}

} // namespace tw::report
