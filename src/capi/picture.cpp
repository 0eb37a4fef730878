// SPDX-License-Identifier: Apache-2.0
// tw_picture.h: pictures of shardings, redistributions and collectives.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "partition/explain.hpp"
#include "partition/names.hpp"
#include "partition/plan.hpp"
#include "picture/draw.hpp"

using namespace tw;
using namespace tw::capi;
using picture::Form;
using picture::Theme;

namespace {

constexpr double kMostScale = 16;

// One of some words; `given` NULL is the first of them.
template <class T, size_t n>
Result<T> choose(const char *given, const std::pair<std::string_view, T> (&words)[n], const char *field) {
  if (given == nullptr)
    return words[0].second;
  std::string known;
  for (const auto &[word, value] : words) {
    if (word == given)
      return value;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  return fail(Code::invalid_argument, "TW-782",
              fmt::format("options->{} is '{}': use one of {}", field, given, known));
}

Result<picture::Options> options_of(const tw_picture_options_t *given) {
  TW_TRY(check_options(given));
  const tw_picture_options_t all = completed(given);
  picture::Options options;
  constexpr std::pair<std::string_view, Form> forms[] = {
      {"svg", Form::svg}, {"png", Form::png}, {"text", Form::text}};
  constexpr std::pair<std::string_view, Theme> themes[] = {
      {"auto", Theme::automatic}, {"light", Theme::light}, {"dark", Theme::dark}, {"page", Theme::page}};
  TW_ASSIGN(options.form, choose(all.form, forms, "form"));
  TW_ASSIGN(options.theme, choose(all.theme, themes, "theme"));
  if (!(all.scale >= 0) || all.scale > kMostScale)
    return fail(Code::invalid_argument, "TW-782",
                fmt::format("options->scale is {}: from 0 to {}", all.scale, kMostScale));
  if (all.scale > 0)
    options.scale = all.scale;
  options.bare = all.bare != 0;
  return options;
}

Result<graph::DType> element_type_of(const char *name) {
  if (name == nullptr || *name == '\0')
    return graph::DType::invalid;
  for (auto t = graph::DType::invalid; t != graph::DType::count_;
       t = static_cast<graph::DType>(static_cast<int>(t) + 1))
    if (t != graph::DType::invalid && t != graph::DType::token && graph::name(t) == name)
      return t;
  return fail(Code::invalid_argument, "TW-782",
              fmt::format("element_type is '{}': there is none of this name; f32, bf16, i8, ..", name));
}

// Layouts of values beside their shapes; subjects point into it.
class Gallery {
public:
  explicit Gallery(const partition::Plan &plan) : plan_(plan), names_(plan.names()) {}

  // Arguments of this name or pattern; else results; else values.
  Status add(std::string_view text) {
    const graph::Graph &graph = plan_.graph();
    if (const auto found = names_.arguments(text)) {
      for (const size_t i : *found)
        TW_TRY(add_argument(i));
      return {};
    }
    if (const auto found = names_.results(text)) {
      for (const size_t i : *found)
        TW_TRY(keep(graph.operands(graph.results()[i])[0], partition::handed_layout(plan_, i),
                    graph.result_name(i)));
      return {};
    }
    TW_ASSIGN(const std::vector<graph::ValueId> found, names_.values(text));
    for (const graph::ValueId value : found) {
      auto layout = partition::users_layout(plan_, value);
      if (!layout)
        return fail(Code::failed_precondition, "TW-480",
                    fmt::format("value {} is inside a region that combines elements: its op speaks for it",
                                graph.value_name(value)));
      TW_TRY(keep(value, std::move(*layout), graph.value_name(value)));
    }
    return {};
  }
  Status add_arguments() {
    for (size_t i = 0; i < plan_.graph().arguments().size(); ++i)
      TW_TRY(add_argument(i));
    return {};
  }

  std::vector<picture::Subject> subjects() const {
    std::vector<picture::Subject> all;
    for (const Kept &kept : kept_) {
      const graph::TensorType &type = plan_.graph().type(kept.value);
      all.push_back({plan_.mesh(), type.dims, kept.layout, kept.name, type.dtype});
    }
    return all;
  }

private:
  struct Kept {
    graph::ValueId value;
    sharding::Distribution layout;
    std::string name;
  };

  Status add_argument(size_t i) {
    const graph::OpId op = plan_.graph().arguments()[i];
    return keep(plan_.graph().result(op), plan_.result_sharding(op, 0), plan_.graph().argument_name(i));
  }
  Status keep(graph::ValueId value, sharding::Sharding layout, std::string_view name) {
    constexpr size_t most = 64;
    if (kept_.size() == most)
      return fail(Code::resource_exhausted, "TW-781",
                  fmt::format("these are more than {} arrays: draw fewer, by names or patterns such as "
                              "'params*wq*'",
                              most));
    kept_.push_back({value, {std::move(layout), {}}, std::string(name)});
    return {};
  }

  const partition::Plan &plan_;
  const partition::Names &names_;
  std::vector<Kept> kept_;
};

} // namespace

tw_status_t tw_sharding_picture(const tw_sharding_t *sharding, const char *name, const char *element_type,
                                const tw_picture_options_t *options, tw_blob_t **out_bytes) {
  return guard([&]() -> Status {
    TW_TRY(require(sharding, "sharding"));
    TW_TRY(require(out_bytes, "out_bytes"));
    if (name != nullptr)
      TW_TRY(require_text(name, "name"));
    TW_ASSIGN(const picture::Options how, options_of(options));
    picture::Subject subject{sharding->mesh, sharding->dims, sharding->layout, name != nullptr ? name : ""};
    TW_ASSIGN(subject.dtype, element_type_of(element_type));
    TW_ASSIGN(std::string made, picture::draw({&subject, 1}, how));
    return give(std::move(made), out_bytes);
  });
}

tw_status_t tw_plan_picture(const tw_plan_t *plan, const char *const *values, size_t num_values,
                            const tw_picture_options_t *options, tw_blob_t **out_bytes) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_bytes, "out_bytes"));
    if (num_values > 0)
      TW_TRY(require(values, "values"));
    TW_ASSIGN(const picture::Options how, options_of(options));
    Gallery gallery(*plan->plan);
    if (num_values == 0)
      TW_TRY(gallery.add_arguments());
    for (size_t i = 0; i < num_values; ++i) {
      TW_TRY(require_at(values[i], "values", i));
      TW_TRY(require_text(values[i], "values"));
      TW_TRY(gallery.add(values[i]));
    }
    const std::vector<picture::Subject> subjects = gallery.subjects();
    if (subjects.empty())
      return fail(Code::invalid_argument, "TW-782", "the program has no arguments: name values to draw");
    TW_ASSIGN(std::string made, picture::draw(subjects, how));
    return give(std::move(made), out_bytes);
  });
}

