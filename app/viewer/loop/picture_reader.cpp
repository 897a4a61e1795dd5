#include "app/viewer/loop/picture_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/open_tiles.h"
#include "app/picture/first_look.h"
#include "app/picture/pane_picture.h"
#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/loop/documents.h"
#include "gpu/core/machine.h"
#include "gpu/core/parallel.h"

namespace texelscope {

void Preview::note(const Image& so_far, int rows) {
    constexpr int to_come = 48;
    const std::lock_guard lock(mutex_);
    if (small_.empty()) {
        step_ = (std::max(so_far.width(), so_far.height()) + longest_side - 1) / longest_side;
        small_ = Image((so_far.width() + step_ - 1) / step_, (so_far.height() + step_ - 1) / step_, 3, SampleType::u8);
        std::memset(small_.data(), to_come, small_.size_bytes());
    }
    const int colours = so_far.channels() < 3 ? 1 : 3;
    for (; done_ < small_.height() && done_ * step_ < rows; ++done_) {
        uint8_t* pixel = small_.row_as<uint8_t>(done_);
        for (int x = 0; x < small_.width(); ++x)
            for (int c = 0; c < 3; ++c) {
                const float value = so_far.value(x * step_, done_ * step_, std::min(c, colours - 1));
                *pixel++ = value > 0 ? uint8_t(std::lround(255 * std::min(value, 1.0f))) : uint8_t(0);
            }
        news_ = true;
    }
}

std::shared_ptr<const Image> Preview::take() {
    const std::lock_guard lock(mutex_);
    if (!news_) return nullptr;
    news_ = false;
    return std::make_shared<const Image>(small_);
}

PictureQuestion question_about(const std::string& source) { return {source, stamp_of(source)}; }

std::shared_ptr<const Image> read_picture(const PictureQuestion& question, const std::stop_token& stop) {
    const Reading reading{.progress =
                              [&so_far = *question.so_far, &question](const Image& image, int rows) {
                                  const bool begins = so_far.width.exchange(image.width()) == 0;
                                  so_far.height = image.height();
                                  so_far.rows = rows;
                                  so_far.preview.note(image, rows);
                                  if (question.arriving) question.arriving->note(image, rows);
                                  if (begins && question.tell) question.tell();
                              },
                          .cancel = stop};
    if (const auto made = parse_program_source(question.source)) {
        if (question.arriving) question.arriving->give_up();
        return program_picture(*made, stop);
    }
    const auto storing = [&so_far = *question.so_far](double part) { so_far.stored = int(100 * part); };
    auto image = std::make_shared<const Image>(open_image(question.source, {reading, storing}));
    question.so_far->stored = -1;
    if (!image->in_memory()) {
        if (question.arriving) question.arriving->give_up();
        return image;
    }
    question.so_far->height = image->height();
    question.so_far->rows = image->height();  // a fast decoder has told of none
    if (question.arriving) question.arriving->complete(*image, stop);
    static_cast<void>(profile_conversion(*image));  // is kept for the first frame
    static_cast<void>(look_of(image));              // and so is this
    return image;
}

void PictureReader::begin_with(const std::string& source, Light light) {
    PictureQuestion question = question_about(source);
    if (light == Light::stored) {
        question.arriving = std::make_shared<ArrivingSource>();
        question.tell = wake_;
    }
    next_.ask(std::move(question), read_picture);
}

void PictureReader::go_to(const BackendInfo& device) {
    if (const PictureQuestion* question = next_.question(); question && question->arriving)
        question->arriving->go_to(device);
}

void PictureReader::read_next(AppState& state, const std::string& source, const SourceCache& sources) {
    const PictureQuestion* begun = next_.question();
    const bool has_begun = begun && begun->source == source;
    PictureQuestion question = has_begun ? *begun : question_about(source);
    if (!state.loading || state.loading->source != source)
        state.loading = Loading{.source = source, .since = state.now, .bytes = question.stamp.bytes};
    if (has_begun) return;
    if (state.scene.light == Light::stored) {
        question.arriving = std::make_shared<ArrivingSource>(sources.backend()->info());
        question.tell = wake_;
    }
    next_.ask(std::move(question), read_picture);
}

bool PictureReader::nearly_has_next() const {
    if (!next_.question() || next_.has_news()) return false;
    const DecodedSoFar& so_far = *next_.question()->so_far;
    return so_far.rows > 0 && 2 * so_far.rows > so_far.height;
}

void PictureReader::leave_device() {
    if (const PictureQuestion* question = next_.question(); question && question->arriving)
        question->arriving->give_up();
}

void PictureReader::read_needed(AppState& state, const std::string& source) {
    if (state.read.under_way.insert(source).second) queue_.push_back(source);
}

// What `needed_` has read may not be needed any more.
void PictureReader::keep(AppState& state, Reading::Result result, bool ahead) {
    ReadPicture read{result.answer.value_or(nullptr), result.question.stamp, result.problem, ahead};
    state.read.there[result.question.source] = std::move(read);
}

// A source that the cache refuses is uploaded again, with words.
void PictureReader::keep_arrived(const Reading::Result& result, SourceCache& sources) {
    const auto source = result.question.arriving ? result.question.arriving->take() : nullptr;
    if (!source || !result.answer) return;
    try {
        sources.put(*result.answer, Light::stored, std::move(*source));
    } catch (const std::exception&) {}
}

bool PictureReader::follow(AppState& state, SourceCache& sources, SlowPictures* slow) {
    bool news = false;
    if (auto result = next_.take()) {
        keep_arrived(*result, sources);
        if (slow) slow->take_early(result->answer.value_or(nullptr));
        keep(state, std::move(*result), false);
        news = true;
    }
    if (auto result = needed_.take()) {
        state.read.under_way.erase(result->question.source);
        keep(state, std::move(*result), true);
        news = true;
    }
    if (!needed_.question() && !queue_.empty()) {
        needed_.ask(question_about(queue_.front()), read_picture);
        queue_.pop_front();
    }
    const PictureQuestion* question = next_.question();
    const bool due = state.loading && (!state.loading->shown || state.now >= told_ + loading_sign_every);
    if (question && due) {
        told_ = state.now;
        const DecodedSoFar& so_far = *question->so_far;
        state.loading->size = {so_far.width, so_far.height};
        state.loading->rows = so_far.rows;
        state.loading->stored = so_far.stored;
    }
    return news;
}

std::optional<PanePicture> picture_to_come(const AppState& state, const std::string& source,
                                           std::shared_ptr<const Image> image) {
    AppState then = state;
    auto& documents = then.scene.documents;
    auto at = std::find_if(documents.begin(), documents.end(), [&](const Document& d) { return d.source == source; });
    if (at == documents.end()) {
        documents.emplace_back().source = source;
        at = documents.end() - 1;
    }
    at->image = std::move(image);
    then.scene.current = int(at - documents.begin());
    then.transition.reset();
    then.draft = {};
    update_views(then);
    const std::vector<int> panes = panes_in_view(then.scene);
    if (panes.size() != 1 || pane_rect(then, panes.front()).empty()) return {};
    return pane_picture(then, panes.front());
}

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

// What cannot be read is told by whoever shows it.
bool FileFacts::poll(AppState& state) {
    const bool news = facts_.take([&](const auto& made) {
        state.report.file = {made.key.source, made.value.value_or(PictureFacts{}), made.why()};
        offer_other_layout(state);
    });
    const Document* document = state.scene.document();
    if (document && document->image && document->is_file()) facts_.ask({document->source, document->loaded});
    facts_.end_frame([](const Question& question) {
        return [source = question.source](const std::stop_token&) { return load_facts(source); };
    });
    return news;
}

bool FileFacts::awaited(const AppState& state) const {
    const Document* document = state.scene.document();
    return document && document->image && document->is_file() && state.report.file.source != document->source;
}

}  // namespace texelscope
