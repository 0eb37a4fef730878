// SPDX-License-Identifier: Apache-2.0
// Arrays of memory that are written to files.
#include "store/write_arrays.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/ref/convert.hpp"
#include "store/format.hpp"
#include "store/npy_header.hpp"

namespace tw::store {

namespace {

namespace fs = std::filesystem;

// The elements as another type, which holds each of them.
std::vector<std::byte> elements_of(const InMemory &array, graph::DType to) {
  std::vector<std::byte> out(static_cast<size_t>(array.type.elements()) * graph::byte_size(to));
  const void *const in[] = {array.data};
  if (array.type.dtype == to && !out.empty())
    std::memcpy(out.data(), array.data, out.size());
  else if (array.type.dtype != to)
    kernels::ref::convert_block(array.type.dtype, to)(in, out.data(), array.type.elements());
  return out;
}

Status write_files(const std::string &path, const Target &target, const Layout &layout,
                   std::span<const InMemory> arrays) {
  const auto open = std::make_shared<OpenFiles>(O_WRONLY | O_CREAT | O_TRUNC);
  for (size_t f = 0; f < target.files().size(); ++f) {
    const std::string &name = target.files()[f].name;
    TW_TRY(make_folders_above(path, name));
    FileWriter file(name.empty() ? path : (fs::path(path) / name).string(), open);
    std::string head = target.head(f);
    const iovec row{head.data(), head.size()};
    TW_TRY(file.move(0, {&row, 1}));
    for (size_t a = 0; a < arrays.size(); ++a)
      for (const Target::Tile &tile : target.tiles(a))
        if (tile.file == f) {
          auto elements = elements_of(arrays[a], layout.arrays[a].type.dtype);
          const iovec all{elements.data(), elements.size()};
          TW_TRY(file.move(tile.at, {&all, 1}));
        }
  }
  for (const auto &[name, text] : target.notes()) {
    TW_TRY(make_folders_above(path, name));
    TW_TRY(write_text((fs::path(path) / name).string(), text));
  }
  return {};
}

// A file with a name twice would lose one of the arrays, or not be read again.
Status check_names(std::span<const InMemory> arrays) {
  std::unordered_map<std::string_view, size_t> first;
  for (size_t i = 0; i < arrays.size(); ++i)
    if (const auto [other, is_new] = first.emplace(arrays[i].name, i); !is_new)
      return fail(Code::invalid_argument, "TW-902",
                  fmt::format("names {} and {} are both '{}'", other->second, i, arrays[i].name));
  return {};
}

} // namespace

Status write_arrays(const std::string &path, std::string_view format_name, std::span<const InMemory> given) {
  TW_ASSIGN(const Format *format, format_to_write(path, format_name));
  TW_TRY(check_names(given));
  std::vector<InMemory> arrays(given.begin(), given.end());
  Layout layout;
  for (const InMemory &array : arrays) {
    const graph::DType to = format->written_as(array.type.dtype);
    if (to == graph::DType::invalid)
      return fail(Code::unimplemented, "TW-906",
                  fmt::format("array '{}': {} has no elements of type {}", array.name, format->name,
                              graph::name(array.type.dtype)));
    layout.arrays.push_back({array.name, {to, array.type.dims}, {}, {}});
  }
  // Beside the path first, so that there is never half of it.
  const std::string beside = fmt::format("{}.{}.partial", path, ::getpid());
  Status written = [&]() -> Status {
    if (format->pack == nullptr) {
      TW_ASSIGN(const auto target, format->target(path, layout));
      std::error_code error;
      if (target->files().empty())
        return fail(Code::invalid_argument, "TW-902",
                    fmt::format("{}: no arrays are given, and a folder of .npy files has one a file", path));
      if (!target->files().front().name.empty() && !fs::create_directory(beside, error))
        return fail(file_error("make", beside, error.value()));
      return write_files(beside, *target, layout, arrays);
    }
    size_t of = SIZE_MAX, at = 0;
    std::vector<std::byte> elements;
    return format->pack(beside, layout, [&](size_t array, void *to, size_t n) -> Status {
      if (array != of) {
        of = array;
        at = 0;
        elements = elements_of(arrays[array], layout.arrays[array].type.dtype);
      }
      std::memcpy(to, elements.data() + at, n);
      at += n;
      return {};
    });
  }();
  std::error_code error;
  if (!written) {
    fs::remove_all(beside, error);
    return written;
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    const int why = errno;
    fs::remove_all(beside, error);
    return fail(file_error("write", path, why));
  }
  return {};
}

Status write_part_of_npy(const std::string &path, std::span<const int64_t> dims,
                         std::span<const int64_t> offset, const InMemory &part) {
  const graph::DType dtype = numpy_type_for(part.type.dtype);
  const graph::TensorType whole{dtype, {dims.begin(), dims.end()}};
  TW_TRY(graph::check_size(whole));
  for (size_t d = 0; d < dims.size(); ++d)
    if (offset[d] < 0 || part.type.dims[d] > dims[d] || offset[d] > dims[d] - part.type.dims[d])
      return fail(Code::out_of_range, "TW-902",
                  fmt::format("{}: {}+{} of dimension {} lies outside {}", path, offset[d], part.type.dims[d],
                              d, graph::to_short_text(whole)));
  std::string head = npy_header(whole);
  const auto files = std::make_shared<OpenFiles>(O_WRONLY | O_CREAT, 1);
  FileWriter file(path, files);
  const iovec row{head.data(), head.size()};
  TW_TRY(file.move(0, {&row, 1}));
  TW_ASSIGN(const auto open, files->get(path));
  if (::ftruncate(open->number(), static_cast<off_t>(head.size() + static_cast<uint64_t>(whole.bytes()))) !=
      0)
    return fail(file_error("write", path, errno));
  auto elements = elements_of(part, dtype);
  const Strides strides = dense_strides(dims, graph::byte_size(dtype));
  uint64_t at = head.size();
  for (size_t d = 0; d < dims.size(); ++d)
    at += static_cast<uint64_t>(offset[d] * strides[d]);
  return transfer(Direction::write, file, at, strides, part.type.dims, graph::byte_size(dtype),
                  elements.data(), dense_strides(part.type.dims, graph::byte_size(dtype)));
}

} // namespace tw::store
