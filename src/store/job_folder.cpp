// SPDX-License-Identifier: Apache-2.0
// Folders of unfinished work. What was written is trusted as long as the machine runs on: then the kernel has
// it, whatever happened to the process. After a restart of the machine the work begins anew.
#include "store/job_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

namespace tw::store {

namespace {

namespace fs = std::filesystem;

// Another one after each start of the machine; "" where that is not known.
std::string boot() {
  FILE *file = std::fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file == nullptr)
    return {};
  char text[64] = {};
  const size_t n = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  const std::string id(text, n);
  return id.substr(0, id.find('\n'));
}

Status sync_folder(const std::string &path) {
  const int number = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0)
    return fail(file_error("open", path, errno));
  const Descriptor folder(number);
  if (::fsync(number) != 0 && errno != EINVAL)
    return fail(file_error("write", path, errno));
  return {};
}

Status rename_file(const std::string &from, const std::string &to) {
  // Whoever came in between is not overwritten.
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
    return {};
  if (errno == EINVAL || errno == ENOSYS) // a file system that cannot say so
    if (!fs::exists(to) && ::rename(from.c_str(), to.c_str()) == 0)
      return {};
  return fail(file_error("make", to, errno));
}

std::string parent_of(const std::string &path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

} // namespace

Result<std::unique_ptr<JobFolder>> JobFolder::open(const std::string &dst, const std::string &job) {
  std::string name = dst;
  while (name.size() > 1 && name.ends_with('/'))
    name.pop_back();
  std::unique_ptr<JobFolder> folder(new JobFolder(std::move(name)));
  TW_TRY(folder->begin(job));
  return folder;
}

std::string JobFolder::files() const { return folder_ + "/files"; }

std::string JobFolder::path(const std::string &name) const {
  return fmt::format("{}/{}", files(), name.empty() ? fs::path(dst_).filename().string() : name);
}

Status JobFolder::begin(const std::string &job) {
  std::error_code error;
  const bool is_there = fs::exists(fs::symlink_status(dst_, error));
  const bool has_partial = fs::exists(folder_, error);
  const auto exists = [&] {
    return fail(Code::failed_precondition, "TW-904",
                fmt::format("{} is there already: remove it, or name another target", dst_));
  };
  if (is_there && !has_partial)
    return exists();
  if (!has_partial && ::mkdir(folder_.c_str(), 0777) != 0)
    return fail(file_error("make", folder_, errno));
  const std::string journal = folder_ + "/job";
  const int number = ::open(journal.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (number < 0)
    return fail(file_error("write", journal, errno));
  lock_ = std::make_shared<const Descriptor>(number);
  if (::flock(number, LOCK_EX | LOCK_NB) != 0)
    return fail(Code::failed_precondition, "TW-904",
                fmt::format("{}: another process is at work there", folder_));
  TW_ASSIGN(const std::string before, read_text(journal, 4096));
  const std::string first = fmt::format("tilewright reshard 1\n{}\n", job), now = first + boot() + "\n";
  if (before.empty()) { // new, or it ended before this line was written
    if (is_there)
      return exists();
  } else if (!before.starts_with(first)) {
    return fail(Code::failed_precondition, "TW-904",
                fmt::format("{} holds another job: the source has changed since, or the layout is another "
                            "one; remove it to begin anew",
                            folder_));
  }
  if (is_there) {
    if (fs::exists(files(), error))
      return exists();
    done_ = true;
    return remove();
  }
  if (before != now) {
    TW_TRY(forget());
    const iovec row{const_cast<char *>(now.data()), now.size()};
    if (::ftruncate(number, 0) != 0 || ::pwritev(number, &row, 1, 0) != static_cast<ssize_t>(now.size()))
      return fail(file_error("write", journal, errno));
  }
  if (::mkdir(files().c_str(), 0777) != 0 && errno != EEXIST)
    return fail(file_error("make", files(), errno));
  return {};
}

uint64_t JobFolder::written(const std::string &name) const {
  struct stat about {};
  return ::stat(path(name).c_str(), &about) == 0 ? static_cast<uint64_t>(about.st_size) : 0;
}

Status JobFolder::forget() {
  std::error_code error;
  fs::remove_all(files(), error);
  if (error)
    return fail(file_error("remove", files(), error.value()));
  if (::mkdir(files().c_str(), 0777) != 0)
    return fail(file_error("make", files(), errno));
  return {};
}

Status JobFolder::finish(bool is_file) {
  if (!is_file) {
    TW_TRY(sync_folder(files()));
    std::error_code error;
    for (fs::recursive_directory_iterator at(files(), error), end; !error && at != end; at.increment(error))
      if (at->is_directory())
        TW_TRY(sync_folder(at->path().string()));
  }
  TW_TRY(rename_file(is_file ? path({}) : files(), dst_));
  TW_TRY(sync_folder(parent_of(dst_)));
  return remove();
}

Status JobFolder::remove() {
  std::error_code error;
  fs::remove_all(folder_, error);
  if (error)
    return fail(file_error("remove", folder_, error.value()));
  return {};
}

} // namespace tw::store
