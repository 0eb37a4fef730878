// SPDX-License-Identifier: Apache-2.0
// A message is a file, which gets its name when it is whole. Its receiver reads and removes it.
#include "support/folder_transport.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tw::test {

using namespace tw::comm;
namespace {

constexpr auto kLookAgain = std::chrono::milliseconds(1);

Error folder_problem(const std::string &path, const char *what, const std::string &why) {
  return {Code::unavailable, "TW-643", fmt::format("cannot {} {}: {}", what, path, why)};
}

// What processes of one job share: their names for files, and how many messages went each way.
class Files {
public:
  Files(std::string folder, int64_t rank) : folder_(std::move(folder)), rank_(rank) {}

  std::string error_of(int64_t rank) const { return fmt::format("{}/error-{}", folder_, rank); }
  std::string presence_of(int64_t rank) const { return fmt::format("{}/here-{}", folder_, rank); }
  std::string next_message(int64_t from, int64_t to, int32_t tag) {
    return fmt::format("{}/{}-to-{}-tag-{}-{}", folder_, from, to, tag, counts_[{from, to, tag}]++);
  }

  Status write(const std::string &path, const std::vector<std::byte> &bytes) {
    const std::string unfinished = fmt::format("{}/unfinished-{}-{}", folder_, rank_, written_++);
    std::ofstream file(unfinished, std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()), std::ssize(bytes));
    file.close();
    if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0)
      return fail(folder_problem(path, "write", std::strerror(errno)));
    return {};
  }
  // False: it is not there yet.
  Result<bool> read(const std::string &path, std::vector<std::byte> &bytes) {
    std::error_code none;
    const auto size = std::filesystem::file_size(path, none);
    if (none)
      return false;
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char *>(bytes.data()), std::ssize(bytes));
    if (!file || size != bytes.size())
      return fail(folder_problem(path, "read",
                                 fmt::format("it has {} bytes, and {} are expected", size, bytes.size())));
    return true;
  }

private:
  const std::string folder_;
  const int64_t rank_;
  int64_t written_ = 0;
  std::map<std::tuple<int64_t, int64_t, int32_t>, int64_t> counts_; // from, to, tag
};

template <class Visit> void each_run(const Message &m, Visit &&visit) {
  std::vector<int64_t> at(m.loops.size(), 0);
  for (bool more = true; more;) {
    std::byte *run = m.data;
    for (size_t l = 0; l < at.size(); ++l)
      run += at[l] * m.loops[l].stride;
    visit(run);
    more = false;
    for (size_t l = at.size(); l-- > 0 && !more;) {
      more = ++at[l] < m.loops[l].n;
      at[l] = more ? at[l] : 0;
    }
  }
}

std::vector<std::byte> memory_for(const Message &m) {
  int64_t bytes = m.bytes;
  for (const Repeat &loop : m.loops)
    bytes *= loop.n;
  return std::vector<std::byte>(static_cast<size_t>(bytes));
}

class FolderBatch final : public Batch {
public:
  FolderBatch(std::shared_ptr<Files> files, int64_t rank, std::span<const Message> messages)
      : files_(std::move(files)), rank_(rank), messages_(messages.begin(), messages.end()),
        awaited_(messages.size()) {}

