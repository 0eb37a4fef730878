// SPDX-License-Identifier: Apache-2.0
// What is refused or told over NCCL: libraries that are none, two processes on one device, a process that
// does not come; and that the double notices calls which NCCL would answer with a hang.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <stdlib.h>

#include "comm/nccl/lane.hpp"
#include "comm/nccl/library.hpp"
#include "comm/nccl/nccl.hpp"
#include "support/folder_transport.hpp"
#include "support/machine_pace.hpp"
#include "support/nccl_device.hpp"
#include "support/nccl_double/control.hpp"
#include "support/thread_transport.hpp"

namespace tw::test_nccl_refusals {

namespace nccl = comm::nccl;
using nccl_double::control;
using test::make_thread_device;
using test::thread_processes;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

std::string said(const Error &error) { return std::string(error.info().id) + " " + error.message(); }

template <class Body>
std::vector<std::string> each(int64_t size, std::chrono::nanoseconds deadline, Body &&body) {
  const auto processes = thread_processes(size, deadline);
  std::vector<std::string> all(static_cast<size_t>(size));
  std::vector<std::thread> threads;
  for (size_t p = 0; p < all.size(); ++p)
    threads.emplace_back([&, p] {
      Status status = body(processes[p], p);
      if (!status) {
        all[p] = said(status.error());
        processes[p]->abort(status.error());
      }
    });
  for (std::thread &t : threads)
    t.join();
  return all;
}

// Two ranks launch what they are given, group after group, and look after each until the double has a report.
std::string reports_of(const std::array<std::vector<std::vector<nccl::Op>>, 2> &groups) {
  control().reset(5);
  auto library = nccl::Library::open();
  REQUIRE(library);
  const auto id = (*library)->make_id();
  REQUIRE(id);
  const std::array devices{make_thread_device("a", 1), make_thread_device("b", 2)};
  std::array<std::unique_ptr<nccl::Link>, 2> links;
  const int32_t processes[] = {0, 1};
  for (int32_t rank = 0; rank < 2; ++rank) {
    auto link = (*library)->init(*id, processes, rank);
    REQUIRE(link);
    links[static_cast<size_t>(rank)] = std::move(*link);
  }
  const auto is_ready = [&](size_t rank) {
    const auto ready = links[rank]->is_ready();
    return ready && *ready;
  };
  for (size_t rank = 0; rank < 2; ++rank)
    while (!is_ready(rank))
      std::this_thread::yield();
  for (size_t g = 0; g < std::max(groups[0].size(), groups[1].size()); ++g)
    for (size_t rank = 0; rank < 2; ++rank)
      if (g < groups[rank].size()) {
        static_cast<void>(links[rank]->launch(groups[rank][g], devices[rank]->stream()));
        while (!is_ready(rank) && control().reports().empty())
          std::this_thread::yield();
      }
  for (const auto end = comm::Clock::now() + std::chrono::seconds(5);
       control().reports().empty() && comm::Clock::now() < end;)
    std::this_thread::yield();
  links = {};
  return control().reports();
}

} // namespace

TEST_CASE("a file that is not there, or is not NCCL, is named, with what to do") {
  const auto missing = nccl::Library::open("/nowhere/libnccl.so.2");
  REQUIRE(!missing);
  CHECK(has(said(missing.error()), "TW-652 NCCL: cannot open /nowhere/libnccl.so.2"));
  CHECK(
      has(missing.error().message(), "Install NCCL (Python: nvidia-nccl-cu12), or name its file in TW_NCCL"));
  const auto other = nccl::Library::open("libm.so.6");
  REQUIRE(!other);
  CHECK(has(said(other.error()), "TW-652 NCCL: libm.so.6 has no nccl"));
}

TEST_CASE("a path may be given, and what was found is told") {
  const auto library = nccl::Library::open(std::getenv("TW_NCCL"));
  REQUIRE(library);
  CHECK((*library)->version() == "2.28.9");
  CHECK(nccl::found() == "2.28.9 (" + (*library)->path() + ")");
}

TEST_CASE("two processes on one device are refused by all") {
  control().reset(1);
  const auto all = each(3, std::chrono::seconds(5), [](auto processes, size_t p) -> Status {
    TW_ASSIGN(auto made, nccl::make_nccl(processes, make_thread_device(p == 1 ? "x" : "y", p), {}));
    return {};
  });
  // Who comes to it first may tell the others before they do so themselves.
  const auto itself = [](const std::string &text) { return has(text, "TW-653 processes 0 and 2"); };
  CHECK(std::ranges::any_of(all, itself));
  for (size_t p = 0; p < all.size(); ++p) {
    CHECK_MESSAGE(has(all[p], "processes 0 and 2 are on one device"), all[p]);
    CHECK((!itself(all[p]) || has(all[p], "(y)") == (p != 1)));
  }
  CHECK(control().live() == 0);
}

