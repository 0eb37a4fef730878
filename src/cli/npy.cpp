// SPDX-License-Identifier: Apache-2.0
// NumPy's array file.
#include "cli/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/element.hpp"
#include "cli/failure.hpp"
#include "cli/files.hpp"

namespace tw::cli {

namespace {

static_assert(std::endian::native == std::endian::little, "npy bytes are written as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";

struct NumpyType {
  std::string_view code;
  tw_dtype_t dtype;
};
constexpr NumpyType numpy_types[] = {
    {"b1", TW_I1},  {"i1", TW_S8},  {"i2", TW_S16}, {"i4", TW_S32},   {"i8", TW_S64},
    {"u1", TW_U8},  {"u2", TW_U16}, {"u4", TW_U32}, {"u8", TW_U64},   {"f2", TW_F16},
    {"f4", TW_F32}, {"f8", TW_F64}, {"c8", TW_C64}, {"c16", TW_C128},
};

// What the header's dictionary says.
struct Header {
  tw_dtype_t dtype = TW_DTYPE_INVALID;
  bool swapped = false;
  bool fortran = false;
  std::vector<int64_t> dims;
};

// Reads the dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: these three keys, in any
// order.
class HeaderParser {
public:
  HeaderParser(std::string_view text, const std::string &what) : text_(text), what_(what) {}

  Header parse() {
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        has_type = true;
        element_type();
      } else if (key == "fortran_order") {
        has_order = true;
        header_.fortran = boolean();
      } else if (key == "shape") {
        has_shape = true;
        shape();
      } else {
        throw bad(fmt::format("unknown key '{}'", key.substr(0, 40)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!has_type || !has_order || !has_shape)
      throw bad("needs descr, fortran_order and shape");
    return header_;
  }

private:
  std::string_view text_;
  const std::string &what_;
  size_t at_ = 0;
  Header header_;

  Failure bad(const std::string &why) const {
    return fail("invalid_argument", "TW-802",
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
  void expect(char c) {
    if (!accept(c))
      throw bad(fmt::format("expected '{}' at byte {}", c, at_));
  }
  std::string_view quoted() {
    skip_space();
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'')
      expect('\'');
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos)
      throw bad("a quoted text has no end");
    const auto result = text_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }
  bool boolean() {
    skip_space();
    for (const auto &[word, value] : {std::pair("True", true), std::pair("False", false)})
      if (text_.substr(at_).starts_with(word)) {
        at_ += std::strlen(word);
        return value;
      }
    throw bad("fortran_order is True or False");
  }
  void element_type() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[')
      throw fail("unimplemented", "TW-802", fmt::format("{}: arrays of records are not read", what_));
    const std::string_view descr = quoted();
    if (!descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos)
      for (const auto &type : numpy_types)
        if (descr.substr(1) == type.code) {
          header_.dtype = type.dtype;
          header_.swapped = descr[0] == '>';
          return;
        }
    throw fail(
        "invalid_argument", "TW-802",
        fmt::format(
            "{}: elements of NumPy type '{}' are not read; bf16 and f8 come as float32, i4 and u4 as int8",
            what_, descr.substr(0, 40)));
  }
  void shape() {
    expect('(');
    while (!accept(')')) {
      skip_space();
      int64_t n = 0;
      const char *const begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), n);
      if (error != std::errc() || n < 0)
        throw bad("a dimension is no size");
      at_ += static_cast<size_t>(end - begin);
      header_.dims.push_back(n);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }
};

// Elements of a shape; nothing where they cannot be counted.
std::optional<size_t> count_elements(const std::vector<int64_t> &dims) {
  if (std::ranges::find(dims, 0) != dims.end())
    return 0;
  size_t count = 1;
  for (const int64_t n : dims)
    if (__builtin_mul_overflow(count, static_cast<size_t>(n), &count))
      return std::nullopt;
  return count;
}

// Complex numbers are two floats, each with its own byte order.
void swap_bytes(std::string &bytes, tw_dtype_t dtype) {
  const size_t width = tw_dtype_size(dtype) / (dtype == TW_C64 || dtype == TW_C128 ? 2 : 1);
  for (size_t i = 0; i + width <= bytes.size(); i += width)
    std::reverse(bytes.data() + i, bytes.data() + i + width);
}

// Column-major elements in row-major order.
std::string row_major(const std::string &bytes, const std::vector<int64_t> &dims, size_t width) {
  std::string out(bytes.size(), '\0');
  std::vector<int64_t> index(dims.size(), 0);
  std::vector<size_t> stride(dims.size(), 1); // in the column-major source
  for (size_t d = 1; d < dims.size(); ++d)
    stride[d] = stride[d - 1] * static_cast<size_t>(dims[d - 1]);
  size_t source = 0;
  for (size_t to = 0; to < out.size(); to += width) {
    std::memcpy(out.data() + to, bytes.data() + source * width, width);
    for (size_t d = dims.size(); d-- > 0;) {
      source += stride[d];
      if (++index[d] < dims[d])
        break;
      source -= stride[d] * static_cast<size_t>(dims[d]);
      index[d] = 0;
    }
  }
  return out;
}

bool is_small_integer(tw_dtype_t dtype) {
  return dtype == TW_S2 || dtype == TW_S4 || dtype == TW_U2 || dtype == TW_U4;
}

tw_dtype_t numpy_type_for(tw_dtype_t dtype) {
  for (const auto &type : numpy_types)
    if (type.dtype == dtype)
      return dtype;
  return is_small_integer(dtype) ? TW_S8 : TW_F32;
}

class Text final : public NpyBytes {
public:
  explicit Text(std::string_view bytes) : bytes_(bytes) {}
  size_t size() const override { return bytes_.size(); }
  void read(size_t at, size_t n, char *to) override { bytes_.copy(to, n, at); }

private:
  std::string_view bytes_;
};

// The header of a file, and where the elements begin behind it, which are as many as it says.
std::pair<Header, size_t> read_header(NpyBytes &file, const std::string &what) {
  const auto malformed = [&](const char *why) {
    return fail("invalid_argument", "TW-802", fmt::format("{}: {}", what, why));
  };
  const size_t size = file.size();
  std::string first(std::min<size_t>(size, 12), '\0');
  file.read(0, first.size(), first.data());
  if (!first.starts_with(magic))
    throw malformed("this is no .npy file (it does not begin with \\x93NUMPY)");
  if (size < 12)
    throw malformed("the .npy header is cut off");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(first[i])); };
  const size_t major = byte(6);
  if (major < 1 || major > 3)
    throw malformed("this version of .npy is not read (1, 2 and 3 are)");
  const size_t begin = major == 1 ? 10 : 12;
  const size_t length =
      major == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > size - begin)
    throw malformed("the .npy header is cut off");
  std::string text = first.substr(begin, length);
  const size_t known = text.size();
  text.resize(length);
  file.read(begin + known, length - known, text.data() + known);
  Header header = HeaderParser(text, what).parse();
  const size_t data = size - begin - length, width = tw_dtype_size(header.dtype);
  const auto count = count_elements(header.dims);
  if (!count || *count > data / width || *count * width != data)
    throw malformed(
        fmt::format("the shape ({}) of {} byte elements does not make the {} bytes of data that follow",
                    fmt::join(header.dims, ", "), width, data)
            .c_str());
  return {std::move(header), begin + length};
}

