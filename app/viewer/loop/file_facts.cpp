#include "app/viewer/loop/file_facts.h"

#include "app/files/reading/image_files.h"
#include "app/viewer/editing/part_edits.h"

namespace texelscope {

// What cannot be read is told by whoever shows it.
bool FileFacts::poll(AppState& state) {
    const bool news = facts_.take([&](const auto& made) {
        state.report.file = {made.key.source, made.value.value_or(PictureFacts{}), made.why()};
        offer_channels_first(state);
    });
    const Document* document = state.scene.document();
    if (document && document->image && document->is_file()) facts_.ask({document->source, document->loaded});
    facts_.end_frame([](const Question& question) {
        return [source = question.source](const std::stop_token&) { return load_facts(source); };
    });
    return news;
}

}  // namespace texelscope
