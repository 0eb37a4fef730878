// SPDX-License-Identifier: Apache-2.0
// GPUs of several processes exchange over NCCL where all processes find it and each has a GPU of its own.
// All of them see what each has, so all come to the same.
#include "device/cuda/crossing.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "comm/nccl/cliques.hpp"
#include "comm/nccl/library.hpp"
#include "comm/nccl/nccl.hpp"
#include "device/cuda/gpus.hpp"
#include "device/cuda/nccl_device.hpp"

namespace tw::device::cuda {

namespace nccl = comm::nccl;

Result<Crossing> cross(const CrossingWish &wish) {
  comm::Processes &processes = *wish.processes;
  const auto none = [&](const char *id, std::string why) -> Result<Crossing> {
    if (wish.is_required)
      return fail(Code::unavailable, id, std::move(why));
    return Crossing{nullptr, nullptr, std::move(why)};
  };
  const auto library = nccl::Library::open();
  std::vector<double> lacks(static_cast<size_t>(processes.size()), 0);
  lacks[static_cast<size_t>(processes.rank())] = library ? 0 : 1;
  TW_TRY(processes.agree_on_largest(lacks));
  if (!library)
    return none("TW-654", nccl::found());
  if (const auto without = std::ranges::find(lacks, 1); without != lacks.end())
    return none("TW-654", fmt::format("process {} has no NCCL", without - lacks.begin()));

  TW_ASSIGN(auto gpu, find_gpu(wish.unit));
  TW_ASSIGN(std::string id, nccl_id(*gpu));
  if (Status apart = nccl::refuse_shared_devices(id, processes); !apart) {
    if (apart.error().code() != Code::failed_precondition)
      return fail(std::move(apart.error()));
    return none("TW-653", apart.error().message());
  }
  TW_ASSIGN(auto made, CudaQueue::make(std::move(gpu), nullptr));
  std::shared_ptr<CudaQueue> queue(static_cast<CudaQueue *>(made.release()));
  TW_ASSIGN(auto communicator, nccl::make_nccl(wish.processes, make_nccl_device(queue, std::move(id)),
                                               {{}, processes.deadline(), wish.fast_sums, true}));
  return Crossing{std::move(communicator), std::move(queue), "NCCL " + (*library)->version()};
}

} // namespace tw::device::cuda
