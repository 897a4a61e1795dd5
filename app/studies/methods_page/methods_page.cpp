#include "app/studies/methods_page/methods_page.h"

#include <cmath>

#include <fmt/format.h>

#include "app/picture/inspect/method_curves.h"
#include "app/studies/methods_page/method_pictures.h"
#include "app/files/file_io.h"
#include "app/files/image_files.h"
#include "app/drawing/plot.h"

namespace texelscope {
namespace {

constexpr const char* introduction =
    R"(# The interpolation methods

<!-- Made by make_methods_page from the records in gpu/methods. Change those and run it again; a test compares. -->

Every method rebuilds a picture between its samples as a weighted sum of the nearest ones. The weight depends on the
distance from the sample alone, along each axis for itself, and the function that gives it, the *weight function*, says
all there is to know about the method. This page is made from the program's own records:

```
cmake --build --preset release --target make_methods_page && build/release/make_methods_page docs
```

`texelscope methods` prints the same in short, `texelscope methods --json` for programs.

)";

constexpr const char* overview_notes =
    R"(
*Taps*: samples that one output pixel is made of, in 2-D. *Fetches*: texture reads on the path `hardware`, where the
texture unit filters. *Order* L: on a smooth picture the error falls as h^L with the sample distance h. *Smooth*:
continuous derivatives of the picture; C⁰ is continuous, with creases; – has jumps. *Passband*, *images*: see below.

## How to read the pictures

**Weight function.** How much one sample contributes at a distance, in blue. The grey dots are what a method must meet to
pass through the samples: 1 at the sample itself, 0 at all others. A method with a *prefilter* does not meet them, but
turns the samples into coefficients first; the dashed *cardinal function* is what a sample then contributes in all, and
that meets them. It has no end, yet it decays fast.

**Spectrum.** The Fourier transform of the weight function, in decibels: what happens to a wave of each frequency. An
ideal low-pass is the grey box: all below the Nyquist frequency (1/2 cycle per sample) kept, all above removed. What
a curve loses inside the box is blur; what rises outside are *images*, copies of the picture's own frequencies mirrored
about the multiples of the sampling frequency, which show as blocks, jaggies and beats. Two numbers sum it up, both
with the exact prefilter: *passband*, the gain at 1/4 cycle per sample, ideally 0 dB; and *images*, the strongest gain
between 3/4 and 4 cycles per sample, where the images of everything below 1/4 lie, ideally none.

**Zone plate.** A wave whose frequency grows from 0 in the upper left corner to the Nyquist frequency at the right and
lower edges, {0} samples wide, drawn at {1} times the size. Ideally the rings stay round and keep their contrast to the
edges. Grey corners are blur; staircases, and waves that cross the rings near the edges, are images.

```
texelscope render {2} -o plate.png --zoom {1} --size {3}x{3} --method ID
```
)";

std::string with_minus(std::string text) {
    if (text.starts_with('-')) text.replace(0, 1, "−");
    return text;
}

std::string db(double value) {
    const std::string text = fmt::format("{:.1f}", value);
    return with_minus(text == "-0.0" ? "0.0" : text) + " dB";
}

std::string smoothness_text(int smoothness) {
    static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    return smoothness < 0 || smoothness > 9 ? "–" : std::string("C") + raised[smoothness];
}

std::string prefilter_text(const MethodInfo& m) {
    if (!m.has_prefilter()) return "–";
    return m.poles.size() == 1 ? "1 pole" : fmt::format("{} poles", m.poles.size());
}

std::string square(int n) { return fmt::format("{0} × {0} = {1}", n, n * n); }

std::string overview() {
    std::string text =
        "| method | id | taps | fetches | order | smooth | prefilter | passband | images |\n"
        "| --- | --- | ---: | ---: | ---: | --- | --- | ---: | ---: |\n";
    for (const MethodInfo* m : all_methods()) {
        const SpectrumFigures figures = spectrum_figures(*m);
        text +=
            fmt::format("| [{}](#{}) | `{}` | {} | {} | {} | {} | {} | {} | {} |\n", m->name, m->id, m->id,
                        m->taps * m->taps, m->hardware_fetches * m->hardware_fetches, m->order,
                        smoothness_text(m->smoothness), prefilter_text(*m), db(figures.passband), db(figures.images));
    }
    return text;
}

std::string interpolating_text(const MethodInfo& m) {
    if (!m.interpolating) return "no: the picture does not pass through the samples";
    return m.has_prefilter() ? "yes, with its prefilter" : "yes";
}

std::string order_text(const MethodInfo& m) {
    return m.has_prefilter() ? fmt::format("{}; {} without prefilter", m.order, m.order_unfiltered)
                             : fmt::format("{}", m.order);
}

