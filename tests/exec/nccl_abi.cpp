// SPDX-License-Identifier: Apache-2.0
// Our declarations of NCCL beside those of nccl.h, and the library that belongs to it: it opens, says its
// version, and makes a communicator of one process, or says why there is no GPU for it.
//   exec_nccl_abi LIBRARY
#include <cstddef>
#include <thread>
#include <type_traits>

#include <fmt/format.h>
#include <nccl.h>

#include "comm/nccl/library.hpp"
#include "comm/remote/processes.hpp"

using namespace tw;
namespace ours = comm::nccl;

namespace {

// Of two functions that take their arguments in the same way: enums are ints, handles are pointers.
template <class Theirs, class Ours>
constexpr bool is_passed_alike = sizeof(Theirs) == sizeof(Ours) &&
                                 (std::is_enum_v<Theirs>
                                      ? std::is_same_v<Ours, int>
                                      : std::is_pointer_v<Theirs> == std::is_pointer_v<Ours>);
template <class Theirs, class Ours> constexpr bool is_alike = false;
template <class R, class... A, class Q, class... B>
constexpr bool is_alike<R(A...), Q (*)(B...)> = sizeof...(A) == sizeof...(B) && is_passed_alike<R, Q> &&
                                                (is_passed_alike<A, B> && ...);

#define TW_NCCL_FUNCTION(name, result, arguments)                                                            \
  static_assert(is_alike<decltype(nccl##name), decltype(ours::Functions::name)>, "nccl" #name);
TW_NCCL_FUNCTIONS
#undef TW_NCCL_FUNCTION

#define SAME(theirs, mine) static_assert(static_cast<int>(theirs) == static_cast<int>(ours::mine), #theirs)
SAME(ncclSuccess, kSuccess);
SAME(ncclUnhandledCudaError, kUnhandledCudaError);
SAME(ncclSystemError, kSystemError);
SAME(ncclInternalError, kInternalError);
SAME(ncclInvalidArgument, kInvalidArgument);
SAME(ncclInvalidUsage, kInvalidUsage);
SAME(ncclRemoteError, kRemoteError);
SAME(ncclInProgress, kInProgress);
SAME(ncclInt8, kInt8);
SAME(ncclUint8, kUint8);
SAME(ncclInt32, kInt32);
SAME(ncclUint32, kUint32);
SAME(ncclInt64, kInt64);
SAME(ncclUint64, kUint64);
SAME(ncclFloat16, kFloat16);
SAME(ncclFloat32, kFloat32);
SAME(ncclFloat64, kFloat64);
SAME(ncclBfloat16, kBfloat16);
SAME(ncclSum, kSum);
SAME(ncclProd, kProd);
SAME(ncclMax, kMax);
SAME(ncclMin, kMin);
SAME(NCCL_SPLIT_NOCOLOR, kSplitNoColor);
static_assert(sizeof(ncclUniqueId) == sizeof(ours::UniqueId));
static_assert(sizeof(ours::Config) <= sizeof(ncclConfig_t));
#define SAME_PLACE(theirs, mine)                                                                             \
  static_assert(offsetof(ncclConfig_t, theirs) == offsetof(ours::Config, mine), #theirs)
SAME_PLACE(size, size);
SAME_PLACE(magic, magic);
SAME_PLACE(version, version);
SAME_PLACE(blocking, blocking);
SAME_PLACE(cgaClusterSize, cga_cluster_size);
SAME_PLACE(minCTAs, min_ctas);
SAME_PLACE(maxCTAs, max_ctas);
SAME_PLACE(netName, net_name);
SAME_PLACE(splitShare, split_share);

// Makes and ends a communicator of this process alone.
Status alone(ours::Library &library) {
  TW_ASSIGN(const ours::Id id, library.make_id());
  const int32_t processes[] = {0};
  TW_ASSIGN(const auto link, library.init(id, processes, 0));
  const auto wait = [&]() -> Status {
    for (const auto begin = comm::Clock::now(); comm::Clock::now() - begin < std::chrono::seconds(60);) {
      TW_ASSIGN(const bool ready, link->is_ready());
      if (ready)
        return {};
      std::this_thread::yield();
    }
    return fail(Code::deadline_exceeded, "TW-641", "NCCL does not come to an end");
  };
  TW_TRY(wait());
  TW_TRY(link->finish());
  return wait();
}

} // namespace

int main(int argc, char **argv) {
  const ncclConfig_t theirs = NCCL_CONFIG_INITIALIZER;
  const ours::Config config;
  const auto library = ours::Library::open(argc > 1 ? argv[1] : "");
  if (!library) {
    fmt::print(stderr, "FAILED: {}\n", library.error().message());
    return 1;
  }
  const std::string version = fmt::format("{}.{}.{}", NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH);
  if (theirs.magic != config.magic || (*library)->version() != version) {
    fmt::print(stderr, "FAILED: nccl.h is of {}, and the library of {}\n", version, (*library)->version());
    return 1;
  }
  const Status made = alone(**library);
  const std::string said = made ? "made a communicator of one process" : made.error().message();
  const bool clean = made || (said.find("NCCL: nccl") == 0 && made.error().code() == Code::unavailable);
  fmt::print("{}: NCCL {}: {}\n", clean ? "ok" : "FAILED", version, said);
  return clean ? 0 : 1;
}
