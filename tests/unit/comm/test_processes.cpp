// SPDX-License-Identifier: Apache-2.0
// What processes tell each other besides data; here each is a thread.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "comm/remote/processes.hpp"
#include "support/machine_pace.hpp"
#include "support/thread_transport.hpp"

namespace tw::test_processes {

using comm::Processes;
using tw::test::thread_processes;

namespace {

// What each of them comes to; "" is success.
template <class Body>
std::vector<std::string> each(const std::vector<std::shared_ptr<Processes>> &processes, Body &&body) {
  std::vector<std::string> said(processes.size());
  std::vector<std::thread> threads;
  for (size_t p = 0; p < processes.size(); ++p)
    threads.emplace_back([&, p] {
      const Status status = body(*processes[p], p);
      if (!status)
        said[p] = std::string(status.error().info().id) + " " + status.error().message();
    });
  for (std::thread &t : threads)
    t.join();
  return said;
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("processes that were told the same agree, and others all hear of the first difference") {
  const auto run = [](std::string last) {
    return each(thread_processes(3), [&](Processes &p, size_t rank) {
      const comm::Fact facts[] = {{"the seed", "7"}, {"the fills", rank == 2 ? last : "x=ones"}};
      return p.agree(facts);
    });
  };
  for (const std::string &said : run("x=ones"))
    CHECK(said == "");
  for (const std::string &said : run("x=zeros"))
    CHECK(said ==
          "TW-642 the processes do not run the same: the fills is \"x=zeros\" on process 2 and \"x=ones\" on "
          "process 0");
}

TEST_CASE("facts that are long and differ at their end differ") {
  const auto said = each(thread_processes(2), [&](Processes &p, size_t rank) {
    std::string fills(1000, 'x');
    fills.back() = rank == 0 ? 'a' : 'b';
    const comm::Fact facts[] = {{"the fills", fills}};
    return p.agree(facts);
  });
  CHECK(has(said[0], "TW-642"));
  CHECK(said[0] == said[1]);
}

TEST_CASE("one process's value comes to all, however late it is there") {
  std::array<int64_t, 4> value{};
  const auto deadline = std::chrono::milliseconds(50) * test::machine_pace();
  const auto said = each(thread_processes(4, deadline), [&](Processes &p, size_t rank) {
    value[rank] = static_cast<int64_t>(rank) * 11;
    if (rank == 2)
      std::this_thread::sleep_for(4 * deadline);
    return p.share(2, std::as_writable_bytes(std::span(&value[rank], 1)));
  });
  for (size_t p = 0; p < 4; ++p) {
    CHECK(said[p] == "");
    CHECK(value[p] == 22);
  }
  int64_t alone = 5;
  CHECK(thread_processes(1)[0]->share(0, std::as_writable_bytes(std::span(&alone, 1))));
  CHECK(alone == 5);
}

TEST_CASE("who gives up tells those that wait for its value") {
  const auto said = each(thread_processes(3), [&](Processes &p, size_t rank) -> Status {
    if (rank == 0) {
      p.abort(Error(Code::not_found, "TW-646", "no such file"));
      return {};
    }
    int64_t value = 0;
    return p.share(0, std::as_writable_bytes(std::span(&value, 1)));
  });
  CHECK(said[1] == "TW-640 process 0 failed (TW-646): no such file");
  CHECK(said[2] == said[1]);
}

// In a rendezvous processes wait for others that wait themselves.
TEST_CASE("of processes that wait for each other the one that stopped is named") {
  const auto deadline = std::chrono::milliseconds(100) * test::machine_pace();
  for (size_t stopped = 0; stopped < 5; ++stopped) {
    auto processes = thread_processes(5, deadline);
    const auto said = each(processes, [&](Processes &p, size_t rank) -> Status {
      comm::Rendezvous rendezvous;
      if (auto status = rendezvous.prepare(p); !status)
        return status;
      if (rank == stopped) {
        std::this_thread::sleep_for(3 * deadline);
        return {};
      }
      auto status = rendezvous.barrier();
      if (!status)
        p.abort(status.error());
      return status;
    });
    for (size_t p = 0; p < said.size(); ++p) {
      CAPTURE(said[p]);
      const std::string name = "process " + std::to_string(stopped);
      if (p != stopped)
        CHECK((has(said[p], "for " + name) || has(said[p], "it is " + name + " that does not answer")));
    }
  }
}

} // namespace tw::test_processes
