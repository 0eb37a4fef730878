// SPDX-License-Identifier: Apache-2.0
// Copies arrays between the host and devices, or between devices, by a queue.
#pragma once

#include "base/status.hpp"
#include "device/kind.hpp"
#include "device/queue.hpp"
#include "runtime/tensor.hpp"

namespace tw::runtime {

// Puts the copy into a queue of a unit that has one of the two arrays, or both. Types are equal. `between` is
// memory that the copy needs until it has run.
Status copy_array(device::Queue &queue, const TensorView &from, const TensorView &to,
                  device::Memory &between);
// The same between arrays of the host, at once.
void copy_on_host(const TensorView &from, const TensorView &to);

// Waits until an event is reached; and until a queue has run what it was given, with what failed there.
void wait_on_host(const device::Event &event);
Status finish(device::Queue &queue, const device::Where &where);
// What is known to have failed in a queue; it works again.
Status take_failure(device::Queue &queue);

} // namespace tw::runtime
