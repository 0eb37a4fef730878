// SPDX-License-Identifier: Apache-2.0
// The header of .npy: a magic number, a version, a length, and a dictionary as Python spells it.
#include "store/npy_header.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::store {

using graph::DType;

namespace {

static_assert(std::endian::native == std::endian::little, "npy bytes are written as they lie in memory");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMostNpyHeader = size_t{1} << 20; // a shape has at most 32 numbers

struct NumpyType {
  std::string_view code;
  DType dtype;
};
constexpr NumpyType numpy_types[] = {
    {"b1", DType::i1},  {"i1", DType::s8},  {"i2", DType::s16}, {"i4", DType::s32},   {"i8", DType::s64},
    {"u1", DType::u8},  {"u2", DType::u16}, {"u4", DType::u32}, {"u8", DType::u64},   {"f2", DType::f16},
    {"f4", DType::f32}, {"f8", DType::f64}, {"c8", DType::c64}, {"c16", DType::c128},
};

// What the dictionary says.
struct Header {
  DType dtype = DType::invalid; // invalid: `foreign`
  std::string foreign;
  bool swapped = false;
  bool fortran = false;
  graph::Shape dims;
};

// Reads the dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: these three keys, in any
// order.
class HeaderParser {
public:
  HeaderParser(std::string_view text, const std::string &what) : text_(text), what_(what) {}

  Result<Header> parse() {
    bool has_type = false, has_order = false, has_shape = false;
    TW_TRY(expect('{'));
    while (!accept('}')) {
      TW_ASSIGN(const std::string_view key, quoted());
      TW_TRY(expect(':'));
      if (key == "descr") {
        has_type = true;
        TW_TRY(element_type());
        if (header_.dtype == DType::invalid)
          return std::move(header_); // what follows does not matter
      } else if (key == "fortran_order") {
        has_order = true;
        TW_ASSIGN(header_.fortran, boolean());
      } else if (key == "shape") {
        has_shape = true;
        TW_TRY(shape());
      } else {
        return bad(fmt::format("unknown key '{}'", key.substr(0, 40)));
      }
      if (!accept(',')) {
        TW_TRY(expect('}'));
        break;
      }
    }
    if (!has_type || !has_order || !has_shape)
      return bad("needs descr, fortran_order and shape");
    return std::move(header_);
  }

private:
  std::string_view text_;
  const std::string &what_;
  size_t at_ = 0;
  Header header_;

  tl::unexpected<Error> bad(const std::string &why) const {
    return fail(Code::invalid_argument, "TW-802",
                fmt::format("{}: the .npy header is malformed: {}", what_, why));
  }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  Status expect(char c) {
    if (!accept(c))
      return bad(fmt::format("expected '{}' at byte {}", c, at_));
    return {};
  }
  Result<std::string_view> quoted() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'')
      TW_TRY(expect('\''));
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos)
      return bad("a quoted text has no end");
    const auto result = text_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }
  Result<bool> boolean() {
    skip_space();
    for (const auto &[word, value] : {std::pair("True", true), std::pair("False", false)})
      if (text_.substr(at_).starts_with(word)) {
        at_ += std::strlen(word);
        return value;
      }
    return bad("fortran_order is True or False");
  }
  Status element_type() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') {
      header_.foreign = "records";
      return {};
    }
    TW_ASSIGN(const std::string_view descr, quoted());
    if (!descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos)
      for (const auto &type : numpy_types)
        if (descr.substr(1) == type.code) {
          header_.dtype = type.dtype;
          header_.swapped = descr[0] == '>';
          return {};
        }
    header_.foreign = descr.substr(0, 40);
    return {};
  }
  Status shape() {
    TW_TRY(expect('('));
    while (!accept(')')) {
      skip_space();
      int64_t n = 0;
      const char *const begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), n);
      if (error != std::errc() || n < 0)
        return bad("a dimension is no size");
      at_ += static_cast<size_t>(end - begin);
      header_.dims.push_back(n);
      if (!accept(',')) {
        TW_TRY(expect(')'));
        break;
      }
    }
    return {};
  }
};

