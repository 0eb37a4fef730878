// SPDX-License-Identifier: Apache-2.0
// A text is called by its hash. Which file it is in follows from that name and the number of files, so a
// program that changes a little finds most of its files on disk.
#include "device/cuda/compiler.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/log.hpp"

namespace tw::device::cuda {
namespace {

using kernels::generated::BinaryCache;
using kernels::generated::Nvrtc;
using kernels::generated::Source;

constexpr size_t kTextsOfFile = 8, kMostFiles = 16; // more texts make files longer, not more

// Where binaries are kept: TW_KERNEL_CACHE, where it is set (empty: memory alone), else the user's folder.
std::string cache_folder() {
  if (const char *own = std::getenv("TW_KERNEL_CACHE"))
    return own;
  if (const char *caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr && *caches == '/')
    return std::string(caches) + "/tilewright";
  if (const char *home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string(home) + "/.cache/tilewright";
  return "";
}

std::string name_of(const Source &source) {
  std::string all = source.text;
  for (const std::string &function : source.functions)
    all += '\0' + function;
  return fmt::format("k{:016x}{:016x}", hash_bytes(all.data(), all.size(), 1),
                     hash_bytes(all.data(), all.size(), 2));
}

void rename(std::string &text, std::string_view name) {
  const std::string_view old = kEntry;
  for (size_t at = text.find(old); at != text.npos; at = text.find(old, at + name.size()))
    text.replace(at, old.size(), name);
}

bool is_refusal(const Error &error) {
  return error.info().code != Code::device_lost && error.info().code != Code::resource_exhausted;
}

} // namespace

Module::~Module() {
  for (const Loaded &l : loaded_)
    l.gpu->table().unload(l.code);
}

Result<tw_cuda_code *> Module::load(const std::shared_ptr<Gpu> &gpu) {
  const std::lock_guard lock(mutex_);
  for (const Loaded &l : loaded_)
    if (l.gpu == gpu)
      return l.code;
  char why[TW_CUDA_WHY] = "";
  tw_cuda_code *code = nullptr;
  if (const auto result = gpu->table().load(gpu->handle(), image_->data(), &code, why); result != TW_CUDA_OK)
    return fail(gpu->problem(result, why));
  loaded_.push_back({gpu, code});
  return code;
}

Compiler &Compiler::get() {
  static auto &compiler = *new Compiler;
  return compiler;
}

Compiler::Compiler() {
  auto found = Nvrtc::open();
  if (!found) {
    missing_ = std::move(found.error());
    Log().print(LogLevel::warning, "cuda", "kernels run on the host: {}", missing_->message());
    return;
  }
  nvrtc_.emplace(std::move(*found));
  std::vector<std::string> compiler = Nvrtc::options();
  compiler.push_back("NVRTC " + nvrtc_->version());
  binaries_ = std::make_unique<BinaryCache>(cache_folder(), std::move(compiler),
                                            [this](const std::string &file, const std::string &architecture) {
                                              return nvrtc_->compile(file, architecture);
                                            });
}

Result<std::shared_ptr<Text>> Compiler::text(Source &source) {
  if (missing_)
    return fail(missing_->info().code, "TW-001", missing_->message());
  std::string name = name_of(source);
  for (auto &launch : source.launches)
    rename(launch.entry, name);
  const std::lock_guard lock(mutex_);
  if (const auto refused = refused_.find(name); refused != refused_.end())
    return fail(Code::unimplemented, "TW-261", refused->second);
  std::weak_ptr<Text> &known = texts_[name];
  if (auto same = known.lock())
    return same;
  Source own{std::move(source.text), std::move(source.functions)};
  rename(own.text, name);
  auto made = std::make_shared<Text>(std::move(name), std::move(own));
  known = made;
  return made;
}

std::optional<std::string> Compiler::refusal(const Text &text) {
  const std::lock_guard lock(mutex_);
  const auto found = refused_.find(text.name());
  return found == refused_.end() ? std::nullopt : std::optional(found->second);
}

void Compiler::refuse(const Text &text, const Error &error) {
  Log().print(LogLevel::warning, "cuda", "a kernel runs on the host: {}", error.message());
  const std::lock_guard lock(mutex_);
  refused_.emplace(text.name(), error.message());
}

// Texts in use without a binary for an architecture, by name.
Compiler::Texts Compiler::waiting(const std::string &architecture) {
  std::map<std::string, std::shared_ptr<Text>> found;
  const std::lock_guard lock(mutex_);
  for (auto at = texts_.begin(); at != texts_.end();) {
    const auto text = at->second.lock();
    if (text != nullptr && !text->modules_.contains(architecture) && !refused_.contains(at->first))
      found.emplace(at->first, text);
    at = text == nullptr ? texts_.erase(at) : std::next(at);
  }
  Texts all;
  for (auto &[name, text] : found)
    all.push_back(std::move(text));
  return all;
}

void Compiler::compile(std::span<const std::shared_ptr<Gpu>> gpus) {
  if (missing_)
    return;
  const std::lock_guard lock(compiling_);
  std::map<std::string, std::vector<std::shared_ptr<Gpu>>> alike;
  for (const auto &gpu : gpus)
    alike[gpu->architecture()].push_back(gpu);
  for (const auto &[architecture, some] : alike)
    compile_for(architecture, some);
}

void Compiler::compile_for(const std::string &architecture, std::span<const std::shared_ptr<Gpu>> gpus) {
  const Texts texts = waiting(architecture);
  const size_t cores = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMostFiles);
  std::vector<Texts> files(
      std::clamp<size_t>((texts.size() + kTextsOfFile - 1) / kTextsOfFile, 1, kMostFiles));
  for (const auto &text : texts) {
    const std::string &name = text->name();
    files[hash_bytes(name.data(), name.size()) % files.size()].push_back(text);
  }
  std::erase_if(files, [](const Texts &file) { return file.empty(); });
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < files.size(); i = next++)
      compile_file(files[i], architecture, gpus);
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(cores, files.size()); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
}

