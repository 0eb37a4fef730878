// SPDX-License-Identifier: Apache-2.0
// The header of a safetensors file, read piece by piece: nothing of it is kept but the entries.
#include "store/safetensors_header.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tw::store {

using graph::DType;
using Json = nlohmann::json;

namespace {

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

constexpr uint64_t kMostHeader = 100'000'000; // what other readers take

struct TypeName {
  std::string_view name;
  DType dtype;
};
constexpr TypeName type_names[] = {
    {"BOOL", DType::i1},
    {"U8", DType::u8},
    {"I8", DType::s8},
    {"I16", DType::s16},
    {"U16", DType::u16},
    {"F16", DType::f16},
    {"BF16", DType::bf16},
    {"I32", DType::s32},
    {"U32", DType::u32},
    {"F32", DType::f32},
    {"F64", DType::f64},
    {"I64", DType::s64},
    {"U64", DType::u64},
    {"C64", DType::c64},
    {"F8_E5M2", DType::f8e5m2},
    {"F8_E4M3", DType::f8e4m3fn},
    {"F8_E8M0", DType::f8e8m0fnu},
};

struct Stated {
  std::string name, dtype;
  graph::Shape dims;
  std::vector<uint64_t> offsets;
  bool has_shape = false;
};

// Takes the events of the JSON parser: an object of objects with dtype, shape and data_offsets.
class Listener final : public nlohmann::json_sax<Json> {
public:
  std::vector<Stated> found;
  std::string problem;

