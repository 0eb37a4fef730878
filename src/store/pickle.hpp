// SPDX-License-Identifier: Apache-2.0
// Python's pickles as data: what they would make is described, and nothing is executed. Names of classes and
// functions are words here, and a call is an object that has the word and the arguments.
// https://docs.python.org/3/library/pickletools.html
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace tw::store {

class Pickle {
public:
  using Id = uint32_t;
  enum class Kind : uint8_t {
    none,
    boolean,
    integer,
    real,
    text,
    bytes,
    tuple,
    list,
    dict,
    set,
    global,
    object
  };

  // Reads a whole pickle, of protocol 2 to 5. `names` are the globals that may occur, "torch.Size", or
  // "torch.nn.*": others are an error, and so are opcodes that are not known. `what` names the pickle.
  static Result<Pickle> read(std::string bytes, std::span<const std::string_view> names,
                             const std::string &what);

  Id root() const { return root_; }
  Kind kind(Id id) const { return values_[id].kind; }
  bool is(Id id, Kind kind) const { return values_[id].kind == kind; }
  int64_t number(Id id) const { return values_[id].number; }      // integers, and booleans
  std::string_view text(Id id) const { return values_[id].text; } // texts, bytes; of a global "module.name"
  // Of tuples, lists and sets their items; of dicts keys and values in turn; of an object what is called, its
  // arguments (a tuple), and then its state where it has one. A persistent id is an object without what is
  // called: none, the id.
  std::span<const Id> items(Id id) const { return values_[id].items; }
  // An object of this class, or what this function makes.
  bool is_object(Id id, std::string_view name) const;
  // The value of a key of a dict, or of the state of an object, among the first 256; no key: none (0).
  Id find(Id dict_or_object, std::string_view key) const;

private:
  friend class PickleReader;
  struct Value {
    Kind kind = Kind::none;
    int64_t number = 0;
    std::string_view text;
    std::vector<Id> items;
  };
  std::unique_ptr<std::string> bytes_; // which texts point into
  std::vector<std::unique_ptr<std::string>> made_;
  std::vector<Value> values_; // the first is None
  Id root_ = 0;
};

} // namespace tw::store
