// SPDX-License-Identifier: Apache-2.0
// Sets of arrays: which format a path is of, and boxes read from the parts that hold them.
#include "store/set.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"

namespace tw::store {

using sharding::Box;

namespace {

const Format *const formats[] = {
#define TW_STORE(name) &name##_format,
#include "store/store_list.inc"
#undef TW_STORE
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format *format : formats)
    names.emplace_back(format->name);
  return names;
}

void swap_bytes(graph::DType dtype, std::span<const int64_t> extent, char *memory,
                std::span<const int64_t> strides) {
  const size_t item = graph::byte_size(dtype), word = item / (graph::is_complex(dtype) ? 2 : 1);
  std::vector<int64_t> index(extent.size(), 0);
  if (std::ranges::find(extent, 0) != extent.end())
    return;
  for (;;) {
    for (size_t i = 0; i < item; i += word)
      std::reverse(memory + i, memory + i + word);
    size_t d = extent.size();
    while (d-- > 0) {
      memory += strides[d];
      if (++index[d] < extent[d])
        break;
      memory -= strides[d] * extent[d];
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1))
      return;
  }
}

} // namespace

std::span<const Format *const> all_formats() { return formats; }

Result<const Format *> find_format(std::string_view name) {
  const auto found =
      std::ranges::find_if(formats, [&](const Format *format) { return format->name == name; });
  if (found != std::end(formats))
    return *found;
  return fail(
      Code::not_found, "TW-903",
      fmt::format("there is no format '{}'; the formats are {}", name, fmt::join(format_names(), ", ")));
}

Result<const Format *> format_of(const std::string &path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    return fail(file_error("read", path, errno));
  std::string first;
  if (!S_ISDIR(about.st_mode)) {
    TW_ASSIGN(const auto file, open_bytes(path, std::make_shared<OpenFiles>(O_RDONLY, 1)));
    first.resize(std::min<uint64_t>(file->size(), 16));
    TW_TRY(file->read(0, first.data(), first.size()));
    if (first.empty())
      return fail(Code::invalid_argument, "TW-903", fmt::format("{}: the file is empty", path));
  }
  for (const Format *format : formats)
    if (format->looks_like(path, first))
      return format;
  Error error(Code::invalid_argument, "TW-903",
              fmt::format("{}: this is none of the formats {}", path, fmt::join(format_names(), ", ")));
  for (const Format *format : formats)
    error = std::move(error).note(fmt::format("{}: {}", format->name, format->what));
  return fail(std::move(error));
}

Result<const Format *> format_to_write(const std::string &path, std::string_view name) {
  const Format *chosen = nullptr;
  if (!name.empty()) {
    TW_ASSIGN(chosen, find_format(name));
  } else {
    const auto found = std::ranges::find_if(
        formats, [&](const Format *format) { return path.ends_with(std::string(".") + format->name); });
    TW_ASSIGN(chosen, found != std::end(formats) ? *found : find_format("safetensors"));
  }
  if (chosen->target == nullptr && chosen->pack == nullptr)
    return fail(
        Code::unimplemented, "TW-903",
        fmt::format("{} is read and not written: {} can be of safetensors, npz or npy", chosen->name, path));
  return chosen;
}

Result<Set> Set::open(const std::string &path, std::string_view name) {
  const Format *format = nullptr;
  if (name.empty()) {
    TW_ASSIGN(format, format_of(path));
  } else {
    TW_ASSIGN(format, find_format(name));
  }
  TW_ASSIGN(auto contents, format->open(path));
  std::unordered_set<std::string_view> names;
  for (const Array &array : contents.arrays) {
    if (!names.insert(array.name).second)
      return fail(Code::invalid_argument, "TW-902",
                  fmt::format("{}: array '{}' is there twice", path, array.name));
    if (array.problem.empty())
      TW_TRY(check_cover(array, path));
  }
  return Set(path, *format, std::move(contents));
}

std::optional<size_t> Set::find(std::string_view name) const {
  const auto found = std::ranges::find(contents_.arrays, name, &Array::name);
  if (found == contents_.arrays.end())
    return std::nullopt;
  return static_cast<size_t>(found - contents_.arrays.begin());
}

Status Set::read_part(const Array &array, const Part &part, const Box &box, void *memory,
                      std::span<const int64_t> memory_strides) const {
  const uint64_t at = part.at + static_cast<uint64_t>(distance(part.box, box, part.strides));
  const auto done = transfer(Direction::read, *contents_.sources[part.source], at, part.strides, box.extent,
                             graph::byte_size(array.dtype), memory, memory_strides);
  if (!done) {
    ErrorInfo info = done.error().info();
    return fail(Error(info.code, info.id, fmt::format("{} (array {})", info.message, described(array))));
  }
  if (part.swapped)
    swap_bytes(array.dtype, box.extent, static_cast<char *>(memory), memory_strides);
  return {};
}

Status Set::read(size_t number, const Box &box, void *memory, std::span<const int64_t> memory_strides) const {
  const Array &array = contents_.arrays[number];
  if (!array.problem.empty())
    return fail(array.foreign.empty() ? Code::invalid_argument : Code::unimplemented, "TW-802",
                array.problem);
  std::vector<const Box *> seen; // of those that meet the box
  for (const Part &part : array.parts) {
    const Box common = sharding::intersect(part.box, box);
    if (common.empty() || std::ranges::any_of(seen, [&](const Box *b) { return *b == part.box; }))
      continue;
    seen.push_back(&part.box);
    TW_TRY(read_part(array, part, common, static_cast<char *>(memory) + distance(box, common, memory_strides),
                     memory_strides));
  }
  return {};
}

uint64_t Set::bytes_read() const {
  uint64_t bytes = 0;
  for (const auto &source : contents_.sources)
    bytes += source->bytes_read();
  return bytes;
}

} // namespace tw::store
