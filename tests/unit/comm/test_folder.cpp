// SPDX-License-Identifier: Apache-2.0
// Processes that talk through a folder agree, share, meet and hear of failures; here each is a thread.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <stdlib.h>

#include "comm/remote/processes.hpp"
#include "support/folder_transport.hpp"

namespace tw::test_folder {

using comm::Processes;

namespace {

struct Folder {
  std::string path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tw_folder_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  int64_t files() const {
    return std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
  }
};

std::vector<std::string> each(const Folder &folder, int64_t size, std::chrono::nanoseconds deadline,
                              const std::function<Status(Processes &, int64_t)> &body) {
  std::vector<std::string> said(static_cast<size_t>(size));
  std::vector<std::thread> threads;
  for (int64_t p = 0; p < size; ++p)
    threads.emplace_back([&, p] {
      auto transport = tw::test::open_folder(folder.path, p, size, deadline);
      Status status;
      if (transport) {
        Processes processes(std::move(*transport), deadline);
        status = body(processes, p);
      } else {
        status = fail(std::move(transport.error()));
      }
      if (!status)
        said[static_cast<size_t>(p)] = std::string(status.error().info().id) + " " + status.error().message();
    });
  for (std::thread &t : threads)
    t.join();
  return said;
}

constexpr auto kLong = std::chrono::seconds(20);

} // namespace

TEST_CASE(
    "processes in a folder agree, share a value and meet again and again, and leave no messages there") {
  const Folder folder;
  std::array<int64_t, 4> value{};
  const auto said = each(folder, 4, kLong, [&](Processes &processes, int64_t rank) -> Status {
    const comm::Fact facts[] = {{"the seed", "7"}};
    TW_TRY(processes.agree(facts));
    value[static_cast<size_t>(rank)] = rank * 11;
    TW_TRY(processes.share(2, std::as_writable_bytes(std::span(&value[static_cast<size_t>(rank)], 1))));
    comm::Rendezvous rendezvous;
    TW_TRY(rendezvous.prepare(processes));
    for (int i = 0; i < 10; ++i)
      TW_TRY(rendezvous.barrier());
    return {};
  });
  for (const std::string &text : said)
    CHECK(text == "");
  CHECK(value == std::array<int64_t, 4>{22, 22, 22, 22});
  CHECK(folder.files() == 4); // that they were here
}

TEST_CASE("strided messages come through a folder") {
  const Folder folder;
  std::array<int32_t, 24> from{}, to{};
  std::iota(from.begin(), from.end(), 0);
  const auto said = each(folder, 2, kLong, [&](Processes &processes, int64_t rank) -> Status {
    TW_ASSIGN(const int32_t tag, processes.take_tags(1));
    auto &array = rank == 0 ? from : to;
    const comm::Message message[] = {
        {1 - rank, tag, rank == 0, reinterpret_cast<std::byte *>(array.data()), 8, {{2, 48}, {3, 16}}}};
    TW_ASSIGN(auto exchange, processes.prepare(message));
    TW_TRY(exchange.start());
    for (bool done = false; !done; std::this_thread::yield()) {
      TW_ASSIGN(done, exchange.done());
    }
    return {};
  });
  CHECK(said[0] + said[1] == "");
  for (size_t i = 0; i < to.size(); ++i)
    CHECK(to[i] == (i % 4 < 2 ? static_cast<int32_t>(i) : 0));
}

TEST_CASE("a failure is told to all in the folder") {
  const Folder folder;
  const auto said = each(folder, 3, kLong, [](Processes &processes, int64_t rank) -> Status {
    if (rank == 0) {
      processes.abort(Error(Code::not_found, "TW-646", "no such file"));
      return {};
    }
    int64_t value = 0;
    return processes.share(0, std::as_writable_bytes(std::span(&value, 1)));
  });
  CHECK(said[1] == "TW-640 process 0 failed (TW-646): no such file");
  CHECK(said[2] == said[1]);
}

TEST_CASE("a process that never comes, a folder used before and a wrong rank are refused") {
  const Folder folder;
  const auto late = tw::test::open_folder(folder.path, 0, 2, std::chrono::milliseconds(20));
  REQUIRE(!late);
  CHECK(late.error().message() == "process 1 did not come to " + folder.path + " in 0.02 s");
  const auto again = tw::test::open_folder(folder.path, 0, 2, std::chrono::milliseconds(20));
  REQUIRE(!again);
  CHECK(again.error().message().find("name a new folder") != std::string::npos);
  const auto wrong = tw::test::open_folder(folder.path, 2, 2, std::chrono::milliseconds(20));
  REQUIRE(!wrong);
  CHECK(wrong.error().message() == "process 2 of 2 cannot be: processes count from 0 to 1");
  const auto nowhere = tw::test::open_folder("/proc/none", 0, 1, std::chrono::milliseconds(20));
  REQUIRE(!nowhere);
  CHECK(std::string(nowhere.error().info().id) == "TW-643");
}

} // namespace tw::test_folder
