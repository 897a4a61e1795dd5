#include "app/viewer/loop/file_facts.h"

#include "app/files/reading/image_source.h"
#include "app/viewer/editing/part_edits.h"

namespace texelscope {

// What cannot be read is told by whoever shows it.
bool FileFacts::follow(AppState& state) {
    bool news = false;
    if (auto result = work_.take()) {
        state.report.file = {result->question.source, result->answer.value_or(PictureFacts{}), result->why()};
        offer_channels_first(state);
        news = true;
    }
    const Document* document = state.scene.document();
    const bool asks = document && document->image && document->is_file();
    const Question question = asks ? Question{document->source, document->loaded} : Question{};
    if (question == asked_) return news;
    asked_ = question;
    if (asks) work_.ask(question, [](const Question& q, const std::stop_token&) { return load_facts(q.source); });
    else work_.drop();
    return news;
}

void FileFacts::wake(WakeUp& wake_up) const {
    constexpr double look_every = 0.02;
    work_.wake(wake_up, look_every);
}

}  // namespace texelscope
