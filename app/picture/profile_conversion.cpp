#include "app/picture/rendition.h"

#include <deque>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"

namespace texelscope {
namespace {

using Bytes = std::vector<std::byte>;

class Kept {
public:
    std::shared_ptr<const ProfileConversion> get(const std::shared_ptr<const ColourProfile>& profile, int channels) {
        std::unique_lock lock(mutex_);
        if (!profile && screen_.empty()) return nullptr;
        for (const Entry& entry : entries_)
            if (entry.profile == profile && entry.channels == channels) return entry.conversion;
        const Bytes screen = screen_;
        lock.unlock();  // other threads have others to look up
        ProfileConversion made = ask_conversion(profile ? *profile : ColourProfile(), channels, screen);
        if (!profile) made.name.clear();
        const auto conversion = std::make_shared<const ProfileConversion>(std::move(made));
        lock.lock();
        if (screen != screen_) return conversion;
        entries_.push_back({profile, channels, conversion});
        if (entries_.size() > most) entries_.pop_front();
        return conversion;
    }

    std::string set_screen(Bytes icc) {
        std::string name = icc.empty() ? "" : ask_name_of_screen(icc);
        if (name.empty()) icc.clear();
        const std::lock_guard lock(mutex_);
        screen_ = std::move(icc);
        entries_.clear();
        return name.empty() ? "sRGB" : name;
    }

private:
    static constexpr size_t most = 32;
    struct Entry {
        std::shared_ptr<const ColourProfile> profile;
        int channels;
        std::shared_ptr<const ProfileConversion> conversion;
    };
    std::mutex mutex_;
    Bytes screen_;
    std::deque<Entry> entries_;
};

Kept& kept() {
    static Kept all;
    return all;
}

}  // namespace

std::shared_ptr<const ProfileConversion> profile_conversion(const Image& image) {
    const int colours = image.channels() - (image.alpha() != Alpha::none ? 1 : 0);
    if (colours != 1 && colours != 3) return nullptr;
    return kept().get(image.profile(), colours);
}

std::string set_screen_profile(Bytes icc) { return kept().set_screen(std::move(icc)); }

std::string pass_profile(const std::shared_ptr<const ColourProfile>& profile, RowSource& result,
                         const std::filesystem::path& path) {
    const int colours = result.channels - (result.alpha != Alpha::none ? 1 : 0);
    if (!profile || (colours != 1 && colours != 3)) return {};
    const ProfileConversion meaning = ask_conversion(*profile, colours, {});
    if (!meaning.problem.empty()) return {};  // its colours have always been shown as stored
    result.profile = profile;
    if (meaning.conversion.kind == ColourConversion::Kind::none || carries_profile(path, result)) return {};
    return fmt::format("the stored values are written, but not what the input says of their colours ({})",
                       meaning.name);
}

std::string pass_profile(const Image& source, Image& result, const std::filesystem::path& path) {
    RowSource rows = rows_of(result);
    std::string lost = pass_profile(source.profile(), rows, path);
    result.set_profile(rows.profile);
    return lost;
}

}  // namespace texelscope