// Elements as they stand in a file, in this machine's byte order; booleans are 0 or 1 whatever the file
// holds.
void tidy(NpyArray &array, const Header &header) {
  if (header.swapped)
    swap_bytes(array.bytes, array.dtype);
  if (array.dtype == TW_I1)
    for (char &b : array.bytes)
      b = b != 0;
}

// Calls visit(place in the array, place in the part, elements) for each row of a part.
template <class Visit>
void visit_rows(const std::vector<int64_t> &dims, const std::vector<int64_t> &offset,
                const std::vector<int64_t> &extent, bool fortran, Visit &&visit) {
  const size_t rank = dims.size();
  if (std::ranges::find(extent, 0) != extent.end())
    return;
  std::vector<size_t> stride(rank, 1);
  for (size_t i = 1; i < rank; ++i) {
    const size_t d = fortran ? i : rank - 1 - i, before = fortran ? d - 1 : d + 1;
    stride[d] = stride[before] * static_cast<size_t>(dims[before]);
  }
  const size_t run = rank == 0 || fortran ? 1 : static_cast<size_t>(extent[rank - 1]);
  std::vector<int64_t> index(rank, 0);
  for (size_t at = 0;; at += run) {
    size_t place = 0;
    for (size_t d = 0; d < rank; ++d)
      place += static_cast<size_t>(offset[d] + index[d]) * stride[d];
    visit(place, at, run);
    size_t d = rank == 0 || fortran ? rank : rank - 1;
    for (; d-- > 0;) {
      if (++index[d] < extent[d])
        break;
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1))
      return;
  }
}

// The same values as another type, or a Failure naming the first that has no such value.
std::string converted(const NpyArray &array, tw_dtype_t dtype, const std::string &what) {
  if (array.dtype == dtype)
    return array.bytes;
  const size_t from = tw_dtype_size(array.dtype), to = tw_dtype_size(dtype),
               count = array.bytes.size() / from;
  std::string out(count * to, '\0');
  for (size_t i = 0; i < count; ++i) {
    const Value value = decode(array.dtype, array.bytes.data() + i * from);
    if (!encode(dtype, value, out.data() + i * to))
      throw fail("invalid_argument", "TW-803",
                 fmt::format("{}: element {} of the {} array has no exact value as {}", what, i,
                             tw_dtype_name(array.dtype), tw_dtype_name(dtype)));
  }
  return out;
}

std::vector<int64_t> leading(const std::vector<int64_t> &sizes, size_t n) {
  return {sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(n)};
}
std::vector<int64_t> behind(const std::vector<int64_t> &sizes, size_t n) {
  return {sizes.begin() + static_cast<std::ptrdiff_t>(n), sizes.end()};
}

