// SPDX-License-Identifier: Apache-2.0
// Finds the plug-in of an MPI library and puts its table behind the transport's interface. A plug-in stays
// open: MPI cannot be unloaded.
#include "comm/mpi/mpi.hpp"

#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/dynlib.hpp"
#include "comm/mpi/plugin.hpp"

namespace tw::comm {
namespace {

// What tells that a library is loaded, and that its launcher started this process.
struct Known {
  std::string_view name;
  std::array<const char *, 2> libraries;
  const char *variable;
};
constexpr Known kKnown[] = {{"openmpi", {"libmpi.so.40", "libmpi.so.80"}, "OMPI_COMM_WORLD_RANK"},
                            {"mpich", {"libmpich.so.12", "libmpi.so.12"}, "PMI_RANK"}};

Error problem(const char *why) { return Error(Code::unavailable, "TW-643", fmt::format("MPI: {}", why)); }

std::vector<std::string_view> candidates(std::string_view wanted) {
  if (!wanted.empty())
    return {wanted};
  std::vector<std::string_view> loaded, launched, all;
  for (const Known &known : kKnown) {
    for (const char *library : known.libraries)
      if (DynLib::is_loaded(library) && (loaded.empty() || loaded.back() != known.name))
        loaded.push_back(known.name);
    if (std::getenv(known.variable) != nullptr)
      launched.push_back(known.name);
    all.push_back(known.name);
  }
  return !loaded.empty() ? loaded : !launched.empty() ? launched : all;
}

Result<const tw_mpi_plugin *> open_plugin(std::string_view name) {
  static std::mutex mutex;
  static auto &open = *new std::vector<std::pair<std::string, DynLib>>;
  const std::lock_guard lock(mutex);
  const auto table_of = [](const DynLib &library) -> Result<const tw_mpi_plugin *> {
    TW_ASSIGN(auto *get, library.get<const tw_mpi_plugin *(void)>(TW_MPI_PLUGIN_SYMBOL));
    const tw_mpi_plugin *table = get();
    if (table->version != TW_MPI_PLUGIN_VERSION)
      return fail(Code::unavailable, "TW-644",
                  fmt::format("{} is of version {}, and this library wants version {}", library.name(),
                              table->version, TW_MPI_PLUGIN_VERSION));
    return table;
  };
  for (const auto &[known, library] : open)
    if (known == name)
      return table_of(library);
  TW_ASSIGN(DynLib library, DynLib::open_beside(fmt::format("libtilewright_{}.so", name), "TW_PLUGINS"));
  TW_ASSIGN(const tw_mpi_plugin *table, table_of(library));
  open.emplace_back(name, std::move(library));
  return table;
}

Result<const tw_mpi_plugin *> find_plugin(std::string_view wanted) {
  const auto names = candidates(wanted);
  Error error(Code::unavailable, "TW-644", fmt::format("no plug-in for MPI ({})", fmt::join(names, ", ")));
  for (const std::string_view name : names) {
    auto plugin = open_plugin(name);
    if (plugin)
      return plugin;
    error.info().notes.push_back(plugin.error().message());
  }
  return fail(std::move(error));
}

class MpiBatch final : public Batch {
public:
  MpiBatch(const tw_mpi_plugin &mpi, tw_mpi_batch *batch) : mpi_(mpi), batch_(batch) {}
  ~MpiBatch() override { mpi_.release(batch_); }

  Status start() override {
    if (mpi_.begin(batch_, why_) != 0)
      return fail(problem(why_));
    return {};
  }
  Result<bool> test() override {
    int done = 0;
    if (mpi_.test(batch_, &done, why_) != 0)
      return fail(problem(why_));
    return done != 0;
  }
  int64_t missing() override { return mpi_.missing(batch_); }
  bool give_up() override { return mpi_.give_up(batch_) == 0; }

private:
  const tw_mpi_plugin &mpi_;
  tw_mpi_batch *batch_;
  char why_[TW_MPI_WHY] = {};
};

class MpiTransport final : public Transport {
public:
  MpiTransport(const tw_mpi_plugin &mpi, tw_mpi_group *group) : mpi_(mpi), group_(group) {}
  ~MpiTransport() override { mpi_.close(group_, !alarmed_); }

  int64_t rank() const override { return mpi_.rank(group_); }
  int64_t size() const override { return mpi_.size(group_); }
  int32_t highest_tag() const override { return mpi_.highest_tag(group_); }
  Result<std::unique_ptr<Batch>> prepare(std::span<const Message> messages) override {
    std::vector<std::vector<tw_mpi_loop>> loops;
    std::vector<tw_mpi_message> given;
    for (const Message &m : messages) {
      auto &of_message = loops.emplace_back();
      for (const Repeat &loop : m.loops)
        of_message.push_back({loop.n, loop.stride});
      given.push_back({m.peer, m.tag, m.sends, m.data, m.bytes, of_message.data(), of_message.size()});
    }
    tw_mpi_batch *batch = nullptr;
    char why[TW_MPI_WHY] = {};
    if (mpi_.prepare(group_, given.data(), given.size(), &batch, why) != 0)
      return fail(problem(why));
    return std::make_unique<MpiBatch>(mpi_, batch);
  }
  void broadcast(const RemoteError &error) override {
    alarmed_ = true;
    mpi_.broadcast(group_, &error);
  }
  bool poll_error(RemoteError &error) override {
    const bool is = mpi_.poll_error(group_, &error) != 0;
    alarmed_ = alarmed_ || is;
    return is;
  }

private:
  const tw_mpi_plugin &mpi_;
  tw_mpi_group *group_;
  bool alarmed_ = false;
};

} // namespace

Status start_mpi(std::string_view library) {
  TW_ASSIGN(const tw_mpi_plugin *mpi, find_plugin(library));
  char why[TW_MPI_WHY] = {};
  if (mpi->start(why) != 0)
    return fail(problem(why));
  return {};
}

Status finish_mpi(std::string_view library) {
  TW_ASSIGN(const tw_mpi_plugin *mpi, find_plugin(library));
  char why[TW_MPI_WHY] = {};
  if (mpi->finish(why) != 0)
    return fail(problem(why));
  return {};
}

Result<std::unique_ptr<Transport>> open_mpi(const void *comm, std::string_view library,
                                            std::chrono::nanoseconds deadline) {
  TW_ASSIGN(const tw_mpi_plugin *mpi, find_plugin(library));
  tw_mpi_group *group = nullptr;
  char why[TW_MPI_WHY] = {};
  if (mpi->open(comm, sizeof(RemoteError), std::chrono::duration<double>(deadline).count(), &group, why) != 0)
    return fail(problem(why));
  return std::make_unique<MpiTransport>(*mpi, group);
}

} // namespace tw::comm
