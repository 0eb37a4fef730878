// SPDX-License-Identifier: Apache-2.0
// Files of arrays from arbitrary bytes: an error that says something, or arrays of which some can be read.
// The first byte chooses the format. Of PyTorch's checkpoints the next two count the bytes of `.metadata`;
// its data follow it.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

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
  Folder() { fs::create_directories(path / "torch"); }
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tw;
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (bytes.empty())
    return 0;
  static constexpr const char *formats[] = {"safetensors", "npy", "npz", "torch"};
  const char *format = formats[static_cast<unsigned char>(bytes[0]) % 4];
  bytes.remove_prefix(1);
  fs::path path = folder() / "file";
  if (std::string_view(format) == "torch") {
    if (bytes.size() < 2)
      return 0;
    const size_t metadata =
        static_cast<unsigned char>(bytes[0]) + 256u * static_cast<unsigned char>(bytes[1]);
    bytes.remove_prefix(2);
    path = folder() / "torch";
    write(path / ".metadata", bytes.substr(0, metadata));
    write(path / "__0_0.distcp", bytes.substr(std::min(metadata, bytes.size())));
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
