// SPDX-License-Identifier: Apache-2.0
// JSON of zarr, read with suspicion. What an array needs that is not read is its problem alone.
#include "store/zarr_metadata.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "graph/limits.hpp"

namespace tw::store {

using graph::DType;
using Json = nlohmann::json;

namespace {

constexpr int64_t kMostChunk = int64_t{1} << 31; // bytes

struct ZarrType {
  std::string_view code,
      name; // of version 2, behind the byte order; of version 3, and of 2 where it has no code
  DType dtype;
};
constexpr ZarrType zarr_types[] = {
    {"b1", "bool", DType::i1},
    {"i1", "int8", DType::s8},
    {"i2", "int16", DType::s16},
    {"i4", "int32", DType::s32},
    {"i8", "int64", DType::s64},
    {"u1", "uint8", DType::u8},
    {"u2", "uint16", DType::u16},
    {"u4", "uint32", DType::u32},
    {"u8", "uint64", DType::u64},
    {"f2", "float16", DType::f16},
    {"f4", "float32", DType::f32},
    {"f8", "float64", DType::f64},
    {"c8", "complex64", DType::c64},
    {"c16", "complex128", DType::c128},
    {"", "bfloat16", DType::bf16},
    {"", "int4", DType::s4},
    {"", "uint4", DType::u4},
    {"", "float8_e4m3fn", DType::f8e4m3fn},
    {"", "float8_e5m2", DType::f8e5m2},
    {"", "float8_e4m3fnuz", DType::f8e4m3fnuz},
    {"", "float8_e5m2fnuz", DType::f8e5m2fnuz},
    {"", "float8_e4m3b11fnuz", DType::f8e4m3b11fnuz},
};

class MetadataReader {
public:
  MetadataReader(const Json &json, const std::string &what) : json_(json), what_(what) {}

  ZarrArray version_2() {
    if (json_.is_discarded() || !json_.is_object())
      return bad("it is no JSON object");
    const Json *type = find(json_, "dtype"), *compressor = find(json_, "compressor"),
               *filters = find(json_, "filters"), *order = find(json_, "order"),
               *separator = find(json_, "dimension_separator");
    if (type == nullptr || !type->is_string())
      return foreign(type == nullptr ? "" : type->dump());
    std::string name = type->get<std::string>();
    const bool has_order = !name.empty() && std::string_view("<>|").find(name[0]) != std::string_view::npos;
    array_.codecs.swapped = has_order && name[0] == '>';
    if (!take_type(has_order ? std::string_view(name).substr(1) : std::string_view(), name))
      return std::move(array_);
    if (!take_shapes(find(json_, "shape"), find(json_, "chunks")))
      return std::move(array_);
    if (compressor != nullptr && !compressor->is_null() && !take_zstd(*compressor, "id"))
      return std::move(array_);
    if (filters != nullptr && !filters->is_null() && !filters->empty())
      return bad(fmt::format("filters {} are not read", shown(*filters)));
    if (order != nullptr && *order == "F")
      std::ranges::reverse(array_.codecs.order);
    if (separator != nullptr && *separator == "/")
      array_.separator = '/';
    take_fill(find(json_, "fill_value"));
    return std::move(array_);
  }

  ZarrArray version_3() {
    const Json *type = find(json_, "data_type"), *grid = find(json_, "chunk_grid"),
               *keys = find(json_, "chunk_key_encoding"), *codecs = find(json_, "codecs");
    if (type == nullptr || !type->is_string())
      return foreign(type == nullptr ? "" : type->dump());
    const std::string name = type->get<std::string>();
    if (!take_type("", name))
      return std::move(array_);
    if (grid == nullptr || name_of(*grid) != "regular")
      return bad("its chunk_grid is not regular");
    if (!take_shapes(find(json_, "shape"), configured(*grid, "chunk_shape")))
      return std::move(array_);
    const std::string encoding = keys == nullptr ? "default" : name_of(*keys);
    if (encoding != "default" && encoding != "v2")
      return bad(fmt::format("chunk_key_encoding '{}' is not read", encoding));
    array_.begins_with_c = encoding == "default";
    array_.separator = array_.begins_with_c ? '/' : '.';
    if (const Json *separator = keys == nullptr ? nullptr : configured(*keys, "separator"))
      array_.separator = *separator == "." ? '.' : '/';
    if (const Json *more = find(json_, "storage_transformers"); more != nullptr && !more->empty())
      return bad("storage_transformers are not read");
    if (codecs == nullptr || !codecs->is_array())
      return bad("it has no codecs");
    if (codecs->size() == 1 && name_of((*codecs)[0]) == "sharding_indexed") {
      if (!take_sharding((*codecs)[0]))
        return std::move(array_);
    } else if (!take_codecs(*codecs)) {
      return std::move(array_);
    }
    take_fill(find(json_, "fill_value"));
    return std::move(array_);
  }

private:
  static const Json *find(const Json &object, const char *key) {
    if (!object.is_object())
      return nullptr;
    const auto at = object.find(key);
    return at == object.end() ? nullptr : &*at;
  }
  // {"name": "zstd", "configuration": {..}}, or the name alone.
  static std::string name_of(const Json &item) {
    const Json *name = item.is_string() ? &item : find(item, "name");
    return name != nullptr && name->is_string() ? name->get<std::string>() : "";
  }
  static const Json *configured(const Json &item, const char *key) {
    const Json *configuration = find(item, "configuration");
    return configuration == nullptr ? nullptr : find(*configuration, key);
  }
  static std::string shown(const Json &json) {
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
  }

