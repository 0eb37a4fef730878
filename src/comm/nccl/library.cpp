// SPDX-License-Identifier: Apache-2.0
// Finds the plug-in, has it open NCCL, and turns what it says into errors.
#include "comm/nccl/library.hpp"

#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/dynlib.hpp"

namespace tw::comm::nccl {
namespace {

constexpr const char *kPlugin = "libtilewright_nccl.so";
constexpr const char *kLibrary = "libnccl.so.2";

Error problem(int result, const char *why) {
  const Code code = result == kRemoteError                                  ? Code::remote
                    : result == kInvalidArgument || result == kInvalidUsage ? Code::failed_precondition
                                                                            : Code::unavailable;
  return {code, "TW-650", fmt::format("NCCL: {}", why)};
}

Result<const tw_nccl_plugin *> find_plugin() {
  static std::mutex mutex;
  static auto &library = *new std::optional<DynLib>; // for good: what it opens cannot be unloaded
  const std::lock_guard lock(mutex);
  if (!library) {
    auto opened = DynLib::open_beside(kPlugin, "TW_PLUGINS");
    if (!opened)
      return fail(Error(Code::unavailable, "TW-651", "no plug-in for NCCL").note(opened.error().message()));
    library.emplace(std::move(*opened));
  }
  TW_ASSIGN(auto *get, library->get<const tw_nccl_plugin *(void)>(TW_NCCL_PLUGIN_SYMBOL));
  const tw_nccl_plugin *table = get();
  if (table->version != TW_NCCL_PLUGIN_VERSION)
    return fail(Code::unavailable, "TW-651",
                fmt::format("{} is of version {}, and this library wants version {}", library->name(),
                            table->version, TW_NCCL_PLUGIN_VERSION));
  return table;
}

std::string path_or_default(const std::string &path) {
  const char *given = std::getenv("TW_NCCL");
  return !path.empty() ? path : given != nullptr && *given != 0 ? given : kLibrary;
}

} // namespace

Link::~Link() {
  if (finished_)
    plugin_.release(comm_);
  else
    plugin_.abort(comm_);
}

Result<std::unique_ptr<Link>> Link::split(std::span<const int32_t> processes, int32_t rank) {
  char why[TW_NCCL_WHY] = {};
  tw_nccl_comm *made = nullptr;
  if (const int result =
          plugin_.split(comm_, processes.data(), static_cast<int32_t>(processes.size()), rank, &made, why))
    return fail(problem(result, why));
  return made == nullptr ? nullptr : std::make_unique<Link>(plugin_, made);
}

Result<bool> Link::is_ready() {
  char why[TW_NCCL_WHY] = {};
  int ready = 0;
  if (const int result = plugin_.is_ready(comm_, &ready, why))
    return fail(problem(result, why));
  finished_ = finishes_ && ready != 0;
  return ready != 0;
}

Status Link::launch(std::span<const Op> ops, void *stream) {
  char why[TW_NCCL_WHY] = {};
  if (const int result = plugin_.launch(comm_, ops.data(), ops.size(), stream, why))
    return fail(problem(result, why));
  return {};
}

Status Link::finish() {
  char why[TW_NCCL_WHY] = {};
  if (const int result = plugin_.finish(comm_, why))
    return fail(problem(result, why));
  finishes_ = true;
  return {};
}

Result<std::shared_ptr<Library>> Library::open(const std::string &path) {
  static std::mutex mutex;
  static auto &open = *new std::map<std::string, std::shared_ptr<Library>>;
  TW_ASSIGN(const tw_nccl_plugin *plugin, find_plugin());
  const std::string file = path_or_default(path);
  const std::lock_guard lock(mutex);
  if (const auto known = open.find(file); known != open.end())
    return known->second;
  char why[TW_NCCL_WHY] = {};
  tw_nccl_library *library = nullptr;
  int32_t version = 0;
  if (plugin->open(file.c_str(), &library, &version, why) != 0)
    return fail(Code::unavailable, "TW-652", fmt::format("NCCL: {}", why));
  std::shared_ptr<Library> made(new Library(*plugin, library, file, version));
  open.emplace(file, made);
  return made;
}

std::string Library::version() const {
  return fmt::format("{}.{}.{}", version_ / 10000, version_ / 100 % 100, version_ % 100);
}

Result<Id> Library::make_id() {
  char why[TW_NCCL_WHY] = {};
  Id id;
  if (const int result = plugin_.make_id(library_, id.data(), why))
    return fail(problem(result, why));
  return id;
}

Result<std::unique_ptr<Link>> Library::init(const Id &id, std::span<const int32_t> processes, int32_t rank) {
  char why[TW_NCCL_WHY] = {};
  tw_nccl_comm *made = nullptr;
  if (const int result = plugin_.init(library_, id.data(), processes.data(),
                                      static_cast<int32_t>(processes.size()), rank, &made, why))
    return fail(problem(result, why));
  return std::make_unique<Link>(plugin_, made);
}

std::string found() {
  const auto library = Library::open();
  if (library)
    return fmt::format("{} ({})", (*library)->version(), (*library)->path());
  const ErrorInfo &why = library.error().info();
  return "none: " + why.message + (why.notes.empty() ? "" : "; " + why.notes[0]);
}

} // namespace tw::comm::nccl