// Where a file is refused, each of its texts is tried by itself.
void Compiler::compile_file(const Texts &texts, const std::string &architecture,
                            std::span<const std::shared_ptr<Gpu>> gpus) {
  const Status done = try_file(texts, architecture, gpus);
  if (done || !is_refusal(done.error()))
    return; // what is lost or full now says so again when it runs
  if (texts.size() == 1)
    return refuse(*texts[0], done.error());
  for (const auto &text : texts)
    if (const Status alone = try_file({text}, architecture, gpus); !alone && is_refusal(alone.error()))
      refuse(*text, alone.error());
}

Status Compiler::try_file(const Texts &texts, const std::string &architecture,
                          std::span<const std::shared_ptr<Gpu>> gpus) {
  std::vector<const Source *> sources;
  for (const auto &text : texts)
    sources.push_back(&text->source_);
  TW_ASSIGN(auto image, binaries_->binary(kernels::generated::file_of(sources), architecture));
  auto made = std::make_shared<Module>(std::move(image));
  for (const auto &gpu : gpus)
    TW_TRY(made->load(gpu));
  const std::lock_guard lock(mutex_);
  for (const auto &text : texts)
    text->modules_.emplace(architecture, made);
  return {};
}

Result<std::shared_ptr<Module>> Compiler::module(const Text &text, const std::string &architecture) {
  const std::lock_guard lock(mutex_);
  const auto found = text.modules_.find(architecture);
  if (found != text.modules_.end())
    return found->second;
  const auto refused = refused_.find(text.name());
  return fail(Code::internal, "TW-261",
              refused != refused_.end() ? refused->second : "a kernel was not compiled");
}

Result<void *> Compiler::function(const std::shared_ptr<Text> &text, const std::shared_ptr<Gpu> &gpu,
                                  const std::string &entry) {
  if (!module(*text, gpu->architecture()))
    compile({&gpu, 1});
  TW_ASSIGN(const auto made, module(*text, gpu->architecture()));
  TW_ASSIGN(tw_cuda_code *const loaded, made->load(gpu));
  char why[TW_CUDA_WHY] = "";
  void *function = nullptr;
  if (const auto result = gpu->table().find(loaded, entry.c_str(), &function, why); result != TW_CUDA_OK)
    return fail(gpu->problem(result, why));
  return function;
}

} // namespace tw::device::cuda