  ZarrArray bad(const std::string &why) {
    array_.problem = fmt::format("{}: {}", what_, why);
    return std::move(array_);
  }
  bool wrong(const std::string &why) {
    array_.problem = fmt::format("{}: {}", what_, why);
    return false;
  }
  ZarrArray foreign(std::string name) {
    array_.foreign = name.size() > 40 ? name.substr(0, 37) + "..." : name;
    return bad(fmt::format("elements of type {} are not read", array_.foreign));
  }

  bool take_type(std::string_view code, const std::string &name) {
    for (const ZarrType &type : zarr_types)
      if (code.empty() ? name == type.name : code == type.code) {
        array_.dtype = type.dtype;
        return true;
      }
    array_.foreign = name.size() > 40 ? name.substr(0, 37) + "..." : name;
    return wrong(fmt::format("elements of type {} are not read", array_.foreign));
  }

  static std::optional<graph::Shape> numbers_of(const Json *json) {
    if (json == nullptr || !json->is_array() || json->size() > graph::kMaxRank)
      return std::nullopt;
    graph::Shape numbers;
    for (const Json &n : *json) {
      if (!n.is_number_integer() || n < 0 || n > std::numeric_limits<int64_t>::max())
        return std::nullopt;
      numbers.push_back(n.get<int64_t>());
    }
    return numbers;
  }

  // Of chunks: as many dimensions as the array has, and not too large.
  bool take_chunk(const Json *json, graph::Shape &chunk) {
    const auto numbers = numbers_of(json);
    if (!numbers || numbers->size() != array_.dims.size() || std::ranges::count(*numbers, 0) != 0)
      return wrong(fmt::format("chunks of shape {} do not fit its {} dimensions",
                               json == nullptr ? "none" : shown(*json), array_.dims.size()));
    chunk = *numbers;
    auto bytes = static_cast<int64_t>(graph::byte_size(array_.dtype));
    for (const int64_t n : chunk)
      if (__builtin_mul_overflow(bytes, n, &bytes) || bytes > kMostChunk)
        return wrong(fmt::format("chunks of shape {} have more than {} bytes", shown(*json), kMostChunk));
    return true;
  }

  bool take_shapes(const Json *shape, const Json *chunk) {
    const auto dims = numbers_of(shape);
    if (!dims || !graph::check_size({array_.dtype, *dims}))
      return wrong(fmt::format("its shape is {}", shape == nullptr ? "missing" : shown(*shape)));
    array_.dims = *dims;
    array_.codecs.order.resize(dims->size());
    std::iota(array_.codecs.order.begin(), array_.codecs.order.end(), size_t{0});
    return take_chunk(chunk, array_.chunk);
  }

  bool take_zstd(const Json &codec, const char *key) {
    const Json *name = find(codec, key);
    if (name == nullptr || *name != "zstd")
      return wrong(fmt::format("chunks are packed by {}, and only zstd is read", shown(codec)));
    array_.codecs.zstd = true;
    return true;
  }

  // From elements to bytes: transpose, bytes, zstd, crc32c.
  bool take_codecs(const Json &codecs) {
    bool are_bytes = false;
    for (const Json &codec : codecs) {
      const std::string name = name_of(codec);
      if (name == "transpose" && !are_bytes) {
        if (!take_transpose(configured(codec, "order")))
          return false;
      } else if (name == "bytes" && !are_bytes) {
        const Json *endian = configured(codec, "endian");
        array_.codecs.swapped = endian != nullptr && *endian == "big";
        are_bytes = true;
      } else if (name == "zstd" && are_bytes && !array_.codecs.zstd && !array_.codecs.checksum) {
        array_.codecs.zstd = true;
      } else if (name == "crc32c" && are_bytes && !array_.codecs.checksum) {
        array_.codecs.checksum = true;
      } else {
        return wrong(fmt::format("codecs {} are not read: transpose, bytes, zstd, crc32c are, in this order",
                                 shown(codecs)));
      }
    }
    return are_bytes || wrong("its codecs make no bytes");
  }

