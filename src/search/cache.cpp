// SPDX-License-Identifier: Apache-2.0
// A file is named after its key, and has a mark, the key, the words, and a hash of all that. It is written
// under another name first, so that other processes find all of it or nothing.
#include "search/cache.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "cost/collective.hpp"
#include "search/kept_words.hpp"

namespace tw::search {

using partition::Plan;
using Words = std::vector<uint64_t>;

namespace {

// Raised when a search finds other plans than before, or files have another form.
constexpr uint64_t kSolver = 2;
constexpr uint64_t kMark = 0x3148435241455354; // "TSEARCH1"
constexpr size_t kAround = 5;                  // words: the mark, the key, the hash
constexpr uintmax_t kMostBytes = uintmax_t{1} << 30;

WideHash hash_of(std::span<const uint64_t> words) {
  WideHasher hash;
  for (const uint64_t word : words)
    hash.add(word);
  return hash.value();
}

void add(WideHasher &hash, const system::Ladder &ladder) {
  hash.add(ladder.points.size());
  for (const auto &[from, value] : ladder.points)
    hash.add(from).add(value);
}

void add(WideHasher &hash, const std::map<std::string, system::Link> &links) {
  hash.add(links.size());
  for (const auto &[name, link] : links) {
    const auto &[topology, bytes_per_s, step_s, base_s] = link;
    hash.add(name).add(topology).add(bytes_per_s).add(step_s).add(base_s);
  }
}

// All of a system but where it was read; a field more does not compile.
void add(WideHasher &hash, const system::System &system) {
  const auto &[device, matmul, hbm, matmul_of, other, functions, by_min_dim, axes, levels, lines, overlaps,
               slowdown, chains, trip_count, file, text] = system;
  const auto &[name, flops, hbm_bytes, hbm_bytes_per_s, reserve_bytes, library_bytes, round_bytes, launch_s,
               at_once, shared_memory] = device;
  hash.add(name).add(flops.size());
  for (const auto &[type, figure] : flops)
    hash.add(type).add(figure);
  hash.add(hbm_bytes).add(hbm_bytes_per_s).add(reserve_bytes).add(library_bytes).add(round_bytes);
  hash.add(launch_s).add(at_once).add(shared_memory);
  add(hash, matmul);
  add(hash, hbm);
  hash.add(matmul_of.size());
  for (const auto &[type, ladder] : matmul_of) {
    hash.add(type);
    add(hash, ladder);
  }
  hash.add(other).add(functions).add(by_min_dim);
  add(hash, axes);
  add(hash, levels);
  hash.add(overlaps).add(slowdown).add(chains).add(trip_count);
}

void add(WideHasher &hash, const std::vector<std::string> &texts) {
  hash.add(texts.size());
  for (const std::string &text : texts)
    hash.add(text);
}

template <class T> void add(WideHasher &hash, const std::optional<T> &value) {
  hash.add(value.has_value()).add(value.value_or(T{}));
}

void add(WideHasher &hash, const spmd::Options &options) {
  const auto &[without, gather_per_use, bucket_bytes, levels, keep_sum_order, scratch_bytes, hoist_limit,
               naive] = options;
  add(hash, without);
  hash.add(gather_per_use).add(bucket_bytes).add(levels).add(keep_sum_order);
  add(hash, scratch_bytes);
  add(hash, hoist_limit);
  hash.add(naive);
}

void add(WideHasher &hash, const Question &question) {
  hash.add(cap_of(question.system, question.limits.cap_bytes));
  hash.add(question.limits.episodes).add(question.limits.seed).add(question.limits.exact);
  hash.add(question.limits.gap);
  add(hash, question.limits.seconds);
  hash.add(question.scope.even_only).add(question.scope.axes.empty());
  for (size_t a = 0; a < question.plan.mesh().num_axes(); ++a)
    hash.add(std::ranges::count(question.scope.axes, static_cast<sharding::AxisId>(a)) != 0);
  add(hash, question.estimate.trip_count);
  hash.add(question.estimate.donate);
  add(hash, question.estimate.without);
}

// Beside others that this process and other ones write.
std::string unfinished(const std::string &path) {
  static std::atomic<uint64_t> written = 0;
  return fmt::format("{}.{}-{}", path, getpid(), written++);
}

// Why it failed; empty where it did not.
std::string write(const std::string &path, std::span<const uint64_t> words) {
  const std::string part = unfinished(path);
  std::string why;
  errno = 0;
  std::ofstream out(part, std::ios::binary);
  out.write(reinterpret_cast<const char *>(words.data()), static_cast<std::streamsize>(words.size_bytes()));
  out.close();
  if (!out || std::rename(part.c_str(), path.c_str()) != 0)
    why = errno != 0 ? std::strerror(errno) : "the file could not be written";
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return why;
}

// Nothing where that is no file of words.
std::optional<Words> read(const std::string &path) {
  std::error_code none;
  const uintmax_t size =
      std::filesystem::is_regular_file(path, none) ? std::filesystem::file_size(path, none) : 0;
  if (none || size % sizeof(uint64_t) != 0 || size > kMostBytes)
    return std::nullopt;
  Words words(static_cast<size_t>(size) / sizeof(uint64_t));
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char *>(words.data()), static_cast<std::streamsize>(size));
  return in ? std::optional(std::move(words)) : std::nullopt;
}

// The same time, and what fits there fits here. Where nothing fitted, another order of ops might have made
// something fit.
bool agrees(const Found &kept, const Found &here, double cap) {
  const bool infeasible = kept.ending == Ending::infeasible;
  return kept.price.computing == here.price.computing && kept.price.moving == here.price.moving &&
         kept.price.received == here.price.received &&
         (infeasible ? kept.peak_bytes == here.peak_bytes : here.peak_bytes <= cap);
}

} // namespace

