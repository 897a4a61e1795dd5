#include "app/studies/restoring/outside_methods.h"

#include <cmath>
#include <limits>
#include <list>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr std::string_view result_prefix = "result:", command_prefix = "command:";

struct OutsideRecord {
    std::string id, name;
    MethodInfo info;
};

bool is_opaque(const Image& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.value(x, y, image.channels() - 1) != 1) return false;
    return true;
}

bool is_grey(const Image& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 1; c < 3; ++c)
                if (image.value(x, y, c) != image.value(x, y, 0)) return false;
    return true;
}

std::string channel_words(int channels, bool alpha) {
    return fmt::format("{} channel{}{}", channels, channels == 1 ? "" : "s", alpha ? " with alpha" : "");
}

}  // namespace

MethodSpec outside_spec(std::string_view id, std::string_view name) {
    static std::mutex mutex;
    static std::map<std::string, OutsideRecord, std::less<>> records;  // their addresses stay
    const std::lock_guard lock(mutex);
    auto at = records.find(id);
    if (at == records.end()) {
        at = records.emplace(id, OutsideRecord{std::string(id), std::string(name), {}}).first;
        at->second.info.id = at->second.id;
        at->second.info.name = at->second.name;
        at->second.info.summary = "A result that was made by another program.";
    }
    MethodSpec spec;
    spec.method = &at->second.info;
    return spec;
}

bool is_outside(const MethodSpec& spec) {
    return spec.method->id.starts_with(result_prefix) || spec.method->id.starts_with(command_prefix);
}

std::string full_spec_text(const MethodSpec& spec) {
    return is_outside(spec) ? std::string(spec.method->id) : to_string(spec);
}

MethodSpec spec_of_text(const std::string& text) {
    if (text.starts_with(result_prefix)) return outside_spec(text, std::string_view(text).substr(result_prefix.size()));
    if (text.starts_with(command_prefix)) return outside_spec(text, command_name(text.substr(command_prefix.size())));
    return parse_spec(text);
}

OutsideMethod result_method(const std::string& text, const std::string& stem) {
    const size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size())
        throw UsageError(
            fmt::format("--result must be NAME=FILE, for example waifu=made/{{name}}.png, not '{}'", text));
    const std::string name = text.substr(0, equals);
    const std::string file = typed_source(with_name(text.substr(equals + 1), stem));
    const auto make = [file](const Image&, Extent, const auto&) {
        return OutsideResult{load_image(file), std::numeric_limits<double>::quiet_NaN()};
    };
    const auto identity = [file] { return fmt::format("{:016x}", fnv1a(read_file(file))); };
    return {outside_spec(fmt::format("{}{}", result_prefix, name), name), make, identity};
}

std::string with_name(std::string pattern, const std::string& stem) {
    constexpr std::string_view place = "{name}";
    for (size_t at = 0; (at = pattern.find(place, at)) != pattern.npos; at += stem.size())
        pattern.replace(at, place.size(), stem);
    return pattern;
}

Image outside_values(const Image& result, const Image& original, Extent size, const std::string& name) {
    if (result.width() != size.width || result.height() != size.height)
        throw Error(fmt::format("{}: it is {}×{} instead of {}×{}", name, result.width(), result.height(), size.width,
                                size.height));
    const bool wanted_alpha = original.alpha() != Alpha::none;
    bool alpha = result.alpha() != Alpha::none;
    int channels = result.channels();
    if (alpha && !wanted_alpha && is_opaque(result)) alpha = false, --channels;
    const int colours = channels - (alpha ? 1 : 0), wanted = original.channels() - (wanted_alpha ? 1 : 0);
    const bool spread = colours == 1 && wanted == 3, joined = colours == 3 && wanted == 1 && is_grey(result);
    if (alpha != wanted_alpha || (colours != wanted && !spread && !joined))
        throw Error(fmt::format("{}: it has {} instead of {}", name, channel_words(result.channels(), alpha),
                                channel_words(original.channels(), wanted_alpha)));
    const Image from = alpha ? premultiplied(result) : result.over_same_samples();
    Image values(size.width, size.height, original.channels(), SampleType::f32,
                 wanted_alpha ? Alpha::premultiplied : Alpha::none);
    for (int y = 0; y < size.height; ++y) {
        float* to = values.row_as<float>(y);
        for (int x = 0; x < size.width; ++x, to += values.channels()) {
            for (int c = 0; c < wanted; ++c) to[c] = from.value(x, y, spread ? 0 : c);
            if (alpha) to[wanted] = from.value(x, y, colours);
        }
    }
    return values;
}

namespace {

constexpr size_t most_kept = 8, most_kept_bytes = size_t(512) << 20;

struct KeptRun {
    std::string command;
    Extent size;
    uint64_t given;  // hash of what the program got
    std::shared_ptr<const Image> made;
    double ms;
};

// Runs of this process, the latest first.
class KeptRuns {
public:
    static KeptRuns& all() {
        static KeptRuns runs;
        return runs;
    }

    std::shared_ptr<const Image> find(const std::string& command, Extent size, uint64_t given) {
        const std::lock_guard lock(mutex_);
        for (const KeptRun& run : runs_)
            if (run.command == command && run.size == size && run.given == given) return run.made;
        return nullptr;
    }
    void keep(KeptRun run) {
        const std::lock_guard lock(mutex_);
        runs_.push_front(std::move(run));
        size_t bytes = 0, count = 0;
        std::erase_if(runs_, [&](const KeptRun& each) {
            bytes += each.made->size_bytes();
            return ++count > 1 && (count > most_kept || bytes > most_kept_bytes);
        });
    }
    double ms_of(const std::string& command) {
        const std::lock_guard lock(mutex_);
        for (const KeptRun& run : runs_)
            if (run.command == command) return run.ms;
        return 0;
    }

private:
    std::mutex mutex_;
    std::list<KeptRun> runs_;
};

}  // namespace

std::shared_ptr<const Image> enlarged_by_program(const Image& given, const std::string& command, double factor,
                                                 const std::function<void()>& check) {
    const auto side = [&](int n) { return int(std::lround(n * factor)); };
    const Extent size{side(given.width()), side(given.height())};
    const uint64_t hash =
        fnv1a({given.data(), given.size_bytes()}, uint64_t(given.type()) * 64 + uint64_t(given.channels()));
    if (auto made = KeptRuns::all().find(command, size, hash)) return made;
    OutsideResult result = program_method(command, {}).make(given, size, check);
    if (result.image.width() != size.width || result.image.height() != size.height)
        throw Error(fmt::format("{}: it is {}×{} instead of {}×{}", command_name(command), result.image.width(),
                                result.image.height(), size.width, size.height));
    auto made = std::make_shared<const Image>(std::move(result.image));
    KeptRuns::all().keep({command, size, hash, made, result.milliseconds});
    return made;
}

double ms_of_program(const std::string& command) { return KeptRuns::all().ms_of(command); }

}  // namespace texelscope
