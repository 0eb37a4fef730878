// SPDX-License-Identifier: Apache-2.0
// Files: whole ones as strings, where "-" is standard input or output, and parts of large ones. What cannot
// be read or written is a Failure naming it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tw::cli {

// It may be as large as `limit_input` said last, else 4 GiB: a device or a pipe may never end.
std::string read_file(const std::string &path);
void limit_input(size_t bytes);
void write_file(const std::string &path, std::string_view bytes);

// A file as memory, of which only what is looked at is read.
class MappedFile {
public:
  explicit MappedFile(const std::string &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  std::string_view bytes() const { return {static_cast<const char *>(data_), size_}; }

private:
  void *data_ = nullptr;
  size_t size_ = 0;
};

// A file of `size` bytes of which this process writes some; others may write others at the same time.
class SharedFile {
public:
  SharedFile(const std::string &path, size_t size);
  ~SharedFile();
  SharedFile(const SharedFile &) = delete;
  void write(size_t at, std::string_view bytes);

private:
  std::string path_;
  int file_;
};

} // namespace tw::cli