Result<Cache> Cache::open(std::string folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return fail(Code::unavailable, "TW-482",
                fmt::format("cannot make the folder {} of a cache: {}", folder, error.message()));
  const std::string probe = fmt::format("{}/probe", folder);
  const std::string part = unfinished(probe);
  errno = 0;
  std::ofstream out(part, std::ios::binary);
  out << kMark;
  out.close();
  const int why = errno;
  const bool good = static_cast<bool>(out);
  std::filesystem::remove(part, error);
  if (!good)
    return fail(Code::unavailable, "TW-482",
                fmt::format("cannot write into the folder {} of a cache: {}", folder, std::strerror(why)));
  return Cache(std::move(folder));
}

Cache::Key Cache::key_of(const Question &question) {
  Key key{{}, search::key_of(question.plan)};
  WideHasher hash;
  hash.add(kSolver).add(std::string_view(TW_VERSION)).add(key.program.hash);
  add(hash, question.system);
  add(hash, question.options);
  add(hash, question);
  key.hash = hash.value();
  return key;
}

std::string Cache::path_of(const Key &key) const {
  return fmt::format("{}/{}.search", folder_, key.hash.text());
}

std::optional<Found> Cache::look_up(const Key &key, const Plan &plan, std::vector<std::string> &notes) const {
  const std::string path = path_of(key);
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    return std::nullopt;
  if (const auto words = read(path); words && words->size() > kAround) {
    const auto all = std::span(*words), front = all.first(all.size() - 2);
    if (front[0] == kMark && WideHash{front[1], front[2]} == key.hash &&
        hash_of(front) == WideHash{all[front.size()], all[front.size() + 1]})
      if (auto found = found_in(front.subspan(3), key.program, plan))
        return found;
  }
  notes.push_back(fmt::format("{} is damaged, or nothing that a search kept: it is replaced", path));
  return std::nullopt;
}

void Cache::keep(const Key &key, const Plan &plan, const Found &found,
                 std::vector<std::string> &notes) const {
  Words words{kMark, key.hash.high, key.hash.low};
  const Words kept = words_of(found, key.program, plan);
  words.insert(words.end(), kept.begin(), kept.end());
  const WideHash hash = hash_of(words);
  words.insert(words.end(), {hash.high, hash.low});
  const std::string path = path_of(key);
  if (const std::string why = write(path, words); !why.empty())
    notes.push_back(fmt::format("what was found could not be kept in {}: {}", path, why));
}

Result<Found> Cache::search(const Question &question) const {
  const auto begin = std::chrono::steady_clock::now();
  const double cap = cap_of(question.system, question.limits.cap_bytes);
  Control *const control = question.limits.control;
  std::vector<std::string> notes;
  const Key key = key_of(question);
  if (auto kept = look_up(key, question.plan, notes)) {
    spmd::Options options = question.options;
    options.gather_per_use = kept->gather_per_use;
    cost::Options estimate = question.estimate;
    estimate.cap_bytes = cap;
    auto here = make_answer(question.plan, kept->steps_taken, question.system, options, estimate);
    if (here && agrees(*kept, *here, cap)) {
      here->ending = kept->ending;
      here->bound = kept->bound;
      here->episodes = kept->episodes;
      here->tried = std::move(kept->tried);
      here->groups = std::move(kept->groups);
      here->cached = true;
      here->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (control != nullptr)
        control->tell(here->progress());
      return here;
    }
    notes.push_back(
        here ? fmt::format("what {} has takes {} and {} a device here, not {} and {}: it is replaced",
                           path_of(key), time_text(cost::in_seconds(here->price.time())),
                           bytes_text(here->peak_bytes), time_text(cost::in_seconds(kept->price.time())),
                           bytes_text(kept->peak_bytes))
             : fmt::format("what {} has is not possible here ({}): it is replaced", path_of(key),
                           here.error().message()));
  }
  TW_ASSIGN(Found found, search::search(question));
  // What was ended by hand is not what the budget finds.
  if (!is_cancelled(control))
    keep(key, question.plan, found, notes);
  found.notes = std::move(notes);
  return found;
}

} // namespace tw::search
