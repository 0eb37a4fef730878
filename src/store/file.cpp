// SPDX-License-Identifier: Apache-2.0
// Files by their places, through preadv and pwritev.
#include "store/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

namespace tw::store {

Error file_error(const char *what, const std::string &path, int error) {
  return Error(error == ENOENT ? Code::not_found : Code::unavailable, "TW-801",
               fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
}

Descriptor::~Descriptor() { ::close(number_); }

Result<std::shared_ptr<const Descriptor>> OpenFiles::get(const std::string &path) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(open_, path, &Open::path);
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
    return open_.front().file;
  }
  const int number = ::open(path.c_str(), flags_ | O_CLOEXEC, 0666);
  if (number < 0)
    return fail(file_error((flags_ & O_ACCMODE) == O_RDONLY ? "read" : "write", path, errno));
  if (open_.size() == most_)
    open_.pop_back();
  open_.push_front({path, std::make_shared<const Descriptor>(number)});
  return open_.front().file;
}

void OpenFiles::close(const std::string &path) {
  const std::lock_guard lock(mutex_);
  open_.remove_if([&](const Open &open) { return open.path == path; });
}

namespace {

// Calls `io(rows, count, at)` until all rows are done; it answers as preadv does. What was done of a row is
// cut off before the next call.
template <class Io>
Status move_all(uint64_t at, std::span<const iovec> rows, const char *what, const std::string &path, Io io) {
  constexpr size_t most = 1024; // IOV_MAX of Linux
  std::vector<iovec> rest(rows.begin(), rows.end());
  for (size_t first = 0; first < rest.size();) {
    if (rest[first].iov_len == 0) {
      ++first;
      continue;
    }
    const size_t count = std::min(rest.size() - first, most);
    ssize_t done = io(rest.data() + first, static_cast<int>(count), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return fail(file_error(what, path, errno));
    if (done == 0)
      return fail(Code::invalid_argument, "TW-901",
                  fmt::format("{}: the file ends at byte {}, where more was expected", path, at));
    at += static_cast<uint64_t>(done);
    for (; done > 0; ++first) {
      iovec &row = rest[first];
      if (static_cast<size_t>(done) < row.iov_len) {
        row.iov_base = static_cast<char *>(row.iov_base) + done;
        row.iov_len -= static_cast<size_t>(done);
        break;
      }
      done -= static_cast<ssize_t>(row.iov_len);
    }
  }
  return {};
}

uint64_t bytes_of(std::span<const iovec> rows) {
  uint64_t bytes = 0;
  for (const iovec &row : rows)
    bytes += row.iov_len;
  return bytes;
}

class FileBytes final : public Bytes {
public:
  FileBytes(std::string path, uint64_t size, std::shared_ptr<OpenFiles> files)
      : path_(std::move(path)), size_(size), files_(std::move(files)) {}
  const std::string &path() const override { return path_; }
  uint64_t size() const override { return size_; }
  uint64_t bytes_read() const override { return read_; }
  Status move(uint64_t at, std::span<const iovec> rows) override {
    const uint64_t bytes = bytes_of(rows);
    if (at > size_ || bytes > size_ - at)
      return fail(
          Code::invalid_argument, "TW-901",
          fmt::format("{}: bytes {} to {} are wanted, the file has {}", path_, at, at + bytes, size_));
    TW_ASSIGN(const auto file, files_->get(path_));
    TW_TRY(move_all(at, rows, "read", path_, [&](const iovec *some, int count, off_t place) {
      return ::preadv(file->number(), some, count, place);
    }));
    read_ += bytes;
    return {};
  }

private:
  const std::string path_;
  const uint64_t size_;
  const std::shared_ptr<OpenFiles> files_;
  std::atomic<uint64_t> read_{0};
};

// Bytes that are in memory.
class TextBytes final : public Bytes {
public:
  TextBytes(std::string text, std::string path) : text_(std::move(text)), path_(std::move(path)) {}
  const std::string &path() const override { return path_; }
  uint64_t size() const override { return text_.size(); }
  uint64_t bytes_read() const override { return read_; }
  Status move(uint64_t at, std::span<const iovec> rows) override {
    const uint64_t bytes = bytes_of(rows);
    if (at > size() || bytes > size() - at)
      return fail(Code::invalid_argument, "TW-901",
                  fmt::format("{}: bytes {} to {} are wanted, there are {}", path_, at, at + bytes, size()));
    for (const iovec &row : rows) {
      std::memcpy(row.iov_base, text_.data() + at, row.iov_len);
      at += row.iov_len;
    }
    read_ += bytes;
    return {};
  }

private:
  const std::string text_, path_;
  std::atomic<uint64_t> read_{0};
};

} // namespace

Status Bytes::read(uint64_t at, void *to, size_t n) {
  const iovec row{to, n};
  return move(at, {&row, 1});
}

Result<std::shared_ptr<Bytes>> open_bytes(const std::string &path, std::shared_ptr<OpenFiles> files) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    return fail(file_error("read", path, errno));
  if (!S_ISREG(about.st_mode))
    return fail(Code::invalid_argument, "TW-801",
                fmt::format("cannot read {}: this is no regular file", path));
  return std::shared_ptr<Bytes>(
      std::make_shared<FileBytes>(path, static_cast<uint64_t>(about.st_size), std::move(files)));
}

std::shared_ptr<Bytes> text_bytes(std::string text, std::string path) {
  return std::make_shared<TextBytes>(std::move(text), std::move(path));
}

Status make_folders_above(const std::string &folder, const std::string &name) {
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  std::error_code error;
  if (name.find('/') != std::string::npos)
    std::filesystem::create_directories(path.parent_path(), error);
  if (error)
    return fail(file_error("make", path.parent_path().string(), error.value()));
  return {};
}

Result<std::string> read_text(const std::string &path, uint64_t most) {
  TW_ASSIGN(const auto file, open_bytes(path, std::make_shared<OpenFiles>(O_RDONLY, 1)));
  if (file->size() > most)
    return fail(Code::resource_exhausted, "TW-901",
                fmt::format("{} has {} bytes, of such a file at most {} are read", path, file->size(), most));
  std::string text(file->size(), '\0');
  TW_TRY(file->read(0, text.data(), text.size()));
  return text;
}

Status write_text(const std::string &path, std::string_view text) {
  FileWriter file(path, std::make_shared<OpenFiles>(O_WRONLY | O_CREAT | O_TRUNC, 1));
  const iovec row{const_cast<char *>(text.data()), text.size()};
  TW_TRY(file.move(0, {&row, 1}));
  return file.sync();
}

Status FileWriter::move(uint64_t at, std::span<const iovec> rows) {
  TW_ASSIGN(const auto file, files_->get(path_));
  TW_TRY(move_all(at, rows, "write", path_, [&](const iovec *some, int count, off_t place) {
    return ::pwritev(file->number(), some, count, place);
  }));
  written_ += bytes_of(rows);
  return {};
}

Status FileWriter::sync() {
  TW_ASSIGN(const auto file, files_->get(path_));
  if (::fdatasync(file->number()) != 0)
    return fail(file_error("write", path_, errno));
  return {};
}

} // namespace tw::store
