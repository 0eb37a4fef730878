// SPDX-License-Identifier: Apache-2.0
// From a record to an OpText: names for values, ids for types, text for the rest.
#include "import/records.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "import/reader.hpp"

namespace tw::import {

using bytecode::ArgumentRecord;
using bytecode::Bytes;
using bytecode::FunctionRecord;
using bytecode::kNoIndex;
using bytecode::OpRecord;
using bytecode::RegionRecord;
using bytecode::ValueRecord;

namespace {

enum class Place : uint64_t { call_site = 10, file, fused, fused_with_metadata, name, unknown, range = 22 };

// Of an attribute with its name.
constexpr size_t kLeastText = 16;

// What `applies` may stand for in MLIR's short form of reduce.
constexpr std::string_view kReducers[] = {"stablehlo.add",     "stablehlo.and",      "stablehlo.maximum",
                                          "stablehlo.minimum", "stablehlo.multiply", "stablehlo.or",
                                          "stablehlo.xor"};

} // namespace

bool RecordSource::load(std::string_view bytes) {
  if (!bytecode::read_artifact(bytes, fault, artifact))
    return false;
  values = std::make_unique<bytecode::Values>(artifact, fault);
  program = std::make_unique<bytecode::Program>(artifact, *values);
  if (!program->read())
    return false;
  names.name_all(*program);
  return !fault.failed();
}

// Of an op, or of the attribute or type whose text it is.
std::string RecordSource::place(const char *at) const {
  if (values && values->arena().holds(at))
    return values->place_of(at);
  if (!program || at < artifact.bytes.data() || at >= artifact.bytes.data() + artifact.bytes.size())
    return {};
  const auto behind =
      std::ranges::upper_bound(program->ops, at, {}, [](const OpRecord &op) { return op.at; });
  return behind == program->ops.begin() ? std::string() : program->place_of(*std::prev(behind));
}

// What is wrong with the artifact, as an error of the reading.
bool Records::adopt() {
  Error error = fault_.take();
  error.info().pos = {s_.file(), 0, 0};
  return s_.adopt(std::move(error), nullptr);
}

bool Records::read_type(uint32_t index, graph::TypeId &type) {
  const std::string_view text = program_.values().type(index);
  if (fault_.failed())
    return adopt();
  const Cursor back = s_.cursor();
  s_.seek({text.data(), 0, text.data()});
  const char *end = s_.set_end(text.data() + text.size());
  const bool ok = types_.parse_any(type);
  s_.set_end(end);
  s_.seek(back);
  if (!ok)
    return false;
  type_ids_.resize(program_.artifact().types.size(), graph::kNone);
  type_ids_[index] = type;
  return true;
}

bool Records::operand(Reader &r, uint32_t value, const char *at, OpText &op) {
  const uint32_t first = program_.all_values[value].first;
  const ValueKey key{program_.all_values[first].name, first};
  const Scope::Entry *entry = r.scope->find(key);
  if (entry == nullptr || value - first >= entry->count)
    return s_.fail("TW-109", at, fmt::format("the value %{} is not defined here", key.name));
  op.operand_def.push_back(entry->at);
  r.push_operand(op, r.scope->values(*entry)[value - first], at);
  return true;
}

std::pair<uint32_t, uint32_t> Records::values_of(uint32_t id) const {
  const RegionRecord &region = program_.regions[id];
  const auto first_of = [&](uint32_t op) {
    return op < program_.ops.size() ? program_.ops[op].first_result
                                    : static_cast<uint32_t>(program_.all_values.size());
  };
  return {region.num_arguments != 0 ? program_.arguments[region.first_argument].value
                                    : first_of(region.first_op),
          first_of(region.end)};
}

bool Records::next(Reader &r, OpText &op) {
  const OpRecord &record = program_.ops[at_];
  at_ = record.next;
  op.name = program_.name(record).name;
  op.generic = true;
  op.at = record.at;
  op.record = &record;
  op.next_region = record.first_region;
  op.end_region = record.first_region + record.num_regions;
  for (uint32_t i = 0; i < record.num_results; ++i)
    if (const ValueRecord &value = program_.all_values[record.first_result + i];
        value.first == record.first_result + i)
      op.results.push_back({value.name, 1, record.at, record.first_result + i});
    else
      ++op.results.back().count;
  for (uint32_t i = 0; i < record.num_operands; ++i) {
    const uint32_t value = program_.operands[record.first_operand + i];
    if (!operand(r, value, record.at, op) ||
        !type(program_.all_values[value].type, op.operand_types.emplace_back()))
      return false;
  }
  for (uint32_t i = 0; i < record.num_results; ++i)
    if (!type(program_.all_values[record.first_result + i].type, op.result_types.emplace_back()))
      return false;
  const std::span<const AttrText> attrs = program_.attributes(record);
  op.attrs.assign(attrs.begin(), attrs.end());
  op.loc = location(record.location);
  r.flatten_types(op);
  return !fault_.failed() || adopt();
}

bool Records::function(const FunctionRecord &record, FunctionTypes &types) {
  std::vector<uint32_t> inputs, results;
  if (!program_.values().function_type(record.function_type, inputs, results))
    return adopt();
  for (const auto &[from, to] : {std::pair(&inputs, &types.inputs), std::pair(&results, &types.results)})
    for (const uint32_t index : *from)
      if (!type(index, to->emplace_back()))
        return false;
  return read_lists(record.arg_attrs, types.arg_attrs) && read_lists(record.res_attrs, types.res_attrs);
}

// An array of dictionaries.
bool Records::read_lists(uint32_t index, std::vector<std::vector<AttrText>> &lists) {
  bytecode::Values &values = program_.values();
  std::vector<uint32_t> dictionaries;
  if (index != kNoIndex && !values.elements(index, dictionaries))
    return adopt();
  // A dictionary may stand there many times: as much in all as text may take.
  size_t left = values.arena().capacity() / kLeastText;
  std::vector<bytecode::Values::Named> entries;
  lists.reserve(dictionaries.size());
  for (const uint32_t dictionary : dictionaries) {
    entries.clear();
    if (!values.dictionary(dictionary, entries))
      return adopt();
    if (entries.size() > left) {
      fault_.fail("TW-120", "the attributes of this artifact stand for too much text", "");
      return adopt();
    }
    left -= entries.size();
    std::vector<AttrText> &list = lists.emplace_back();
    for (const auto &[name, value] : entries)
      list.push_back({name, bytecode::attribute_text(values, value), nullptr});
  }
  return !fault_.failed() || adopt();
}

bool Records::enter(uint32_t id, std::vector<Argument> &arguments) {
  const RegionRecord &region = program_.regions[id];
  for (uint32_t i = 0; i < region.num_arguments; ++i) {
    const ArgumentRecord &record = program_.arguments[region.first_argument + i];
    const ValueRecord &value = program_.all_values[record.value];
    Argument &argument = arguments.emplace_back();
    argument.name = value.name;
    argument.record = record.value;
    argument.at = record.at;
    argument.loc = location(record.location);
    if (!type(value.type, argument.type))
      return false;
  }
  around_.emplace_back(at_, end_);
  at_ = region.first_op;
  end_ = region.end;
  return !fault_.failed() || adopt();
}

void Records::leave() {
  std::tie(at_, end_) = around_.back();
  around_.pop_back();
}

const OpRecord *Records::short_reducer(const OpText &op) const {
  const OpRecord &reduce = *op.record;
  if (op.name != "stablehlo.reduce" || reduce.num_operands != 2 || reduce.num_regions != 1)
    return nullptr;
  const RegionRecord &region = program_.regions[reduce.first_region];
  if (region.num_arguments != 2 || region.end != region.first_op + 2)
    return nullptr;
  const OpRecord &inner = program_.ops[region.first_op], &end = program_.ops[region.first_op + 1];
  const uint32_t first = program_.arguments[region.first_argument].value;
  const bool fits = inner.num_operands == 2 && inner.num_results == 1 && end.num_operands == 1 &&
                    program_.operands[inner.first_operand] == first &&
                    program_.operands[inner.first_operand + 1] == first + 1 &&
                    program_.operands[end.first_operand] == inner.first_result &&
                    program_.attributes(inner).empty() &&
                    program_.all_values[first].type == program_.all_values[first + 1].type &&
                    program_.all_values[first].type == program_.all_values[inner.first_result].type;
  return fits && std::ranges::find(kReducers, program_.name(inner).name) != std::end(kReducers) ? &inner
                                                                                                : nullptr;
}

bool Records::has_own_attributes(const OpText &op) const {
  const auto same = [](const AttrText &a, const AttrText &b) {
    return a.name.data() == b.name.data() && a.raw.data() == b.raw.data() && a.ints == b.ints;
  };
  return std::ranges::equal(op.attrs, program_.attributes(*op.record), same);
}

bool Records::captured(Reader &r, uint32_t id, OpText &to) {
  const RegionRecord &region = program_.regions[id];
  for (uint32_t op = region.first_op; op < region.end; ++op)
    for (uint32_t i = 0; i < program_.ops[op].num_operands; ++i) {
      const uint32_t value = program_.operands[program_.ops[op].first_operand + i];
      const uint32_t first = program_.all_values[value].first;
      if (r.scope->find({program_.all_values[first].name, first}) == nullptr)
        continue; // of the region itself
      if (!operand(r, value, program_.ops[op].at, to))
        return false;
      if (std::ranges::count(to.operands, to.operands.back()) > 1) {
        to.operands.pop_back();
        to.operand_at.pop_back();
        to.operand_def.pop_back();
      }
    }
  return true;
}

// As locations.cpp reads it from text: the file of a place, the name around it, of a call the place called.
LocationReader::Text Records::location(uint32_t index, uint32_t depth) {
  if (index == kNoIndex || fault_.failed())
    return {};
  if (locations_.empty())
    locations_.resize(program_.artifact().attributes.size());
  if (locations_[index].known)
    return locations_[index].text;
  bytecode::Values &values = program_.values();
  const bytecode::Artifact::Entry &entry = program_.artifact().attributes[index];
  Bytes from = program_.artifact().reader(entry.part, "a location", fault_);
  if (depth > kMaxLocationDepth) {
    from.fail("this location is nested too deep");
    return {};
  }
  LocationReader::Text text;
  if (!entry.encoded || program_.artifact().dialects[entry.dialect].name != "builtin")
    return text;
  const auto inner = [&] {
    const uint32_t part = values.attribute_index(from);
    return fault_.failed() ? LocationReader::Text() : location(part, depth + 1);
  };
  const auto name = [&] {
    const uint32_t part = values.attribute_index(from);
    return fault_.failed() ? std::string() : shown(values.string(part));
  };
  const uint64_t code = from.number();
  switch (const auto kind = static_cast<Place>(code)) {
  case Place::call_site: text = inner(); break;
  case Place::file:
  case Place::range: {
    const std::string file = name();
    const uint64_t parts =
        kind == Place::range ? from.number() : 2; // a line, and perhaps columns and another line
    text.file = b_.name(fmt::format("{}:{}", file, parts == 0 ? 0 : from.number()));
    break;
  }
  case Place::fused:
  case Place::fused_with_metadata: {
    const size_t count = from.count("locations");
    for (size_t i = 0; i < count; ++i) {
      const LocationReader::Text part = inner();
      text.name = text.name == graph::kNone ? part.name : text.name;
      text.file = text.file == graph::kNone ? part.file : text.file;
    }
    break;
  }
  case Place::name: {
    const std::string given = name();
    text = inner();
    text.name = b_.name(given);
    break;
  }
  case Place::unknown: break;
  default: from.fail(fmt::format("attribute code {} of the dialect builtin is no location", code), "TW-121");
  }
  if (!fault_.failed())
    locations_[index] = {text, true};
  return text;
}

} // namespace tw::import
