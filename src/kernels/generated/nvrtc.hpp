// SPDX-License-Identifier: Apache-2.0
// NVIDIA's run-time compiler, opened where it is found: a toolkit's library, or the one of the PyPI wheel
// nvidia-cuda-nvrtc-cu12. It needs no GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/dynlib.hpp"

namespace tw::kernels::generated {

class Nvrtc {
public:
  // TW_NVRTC names the library or the folder that holds it; else the loader finds it. An error says what was
  // tried.
  static Result<Nvrtc> open();

  const std::string &name() const { return library_.name(); }
  std::string version() const { return version_; } // "12.9"

  // A device binary for an architecture such as "sm_90". Multiplications and additions stay what they are
  // (options() has --fmad=false). An error has the compiler's messages.
  Result<std::string> compile(const std::string &file, const std::string &architecture) const;
  static std::vector<std::string> options();

private:
  explicit Nvrtc(DynLib library) : library_(std::move(library)) {}
  DynLib library_;
  std::string version_;
};

} // namespace tw::kernels::generated
