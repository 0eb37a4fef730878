// SPDX-License-Identifier: Apache-2.0
// From an op's text to an op of the graph.
#include "import/emitter.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "import/bytecode/program.hpp"
#include "import/records.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::import {

namespace {

constexpr size_t kMaxMemoText = 512; // longer attribute text is a constant or a name, seldom met twice

// Attributes that hold others: #stablehlo.gather<offset_dims = [1], ...> stands for one attribute a field.
bool holds_fields(std::string_view attr) {
  return attr == "dimension_numbers" || attr == "dot_dimension_numbers" ||
         attr == "scatter_dimension_numbers";
}

// A printed structure leaves out empty lists and zeros.
bool may_be_left_out(std::string_view attr) {
  static constexpr std::string_view kNames[] = {"lhs_batching_dimensions",
                                                "rhs_batching_dimensions",
                                                "lhs_contracting_dimensions",
                                                "rhs_contracting_dimensions",
                                                "offset_dims",
                                                "collapsed_slice_dims",
                                                "operand_batching_dims",
                                                "start_indices_batching_dims",
                                                "start_index_map",
                                                "update_window_dims",
                                                "inserted_window_dims",
                                                "input_batching_dims",
                                                "scatter_indices_batching_dims",
                                                "scatter_dims_to_operand_dims"};
  return std::find(std::begin(kNames), std::end(kNames), attr) != std::end(kNames);
}

const ops::AttrSpec *find_spec(const ops::OpDef &def, std::string_view name) {
  for (const ops::AttrSpec &spec : def.attrs)
    if (name == spec.name)
      return &spec;
  return nullptr;
}

} // namespace

bool says_nothing(const ops::AttrSpec &spec, const graph::AttrValue &value) {
  static constexpr std::pair<std::string_view, int64_t> kNeutral[] = {
      {"base_dilations", 1},   {"lhs_dilation", 1},    {"padding", 0},        {"rhs_dilation", 1},
      {"window_dilations", 1}, {"window_reversal", 0}, {"window_strides", 1},
  };
  if (spec.required)
    return false;
  if (spec.kind == ops::AttrKind::boolean)
    return std::get<int64_t>(value) == 0;
  if (spec.name == std::string_view("precision_config")) {
    const std::string &text = std::get<std::string>(value);
    return text == "[]" || text == "[DEFAULT]" || text == "[DEFAULT, DEFAULT]";
  }
  if (spec.kind != ops::AttrKind::ints)
    return false;
  const auto &list = std::get<std::vector<int64_t>>(value);
  const auto neutral = std::ranges::find(kNeutral, spec.name, [](const auto &n) { return n.first; });
  return list.empty() || (neutral != std::end(kNeutral) &&
                          std::ranges::all_of(list, [&](int64_t n) { return n == neutral->second; }));
}

bool Emitter::check_operand_types(const OpText &op) {
  if (op.operand_types.size() != op.operands.size())
    return s_.fail("TW-110", op.at,
                   fmt::format("{}: {} operands, but types for {}", op.name, op.operands.size(),
                               op.operand_types.size()));
  const graph::Graph &g = c_.builder.graph();
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (const graph::TypeId type = c_.local.type(op.operands[i]); type != op.operand_types[i])
      return s_.fail("TW-110", op.operand_at[i],
                     fmt::format("{}: operand {} has type {}, but {} is stated", op.name, i,
                                 graph::to_text(g.type_at(type)),
                                 graph::to_text(g.type_at(op.operand_types[i]))));
  return true;
}

graph::LocId Emitter::location(const OpText &op) {
  return c_.builder.location({op.line, op.column, op.loc.best()});
}

