// SPDX-License-Identifier: Apache-2.0
// The sections of MLIR bytecode, versions 0 to 6: tables of strings, dialects, names of ops, attributes,
// types, resources and properties, and where the ops stand. Nothing of it is decoded yet.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "import/bytecode/bytes.hpp"

namespace tw::import::bytecode {

// Versions of the format from which on something is so.
enum Since : uint64_t {
  kDialectVersions = 1,
  kIsolatedSections = 2,
  kUseListOrders = 3,
  kShortBlockArguments = 4, // and the number of op names
  kProperties = 5,
  kNewest = 6,
};

struct Version {
  uint32_t major = 0, minor = 0, patch = 0;
  friend auto operator<=>(const Version &, const Version &) = default;
};
std::string to_text(const Version &version);

struct Artifact {
  struct Part {
    size_t begin = 0, size = 0;
  };
  struct Dialect {
    std::string_view name;
    Part version; // its own encoding; empty where it has none
  };
  struct OpName {
    uint32_t dialect = 0;
    std::string_view name; // without the dialect; may be empty
    bool registered = false;
  };
  struct Entry { // an attribute or a type
    Part part;
    uint32_t dialect = 0;
    bool encoded = false; // as its dialect does; else it is text
  };
  struct Resource {
    std::string_view key;
    std::string_view blob;
    bool is_blob = false;
  };

  std::string_view bytes; // all that is read, from the magic on
  uint64_t format = 0;
  std::string_view producer;
  std::optional<Version> stablehlo; // of a portable artifact
  std::vector<std::string_view> strings;
  std::vector<Dialect> dialects;
  std::vector<OpName> ops;
  std::vector<Entry> attributes, types;
  std::vector<Resource> resources; // those that attributes may name
  std::vector<Part> properties;
  Part ir;

  Bytes reader(Part part, const char *section, Fault &fault) const {
    return {bytes, part.begin, part.size, section, fault};
  }
};

// The magic of MLIR bytecode.
bool is_bytecode(std::string_view bytes);

// A section at the cursor: its number and where its data are.
uint8_t read_section(Bytes &from, Artifact::Part &data);

// The tables of an artifact. Views are of `bytes`.
bool read_artifact(std::string_view bytes, Fault &fault, Artifact &artifact);

} // namespace tw::import::bytecode
