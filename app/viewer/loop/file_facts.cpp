#include "app/viewer/loop/file_facts.h"

#include <chrono>
#include <exception>

#include "app/files/image_source.h"

namespace texelscope {

// What cannot be read is told by whoever shows it.
PictureFacts FileFacts::answer(const std::string& source) {
    try {
        return load_facts(source);
    } catch (const std::exception&) {
        return {};
    }
}

bool FileFacts::follow(AppState& state) {
    bool news = false;
    if (facts_.valid() && facts_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        state.report.file = {asked_.source, facts_.get()};
        news = true;
    }
    const Document* document = state.scene.document();
    const bool asks = document && document->image && document->is_file();
    const Question question = asks ? Question{document->source, document->loaded} : Question{};
    if (facts_.valid() || question == asked_) return news;
    asked_ = question;
    if (asks) facts_ = std::async(std::launch::async, answer, question.source);
    return news;
}

void FileFacts::wake(WakeUp& wake_up) const {
    constexpr double look_every = 0.02;
    if (facts_.valid()) wake_up.look_in(look_every);
}

}  // namespace texelscope