bool Emitter::add(OpText &op, graph::OpId &id) {
  graph::AttrsId attrs = 0;
  if (!check_operand_types(op) || !read_attrs(op, attrs))
    return false;

  if (c_.local.any_differs(op.operands))
    return add_local(op, attrs, id);

  // What was inferred for these types once holds again; regions are looked into each time.
  const bool remember = op.regions.empty();
  uint64_t hash = 0;
  if (remember) {
    type_key_.assign({op.code, attrs, static_cast<uint32_t>(op.operand_types.size())});
    type_key_.insert(type_key_.end(), op.operand_types.begin(), op.operand_types.end());
    type_key_.insert(type_key_.end(), op.result_types.begin(), op.result_types.end());
    hash = hash_bytes(type_key_.data(), type_key_.size() * sizeof(uint32_t));
    const uint32_t known = type_table_.find(hash, [&](uint32_t i) {
      const TypeMemo &memo = type_memo_[i];
      return memo.key_size == type_key_.size() &&
             std::equal(type_key_.begin(), type_key_.end(), type_keys_.begin() + memo.key_begin);
    });
    if (known != graph::IdTable::kAbsent) {
      const TypeMemo &memo = type_memo_[known];
      id = c_.builder.add_op(
          {op.code, op.operands,
           std::span<const graph::TypeId>(type_keys_).subspan(memo.results_begin, memo.num_results), attrs,
           location(op)});
      return annotate_results(op, id);
    }
  }

  auto added = ops::add(c_.builder, op.code, op.operands, c_.builder.graph().attrs_at(attrs), op.result_types,
                        location(op), op.regions);
  if (!added) {
    for (size_t i = 0; i < op.operands.size() && i < 8; ++i)
      added.error().info().notes.push_back(
          fmt::format("operand {} is {}", i, graph::to_text(c_.builder.type_of(op.operands[i]))));
    return s_.adopt(std::move(added.error()), op.at);
  }
  id = *added;
  if (remember) {
    const graph::Op &made = c_.builder.graph().op(id);
    const auto begin = static_cast<uint32_t>(type_keys_.size());
    type_keys_.insert(type_keys_.end(), type_key_.begin(), type_key_.end());
    const auto results = static_cast<uint32_t>(type_keys_.size());
    for (uint32_t i = 0; i < made.num_results; ++i)
      type_keys_.push_back(c_.builder.graph().value(made.first_result + i).type);
    type_table_.find_or_add(
        hash, [](uint32_t) { return false; },
        [&] {
          type_memo_.push_back({begin, static_cast<uint32_t>(type_key_.size()), results, made.num_results});
          return static_cast<uint32_t>(type_memo_.size() - 1);
        });
  }
  return annotate_results(op, id);
}

bool Emitter::add_local(OpText &op, graph::AttrsId attrs, graph::OpId &id) {
  c_.local.at(location(op));
  auto added = c_.local.add(op.code, op.operands, graph::Attrs(c_.builder.graph().attrs_at(attrs)),
                            op.result_types, op.regions);
  if (!added)
    return s_.adopt(std::move(added.error()), op.at);
  id = *added;
  if (!ops::is_opaque(c_.builder.graph(), id)) {
    if (!stated_rule_.empty())
      c_.leave_out("sharding rule inside device-local code: the op is another one there",
                   std::exchange(stated_rule_, {}).data());
    return annotate_results(op, id);
  }
  RuleText rule{{}, op.at};
  if (!stated_rule_.empty() && !read_rule(rule))
    return false;
  rule.text = c_.local.rule_of_call(id, rule.text);
  return state_rule(op, id, std::move(rule)) && annotate_results(op, id);
}

bool Emitter::add_implied(graph::OpCode code, std::span<const graph::ValueId> operands,
                          std::span<const graph::TypeId> results, const OpText &from, graph::OpId &id) {
  auto added = ops::add(c_.builder, code, operands, {}, results, location(from));
  if (!added)
    return s_.adopt(std::move(added.error()), from.at);
  id = *added;
  return true;
}

// Moves shardings aside, and drops what the op's schema does not know: attributes of other dialects, layouts,
// channel handles.
bool Emitter::split_foreign(OpText &op, const ops::OpDef &def) {
  shardings_.clear();
  stated_rule_ = {};
  size_t kept = 0;
  for (const AttrText &attr : op.attrs) {
    if (is_sharding(attr.name))
      shardings_.push_back(attr);
    else if (attr.name == "sdy.sharding_rule")
      stated_rule_ = attr.raw;
    else if (attr.name.find('.') == std::string_view::npos &&
             (find_spec(def, attr.name) || holds_fields(attr.name)))
      op.attrs[kept++] = attr;
    else
      c_.notes.add(Note::Kind::ignored, fmt::format("attribute {} of {}", attr.name, def.name),
                   attr.raw.data());
  }
  op.attrs.resize(kept);
  return true;
}

bool Emitter::splice_fields(OpText &op, const ops::OpDef &def) {
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    if (!holds_fields(op.attrs[i].name) || find_spec(def, op.attrs[i].name))
      continue;
    std::string_view raw = op.attrs[i].raw;
    op.attrs.erase(op.attrs.begin() + static_cast<ptrdiff_t>(i));
    return c_.attributes.resolve(raw) && parse_struct(s_, raw, op.attrs);
  }
  return true;
}

