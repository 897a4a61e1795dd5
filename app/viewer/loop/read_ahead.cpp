#include "app/viewer/loop/read_ahead.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/state/derived_sources.h"
#include "app/state/pane_images.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/loop/documents.h"
#include "gpu/core/machine.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

// A few pictures are compared, many are browsed; and no one misses the memory of small ones.
constexpr size_t most_documents = 4, most_ahead_bytes = size_t(48) << 20, most_image_bytes = size_t(512) << 20;
constexpr std::array nearest = {1, -1, 2};  // the likely steps first
constexpr double ask_every = 1;             // seconds, how much memory there is

// As walking to it would open it.
std::string source_at(const UiState& ui, const FolderView& folder, int index) {
    const auto path = std::filesystem::path(folder.folder) / (*folder.files)[size_t(index)].name;
    return as_preferred(ui, with_choice(path.string(), {}));
}

// The neighbours of the shown file, in the order in which they are read.
std::vector<std::string> neighbours(const UiState& ui, const FolderView& folder) {
    std::vector<std::string> paths;
    if (!folder.files || !folder.is_placed()) return paths;
    for (const int step : nearest)
        if (const int at = folder.position + step; at >= 0 && at < folder.count())
            paths.push_back(source_at(ui, folder, at));
    return paths;
}

// The shown picture comes first: its coefficients, its references, its figures. Its neighbours take what that leaves.
std::shared_ptr<const Image> read_aside(const PictureQuestion& question, const std::stop_token& stop) {
    lowest_priority();
    return read_picture(question, stop);
}

size_t bytes_ahead(const AppState& state) {
    size_t bytes = 0;
    for (const auto& [source, read] : state.read.there)
        if (read.ahead && read.image) bytes += read.image->size_bytes();
    return bytes;
}

}  // namespace

size_t ReadAhead::share_of_memory() {
    constexpr size_t most = size_t(2) << 30;
    return std::min(available_host_memory() / 8, most);
}

std::string ReadAhead::unread_document(const AppState& state) {
    const auto& documents = state.scene.documents;
    if (documents.size() > most_documents) return {};
    for (const Document& document : documents) {
        if (!document.is_file() || document.image || parse_shrunk_source(document.source)) continue;
        if (stamp_of(document.source).bytes > most_ahead_bytes || !tried_.insert(document.source).second) continue;
        return document.source;
    }
    return {};
}

std::string ReadAhead::unread_neighbour(const AppState& state) {
    if (bytes_ahead(state) >= permitted_) return {};
    for (const std::string& path : neighbours(state.ui, state.folder)) {
        const Document* open = document_named(state.scene, path);
        if ((open && open->image) || state.read.there.contains(path)) continue;
        const FileStamp stamp = stamp_of(path);
        const auto at = seen_.find(path);
        if (stamp.bytes > permitted_ || (at != seen_.end() && at->second == stamp)) continue;
        seen_[path] = stamp;
        return path;
    }
    return {};
}

// What is no neighbour any more can be tried again when it is one.
void ReadAhead::trim(AppState& state) {
    const std::vector<std::string> near = neighbours(state.ui, state.folder);
    const auto is_near = [&](const std::string& path) {
        return std::find(near.begin(), near.end(), path) != near.end() || document_named(state.scene, path);
    };
    std::erase_if(state.read.there, [&](const auto& each) { return each.second.ahead && !is_near(each.first); });
    std::erase_if(seen_, [&](const auto& each) { return !is_near(each.first); });
    for (auto path = near.rbegin(); path != near.rend() && bytes_ahead(state) > permitted_; ++path)
        if (const auto at = state.read.there.find(*path); at != state.read.there.end() && at->second.ahead)
            state.read.there.erase(at);
}

bool ReadAhead::read_next(AppState& state) {
    if (state.loading) {
        if (reading()) seen_.erase(work_.question()->source);
        if (reading()) tried_.erase(work_.question()->source);
        work_.drop();
        return false;
    }
    if (state.now - asked_ > ask_every) {
        permitted_ = budget_();
        asked_ = state.now;
    }
    trim(state);
    if (!reading()) {
        std::string source = unread_document(state);
        if (source.empty()) source = unread_neighbour(state);
        if (!source.empty()) work_.ask(question_about(source), read_aside);
    }
    const auto result = work_.take();
    if (!result || !result->answer) return false;  // why it cannot be read is said once it is shown
    const std::string& source = result->question.source;
    const FileStamp& stamp = result->question.stamp;
    const std::shared_ptr<const Image>& image = *result->answer;
    auto& documents = state.scene.documents;
    const auto at = std::ranges::find(documents, source, &Document::source);
    if (at == documents.end()) {
        if (bytes_ahead(state) + image->size_bytes() <= permitted_) state.read.there[source] = {image, stamp, {}, true};
        return false;
    }
    if (at->image || image->size_bytes() > most_image_bytes) return false;
    at->image = image;
    at->loaded = at->seen = stamp;
    offer_original(state, *at);
    return true;
}

}  // namespace texelscope
