#include "app/viewer/loop/picture_reader.h"

#include <utility>

#include "app/files/tiles/open_tiles.h"
#include "app/picture/first_look.h"
#include "app/picture/profile_conversion.h"
#include "app/viewer/loop/documents.h"

namespace texelscope {

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

}  // namespace texelscope
