// SPDX-License-Identifier: Apache-2.0
// Adds ops to the graph: attribute text to schema slots, stated against actual types, inference. Programs
// repeat themselves, so what an attribute text or a list of types led to is remembered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/id_table.hpp"
#include "import/context.hpp"
#include "import/op_text.hpp"
#include "ops/op_def.hpp"

namespace tw::import {

// Whether an attribute that may be missing says what its absence says.
bool says_nothing(const ops::AttrSpec &spec, const graph::AttrValue &value);

class Emitter {
public:
  explicit Emitter(Context &context) : c_(context), s_(context.s) {}

  // Checks the stated operand types, and adds the op; `id` is its id. Sharding attributes become annotations
  // of its results.
  bool add(OpText &op, graph::OpId &id);
  // The same without text: an op that a short form implies.
  bool add_implied(graph::OpCode code, std::span<const graph::ValueId> operands,
                   std::span<const graph::TypeId> results, const OpText &from, graph::OpId &id);

  bool check_operand_types(const OpText &op);
  static bool is_sharding(std::string_view attr) {
    return attr == "sdy.sharding" || attr == "mhlo.sharding" || attr == "xla.sdy.sharding";
  }
  bool read_shardings(const AttrText &attr, std::vector<annotation::ShardingAnnotation> &shardings);
  // `text` is where the sharding is written, for errors.
  bool annotate(annotation::Annotation::At at, uint32_t index, annotation::ShardingAnnotation sharding,
                const graph::TensorType &type, const char *text, SourcePos pos);
  // Makes a value a member of a group whose members are sharded alike.
  bool join_group(std::string group, graph::ValueId value, const char *text, SourcePos pos);

private:
  bool parse_shardings(const AttrText &attr, std::vector<annotation::ShardingAnnotation> &shardings);
  bool read_attrs(OpText &op, graph::AttrsId &id);
  bool read_attr_texts(OpText &op, graph::AttrsId &id);
  bool convert_attrs(const OpText &op, const ops::OpDef &def, graph::Attrs &slots);
  bool split_foreign(OpText &op, const ops::OpDef &def);
  bool splice_fields(OpText &op, const ops::OpDef &def);
  bool add_local(OpText &op, graph::AttrsId attrs, graph::OpId &id);
  bool annotate_results(const OpText &op, graph::OpId id);
  bool annotate_local(graph::ValueId v, annotation::ShardingAnnotation sharding, const char *text,
                      SourcePos pos);
  struct RuleText {
    std::string text;
    const char *at;
  };
  bool read_rule(RuleText &rule); // of the op at hand
  bool state_rule(const OpText &op, graph::OpId id, RuleText rule);
  graph::LocId location(const OpText &op);

  Context &c_;
  Scanner &s_;

  // Attribute text -> attributes.
  struct AttrMemo {
    std::string key;
    graph::AttrsId id;
  };
  graph::IdTable attr_table_;
  std::vector<AttrMemo> attr_memo_;
  std::string attr_key_;
  // The same of an artifact, where equal attributes are one list.
  struct ListMemo {
    graph::OpCode code = 0;
    graph::AttrsId id = graph::kNone;
  };
  std::vector<ListMemo> list_memo_;

  // (code, attributes, operand and stated types) that inference has accepted -> result types.
  struct TypeMemo {
    uint32_t key_begin, key_size; // into type_keys_
    uint32_t results_begin, num_results;
  };
  graph::IdTable type_table_;
  std::vector<TypeMemo> type_memo_;
  std::vector<uint32_t> type_keys_;
  std::vector<uint32_t> type_key_; // of the op at hand

  // The last sharding attribute, which often repeats itself, and what it says.
  std::string last_name_, last_raw_;
  std::vector<annotation::ShardingAnnotation> last_shardings_;

  std::vector<AttrText> shardings_; // of the op at hand
  std::string_view stated_rule_;    // its sdy.sharding_rule
};

} // namespace tw::import
