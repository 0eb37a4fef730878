// SPDX-License-Identifier: Apache-2.0
// Scenes as SVG: colours are attributes, so that every reader has them, and ink is `currentColor`, so that
// one style sheet, or the page around the picture, turns it light or dark. Nothing has an id: pages hold
// many pictures.
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/markup.hpp"
#include "picture/printers.hpp"

namespace tw::picture {

namespace {

constexpr std::string_view kDarkText = "#1b1f24", kLightText = "#e6edf3";

// At most two digits behind the point.
std::string number(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

std::string paint(std::string_view attribute, const Paint &p) {
  if (p.opacity <= 0)
    return fmt::format(" {}=\"none\"", attribute);
  std::string text =
      p.color ? fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", attribute, p.color->r, p.color->g, p.color->b)
              : fmt::format(" {}=\"currentColor\"", attribute);
  if (p.opacity < 1)
    text += fmt::format(" {}-opacity=\"{}\"", attribute, number(p.opacity));
  return text;
}

struct Printer {
  std::string &out;

  void operator()(const Rect &r) const {
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(r.x), number(r.y),
                       number(r.w), number(r.h));
    if (r.radius > 0)
      out += fmt::format(" rx=\"{}\"", number(r.radius));
    out += paint("fill", r.fill);
    if (r.stroke.opacity > 0) {
      out += paint("stroke", r.stroke);
      if (r.stroke_width != 1)
        out += fmt::format(" stroke-width=\"{}\"", number(r.stroke_width));
      if (r.dashed)
        out += " stroke-dasharray=\"4 3\"";
    }
    out += "/>\n";
  }
  void operator()(const Lines &l) const {
    if (l.lines.empty())
      return;
    out += "<path d=\"";
    for (const Line &line : l.lines)
      out += fmt::format("M{} {}L{} {}", number(line.x1), number(line.y1), number(line.x2), number(line.y2));
    out +=
        fmt::format("\" fill=\"none\"{} stroke-width=\"{}\"/>\n", paint("stroke", l.paint), number(l.width));
  }
  void operator()(const Curve &c) const {
    const double middle = (c.x1 + c.x2) / 2;
    out += fmt::format("<path d=\"M{} {}C{} {} {} {} {} {}\" fill=\"none\"{} stroke-width=\"{}\"/>\n",
                       number(c.x1), number(c.y1), number(middle), number(c.y1), number(middle), number(c.y2),
                       number(c.x2), number(c.y2), paint("stroke", c.paint), number(c.width));
  }
  void operator()(const Triangle &t) const {
    out += fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\"{}/>\n", number(t.x1), number(t.y1), number(t.x2),
                       number(t.y2), number(t.x3), number(t.y3), paint("fill", t.fill));
  }
  void operator()(const Text &t) const {
    constexpr std::string_view anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}", number(t.x), number(t.y),
                       number(t.size), anchors[static_cast<size_t>(t.anchor)], paint("fill", t.paint));
    if (t.bold)
      out += " font-weight=\"600\"";
    if (t.upward)
      out += fmt::format(" transform=\"rotate(-90 {} {})\"", number(t.x), number(t.y));
    out += fmt::format(">{}</text>\n", as_markup(t.text));
  }
  void operator()(const Group &g) const {
    out += fmt::format("<g class=\"tw-{}\"", g.name);
    for (const auto &[name, value] : g.data)
      out += fmt::format(" data-{}=\"{}\"", name, as_markup(value));
    out += ">";
    if (!g.title.empty())
      out += fmt::format("<title>{}</title>", as_markup(g.title));
    out += "\n";
  }
  void operator()(const GroupEnd &) const { out += "</g>\n"; }
};

} // namespace

std::string to_svg(const Scene &scene, Theme theme) {
  std::string out =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tw-picture\" width=\"{0}\" "
                  "height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" font-family=\"system-ui, "
                  "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\"",
                  number(std::ceil(scene.width)), number(std::ceil(scene.height)));
  if (theme != Theme::page)
    out += fmt::format(" color=\"{}\"", theme == Theme::dark ? kLightText : kDarkText);
  out += fmt::format(">\n<title>{}</title>\n", as_markup(scene.title));
  if (!scene.description.empty())
    out += fmt::format("<desc>{}</desc>\n", as_markup(scene.description));
  if (theme == Theme::automatic)
    out +=
        fmt::format("<style>@media (prefers-color-scheme: dark) {{ .tw-picture {{ color: {}; }} }}</style>\n",
                    kLightText);
  const Printer printer{out};
  for (const Shape &shape : scene.shapes)
    std::visit(printer, shape);
  return out + "</svg>\n";
}

} // namespace tw::picture