// Where its elements begin, which are as many as the header says.
Result<std::pair<Header, uint64_t>> read_header(Bytes &file, const std::string &what) {
  const auto malformed = [&](const std::string &why) {
    return fail(Code::invalid_argument, "TW-802", fmt::format("{}: {}", what, why));
  };
  const uint64_t size = file.size();
  std::string first(std::min<uint64_t>(size, 12), '\0');
  TW_TRY(file.read(0, first.data(), first.size()));
  if (!first.starts_with(kMagic))
    return malformed("this is no .npy file (it does not begin with \\x93NUMPY)");
  if (size < 12)
    return malformed("the .npy header is cut off");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(first[i])); };
  const size_t major = byte(6);
  if (major < 1 || major > 3)
    return malformed("this version of .npy is not read (1, 2 and 3 are)");
  const size_t begin = major == 1 ? 10 : 12;
  const size_t length =
      major == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > size - begin)
    return malformed("the .npy header is cut off");
  if (length > kMostNpyHeader)
    return malformed(fmt::format("an .npy header of {} bytes; at most {} are read", length, kMostNpyHeader));
  std::string text = first.substr(begin, length);
  const size_t known = text.size();
  text.resize(length);
  TW_TRY(file.read(begin + known, text.data() + known, length - known));
  TW_ASSIGN(Header header, HeaderParser(text, what).parse());
  if (header.dtype == DType::invalid)
    return std::pair(std::move(header), uint64_t{0});
  const uint64_t data = size - begin - length;
  const graph::TensorType type{header.dtype, header.dims};
  if (!graph::check_size(type) || static_cast<uint64_t>(type.bytes()) != data)
    return malformed(
        fmt::format("the shape ({}) of {} byte elements does not make the {} bytes of data that follow",
                    fmt::join(header.dims, ", "), graph::byte_size(header.dtype), data));
  return std::pair(std::move(header), uint64_t{begin + length});
}

} // namespace

Result<Array> array_of_npy(Bytes &file, uint32_t source, std::string name, const std::string &what) {
  Array array;
  array.name = std::move(name);
  TW_ASSIGN(auto found, read_header(file, what));
  auto &[header, begin] = found;
  if (header.dtype == DType::invalid) {
    array.problem =
        header.foreign == "records"
            ? fmt::format("{}: arrays of records are not read", what)
            : fmt::format("{}: elements of NumPy type '{}' are not read; bf16 and f8 come as float32, i4 "
                          "and u4 as int8",
                          what, header.foreign);
    array.foreign = std::move(header.foreign);
    return array;
  }
  array.dtype = header.dtype;
  array.dims = std::move(header.dims);
  Part part{sharding::Box::whole(array.dims), source, begin,
            dense_strides(array.dims, graph::byte_size(array.dtype)), header.swapped};
  if (header.fortran) {
    auto stride = static_cast<int64_t>(graph::byte_size(array.dtype));
    for (size_t d = 0; d < array.dims.size(); ++d) {
      part.strides[d] = stride;
      stride *= array.dims[d];
    }
  }
  array.parts.push_back(std::move(part));
  return array;
}

std::string npy_header(const graph::TensorType &type) {
  std::string_view code;
  for (const auto &known : numpy_types)
    if (known.dtype == type.dtype)
      code = known.code;
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   graph::byte_size(type.dtype) == 1 ? '|' : '<', code,
                                   fmt::join(type.dims, ", "), type.dims.size() == 1 ? "," : "");
  const bool version_1 = header.size() + 64 + 10 < 65536;
  const size_t prefix = version_1 ? 10 : 12;
  header.append(63 - (prefix + header.size()) % 64, ' '); // so that the data begins at a multiple of 64
  header += '\n';
  std::string out(kMagic);
  out += version_1 ? '\x01' : '\x02';
  out += '\0';
  for (size_t i = 0; i < prefix - 8; ++i)
    out += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return out + header;
}

DType numpy_type_for(DType dtype) {
  for (const auto &type : numpy_types)
    if (type.dtype == dtype)
      return dtype;
  switch (dtype) {
  case DType::s2:
  case DType::s4: return DType::s8;
  case DType::u2:
  case DType::u4: return DType::s8;
  default: return graph::is_float(dtype) ? DType::f32 : DType::invalid;
  }
}

} // namespace tw::store
