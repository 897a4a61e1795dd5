#include "app/viewer/loop/read_ahead.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "app/files/image_source.h"
#include "app/state/shrunk_source.h"
#include "app/viewer/editing/reference_choices.h"
#include "app/viewer/loop/documents.h"

namespace texelscope {
namespace {

// A few pictures are compared, many are browsed; and no one misses the memory of small ones.
constexpr size_t most_documents = 4, most_file_bytes = size_t(48) << 20, most_image_bytes = size_t(512) << 20;

std::shared_ptr<const Image> read(const std::string& source) {
    try {
        Image image = load_image(source);
        if (image.size_bytes() > most_image_bytes) return nullptr;
        return std::make_shared<const Image>(std::move(image));
    } catch (const std::exception&) {
        return nullptr;
    }
}

}  // namespace

void ReadAhead::begin(AppState& state) {
    const auto& documents = state.scene.documents;
    if (documents.size() > most_documents) return;
    for (const Document& document : documents) {
        if (!document.is_file() || document.image || parse_shrunk_source(document.source)) continue;
        const FileStamp stamp = stamp_of(document.source);
        if (stamp.bytes > most_file_bytes || !tried_.insert(document.source).second) continue;
        source_ = document.source;
        stamp_ = stamp;
        image_ = std::async(std::launch::async, read, source_);
        return;
    }
}

bool ReadAhead::tick(AppState& state) {
    if (!reading()) begin(state);
    if (!reading() || image_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    std::shared_ptr<const Image> image = image_.get();
    auto& documents = state.scene.documents;
    const auto at =
        std::find_if(documents.begin(), documents.end(), [&](const Document& d) { return d.source == source_; });
    if (!image || at == documents.end() || at->image) return false;
    at->image = std::move(image);
    at->loaded = at->seen = stamp_;
    offer_original(state, *at);
    return true;
}

void ReadAhead::wake(WakeUp& wake_up) const {
    constexpr double look_every = 0.05;
    if (reading()) wake_up.look_in(look_every);
}

}  // namespace texelscope
