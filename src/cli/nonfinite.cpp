// SPDX-License-Identifier: Apache-2.0
// Asks the library where NaN begin, then tries inputs: first those from which the op is computed, one by one
// and the nearest first, then all of them.
#include "cli/nonfinite.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "cli/arrays.hpp"

namespace tw::cli {
namespace {

constexpr double kSeconds = 20;  // of all evaluations together
constexpr size_t kArguments = 4; // that are tried one by one
constexpr const char *kFills[] = {"uniform(0.1,0.9)", "uniform(1,2)", "normal(0,0.01)", "ones", "zeros"};

class Finder {
public:
  Finder(const tw_graph_t *graph, uint64_t seed, Progress &progress)
      : graph_(graph), seed_(seed), progress_(progress) {}

  // Null: there is none; nothing: that was not found out in time.
  std::optional<Json> find(const std::vector<const tw_tensor_t *> &inputs) {
    struct Call {
      const tw_graph_t *graph;
      const std::vector<const tw_tensor_t *> &inputs;
      tw_blob_t *blob = nullptr;
    } call{graph_, inputs};
    tw_watch_options_t watch{};
    watch.struct_size = sizeof watch;
    watch.user = this;
    watch.progress = [](void *self, double) { return static_cast<Finder *>(self)->is_over() ? 1 : 0; };
    const tw_status_t status = tw_watch_calls(
        [](void *user) {
          auto *c = static_cast<Call *>(user);
          return tw_graph_find_nonfinite(c->graph, c->inputs.data(), c->inputs.size(), &c->blob);
        },
        &call, &watch);
    const Blob blob(call.blob);
    if (status != TW_OK)
      return std::nullopt;
    return Json::parse(std::string_view(tw_blob_data(blob.get()), tw_blob_size(blob.get())));
  }

  // A --fill with which nothing of the kind comes to a result.
  std::string fill_against(const std::vector<Tensor> &inputs, const std::vector<size_t> &arguments) {
    for (size_t a = 0; a < std::min(arguments.size(), kArguments); ++a)
      for (const char *pattern : kFills)
        if (avoids(inputs, {arguments[a]}, pattern))
          return fmt::format("{}={}", tw_graph_argument_name(graph_, arguments[a]), pattern);
    std::vector<size_t> all(inputs.size());
    std::iota(all.begin(), all.end(), size_t{0});
    for (const char *pattern : kFills)
      if (all.size() > 1 && avoids(inputs, all, pattern))
        return fmt::format("*={}", pattern);
    return "";
  }

private:
  bool is_over() {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin_;
    return since.count() > kSeconds;
  }

  bool avoids(const std::vector<Tensor> &inputs, const std::vector<size_t> &arguments, const char *pattern) {
    if (is_over())
      return false;
    progress_.say(fmt::format("looking for inputs without NaN: {}", pattern));
    auto tried = const_pointers(inputs);
    std::vector<Tensor> filled;
    for (const size_t a : arguments) {
      size_t rank = 0;
      const int64_t *dims = tw_graph_argument_dims(graph_, a, &rank);
      filled.push_back(make<Tensor>([&](tw_tensor_t **out) {
        return tw_tensor_create(nullptr, tw_graph_argument_dtype(graph_, a), dims, rank, out);
      }));
      if (tw_tensor_fill(filled.back().get(), pattern, seed_, a) != TW_OK) // not for such elements
        return false;
      tried[a] = filled.back().get();
    }
    const auto found = find(tried);
    return found && found->is_null();
  }

  const tw_graph_t *graph_;
  const uint64_t seed_;
  Progress &progress_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace

Json find_nonfinite(const tw_graph_t *graph, const std::vector<Tensor> &inputs, uint64_t seed,
                    Progress &progress) {
  Finder finder(graph, seed, progress);
  progress.say("looking for the op that made the first NaN or Inf");
  auto found = finder.find(const_pointers(inputs));
  if (!found || found->is_null())
    return nullptr;
  std::vector<size_t> arguments;
  for (const auto &a : found->at("arguments"))
    arguments.push_back(a.get<size_t>());
  (*found)["fill"] = finder.fill_against(inputs, arguments);
  (*found)["arguments"] = Json::array();
  for (const size_t a : arguments)
    (*found)["arguments"].push_back(tw_graph_argument_name(graph, a));
  return *found;
}

std::string nonfinite_text(const Json &found) {
  const auto word = [&](const char *key) { return found.at(key).get<std::string>(); };
  std::vector<std::string> arguments;
  for (const auto &a : found.at("arguments"))
    arguments.push_back(a.get<std::string>());
  const std::string fill = word("fill"), location = word("location");
  return fmt::format("first {}: {} = {}{}, {} of {} elements{}{}\n", word("kind"), word("value"), word("op"),
                     location.empty() ? "" : " at " + location, found.at("elements").get<int64_t>(),
                     found.at("of").get<int64_t>(),
                     arguments.empty() ? "" : ", computed from " + listed(arguments),
                     fill.empty() ? "" : fmt::format("; --fill '{}' avoids it", fill));
}

} // namespace tw::cli
