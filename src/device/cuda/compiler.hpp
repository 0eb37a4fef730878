// SPDX-License-Identifier: Apache-2.0
// Generated source becomes code of GPUs. Texts are collected while kernels are bound, compiled as a few files
// in several threads, and loaded on each GPU that runs them. Equal texts are compiled once in a process, and
// equal files once by all processes that share a folder.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/cuda/cuda.hpp"
#include "kernels/generated/binary_cache.hpp"
#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/source.hpp"

namespace tw::device::cuda {

// What kernels are called in the text of a source, or begin with, until the text has a name of its own.
inline constexpr const char *kEntry = "tw_step";

// A binary, and the GPUs on which it is loaded.
class Module {
public:
  explicit Module(std::shared_ptr<const std::string> image) : image_(std::move(image)) {}
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;
  ~Module();
  Result<tw_cuda_code *> load(const std::shared_ptr<Gpu> &gpu);

private:
  struct Loaded {
    std::shared_ptr<Gpu> gpu;
    tw_cuda_code *code;
  };
  std::shared_ptr<const std::string> image_;
  std::mutex mutex_;
  std::vector<Loaded> loaded_;
};

// A text of kernels. How they are launched is their users' own: several may have one text.
class Text {
public:
  Text(std::string name, kernels::generated::Source source)
      : name_(std::move(name)), source_(std::move(source)) {}
  const std::string &name() const { return name_; }

private:
  friend class Compiler;
  std::string name_;
  kernels::generated::Source source_;                      // without launches
  std::map<std::string, std::shared_ptr<Module>> modules_; // by architecture
};

class Compiler {
public:
  static Compiler &get();

  // Why nothing can be compiled, if that is so: there is no NVRTC.
  const std::optional<Error> &missing() const { return missing_; }
  // The text of a source whose kernels are called kEntry, or begin so; its launches then have the names that
  // these have in the text. Nothing is compiled yet. An error: there is no compiler, or it refused this text
  // before.
  Result<std::shared_ptr<Text>> text(kernels::generated::Source &source);
  // Compiles all texts that wait for that, and loads them on these GPUs. What is refused is known from then
  // on, and logged.
  void compile(std::span<const std::shared_ptr<Gpu>> gpus);
  // A kernel of a text on a GPU, compiled and loaded now where that was not done before.
  Result<void *> function(const std::shared_ptr<Text> &text, const std::shared_ptr<Gpu> &gpu,
                          const std::string &entry);
  // The reason of a refusal; null: it may run.
  std::optional<std::string> refusal(const Text &text);

private:
  using Texts = std::vector<std::shared_ptr<Text>>;
  Compiler();
  Result<std::shared_ptr<Module>> module(const Text &text, const std::string &architecture);
  Texts waiting(const std::string &architecture);
  void compile_for(const std::string &architecture, std::span<const std::shared_ptr<Gpu>> gpus);
  void compile_file(const Texts &texts, const std::string &architecture,
                    std::span<const std::shared_ptr<Gpu>> gpus);
  Status try_file(const Texts &texts, const std::string &architecture,
                  std::span<const std::shared_ptr<Gpu>> gpus);
  void refuse(const Text &text, const Error &error);

  std::optional<Error> missing_;
  std::optional<kernels::generated::Nvrtc> nvrtc_;
  std::unique_ptr<kernels::generated::BinaryCache> binaries_;
  std::mutex compiling_; // one batch at a time, which uses several threads
  std::mutex mutex_;     // of the rest, and of the modules of texts
  std::unordered_map<std::string, std::weak_ptr<Text>> texts_; // by name
  std::unordered_map<std::string, std::string> refused_;       // by name: why
};

} // namespace tw::device::cuda
