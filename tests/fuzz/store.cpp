// SPDX-License-Identifier: Apache-2.0
// Files of arrays from arbitrary bytes: an error that says something, or arrays of which some can be read.
// The first byte chooses the format. Of PyTorch's checkpoints the next two count the bytes of `.metadata`;
// its data follow it. Of zarr they count those of the manifest of a database, and a node follows; both get
// the header and the checksum that they must have.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "store/packed.hpp"
#include "store/set.hpp"

namespace {

namespace fs = std::filesystem;

void require(bool condition) {
  if (!condition)
    std::abort();
}

// Of this process, as long as it lives.
struct Folder {
  const fs::path path = fs::temp_directory_path() / ("tilewright_fuzz_" + std::to_string(::getpid()));
  Folder() {
    fs::create_directories(path / "torch");
    fs::create_directories(path / "zarr/d");
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
};

const fs::path &folder() {
  static const Folder made;
  return made.path;
}

void write(const fs::path &path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string number(uint64_t value, size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i)
    bytes += static_cast<char>(value >> 8 * i);
  return bytes;
}

// What an OCDBT database has around a manifest or a node that is not packed.
std::string framed(std::string_view magic, std::string_view body) {
  std::string bytes(magic);
  bytes += number(magic.size() + 8 + 2 + body.size() + 4, 8) + std::string(2, '\0');
  bytes += body;
  return bytes + number(tw::store::crc32c(bytes), 4);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tw;
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (bytes.empty())
    return 0;
  static constexpr const char *formats[] = {"safetensors", "npy", "npz", "torch", "zarr"};
  const char *format = formats[static_cast<unsigned char>(bytes[0]) % std::size(formats)];
  bytes.remove_prefix(1);
  fs::path path = folder() / "file";
  const bool is_zarr = std::string_view(format) == "zarr";
  if (std::string_view(format) == "torch" || is_zarr) {
    if (bytes.size() < 2)
      return 0;
    const size_t first = static_cast<unsigned char>(bytes[0]) + 256u * static_cast<unsigned char>(bytes[1]);
    bytes.remove_prefix(2);
    const std::string_view one = bytes.substr(0, first), other = bytes.substr(std::min(first, bytes.size()));
    path = folder() / format;
    if (is_zarr) {
      write(path / "manifest.ocdbt", framed("\x0c\xdb\x3a\x2a", one));
      write(path / "d/one", framed("\x0c\xdb\x20\xde", other));
    } else {
      write(path / ".metadata", one);
      write(path / "__0_0.distcp", other);
    }
  } else {
    write(path, bytes);
  }
  const auto set = store::Set::open(path.string(), format);
  if (!set) {
    require(!set.error().message().empty() && set.error().code() != Code::internal);
    return 0;
  }
  for (size_t a = 0; a < set->arrays().size(); ++a) {
    const store::Array &array = set->arrays()[a];
    if (!array.problem.empty())
      continue;
    sharding::Box box = sharding::Box::whole(array.dims);
    int64_t most = 4096; // elements
    for (int64_t &n : box.extent) {
      n = std::min({n, most, int64_t{3}});
      most = std::max<int64_t>(most / std::max<int64_t>(n, 1), 1);
    }
    std::vector<char> memory(static_cast<size_t>(box.elements()) * graph::byte_size(array.dtype) + 1);
    const auto status =
        set->read(a, box, memory.data(), store::dense_strides(box.extent, graph::byte_size(array.dtype)));
    require(status || !status.error().message().empty());
  }
  return 0;
}