bool Emitter::convert_attrs(const OpText &op, const ops::OpDef &def, graph::Attrs &slots) {
  slots.assign(def.attrs.size(), {});
  for (const AttrText &attr : op.attrs) {
    const ops::AttrSpec *spec = find_spec(def, attr.name);
    if (!spec) {
      c_.notes.add(Note::Kind::ignored, fmt::format("attribute {} of {}", attr.name, def.name),
                   attr.raw.data());
      continue;
    }
    graph::AttrValue &slot = slots[static_cast<size_t>(spec - def.attrs.data())];
    if (slot.index() != 0)
      return s_.fail("TW-105", attr.raw.data(),
                     fmt::format("{}: the attribute {} occurs twice", def.name, attr.name));
    if (!c_.attributes.read(spec->kind, attr, slot))
      return false;
  }
  for (size_t i = 0; i < slots.size() && c_.records != nullptr; ++i) // artifacts state every attribute
    if (slots[i].index() != 0 && says_nothing(def.attrs[i], slots[i]))
      slots[i] = {};
  for (size_t i = 0; i < slots.size(); ++i)
    if (const ops::AttrSpec &spec = def.attrs[i]; slots[i].index() == 0 && spec.required) {
      if (may_be_left_out(spec.name))
        slots[i] = std::vector<int64_t>();
      else if (spec.name == std::string_view("index_vector_dim"))
        slots[i] = int64_t{0};
    }
  return true;
}

// An op of an artifact whose attributes are those of its list, all of them its schema's, has what the list
// led to before.
bool Emitter::read_attrs(OpText &op, graph::AttrsId &id) {
  if (op.record == nullptr || !c_.records->has_own_attributes(op))
    return read_attr_texts(op, id);
  const size_t list = op.record->attributes;
  if (list_memo_.size() <= list)
    list_memo_.resize(list + 1);
  if (const ListMemo &known = list_memo_[list]; known.id != graph::kNone && known.code == op.code) {
    shardings_.clear();
    stated_rule_ = {};
    id = known.id;
    return true;
  }
  const size_t noted = c_.notes.added();
  if (!read_attr_texts(op, id))
    return false;
  if (c_.notes.added() == noted && shardings_.empty() && stated_rule_.empty())
    list_memo_[list] = {op.code, id};
  return true;
}

bool Emitter::read_attr_texts(OpText &op, graph::AttrsId &id) {
  const ops::OpDef &def = ops::op_def(op.code);
  if (!split_foreign(op, def))
    return false;
  if (op.attrs.empty() && def.attrs.empty()) {
    id = 0;
    return true;
  }

  attr_key_.assign(reinterpret_cast<const char *>(&op.code), sizeof(op.code));
  for (const AttrText &attr : op.attrs) {
    attr_key_.append(attr.name).push_back('\0');
    if (attr.raw.size() > kMaxMemoText) {
      attr_key_.resize(kMaxMemoText + 1);
      break;
    }
    if (attr.ints)
      attr_key_.append(reinterpret_cast<const char *>(attr.ints->data()),
                       attr.ints->size() * sizeof(int64_t));
    else
      attr_key_.append(attr.raw);
    attr_key_.push_back('\0');
  }
  const bool remember = attr_key_.size() <= kMaxMemoText;
  const uint64_t hash = remember ? hash_bytes(attr_key_.data(), attr_key_.size()) : 0;
  if (remember) {
    const uint32_t known = attr_table_.find(hash, [&](uint32_t i) { return attr_memo_[i].key == attr_key_; });
    if (known != graph::IdTable::kAbsent) {
      id = attr_memo_[known].id;
      return true;
    }
  }

  graph::Attrs slots;
  if (!splice_fields(op, def) || !convert_attrs(op, def, slots))
    return false;
  id = c_.builder.attrs(std::move(slots));
  const bool elided = c_.attributes.take_elided();
  if (elided)
    c_.notes.add(Note::Kind::elided, "the exporter left out the numbers of an array; zeros stand in", op.at);
  if (remember && !elided)
    attr_table_.find_or_add(
        hash, [](uint32_t) { return false; },
        [&] {
          attr_memo_.push_back({attr_key_, id});
          return static_cast<uint32_t>(attr_memo_.size() - 1);
        });
  return true;
}

} // namespace tw::import
