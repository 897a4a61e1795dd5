#include "app/cli/options.h"

#include <cmath>

#include <fmt/format.h>

#include "app/cli/running.h"
#include "app/picture/numbers.h"
#include "app/picture/rendered_rows.h"
#include "app/text/text.h"

namespace texelscope {
namespace {

size_t parse_bytes(std::string_view option, std::string_view text, size_t least) {
    constexpr std::string_view letters = "KMGT";
    std::string_view number = text;
    double unit = 1;
    if (!number.empty())
        if (const size_t at = letters.find(number.back()); at != letters.npos) {
            unit = std::ldexp(1.0, 10 * (int(at) + 1));
            number.remove_suffix(1);
        }
    double count = 0;
    try {
        count = parse_positive(option, number);
    } catch (const UsageError&) {
        throw UsageError(
            fmt::format("{} must be a number of bytes above 0, as in 4000000, 512M or 4G, not '{}'", option, text));
    }
    const double bytes = unit * count;
    if (bytes < double(least))
        throw UsageError(fmt::format("{} {}: at least {}M are needed", option, text, least >> 20));
    if (bytes > 0x1p50) throw UsageError(fmt::format("{} {}: no machine has so much", option, text));
    return size_t(bytes);
}

}  // namespace

void MemoryOption::add_to(Command command) {
    command
        .add_option(
            "--memory", memory_,
            "Memory for an image that is too large to be read as a whole and is read by regions: bytes, or with "
            "K, M or G; default: 1G. Other images are held in memory, whatever that takes")
        .type_name("SIZE")
        .group("Method");
}

size_t MemoryOption::bytes() const {
    return memory_ ? parse_bytes("--memory", *memory_, least_) : default_tiled_memory;
}

void LevelsOption::add_to(Command command) {
    command
        .add_option(
            "--keep-levels", keep_,
            "Keep on disk the smaller images that are made of a file that is too large to be read as a whole, so "
            "that the next run need not make them: on or off; default: on")
        .type_name("on|off")
        .group("Method");
}

void check_all(const InputOptions& input, const OutputOptions& output, const MemoryOption& memory,
               const LevelsOption& levels, Light light) {
    input.check(light);
    output.check();
    static_cast<void>(memory.bytes());
    levels.check();
}

bool LevelsOption::wanted() const { return parse_on_off("--keep-levels", keep_); }

std::shared_ptr<KeptLevels> LevelsOption::of(const TileSource& image) const {
    return wanted() ? kept_levels(image) : nullptr;
}

void write_large(const LargeRendering& rendering, const OutputOptions& output) {
    ImageInfo info = rendering.image->info();
    if (rendering.request.derivative != Derivative::none) info.alpha = Alpha::none;  // as RenderedRows
    output.check_rows(info, rendering.request.width, rendering.request.height);
    const bool moves = moves_numbers(rendering.request, info, rendering.light, output.type(info.type));
    on_backend(rendering.backend, [&](const std::shared_ptr<Backend>& backend) {
        Progress bar(progress_steps);
        const auto show = [&](double part) { bar.show(size_t(part * progress_steps)); };
        if (moves) {
            MovedRows rows(backend, rendering.image, rendering.request, rendering.memory, show);
            return output.write_rows(rows.source(), info);
        }
        TiledImage image(backend, rendering.image, {rendering.memory, rendering.light, rendering.levels});
        const RenderedRows rows(image, rendering.request, show);
        try {
            const RowSource rendered = rows.source();
            output.write_rows(with_hidden_colours(rendered, *rendering.image, rendering.request), info);
        } catch (const Error&) {
            if (const std::exception_ptr failure = rows.failure()) std::rethrow_exception(failure);
            throw;
        }
    });
    say_if_not_kept(rendering);
}

void say_if_not_kept(const LargeRendering& rendering) {
    if (!rendering.levels) return;
    if (const std::string why = rendering.levels->why_not(); !why.empty())
        fmt::print(stderr, "texelscope: the smaller images that were made cannot be kept: {}\n", why);
}

}  // namespace texelscope