  Status start() override {
    for (size_t i = 0; i < messages_.size(); ++i) {
      const Message &m = messages_[i];
      if (!m.sends) {
        awaited_[i] = files_->next_message(m.peer, rank_, m.tag);
        continue;
      }
      std::vector<std::byte> bytes = memory_for(m);
      std::byte *to = bytes.data();
      each_run(m, [&](const std::byte *run) {
        std::memcpy(to, run, static_cast<size_t>(m.bytes));
        to += m.bytes;
      });
      TW_TRY(files_->write(files_->next_message(rank_, m.peer, m.tag), bytes));
    }
    return {};
  }
  Result<bool> test() override {
    for (size_t i = 0; i < messages_.size(); ++i) {
      if (awaited_[i].empty())
        continue;
      std::vector<std::byte> bytes = memory_for(messages_[i]);
      TW_ASSIGN(const bool came, files_->read(awaited_[i], bytes));
      if (!came)
        return false;
      const std::byte *from = bytes.data();
      each_run(messages_[i], [&](std::byte *run) {
        std::memcpy(run, from, static_cast<size_t>(messages_[i].bytes));
        from += messages_[i].bytes;
      });
      std::error_code ignored; // it is never read again
      std::filesystem::remove(awaited_[i], ignored);
      awaited_[i].clear();
    }
    return true;
  }
  int64_t missing() override {
    for (size_t i = 0; i < messages_.size(); ++i)
      if (!awaited_[i].empty())
        return messages_[i].peer;
    return -1;
  }
  bool give_up() override {
    for (std::string &path : awaited_)
      path.clear();
    return true;
  }

private:
  const std::shared_ptr<Files> files_;
  const int64_t rank_;
  const std::vector<Message> messages_;
  std::vector<std::string> awaited_; // by message: its file; empty: it is not under way
};

class FolderTransport final : public Transport {
public:
  FolderTransport(std::shared_ptr<Files> files, int64_t rank, int64_t size)
      : files_(std::move(files)), rank_(rank), size_(size) {}

  int64_t rank() const override { return rank_; }
  int64_t size() const override { return size_; }
  int32_t highest_tag() const override { return 1 << 30; }
  Result<std::unique_ptr<Batch>> prepare(std::span<const Message> messages) override {
    return std::make_unique<FolderBatch>(files_, rank_, messages);
  }
  // What cannot be written the others find out at their deadlines.
  void broadcast(const RemoteError &error) override {
    const auto *bytes = reinterpret_cast<const std::byte *>(&error);
    static_cast<void>(files_->write(files_->error_of(rank_), {bytes, bytes + sizeof error}));
  }
  bool poll_error(RemoteError &error) override {
    std::vector<std::byte> bytes(sizeof error);
    for (int64_t p = 0; p < size_; ++p) {
      const auto came = p == rank_ ? Result<bool>(false) : files_->read(files_->error_of(p), bytes);
      if (came && *came) {
        std::memcpy(&error, bytes.data(), sizeof error);
        return true;
      }
    }
    return false;
  }

private:
  const std::shared_ptr<Files> files_;
  const int64_t rank_, size_;
};

} // namespace

Result<std::unique_ptr<Transport>> open_folder(const std::string &folder, int64_t rank, int64_t size,
                                               std::chrono::nanoseconds deadline) {
  if (rank < 0 || rank >= size)
    return fail(
        Code::out_of_range, "TW-643",
        fmt::format("process {} of {} cannot be: processes count from 0 to {}", rank, size, size - 1));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return fail(folder_problem(folder, "make", error.message()));
  const auto files = std::make_shared<Files>(folder, rank);
  const int made = ::open(files->presence_of(rank).c_str(), O_CREAT | O_EXCL | O_WRONLY, 0666);
  if (made < 0)
    return fail(folder_problem(
        files->presence_of(rank), "make",
        errno == EEXIST ? "another job was here, or another process has this rank; name a new folder"
                        : std::strerror(errno)));
  ::close(made);
  for (const auto begin = std::chrono::steady_clock::now();;) {
    int64_t absent = -1;
    for (int64_t p = 0; p < size && absent < 0; ++p)
      if (access(files->presence_of(p).c_str(), F_OK) != 0)
        absent = p;
    if (absent < 0)
      return std::make_unique<FolderTransport>(files, rank, size);
    if (std::chrono::steady_clock::now() - begin > deadline)
      return fail(Code::deadline_exceeded, "TW-641",
                  fmt::format("process {} did not come to {} in {:.3g} s", absent, folder,
                              std::chrono::duration<double>(deadline).count()));
    std::this_thread::sleep_for(kLookAgain);
  }
}

} // namespace tw::test
