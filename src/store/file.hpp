// SPDX-License-Identifier: Apache-2.0
// Files that are read and written at any place, in rows that lie anywhere in memory. Of many files only some
// are open at a time.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "base/status.hpp"

namespace tw::store {

// "cannot read a.npy: No such file or directory", of the last error of the operating system.
Error file_error(const char *what, const std::string &path, int error);

class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor &) = delete;
  int number() const { return number_; }

private:
  int number_;
};

// The files of one set, opened when they are used; those used last stay open.
class OpenFiles {
public:
  explicit OpenFiles(int flags, size_t most = 48) : flags_(flags), most_(most) {}
  Result<std::shared_ptr<const Descriptor>> get(const std::string &path);
  void close(const std::string &path);

private:
  struct Open {
    std::string path;
    std::shared_ptr<const Descriptor> file;
  };
  const int flags_;
  const size_t most_;
  std::mutex mutex_;
  std::list<Open> open_; // the last used first
};

// Bytes of which rows are moved to memory or from it. The rows are filled, or written, one after the other
// with the bytes from `at` on.
class RowFile {
public:
  virtual ~RowFile() = default;
  virtual Status move(uint64_t at, std::span<const iovec> rows) = 0;
};

// What arrays are read from: a file, or something inside one.
class Bytes : public RowFile {
public:
  virtual const std::string &path() const = 0;
  virtual uint64_t size() const = 0;
  // May be called by several threads at once. Bytes behind the end are an error.
  Status read(uint64_t at, void *to, size_t n);
  virtual uint64_t bytes_read() const = 0; // so far
};

// A regular file as it was when this was made: a file that shrinks later is an error when it is read.
Result<std::shared_ptr<Bytes>> open_bytes(const std::string &path, std::shared_ptr<OpenFiles> files);

// Makes the folders above a file in `folder` that is called by a path, such as w/c/0.
Status make_folders_above(const std::string &folder, const std::string &name);

// A text as if it were a file; `path` is what it is called.
std::shared_ptr<Bytes> text_bytes(std::string text, std::string path);

// Reads a whole small file; one of more than `most` bytes is an error.
Result<std::string> read_text(const std::string &path, uint64_t most);
Status write_text(const std::string &path, std::string_view text);

// Writes a file that `files` opens.
class FileWriter final : public RowFile {
public:
  FileWriter(std::string path, std::shared_ptr<OpenFiles> files)
      : path_(std::move(path)), files_(std::move(files)) {}
  Status move(uint64_t at, std::span<const iovec> rows) override;
  Status sync();
  uint64_t bytes_written() const { return written_; }

private:
  std::string path_;
  std::shared_ptr<OpenFiles> files_;
  uint64_t written_ = 0;
};

} // namespace tw::store