  bool null() override { return value("null"); }
  bool boolean(bool) override { return value("a boolean"); }
  bool number_float(double, const std::string &) override { return value("a fraction"); }
  bool binary(Json::binary_t &) override { return value("bytes"); }
  bool number_integer(int64_t) override { return value("a negative number"); }
  bool number_unsigned(uint64_t n) override {
    if (list_ == List::shape && n <= static_cast<uint64_t>(INT64_MAX))
      return found.back().dims.push_back(static_cast<int64_t>(n)), true;
    if (list_ == List::offsets)
      return found.back().offsets.push_back(n), true;
    return value("a number");
  }
  bool string(std::string &text) override {
    if (depth_ == 2 && in_metadata_)
      return true;
    if (depth_ != 2 || key_ != "dtype" || list_ != List::none)
      return value("a text");
    found.back().dtype = text;
    return true;
  }
  bool start_object(size_t) override {
    if (depth_ == 2 || list_ != List::none)
      return value("an object");
    if (++depth_ == 2 && !in_metadata_)
      found.push_back({key_, {}, {}, {}});
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool key(std::string &name) override {
    key_ = name;
    if (depth_ == 1)
      in_metadata_ = name == "__metadata__";
    return true;
  }
  bool start_array(size_t) override {
    if (depth_ != 2 || list_ != List::none || in_metadata_)
      return value("a list");
    list_ = key_ == "shape" ? List::shape : key_ == "data_offsets" ? List::offsets : List::none;
    if (list_ == List::none)
      return value("a list");
    if (list_ == List::shape)
      found.back().has_shape = true;
    return true;
  }
  bool end_array() override {
    list_ = List::none;
    return true;
  }
  bool parse_error(size_t at, const std::string &, const nlohmann::detail::exception &) override {
    problem = fmt::format("it is no JSON at byte {} of it", at);
    return false;
  }

private:
  enum class List { none, shape, offsets };
  int depth_ = 0;
  bool in_metadata_ = false;
  std::string key_;
  List list_ = List::none;

  bool value(const char *what) {
    problem = fmt::format("{} at '{}'{} is not expected there", what, key_,
                          found.empty() ? std::string() : fmt::format(" of array '{}'", found.back().name));
    return false;
  }
};

} // namespace

std::string json_string(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string_view safetensors_name(DType dtype) {
  const auto found = std::ranges::find(type_names, dtype, &TypeName::dtype);
  return found == std::end(type_names) ? std::string_view() : found->name;
}

std::optional<DType> safetensors_type(std::string_view name) {
  const auto found = std::ranges::find(type_names, name, &TypeName::name);
  return found == std::end(type_names) ? std::nullopt : std::optional(found->dtype);
}

Result<std::vector<SafetensorsEntry>> read_safetensors_header(Bytes &file) {
  const auto malformed = [&](const std::string &why) {
    return fail(Code::invalid_argument, "TW-901", fmt::format("{}: {}", file.path(), why));
  };
  uint64_t length = 0;
  if (file.size() < sizeof length)
    return malformed(fmt::format("the file has {} bytes, too few for safetensors", file.size()));
  TW_TRY(file.read(0, &length, sizeof length));
  const uint64_t room = file.size() - sizeof length;
  if (length > room)
    return malformed(fmt::format("the header is to have {} bytes, {} follow: the file is cut off, or no "
                                 "safetensors file",
                                 length, room));
  if (length > kMostHeader)
    return malformed(fmt::format("a header of {} bytes; at most {} are read", length, kMostHeader));
  std::string text(length, '\0');
  TW_TRY(file.read(sizeof length, text.data(), text.size()));
  Listener listener;
  if (!Json::sax_parse(text, &listener) || !listener.problem.empty())
    return malformed(fmt::format("the header is malformed: {}", listener.problem));
  std::vector<SafetensorsEntry> entries;
  const uint64_t data = sizeof length + length;
  for (Stated &stated : listener.found) {
    const auto wrong = [&](const std::string &why) {
      return malformed(fmt::format("array '{}': {}", stated.name, why));
    };
    const auto dtype = safetensors_type(stated.dtype);
    if (!dtype)
      return wrong(fmt::format("elements of type '{}' are not read", stated.dtype));
    if (!stated.has_shape || stated.offsets.size() != 2)
      return wrong("it needs dtype, shape and two data_offsets");
    SafetensorsEntry entry{std::move(stated.name), {*dtype, std::move(stated.dims)}, 0};
    if (auto status = graph::check_size(entry.type); !status)
      return wrong(status.error().message());
    const auto [begin, end] = std::pair(stated.offsets[0], stated.offsets[1]);
    if (begin > end || end > file.size() - data)
      return malformed(fmt::format("array '{}' is to lie at bytes {} to {} of the data, which has {}: the "
                                   "file is cut off or damaged",
                                   entry.name, begin, end, file.size() - data));
    if (end - begin != static_cast<uint64_t>(entry.type.bytes()))
      return malformed(fmt::format("array '{}': {} takes {} bytes, and {} to {} are {}", entry.name,
                                   graph::to_short_text(entry.type), entry.type.bytes(), begin, end,
                                   end - begin));
    entry.begin = data + begin;
    entries.push_back(std::move(entry));
  }
  std::vector<const SafetensorsEntry *> by_place;
  for (const SafetensorsEntry &entry : entries)
    if (entry.type.bytes() > 0)
      by_place.push_back(&entry);
  std::ranges::sort(by_place, {}, &SafetensorsEntry::begin);
  for (size_t i = 1; i < by_place.size(); ++i)
    if (const auto &a = *by_place[i - 1], &b = *by_place[i];
        b.begin < a.begin + static_cast<uint64_t>(a.type.bytes()))
      return malformed(fmt::format("arrays '{}' and '{}' overlap at byte {}", a.name, b.name, b.begin));
  return entries;
}

std::string safetensors_header(std::vector<SafetensorsEntry> &entries) {
  std::string text = R"({"__metadata__":{"format":"pt"})";
  uint64_t at = 0;
  for (SafetensorsEntry &entry : entries) {
    entry.begin = at;
    const uint64_t end = at + static_cast<uint64_t>(entry.type.bytes());
    text +=
        fmt::format(R"(,{}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", json_string(entry.name),
                    safetensors_name(entry.type.dtype), fmt::join(entry.type.dims, ","), at, end);
    at = end;
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');
  const uint64_t length = text.size();
  std::string head(sizeof length, '\0');
  std::memcpy(head.data(), &length, sizeof length);
  for (SafetensorsEntry &entry : entries)
    entry.begin += head.size() + text.size();
  return head + text;
}

} // namespace tw::store