std::string smoothness_sentence(int smoothness) {
    if (smoothness < 0) return "none: the picture has jumps";
    if (smoothness == 0) return "C⁰: continuous, with creases";
    return fmt::format("{}: {}", smoothness_text(smoothness),
                       smoothness == 1 ? "the first derivative is continuous"
                                       : fmt::format("{} derivatives are continuous", smoothness));
}

std::string poles_text(const MethodInfo& m) {
    std::string text;
    for (const double pole : m.poles) text += (text.empty() ? "" : ", ") + with_minus(fmt::format("{:.10f}", pole));
    return text;
}

std::string parameters_table(const MethodInfo& m) {
    if (m.parameters.empty()) return {};
    std::string text = "\n| parameter | | range | default | |\n| --- | --- | --- | --- | --- |\n";
    for (const ParameterInfo& p : m.parameters) {
        const std::string unit = p.unit.empty() ? "" : fmt::format(" {}", p.unit);
        text += fmt::format("| `{}` | {} | {} … {}{} | {}{} | {} |\n", p.id, p.name,
                            with_minus(fmt::format("{:.4g}", p.minimum)), with_minus(fmt::format("{:.4g}", p.maximum)),
                            unit, with_minus(fmt::format("{:.4g}", p.standard)), unit, p.summary);
    }
    const ParameterInfo& first = m.parameters.front();
    return text + fmt::format("\nAs in `--method {}:{}={:.4g}`. The pictures are drawn with the defaults.\n", m.id,
                              first.id, first.standard);
}

std::string table_of(const MethodInfo& m) {
    const SpectrumFigures figures = spectrum_figures(m);
    std::string text = "| | |\n| --- | --- |\n";
    const auto row = [&](std::string_view what, std::string_view value) {
        text += fmt::format("| {} | {} |\n", what, value);
    };
    row("id", fmt::format("`{}`", m.id));
    row("taps", square(m.taps));
    row("fetches", square(m.hardware_fetches) + ", on the path `hardware`");
    row("path `hardware`", m.hardware_note);
    row("order", order_text(m));
    row("smoothness", smoothness_sentence(m.smoothness));
    row("interpolating", interpolating_text(m));
    if (m.has_prefilter()) row(m.poles.size() == 1 ? "pole of the prefilter" : "poles of the prefilter", poles_text(m));
    row("gain", fmt::format("{} at 1/4 cycle per sample, {} at the Nyquist frequency; images up to {}",
                            db(figures.passband), db(figures.nyquist), db(figures.images)));
    row("source", m.paper);
    return text;
}

std::string pictures(const MethodInfo& m) {
    const auto picture = [&](std::string_view kind, std::string_view ending, int percent, std::string_view words) {
        return fmt::format("<img src=\"methods/{}-{}.{}\" width=\"{}%\" alt=\"{} of {}\">\n", m.id, kind, ending,
                           percent, words, m.name);
    };
    return "<p>\n" + picture("weight", "svg", 36, "Weight function") + picture("spectrum", "svg", 36, "Spectrum") +
           picture("plate", "png", 25, "Zone plate") + "</p>\n";
}

std::string section(const MethodInfo& m) {
    return fmt::format("\n<a id=\"{}\"></a>\n\n## {}\n\n{}\n\n{}{}\n{}", m.id, m.name, m.summary, table_of(m),
                       parameters_table(m), pictures(m));
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    OutputFile file(path);
    file.write(std::as_bytes(std::span(text)));
    file.commit();
}

}  // namespace

std::string methods_page() {
    const PlatePicture plate;
    const std::string image = plate.image;
    std::string page = introduction + overview();
    page += fmt::format(fmt::runtime(overview_notes), image.substr(image.find(':') + 1), plate.zoom, image, plate.size);
    for (const MethodInfo* method : all_methods()) page += section(*method);
    return page;
}

void write_methods_page(const std::filesystem::path& folder) {
    const auto backend = make_cpu_backend();
    const std::filesystem::path pictures = folder / "methods";
    std::error_code failure;
    std::filesystem::create_directory(pictures, failure);
    if (failure) throw FileError(pictures.string(), "the folder cannot be made: " + failure.message());
    for (const MethodInfo* method : all_methods()) {
        const auto path = [&](std::string_view kind) { return pictures / fmt::format("{}-{}", method->id, kind); };
        write_text(path("weight.svg"), to_svg(weight_plot(*method)));
        write_text(path("spectrum.svg"), to_svg(spectrum_plot(*method)));
        write_image(zone_plate_picture(*method, backend), path("plate.png"));
    }
    write_text(folder / "methods.md", methods_page());
}

}  // namespace texelscope