void check_dims(const Header &header, const ArgumentPart &part, const std::vector<int64_t> &dims,
                const std::string &what) {
  if (header.dims == dims)
    return;
  std::string wanted = type_text(part.dtype, part.dims);
  if (part.grid_rank > 0)
    wanted +=
        fmt::format(", or {} for all devices", type_text(part.dtype, behind(part.dims, part.grid_rank)));
  throw fail(
      "invalid_argument", "TW-803",
      fmt::format("{} is {}, the program wants {}", what, type_text(header.dtype, header.dims), wanted));
}

} // namespace

std::string part_of_npy(const std::string &path, const ArgumentPart &part) {
  const MappedFile file(path);
  Text bytes(file.bytes());
  return part_of_npy(bytes, path, part);
}

std::string part_of_npy(NpyBytes &file, const std::string &what, const ArgumentPart &part) {
  const auto [header, data] = read_header(file, what);
  const bool lacks_grid = header.dims.size() + part.grid_rank == part.dims.size();
  const size_t front = lacks_grid ? part.grid_rank : 0;
  const std::vector<int64_t> dims = behind(part.dims, front), offset = behind(part.offset, front);
  check_dims(header, part, dims, what);
  NpyArray array{header.dtype, behind(part.extent, front), {}};
  const size_t width = tw_dtype_size(header.dtype);
  array.bytes.resize(*count_elements(array.dims) * width);
  if (array.dims == dims) {
    file.read(data, array.bytes.size(), array.bytes.data());
    if (header.fortran && dims.size() > 1)
      array.bytes = row_major(array.bytes, dims, width);
  } else {
    visit_rows(dims, offset, array.dims, header.fortran,
               [&, begin = data](size_t place, size_t at, size_t n) {
                 file.read(begin + place * width, n * width, array.bytes.data() + at * width);
               });
  }
  tidy(array, header);
  const std::string of_device = converted(array, part.dtype, what);
  std::string all;
  for (size_t i = 0, devices = *count_elements(leading(part.extent, front)); i < devices; ++i)
    all += of_device;
  return all;
}

std::string text_type_of_npy(NpyBytes &file) {
  constexpr size_t most = 128; // of a header, whose first key is descr
  std::string first(std::min(file.size(), most), '\0');
  file.read(0, first.size(), first.data());
  constexpr std::string_view key = "'descr': '";
  const size_t at = first.find(key);
  if (!first.starts_with(magic) || at == std::string::npos)
    return {};
  const size_t begin = at + key.size(), end = std::min(first.find('\'', begin), first.size());
  const std::string type = first.substr(begin, end - begin);
  return type.find_first_of("USOa") == std::string::npos ? std::string() : type;
}

void store_part_of_npy(const std::string &path, const tw_tensor_t *part, const std::vector<int64_t> &dims,
                       const std::vector<int64_t> &offset) {
  const NpyArray array = npy_of(part);
  const std::string header = to_npy({array.dtype, dims, {}});
  const size_t width = tw_dtype_size(array.dtype);
  SharedFile file(path, header.size() + count_elements(dims).value_or(0) * width);
  file.write(0, header);
  visit_rows(dims, offset, array.dims, false, [&](size_t place, size_t at, size_t n) {
    file.write(header.size() + place * width, std::string_view(array.bytes).substr(at * width, n * width));
  });
}

std::string to_npy(const NpyArray &array) {
  std::string_view code;
  for (const auto &type : numpy_types)
    if (type.dtype == array.dtype)
      code = type.code;
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   tw_dtype_size(array.dtype) == 1 ? '|' : '<', code,
                                   fmt::join(array.dims, ", "), array.dims.size() == 1 ? "," : "");
  const bool version_1 = header.size() + 64 + 10 < 65536;
  const size_t prefix = version_1 ? 10 : 12;
  header.append(63 - (prefix + header.size()) % 64, ' '); // so that the data begins at a multiple of 64
  header += '\n';
  std::string out(magic);
  out += version_1 ? '\x01' : '\x02';
  out += '\0';
  for (size_t i = 0; i < prefix - 8; ++i)
    out += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return out + header + array.bytes;
}

std::string type_text(tw_dtype_t dtype, const std::vector<int64_t> &dims) {
  return fmt::format("{}[{}]", tw_dtype_name(dtype), fmt::join(dims, ","));
}

NpyArray npy_of(const tw_tensor_t *tensor) {
  size_t rank = 0;
  const int64_t *dims = tw_tensor_dims(tensor, &rank);
  const tw_dtype_t dtype = tw_tensor_dtype(tensor);
  NpyArray array{numpy_type_for(dtype), {dims, dims + rank}, {}};
  const auto *bytes = static_cast<const char *>(tw_tensor_const_data(tensor));
  const size_t size = tw_tensor_bytes(tensor), from = tw_dtype_size(dtype), to = tw_dtype_size(array.dtype);
  if (array.dtype == dtype) {
    array.bytes.assign(bytes, size);
    return array;
  }
  array.bytes.resize(size / from * to);
  for (size_t i = 0; i < size / from; ++i)
    encode(array.dtype, decode(dtype, bytes + i * from), array.bytes.data() + i * to); // wider: always exact
  return array;
}

} // namespace tw::cli