  // Dimension i of what is stored is dimension order[i] of what was there before.
  bool take_transpose(const Json *order) {
    const auto numbers = numbers_of(order);
    std::vector<size_t> &now = array_.codecs.order;
    std::vector<size_t> next;
    std::vector<bool> seen(now.size(), false);
    for (size_t i = 0; numbers && i < numbers->size() && numbers->size() == now.size(); ++i)
      if (const auto d = static_cast<size_t>((*numbers)[i]); d < now.size() && !seen[d]) {
        seen[d] = true;
        next.push_back(now[d]);
      }
    if (next.size() != now.size())
      return wrong(fmt::format("order {} of its transpose is none of {} dimensions",
                               order == nullptr ? "none" : shown(*order), now.size()));
    now = std::move(next);
    return true;
  }

  bool take_sharding(const Json &sharding) {
    const Json *codecs = configured(sharding, "codecs"), *index = configured(sharding, "index_codecs"),
               *location = configured(sharding, "index_location");
    graph::Shape inner;
    if (!take_chunk(configured(sharding, "chunk_shape"), inner))
      return false;
    for (size_t d = 0; d < inner.size(); ++d)
      if (array_.chunk[d] % inner[d] != 0)
        return wrong(fmt::format("inner chunks of shape [{}] do not divide chunks of shape [{}]",
                                 fmt::join(inner, ","), fmt::join(array_.chunk, ",")));
    array_.inner = std::move(inner);
    if (codecs == nullptr || !codecs->is_array() || index == nullptr || !index->is_array())
      return wrong("its sharding has no codecs");
    for (size_t i = 0; i < index->size(); ++i) {
      const std::string name = name_of((*index)[i]);
      const Json *endian = configured((*index)[i], "endian");
      array_.index_checksum = array_.index_checksum || (i == 1 && name == "crc32c");
      if (i > 1 || name != (i == 0 ? "bytes" : "crc32c") || (endian != nullptr && *endian != "little"))
        return wrong(fmt::format("codecs {} of its index are not read: bytes, little-endian, and crc32c are",
                                 shown(*index)));
    }
    array_.index_first = location != nullptr && *location == "start";
    return take_codecs(*codecs);
  }

  // A number, "NaN", "Infinity", or null, which is zero. Only where a chunk is missing it matters.
  void take_fill(const Json *value) {
    array_.fill.assign(graph::byte_size(array_.dtype), '\0');
    const auto is_nought = [](const Json &number) { return number.is_number() && number == 0; };
    const bool is_zero = value == nullptr || value->is_null() || is_nought(*value) ||
                         (value->is_boolean() && !value->get<bool>()) ||
                         (value->is_array() && std::ranges::all_of(*value, is_nought)); // a complex number
    if (is_zero)
      return;
    const auto put = [&](auto number) {
      std::memcpy(array_.fill.data(), &number, std::min(sizeof number, array_.fill.size()));
    };
    double number = 0;
    if (value->is_number() || value->is_boolean())
      number = value->is_boolean() ? 1 : value->get<double>();
    else if (*value == "NaN")
      number = std::numeric_limits<double>::quiet_NaN();
    else if (*value == "Infinity" || *value == "-Infinity")
      number = (*value == "Infinity" ? 1 : -1) * std::numeric_limits<double>::infinity();
    else
      return array_.fill.clear();
    switch (array_.dtype) {
    case DType::f32: return put(static_cast<float>(number));
    case DType::f64: return put(number);
    default: break;
    }
    if ((graph::is_int(array_.dtype) || array_.dtype == DType::i1) && value->is_number_integer())
      return put(value->get<int64_t>()); // the low bytes
    array_.fill.clear();
  }

  const Json &json_;
  const std::string &what_;
  ZarrArray array_;
};

} // namespace

std::string ZarrArray::key_of(const std::vector<int64_t> &place) const {
  const std::string numbers = fmt::format("{}", fmt::join(place, std::string_view(&separator, 1)));
  if (begins_with_c)
    return place.empty() ? "c" : fmt::format("c{}{}", separator, numbers);
  return place.empty() ? "0" : numbers;
}

std::string_view zarr_name(DType dtype) {
  const auto found = std::ranges::find(zarr_types, dtype, &ZarrType::dtype);
  return found == std::end(zarr_types) ? std::string_view() : found->name;
}

ZarrArray read_zarray(std::string_view text, const std::string &what) {
  const Json json = Json::parse(text, nullptr, false);
  return MetadataReader(json, what).version_2();
}

std::optional<ZarrArray> read_zarr_json(std::string_view text, const std::string &what) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_object())
    if (const auto kind = json.find("node_type"); kind != json.end() && *kind == "group")
      return std::nullopt;
  return MetadataReader(json, what).version_3();
}

} // namespace tw::store
