// SPDX-License-Identifier: Apache-2.0
// The header of a safetensors file: 8 bytes that count it, then JSON that says of each array type, shape and
// where it lies. https://huggingface.co/docs/safetensors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/types.hpp"
#include "store/array.hpp"

namespace tw::store {

// "F32"; "" for what the format has no word for.
std::string_view safetensors_name(graph::DType dtype);
std::optional<graph::DType> safetensors_type(std::string_view name);

struct SafetensorsEntry {
  std::string name;
  graph::TensorType type;
  uint64_t begin = 0; // byte of the file
};

// Reads and checks a header. Arrays lie inside the file and do not overlap.
Result<std::vector<SafetensorsEntry>> read_safetensors_header(Bytes &file);

// The bytes before the data of these arrays, which lie one after the other; `begin` of each is set.
std::string safetensors_header(std::vector<SafetensorsEntry> &entries);

// A text as JSON spells it, with its quotes.
std::string json_string(std::string_view text);

} // namespace tw::store
