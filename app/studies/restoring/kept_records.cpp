#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/studies/restoring/many_pictures.h"
#include "gpu/core/errors.h"
#include "gpu/core/machine.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr size_t most_record_bytes = size_t(16) << 20;

std::filesystem::path record_file(const std::filesystem::path& folder, const std::string& key) {
    return folder / (key + ".json");
}

}  // namespace

std::filesystem::path KeptRecords::usual_folder() { return path_in(cache_home, "texelscope/judged"); }

KeptRecords::KeptRecords(std::filesystem::path folder) : folder_(std::move(folder)) {
    if (folder_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (!std::filesystem::is_directory(folder_, error))
        throw FileError(folder_.string(), "is not a folder, and none can be made there");
}

std::string KeptRecords::key_of(const RestoringPlan& plan, const BackendInfo& backend) {
    const Image& image = *plan.image;
    std::string settings = fmt::format("{} {} {} {} {} {} {}\n", TEXELSCOPE_VERSION, to_string(plan.restoration),
                                       full_spec_text(plan.restoration.filter), int(plan.light), name_of(backend.kind),
                                       backend.device, backend.detail);
    settings += fmt::format("{} {}\n", fmt::join(names_of<Judge>(plan.judges), ","), plan.pixels_per_degree);
    for (const MethodSpec& spec : plan.specs) settings += full_spec_text(spec) + "\n";
    for (const OutsideMethod& outside : plan.outside)
        settings += full_spec_text(outside.spec) + " " + outside.identity() + "\n";
    settings +=
        fmt::format("{} {} {} {} {} {} {}\n", image.width(), image.height(), image.channels(), int(image.type()),
                    int(image.alpha()), image.one_dimensional(), is_linear(image.profile().get()));
    const uint64_t hash = fnv1a(std::as_bytes(std::span(settings)));
    return fmt::format("{:016x}", fnv1a({image.data(), image.size_bytes()}, hash));
}

std::string KeptRecords::load(const std::string& key) const try {
    return folder_.empty() ? "" : read_text_file(record_file(folder_, key), most_record_bytes);
} catch (const Error&) {
    return "";
}

void KeptRecords::store(const std::string& key, const std::string& record) const try {
    if (!folder_.empty()) write_text(record_file(folder_, key), record);
} catch (const Error&) {  // a full disk, for example
}

}  // namespace texelscope
