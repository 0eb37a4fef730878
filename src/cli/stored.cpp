// SPDX-License-Identifier: Apache-2.0
// Arrays of files as a program takes them.
#include "cli/stored.hpp"

#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/element.hpp"
#include "cli/failure.hpp"

namespace tw::cli {

namespace {

size_t count_elements(const std::vector<int64_t> &dims) {
  return static_cast<size_t>(std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()));
}

std::vector<int64_t> leading(const std::vector<int64_t> &sizes, size_t n) {
  return {sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(n)};
}
std::vector<int64_t> behind(const std::vector<int64_t> &sizes, size_t n) {
  return {sizes.begin() + static_cast<std::ptrdiff_t>(n), sizes.end()};
}

// The same values as another type, or a Failure naming the first that has no such value.
std::string converted(const std::string &bytes, tw_dtype_t from, tw_dtype_t to, const std::string &what) {
  if (from == to)
    return bytes;
  const size_t from_size = tw_dtype_size(from), to_size = tw_dtype_size(to), count = bytes.size() / from_size;
  std::string out(count * to_size, '\0');
  for (size_t i = 0; i < count; ++i)
    if (!encode(to, decode(from, bytes.data() + i * from_size), out.data() + i * to_size))
      throw fail("invalid_argument", "TW-803",
                 fmt::format("{}: element {} of the {} array has no exact value as {}", what, i,
                             tw_dtype_name(from), tw_dtype_name(to)));
  return out;
}

} // namespace

Store open_inputs(const std::string &path) {
  tw_store_t *store = nullptr;
  if (tw_store_open(path.c_str(), nullptr, &store) == TW_OK)
    return Store(store);
  Failure failure = last_failure();
  if (failure.id == "TW-903" || failure.notes.empty())
    failure.notes = {
        fmt::format("arrays come from .npz, .npy and .safetensors, one for each argument. `tw info "
                    "{}` says how files of other kinds become that",
                    path)};
  throw failure;
}

std::string part_of_stored(const tw_store_t *store, size_t array, const std::string &what,
                           const ArgumentPart &part) {
  if (const char *problem = tw_store_array_problem(store, array); *problem != '\0')
    check(tw_store_read(store, array, nullptr, nullptr, nullptr, nullptr)); // fails and says so
  const tw_dtype_t dtype = tw_store_array_dtype(store, array);
  size_t rank = 0;
  const int64_t *sizes = tw_store_array_dims(store, array, &rank);
  const std::vector<int64_t> found(sizes, sizes + rank);
  const size_t front = rank + part.grid_rank == part.dims.size() ? part.grid_rank : 0;
  const std::vector<int64_t> offset = behind(part.offset, front), extent = behind(part.extent, front);
  if (found != behind(part.dims, front)) {
    std::string wanted = type_text(part.dtype, part.dims);
    if (part.grid_rank > 0)
      wanted +=
          fmt::format(", or {} for all devices", type_text(part.dtype, behind(part.dims, part.grid_rank)));
    throw fail("invalid_argument", "TW-803",
               fmt::format("{} is {}, the program wants {}", what, type_text(dtype, found), wanted));
  }
  std::string bytes(count_elements(extent) * tw_dtype_size(dtype), '\0');
  check(tw_store_read(store, array, offset.data(), extent.data(), nullptr, bytes.data()));
  if (dtype == TW_I1) // 0 or 1, whatever the file holds
    for (char &b : bytes)
      b = b != 0;
  const std::string of_device = converted(bytes, dtype, part.dtype, what);
  std::string all;
  for (size_t i = 0, devices = count_elements(leading(part.extent, front)); i < devices; ++i)
    all += of_device;
  return all;
}

std::string type_text(tw_dtype_t dtype, const std::vector<int64_t> &dims) {
  return fmt::format("{}[{}]", tw_dtype_name(dtype), fmt::join(dims, ","));
}

} // namespace tw::cli