TEST_CASE("where there is no MPI the id goes through a folder") {
  control().reset(3);
  std::string folder = (std::filesystem::temp_directory_path() / "tw_nccl_XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  std::array<std::string, 3> all;
  std::vector<std::thread> threads;
  for (size_t p = 0; p < all.size(); ++p)
    threads.emplace_back([&, p] {
      const auto make = [&]() -> Status {
        TW_ASSIGN(auto transport,
                  tw::test::open_folder(folder, static_cast<int64_t>(p), 3, std::chrono::seconds(20)));
        const auto processes =
            std::make_shared<comm::Processes>(std::move(transport), std::chrono::seconds(20));
        TW_ASSIGN(const auto made, nccl::make_nccl(processes, make_thread_device(std::to_string(p), p), {}));
        TW_TRY(made->agree({}));
        return made->barrier();
      };
      if (const Status status = make(); !status)
        all[p] = said(status.error());
    });
  for (std::thread &t : threads)
    t.join();
  for (const std::string &text : all)
    CHECK(text == "");
  CHECK(control().live() == 0);
  std::filesystem::remove_all(folder);
}

TEST_CASE("who waits for a process that does not come names it") {
  control().reset(2);
  const auto deadline = std::chrono::milliseconds(200) * test::machine_pace();
  const auto all = each(3, deadline, [&](auto processes, size_t p) -> Status {
    nccl::Options options;
    options.deadline = deadline;
    TW_ASSIGN(auto made,
              nccl::make_nccl(processes, make_thread_device("device " + std::to_string(p), p), options));
    sharding::Mesh mesh = *sharding::Mesh::parse("a=3");
    const graph::TensorType type{graph::DType::f32, {6}};
    const sharding::Sharding tiled = *sharding::parse_sharding("[{a}]", mesh),
                             whole = *sharding::parse_sharding("[{}]", mesh);
    const comm::Transfer transfer{redistribute::Move(mesh, type, tiled, whole)};
    TW_ASSIGN(auto collective, made->prepare({&transfer, 1}));
    std::array<float, 6> tile{}, all_of_it{};
    std::array<const void *, 3> src{tile.data(), tile.data(), tile.data()};
    std::array<void *, 3> dst{all_of_it.data(), all_of_it.data(), all_of_it.data()};
    std::vector<std::byte> staging(static_cast<size_t>(collective->staging_bytes(0)) + 1);
    TW_TRY(collective->give_staging(0, staging.data()));
    if (p == 1) {
      std::this_thread::sleep_for(3 * deadline);
      return {};
    }
    collective->begin(0, src, dst);
    Status status = collective->send(0, 0);
    while (status) {
      const auto ready = collective->ready(0, 1);
      if (!ready)
        status = fail(Error(ready.error().code(), ready.error().info().id, ready.error().message()));
      std::this_thread::yield();
    }
    made->abort(status.error());
    CHECK(!collective->is_in_flight());
    return status;
  });
  CHECK(all[1] == "");
  CHECK((has(all[0], "it is process 1 that does not answer") ||
         has(all[2], "it is process 1 that does not answer")));
  for (const size_t p : {0, 2})
    CHECK((has(all[p], "TW-641") || has(all[p], "TW-640")));
  CHECK(control().reports() == "");
  CHECK(control().live() == 0);
}

TEST_CASE("the double finds calls that are not grouped, do not match, or come in different orders") {
  std::array<std::array<float, 4>, 4> memory{};
  const auto op = [&](int32_t kind, int32_t peer, int64_t count) {
    return nccl::Op{kind, peer, nccl::kFloat32, nccl::kSum, memory[0].data(), memory[1].data(), count};
  };
  const auto send = [&](int32_t peer, int64_t count) { return op(TW_NCCL_SEND, peer, count); };
  const auto receive = [&](int32_t peer, int64_t count) { return op(TW_NCCL_RECEIVE, peer, count); };
  CHECK(has(reports_of({{{{send(1, 4)}, {receive(1, 4)}}, {{send(0, 4)}, {receive(0, 4)}}}}), "deadlock"));
  CHECK(has(reports_of({{{{send(1, 4)}}, {{receive(0, 3)}}}}), "sizes differ"));
  CHECK(has(reports_of({{{{op(TW_NCCL_ALL_REDUCE, 0, 4)}}, {{op(TW_NCCL_ALL_GATHER, 0, 2)}}}}),
            "collectives differ"));
  CHECK(has(reports_of({{{{op(TW_NCCL_ALL_REDUCE, 0, 4)}, {send(1, 1)}},
                         {{receive(0, 1)}, {op(TW_NCCL_ALL_REDUCE, 0, 4)}}}}),
            "deadlock"));
  CHECK(control().live() == 0);
}

} // namespace tw::test_nccl_refusals
