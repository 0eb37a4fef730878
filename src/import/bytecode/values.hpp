// SPDX-License-Identifier: Apache-2.0
// Attributes and types of an artifact as the text that MLIR prints for them, each once and when it is asked
// for. So what reads attributes of text reads those of an artifact too. Arrays of numbers that are no short
// lists stay where they are: their text names them.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "import/bytecode/artifact.hpp"

namespace tw::import::bytecode {

// Text that never moves. Behind each piece stands a 0, where every scan ends.
class Arena {
public:
  explicit Arena(size_t capacity) : text_(new char[capacity]), capacity_(capacity) {}
  // Empty, and at no place, where there is no room.
  std::string_view add(std::string_view text);
  const char *begin() const { return text_.get(); }
  const char *end() const { return text_.get() + size_; }
  size_t capacity() const { return capacity_; }
  bool holds(const char *at) const { return at >= begin() && at < begin() + capacity_; }

private:
  std::unique_ptr<char[]> text_;
  size_t size_ = 0, capacity_;
};

class Values {
public:
  Values(const Artifact &artifact, Fault &fault);

  // Empty after a failure, and for an attribute that only its name says.
  std::string_view attribute(uint32_t index);
  std::string_view type(uint32_t index);
  // What a string says, without quotes; of other attributes an error.
  std::string_view string(uint32_t index);
  // A dictionary's names and values.
  struct Named {
    std::string_view name;
    uint32_t value;
  };
  bool dictionary(uint32_t index, std::vector<Named> &entries);
  // The attributes of an array, and the types of a function whose type an attribute states, by their indices
  // (held_values.cpp).
  bool elements(uint32_t index, std::vector<uint32_t> &held);
  bool function_type(uint32_t index, std::vector<uint32_t> &inputs, std::vector<uint32_t> &results);

  // The numbers that "bytes_N" in a text stands for.
  const std::vector<std::string_view> &numbers() const { return numbers_; }
  const Arena &arena() const { return arena_; }
  Arena &arena() { return arena_; }
  const Artifact &artifact() const { return artifact_; }
  Fault &fault() { return fault_; }
  // Where the attribute or type stands whose text this is a part of; empty where it is none.
  std::string place_of(const char *text) const;

  // ---- for the decoders of dialects: each reads an index and appends the text of what it names
  bool add_attribute(Bytes &from, std::string &to, bool in_list = false);
  bool add_type(Bytes &from, std::string &to);
  bool add_attributes(Bytes &from, std::string &to); // a, b, c of a list with its length
  bool add_types(Bytes &from, std::string &to);
  // The text of a list of numbers with its length: "1, 2".
  bool add_numbers(Bytes &from, std::string &to);
  bool add_integer(Bytes &from, std::string_view type, std::string &to); // of that type; with it
  bool add_real(Bytes &from, std::string_view type, std::string &to);
  bool add_array(std::string_view type, std::string_view bytes, std::string &to); // dense<..> : type
  bool add_number_list(Bytes &from, std::string &to);                             // array<i64: 1, 2>
  bool add_string(Bytes &from, std::string &to);                                  // with quotes
  bool add_entries(Bytes &from, std::string &to);                                 // {a = 1, b}
  std::string_view string_at(Bytes &from); // of the table of strings, by its index
  uint32_t attribute_index(Bytes &from);
  uint32_t type_index(Bytes &from);
  // What is known of the attribute that is being decoded, for those around it.
  enum class Kind : uint8_t { other, string, short_number, unit, location };
  void set_kind(Kind kind) { kind_ = kind; }
  void set_string(std::string_view text) { kind_ = Kind::string, string_ = text; }
  Kind kind(uint32_t index) { return attribute(index), attributes_[index].kind; }

private:
  struct Known {
    const char *text = nullptr;
    uint32_t size = 0;
    Kind kind = Kind::other;
    bool open = false; // being decoded: it must not hold itself
    std::string_view string;
  };
  template <class Builtin, class Vhlo>
  Bytes open(const Artifact::Entry &entry, Builtin builtin, Vhlo vhlo, std::string_view what);
  std::string_view decode(uint32_t index, bool is_type);
  bool decode_text(Bytes &from, std::string &to);

  const Artifact &artifact_;
  Fault &fault_;
  Arena arena_;
  std::vector<Known> attributes_, types_;
  std::vector<std::pair<const char *, uint32_t>> places_; // in order of the text; types from kTypes on
  std::vector<std::string_view> numbers_;
  std::deque<std::string> unpacked_;
  Kind kind_ = Kind::other;
  std::string_view string_;
  uint32_t depth_ = 0;
};

// How a dialect encodes. Each appends the text of the entry at the cursor.
struct Encoding {
  std::string_view dialect;
  bool (*attribute)(Values &values, Bytes &from, std::string &to);
  bool (*type)(Values &values, Bytes &from, std::string &to);
};
bool builtin_attribute(Values &values, Bytes &from, std::string &to);
bool builtin_type(Values &values, Bytes &from, std::string &to);
bool vhlo_attribute(Values &values, Bytes &from, std::string &to);
bool vhlo_type(Values &values, Bytes &from, std::string &to);
bool stablehlo_attribute(Values &values, Bytes &from, std::string &to);
bool stablehlo_type(Values &values, Bytes &from, std::string &to);
bool chlo_attribute(Values &values, Bytes &from, std::string &to);
bool sdy_attribute(Values &values, Bytes &from, std::string &to);

// As MLIR writes a string, with quotes; and a name that may need none.
void append_quoted(std::string_view text, std::string &to);
void append_name(std::string_view name, std::string &to);
// A number that StableHLO has a name for: #stablehlo<comparison_direction LT>.
bool append_choice(Bytes &from, std::string_view attribute, std::string &to);
// What StableHLO and VHLO encode alike.
bool append_accuracy(Values &values, Bytes &from, std::string &to);
bool append_alias(Values &values, Bytes &from, std::string &to);
// "4x?x" of a list of sizes.
bool append_dims(Bytes &from, std::string &to);
// A type of such a name: "tensor<4x?xf32, encoding>".
bool append_shaped(Values &v, Bytes &from, std::string_view name, bool has_encoding, std::string &to);
// What its dialect prints in front and behind.
bool around(std::string_view open, bool ok, std::string_view close, std::string &to);

} // namespace tw::import::bytecode
