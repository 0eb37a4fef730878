// SPDX-License-Identifier: Apache-2.0
// Entries of one dialect that stand side by side are one group of its table.
#include "emit/artifact/tables.hpp"

#include "import/bytecode/artifact.hpp"
#include "import/bytecode/codes.hpp"

namespace tw::emit::artifact {

namespace codes = import::bytecode;

namespace {

// The number of a text that is known, or the next one.
template <class Add>
uint32_t find_or_add(std::unordered_map<std::string, uint32_t> &known, std::string key, const Add &add) {
  const auto [at, is_new] = known.try_emplace(std::move(key), static_cast<uint32_t>(known.size()));
  if (is_new)
    add();
  return at->second;
}

// Calls with the first and the end of each run of items of one dialect.
template <class Items, class Visit> void each_group(const Items &items, const Visit &visit) {
  for (size_t first = 0, end = 0; first < items.size(); first = end) {
    while (end < items.size() && items[end].dialect == items[first].dialect)
      ++end;
    visit(first, end);
  }
}

} // namespace

void Sink::number(uint64_t value) {
  size_t more = 0; // bytes behind the first, each with seven bits of the number
  while (more < 8 && value >> (7 * (more + 1)) != 0)
    ++more;
  if (more == 8)
    byte(0);
  else
    value = value << (more + 1) | uint64_t{1} << more;
  for (size_t i = 0; i < (more == 8 ? 8 : more + 1); ++i)
    byte(static_cast<uint8_t>(value >> (8 * i)));
}

void Sink::numbers(std::span<const uint32_t> list) {
  number(list.size());
  for (const uint32_t value : list)
    number(value);
}

void Sink::signed_numbers(std::span<const int64_t> list) {
  number(list.size());
  for (const int64_t value : list)
    signed_number(value);
}

uint32_t Tables::string(std::string_view text) {
  return find_or_add(known_strings_, std::string(text), [&] { strings_.emplace_back(text); });
}

uint32_t Tables::dialect(std::string_view name) {
  return find_or_add(known_dialects_, std::string(name), [&] { dialects_.push_back(string(name)); });
}

uint32_t Tables::entry(std::string_view name, const Sink &data, Numbers &known, std::vector<Entry> &entries) {
  const uint32_t of = dialect(name);
  std::string key = data.bytes();
  key.append(reinterpret_cast<const char *>(&of), sizeof of);
  return find_or_add(known, std::move(key), [&] { entries.push_back({of, data.bytes()}); });
}

uint32_t Tables::attribute(std::string_view of, const Sink &data) {
  return entry(of, data, known_attributes_, attributes_);
}

uint32_t Tables::type(std::string_view of, const Sink &data) { return entry(of, data, known_types_, types_); }

uint32_t Tables::properties(const Sink &data) {
  return find_or_add(known_properties_, data.bytes(), [&] { properties_.push_back(data.bytes()); });
}

uint32_t Tables::op(std::string_view name) {
  return find_or_add(known_ops_, std::string(name), [&] {
    const size_t dot = name.find('.');
    const uint32_t of = dialect(name.substr(0, dot));
    ops_.push_back({of, string(name.substr(dot + 1))});
  });
}

std::string Tables::file(std::string_view producer, std::string_view ir) const {
  Sink dialects, offsets, entries, strings, properties, all;
  dialects.number(dialects_.size());
  for (const uint32_t name : dialects_)
    dialects.number_with_flag(name, false); // without a version
  dialects.number(ops_.size());
  each_group(ops_, [&](size_t first, size_t end) {
    dialects.number(ops_[first].dialect);
    dialects.number(end - first);
    for (size_t i = first; i < end; ++i)
      dialects.number_with_flag(ops_[i].name, true);
  });
  offsets.number(attributes_.size());
  offsets.number(types_.size());
  for (const std::vector<Entry> *table : {&attributes_, &types_})
    each_group(*table, [&](size_t first, size_t end) {
      offsets.number((*table)[first].dialect);
      offsets.number(end - first);
      for (size_t i = first; i < end; ++i) {
        offsets.number_with_flag((*table)[i].bytes.size(), true);
        entries.add((*table)[i].bytes);
      }
    });
  strings.number(strings_.size());
  for (auto text = strings_.rbegin(); text != strings_.rend(); ++text)
    strings.number(text->size() + 1);
  for (const std::string &text : strings_) {
    strings.add(text);
    strings.byte(0);
  }
  properties.number(properties_.size());
  for (const std::string &one : properties_)
    properties.blob(one);

  all.add(codes::kMagic);
  all.number(codes::kNewest);
  all.add(producer);
  all.byte(0);
  all.section(codes::kDialects, dialects.bytes());
  all.section(codes::kEntryOffsets, offsets.bytes());
  all.section(codes::kEntries, entries.bytes());
  all.section(codes::kIr, ir);
  all.section(codes::kStrings, strings.bytes());
  all.section(codes::kPropertyTable, properties.bytes());
  return all.take();
}

} // namespace tw::emit::artifact
