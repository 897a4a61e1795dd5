#include "app/state/session/session.h"

#include <algorithm>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/state/history.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t max_bytes = 16 << 20;

fs::path folder_of(const fs::path& path) {
    std::error_code error;
    const fs::path full = fs::absolute(path, error);
    return (error ? path : full).lexically_normal().parent_path();
}

// Samples of images that are already open.
void keep_samples(Scene& scene, const Scene& before) {
    for (Document& document : scene.documents)
        for (const Document& open : before.documents)
            if (open.source == document.source && open.image) document.take_samples_of(open);
}

}  // namespace

Session session_of(const Scene& scene, const Appearance& appearance) {
    Session session{scene, appearance};
    if (session.appearance.dock == Dock::source) session.appearance.dock = Dock::none;
    for (Document& document : session.scene.documents) {
        document.image.reset();
        document.look = {};
        document.loaded = document.seen = {};
    }
    return session;
}

void restore(AppState& state, Session session) {
    keep_samples(session.scene, state.scene);
    state.scene = std::move(session.scene);
    state.transition.reset();
    static_cast<Appearance&>(state.ui) = session.appearance;
}

bool still_shows(const Scene& scene, const Appearance& now, const Session& session) {
    const Appearance& then = session.appearance;
    const auto switches = [](const Appearance& a) {
        return std::tie(a.loupe, a.loupe_magnification, a.taps, a.inspect.histogram_logarithmic);
    };
    const bool same_plot = now.dock == then.dock || now.dock == Dock::source;
    return same_scene(scene, session.scene) && Overlays(now) == Overlays(then) && switches(now) == switches(then) &&
           same_plot;
}

Session read_session(const fs::path& path) {
    const Bytes bytes = read_prefix(path, max_bytes + 1);
    if (bytes.size() > max_bytes)
        throw FileError(path.string(), fmt::format("is larger than {} MiB, too large for a session", max_bytes >> 20));
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return naming(path, [&] { return session_from_json(text, folder_of(path)); });
}

void write_session(const Session& session, const fs::path& path) {
    const std::string text = naming(path, [&] { return session_to_json(session, folder_of(path)); });
    OutputFile file(path);
    file.write(std::as_bytes(std::span(text)));
    file.commit();
}

bool is_session_name(const std::string& source) { return !source.starts_with('@') && source.ends_with(".json"); }

}  // namespace texelscope
