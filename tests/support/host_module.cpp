// SPDX-License-Identifier: Apache-2.0
// Writes a file into a folder of its own, calls the compiler that built the tests, and opens what comes out.
#include "support/host_module.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"
#include "ops/element.hpp"
#include "support/scalar_interpreter.hpp"

namespace tw {

namespace {

// As device_shim.hpp has it.
struct ShimFunction {
  const char *op, *result, *argument;
  int arguments;
  kernels::BlockFn block;
  ShimFunction *next;
};

graph::DType type_named(std::string_view name) {
  for (int t = 0; t < static_cast<int>(graph::DType::count_); ++t)
    if (const auto dtype = static_cast<graph::DType>(t); ops::kAll.has(dtype))
      if (kernels::generated::type_name(dtype) == name)
        return dtype;
  return graph::DType::invalid;
}

} // namespace

HostModule HostModule::compile(std::span<const kernels::generated::Source> sources, bool device_math) {
  const char *root = std::getenv("TW_SOURCE_ROOT"), *compiler = std::getenv("TW_CXX");
  if (root == nullptr || compiler == nullptr)
    throw std::runtime_error("TW_SOURCE_ROOT and TW_CXX are not set");
  std::string folder = (std::filesystem::temp_directory_path() / "tw_generated_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    throw std::runtime_error(fmt::format("cannot make a folder {}", folder));
  const std::string source = folder + "/source.cpp", object = folder + "/module.so";
  std::vector<const kernels::generated::Source *> pointers;
  for (const auto &s : sources)
    pointers.push_back(&s);
  std::ofstream(source) << "#include \"" << root << "/tests/support/device_shim.hpp\"\n"
                        << kernels::generated::file_of(pointers);
  const std::string command =
      fmt::format("{} -std=c++17 -O1 -w -fPIC -shared -ffp-contract=off {} -o {} {} > {}/log 2>&1", compiler,
                  device_math ? "-DTW_DEVICE_MATH" : "", object, source, folder);
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error(fmt::format("`{}` failed", command)); // its files stay
  auto library = DynLib::open(object);
  std::filesystem::remove_all(folder);
  if (!library)
    throw std::runtime_error(library.error().message());
  const auto functions = library->get<ShimFunction *()>("tw_shim_functions");
  for (ShimFunction *f = (*functions)(); f != nullptr; f = f->next)
    f->block = host_block(f->op, std::vector(static_cast<size_t>(f->arguments), type_named(f->argument)),
                          type_named(f->result));
  return HostModule(std::move(*library));
}

void HostModule::run(const kernels::generated::Source &source, std::span<const void *const> operands,
                     std::span<void *const> results, std::span<const int64_t> numbers) const {
  using Kind = kernels::generated::Word::Kind;
  std::vector<std::max_align_t> scratch(static_cast<size_t>(source.scratch_bytes) / sizeof(std::max_align_t) +
                                        1);
  for (const kernels::generated::Launch &launch : source.launches) {
    std::vector<uint64_t> words;
    for (const kernels::generated::Word &word : launch.words) {
      const int64_t number = word.kind != Kind::number     ? 0
                             : word.index < numbers.size() ? numbers[word.index]
                                                           : launch.numbers[word.index];
      words.push_back(word.kind == Kind::operand   ? std::bit_cast<uint64_t>(operands[word.index])
                      : word.kind == Kind::result  ? std::bit_cast<uint64_t>(results[word.index])
                      : word.kind == Kind::scratch ? std::bit_cast<uint64_t>(scratch.data())
                                                   : static_cast<uint64_t>(number));
    }
    words.resize(std::max<size_t>(words.size(), 1));
    const std::string entry = launch.entry + "_launch";
    const auto run = library_.get<void(const uint64_t *, unsigned, unsigned)>(entry.c_str());
    if (!run)
      throw std::runtime_error(run.error().message());
    (*run)(words.data(), static_cast<unsigned>(launch.blocks), static_cast<unsigned>(launch.threads));
  }
}

} // namespace tw