tw_status_t tw_redistribution_picture(const tw_redistribution_t *plan, const char *name,
                                      const tw_picture_options_t *options, tw_blob_t **out_bytes) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_bytes, "out_bytes"));
    if (name != nullptr)
      TW_TRY(require_text(name, "name"));
    TW_ASSIGN(const picture::Options how, options_of(options));
    const redistribute::Plan &chosen = *plan->chosen.plan;
    TW_ASSIGN(std::string made, picture::draw_move({*plan->problem, &chosen.steps, name ? name : ""}, how));
    return give(std::move(made), out_bytes);
  });
}

tw_status_t tw_program_collective_picture(const tw_program_t *program, size_t collective,
                                          const tw_picture_options_t *options, tw_blob_t **out_bytes) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_bytes, "out_bytes"));
    TW_ASSIGN(const picture::Options how, options_of(options));
    const auto &all = program->facts().collectives;
    if (collective >= all.size())
      return fail(Code::not_found, "TW-790",
                  fmt::format("there is no collective {}: the program has {}", collective, all.size()));
    const spmd::Program &p = *program->subject.program;
    const spmd::Collective &c = p.collectives()[all[collective].index];
    const redistribute::Move &move = *c.moves[0];
    const std::string name(p.graph().value_name(c.value));
    TW_ASSIGN(std::string made,
              picture::draw_move({move.problem(), c.is_planned() ? &move.plan().steps : nullptr, name}, how));
    return give(std::move(made), out_bytes);
  });
}
