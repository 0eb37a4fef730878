// SPDX-License-Identifier: Apache-2.0
// Finds kernels in a list of one's own, for devices that run others than the host does.
#pragma once

#include <memory>
#include <span>

#include "kernels/entry.hpp"

namespace tw::kernels {

std::span<const Entry> host_entries(); // of kernel_list.inc

// As the other `bind`, from `entries`; the host's own kernel of a custom call (`calls` may be null) comes
// first.
Result<std::unique_ptr<Kernel>> bind(const Request &request, const CustomCalls *calls,
                                     std::span<const Entry> entries);

} // namespace tw::kernels
