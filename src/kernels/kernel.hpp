// SPDX-License-Identifier: Apache-2.0
// Kernels: what a device runs on its tiles. A kernel is bound once, to one op with known local extents, and
// run many times without allocating. The lists (kernel_list.inc) are ordered: the first kernel that accepts a
// request wins, the reference kernel is the last.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "ops/op_def.hpp"

namespace tw::kernels {

// The local part of one operand or result: dense row-major storage.
struct Tile {
  graph::DType dtype = graph::DType::invalid;
  std::vector<int64_t> global, offset, extent;
  int64_t elements() const;
  int64_t bytes() const { return elements() * static_cast<int64_t>(graph::byte_size(dtype)); }
};

struct Request {
  ops::OpView op; // global types, attributes, regions; valid while binding, kernels copy what they need
  const ops::OpDef &def;
  std::span<const Tile> operands, results;
  bool use_init = true; // see KernelArgs
  // Operand 1 never changes, and nobody else reads it: a kernel may want it in an order of its own.
  bool may_pack = false;
  // Fewer devices than cores: a run in more parts is worth some work more. Changes no bits; processes may
  // differ in it.
  bool idle_cores = false;
  int32_t unit = 0;       // of the device's kind: what runs it, where that may be several
  bool is_static = false; // it runs once, when the executable is made
  // On devices that are not the host: products of f32 may round factors to TF32; functions have the host's
  // bits, or the host computes them.
  bool tf32 = false, same_bits = false;
};

// Where the next buffer in a kernel's scratch memory begins.
inline int64_t aligned(int64_t bytes) { return (bytes + 63) / 64 * 64; }

// A bound kernel; the graph of its request outlives it. Immutable, so many workers may run it at once with
// different buffers.
class Kernel {
public:
  virtual ~Kernel() = default;
  virtual const char *name() const = 0; // "onednn:matmul brg:avx512_core", "cpu:copy", "ref"
  // Whether an element of a result has the same bits however the dimensions that are kept (not summed or
  // reduced) are tiled.
  virtual bool split_invariant() const { return true; }
  // Independent parts into which a run may be cut; fixed by the request, never by the number of workers, so
  // results have the same bits.
  virtual int64_t parts() const { return 1; }
  virtual int64_t scratch_bytes() const { return 0; } // of one part, 64-byte aligned
  // What parts of an earlier stage make for all parts of the run, in memory that those share: a packed
  // matrix, partial sums. All of them are over before run() is called, which finds that memory, 64-byte
  // aligned, behind its operands.
  virtual int64_t prepare_parts() const { return 0; }
  virtual int64_t shared_bytes() const { return 0; }
  virtual Status prepare(int64_t /*part*/, std::span<const void *const> /*operands*/,
                         void * /*shared*/) const {
    return {};
  }
  // Whether it reads operand 1 as `pack` leaves it: as many bytes in an order that depends on that tile
  // alone.
  virtual bool packs() const { return false; }
  virtual void pack(const void * /*operand*/, void * /*packed*/) const {}
  // Runs part `part`. Pointers in the order of the request. Never throws, never allocates.
  virtual Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
                     void *scratch) const = 0;
};

// Runs a kernel from beginning to end in the calling thread. The last of `operands` is no operand, but
// shared_bytes() of memory.
Status run_serially(const Kernel &kernel, std::span<const void *const> operands,
                    std::span<void *const> results, void *scratch);

// Null: this kernel does not take the request.
using Factory = std::unique_ptr<Kernel> (*)(const Request &);

// Makes what the backends keep for each thread that runs kernels, so that no run pays for it.
void prepare_thread();

class CustomCalls;

// The first kernel of the list that accepts, or the host's (`calls` may be null); an error naming the op
// where there is none (a custom_call that nobody knows).
Result<std::unique_ptr<Kernel>> bind(const Request &request, const CustomCalls *calls = nullptr);
bool has_kernel(const ops::OpDef &def);                       // whether one of the list may take it
std::vector<const char *> kernels_for(const ops::OpDef &def); // names, for `tw ops`

} // namespace tw::kernels
