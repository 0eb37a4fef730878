// SPDX-License-Identifier: Apache-2.0
// The library reads a dictionary into names and values, with the types as written: here they get the bytes
// that handlers expect of these types.
#include "pjrt/ffi_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "pjrt/error.hpp"

namespace tw::pjrt {

namespace {

using abi::FfiAttr;
using abi::FfiType;

constexpr size_t kMostRepeated = 1 << 20; // of a list that is written as one item

struct NumberType {
  std::string_view name;
  FfiType type;
  size_t bytes;
};
constexpr NumberType kNumbers[] = {
    {"i1", FfiType::pred, 1},  {"i8", FfiType::s8, 1},   {"i16", FfiType::s16, 2},  {"i32", FfiType::s32, 4},
    {"i64", FfiType::s64, 8},  {"ui8", FfiType::u8, 1},  {"ui16", FfiType::u16, 2}, {"ui32", FfiType::u32, 4},
    {"ui64", FfiType::u64, 8}, {"f32", FfiType::f32, 4}, {"f64", FfiType::f64, 8},
};

// Null: handlers have no such attributes here.
const NumberType *find_type(std::string_view name) {
  const auto *const at = std::ranges::find(kNumbers, name, &NumberType::name);
  return at == std::end(kNumbers) ? nullptr : at;
}

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string_view()
                            : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <class T> bool read(std::string_view text, void *to) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::memcpy(to, &value, sizeof value);
  return error == std::errc() && end == text.data() + text.size();
}

// One element, as MLIR prints it.
bool read_element(const NumberType &type, std::string_view text, void *to) {
  text = trim(text);
  switch (type.type) {
  case FfiType::pred:
    *static_cast<bool *>(to) = text == "true" || text == "1";
    return text == "true" || text == "false" || text == "1" || text == "0";
  case FfiType::s8: return read<int8_t>(text, to);
  case FfiType::s16: return read<int16_t>(text, to);
  case FfiType::s32: return read<int32_t>(text, to);
  case FfiType::s64: return read<int64_t>(text, to);
  case FfiType::u8: return read<uint8_t>(text, to);
  case FfiType::u16: return read<uint16_t>(text, to);
  case FfiType::u32: return read<uint32_t>(text, to);
  case FfiType::u64: return read<uint64_t>(text, to);
  case FfiType::f64: return read<double>(text, to);
  default: { // f32, which rounds a double that stands for it exactly
    double value = 0;
    const bool is_number = read<double>(text, &value);
    const auto rounded = static_cast<float>(value);
    std::memcpy(to, &rounded, sizeof rounded);
    return is_number;
  }
  }
}

// The bytes of `"0x0000C03F"`; nothing where the text is not that.
std::optional<std::string> bytes_of(std::string_view text) {
  constexpr std::string_view kBegin = "\"0x";
  if (!text.starts_with(kBegin) || !text.ends_with('"') || text.size() % 2 != 0)
    return std::nullopt;
  text = text.substr(kBegin.size(), text.size() - kBegin.size() - 1);
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    uint8_t byte = 0;
    if (std::from_chars(text.data() + i, text.data() + i + 2, byte, 16).ptr != text.data() + i + 2)
      return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::vector<std::string_view> items_of(std::string_view list) {
  std::vector<std::string_view> items;
  for (list = trim(list); !list.empty();) {
    const size_t end = std::min(list.find(','), list.size());
    items.push_back(trim(list.substr(0, end)));
    list = trim(list.substr(std::min(end + 1, list.size())));
  }
  return items;
}

// A list as MLIR writes it, `array<f32: 1.0, 2.0>` or `dense<[1, 2]> : tensor<2xi32>`.
struct List {
  std::string type;
  std::string_view items;
  size_t count; // `dense<1> : tensor<3xi32>` has one item for all
};
std::optional<List> list_of(std::string_view text) {
  constexpr std::string_view kArray = "array<", kDense = "dense<", kTensor = ": tensor<";
  if (text.starts_with(kArray) && text.ends_with('>')) {
    const std::string_view inside = text.substr(kArray.size(), text.size() - kArray.size() - 1);
    const size_t colon = std::min(inside.find(':'), inside.size());
    const std::string_view items = inside.substr(std::min(colon + 1, inside.size()));
    return List{std::string(trim(inside.substr(0, colon))), items, items_of(items).size()};
  }
  const size_t tensor = text.rfind(kTensor);
  if (!text.starts_with(kDense) || tensor == text.npos || !text.ends_with('>'))
    return std::nullopt;
  std::string_view type = text.substr(tensor + kTensor.size());
  type.remove_suffix(1);
  const size_t x = type.find('x');
  size_t count = 0;
  if (x == type.npos || !read<size_t>(type.substr(0, x), &count) || type.find('x', x + 1) != type.npos)
    return std::nullopt; // not of one dimension
  std::string_view items = text.substr(kDense.size(), text.rfind('>', tensor) - kDense.size());
  if (items.starts_with('[') && items.ends_with(']'))
    items = items.substr(1, items.size() - 2);
  return List{std::string(type.substr(x + 1)), items, count};
}

} // namespace

abi::FfiScalar FfiAttributes::scalar(const std::string &type, std::string_view value) {
  const auto made = array(type, value);
  return {made.type, made.elements};
}

// Nothing where an element has another form; `elements` is null then.
abi::FfiArray FfiAttributes::array(const std::string &type, std::string_view items) {
  const NumberType *const known = find_type(type);
  if (known == nullptr)
    return {};
  if (const auto bytes = bytes_of(items)) {
    auto &memory = elements_.emplace_back(bytes->size() / sizeof(Bytes) + 1);
    std::memcpy(memory.data(), bytes->data(), bytes->size());
    return {known->type, bytes->size() / known->bytes, memory.data()};
  }
  const auto list = items_of(items);
  auto &memory = elements_.emplace_back(list.size() * known->bytes / sizeof(Bytes) + 1);
  char *to = memory.data()->bytes;
  for (const std::string_view item : list) {
    if (!read_element(*known, item, to))
      return {};
    to += known->bytes;
  }
  return {known->type, list.size(), memory.data()};
}

abi::FfiArray FfiAttributes::repeated(const abi::FfiArray &one, size_t count) {
  const size_t bytes = std::ranges::find(kNumbers, one.type, &NumberType::type)->bytes;
  auto &memory = elements_.emplace_back(count * bytes / sizeof(Bytes) + 1);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(memory.data()->bytes + i * bytes, one.elements, bytes);
  return {one.type, count, memory.data()};
}

void FfiAttributes::add(std::string_view name, const tw_attr_t &attribute) {
  const std::string type = attribute.element_type != nullptr ? attribute.element_type : "";
  const auto push = [&](FfiAttr kind, auto &all, auto value) {
    kinds_.push_back(kind);
    values_.push_back(&all.emplace_back(value));
  };
  const auto unknown = [&](const std::string &what) {
    return Failure{abi::Code::unimplemented, "the attribute " + std::string(name) +
                                                 " of a foreign function is " + what +
                                                 ": there are numbers of i1, i8 to i64, ui8 to ui64, f32 "
                                                 "and f64, lists of them, and strings"};
  };
  const auto push_scalar = [&](const std::string &of, const std::string &value) {
    const abi::FfiScalar made = scalar(of, value);
    if (made.value == nullptr)
      throw unknown(value + " : " + of);
    push(FfiAttr::scalar, scalars_, made);
  };
  const auto push_array = [&](const std::string &of, std::string_view items, size_t count) {
    abi::FfiArray made = array(of, items);
    if (made.elements != nullptr && made.size == 1 && count > 1 && count < kMostRepeated)
      made = repeated(made, count); // one item stands for all
    if (made.elements == nullptr || made.size != count)
      throw unknown("a list of " + (of.empty() ? "attributes" : of));
    push(FfiAttr::array, arrays_, made);
  };
  names_.push_back(&spans_.emplace_back(abi::FfiSpan{texts_.emplace_back(name).c_str(), name.size()}));
  switch (attribute.kind) {
  case TW_ATTR_BOOLEAN: return push_scalar("i1", attribute.integer != 0 ? "true" : "false");
  case TW_ATTR_INTEGER:
    return push_scalar(type.empty() ? "i64" : type,
                       type.starts_with("ui") ? std::to_string(static_cast<uint64_t>(attribute.integer))
                                              : std::to_string(attribute.integer));
  case TW_ATTR_REAL: {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, attribute.real).ptr;
    return push_scalar(type.empty() ? "f64" : type, std::string(digits, end));
  }
  case TW_ATTR_INTS: {
    std::string items;
    for (size_t i = 0; i < attribute.num_ints; ++i)
      items += (i == 0 ? "" : ",") + std::to_string(attribute.ints[i]);
    return push_array(type, items, attribute.num_ints);
  }
  default: {
    const std::string_view text = attribute.string;
    if (const auto list = list_of(text))
      return push_array(list->type, list->items, list->count);
    const std::string &kept = texts_.emplace_back(text);
    push(FfiAttr::string, spans_, abi::FfiSpan{kept.c_str(), kept.size()});
  }
  }
}

FfiAttributes::FfiAttributes(const tw_call_t &call) {
  constexpr std::string_view kConfig = "backend_config.";
  std::vector<std::pair<std::string_view, const tw_attr_t *>> all;
  for (size_t i = 0; i < call.num_attrs; ++i) {
    const std::string_view name = call.attrs[i].name;
    if (const size_t at = name.find(kConfig); at == 0 || (at != name.npos && name.starts_with("mhlo.")))
      all.emplace_back(name.substr(at + kConfig.size()), &call.attrs[i]);
  }
  std::ranges::sort(all, {}, [](const auto &entry) { return entry.first; });
  for (const auto &[name, attribute] : all) {
    if (name.find('.') != name.npos)
      throw Failure{abi::Code::unimplemented, "the attribute " + std::string(name.substr(0, name.find('.'))) +
                                                  " of a foreign function is a dictionary"};
    add(name, *attribute);
  }
}

abi::FfiAttrs FfiAttributes::list() const {
  return {{sizeof(abi::FfiAttrs), nullptr},
          static_cast<int64_t>(kinds_.size()),
          kinds_.data(),
          names_.data(),
          values_.data()};
}

} // namespace tw::pjrt
