// SPDX-License-Identifier: Apache-2.0
// Whole files as strings.
#include "cli/files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>

#include "cli/failure.hpp"

namespace tw::cli {

namespace {

struct Close {
  void operator()(FILE *f) const { std::fclose(f); }
};
using File = std::unique_ptr<FILE, Close>;

Failure file_failure(const char *what, const std::string &path, int error) {
  return fail(error == ENOENT ? "not_found" : "unavailable", "TW-801",
              fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
}

size_t most_input = size_t{4} << 30;

Failure too_large(const std::string &path) {
  return fail(
      "resource_exhausted", "TW-811",
      fmt::format("{} has more than {} bytes, which is the limit: --max-input raises it", path, most_input));
}

std::string read_all(FILE *f, const std::string &path) {
  std::string bytes;
  char buffer[1 << 16];
  while (const size_t n = std::fread(buffer, 1, sizeof buffer, f)) {
    if (n > most_input - bytes.size())
      throw too_large(path);
    bytes.append(buffer, n);
  }
  if (std::ferror(f))
    throw file_failure("read", path, errno);
  return bytes;
}

} // namespace

std::string read_file(const std::string &path) {
  if (path == "-")
    return read_all(stdin, "standard input");
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw file_failure("read", path, errno);
  if (S_ISDIR(status.st_mode)) {
    Failure failure = file_failure("read", path, EISDIR);
    if (const std::string model = path + "/saved_model.pb"; stat(model.c_str(), &status) == 0)
      failure.notes.push_back(
          fmt::format("it is a TensorFlow SavedModel: `tw info {}` tells how to convert it", model));
    throw failure;
  }
  if (S_ISREG(status.st_mode) && static_cast<size_t>(status.st_size) > most_input)
    throw too_large(path);
  const File f(std::fopen(path.c_str(), "rb"));
  if (!f)
    throw file_failure("read", path, errno);
  return read_all(f.get(), path);
}

void limit_input(size_t bytes) { most_input = bytes; }

void write_file(const std::string &path, std::string_view bytes) {
  if (path == "-") {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return;
  }
  File f(std::fopen(path.c_str(), "wb"));
  if (!f)
    throw file_failure("write", path, errno);
  if (std::fwrite(bytes.data(), 1, bytes.size(), f.get()) != bytes.size() || std::fclose(f.release()) != 0)
    throw file_failure("write", path, errno);
}

} // namespace tw::cli
