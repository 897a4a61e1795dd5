#include "app/viewer/loop/picture_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/files/tiles/open_tiles.h"
#include "app/picture/first_look.h"
#include "app/picture/pane_picture.h"
#include "app/picture/profile_conversion.h"
#include "app/state/pane_places.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/loop/documents.h"

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

}  // namespace texelscope
