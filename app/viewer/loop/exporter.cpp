#include "app/viewer/loop/exporter.h"

#include <memory>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/files/writing/fit.h"
#include "app/picture/hidden_colours.h"
#include "app/picture/moved_numbers.h"
#include "app/picture/profile_conversion.h"
#include "app/picture/source_cache.h"
#include "app/state/pane_images.h"
#include "app/viewer/editing/export_choice.h"

namespace texelscope {

BackgroundJob export_job(const AppState& state, const std::string& path) {
    const auto image = image_of(state, state.scene.active);
    if (!image) throw Error("there is no picture to export: open an image first");
    const WholePicture picture = exported_picture(state);
    const RenderRequest request = request_for(picture, shape_of(*image));
    const Light light = state.ui.exporting.linear ? Light::linear : Light::stored;
    const WriteOptions options = options_for(path, image->type(), state.ui.exporting.depth);
    const WrittenDepth depth = written_depth(path, image->type(), state.ui.exporting.depth);
    const std::string size = fmt::format("{}×{} pixels", request.width, request.height);
    const auto lost = std::make_shared<std::string>();  // words on lost colours and samples
    BackgroundJob job{.name = "export", .title = "Export", .dialog = {}, .work = {}, .keep = {}};
    job.reports_its_end = true;
    job.work = [=](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        progress.step(0, 100, "preparing " + size);
        const auto computing = [&](int row, int rows) {
            progress.step(int(50.0 * row / rows), 100, "computing " + size);
        };
        computing(0, request.height);
        const auto render = [&](const std::shared_ptr<const Image>& samples, const RenderRequest& of_samples) {
            SourceImage source = samples == image ? source_on(backend, image, light) : SourceImage(backend, samples);
            // Least squares read all rows of the image at once.
            return picture.least_squares ? rendered(source, picture, of_samples)
                                         : render_in_bands(source, of_samples, computing);
        };
        Image result = moved_numbers(image, request, light, depth.type, render);
        WriteOptions checked = options;
        checked.progress = [&](double part) { progress.step(50 + int(50 * part), 100, "writing " + size); };
        checked.last_check = [&] { progress.step(100, 100, "written"); };
        keep_hidden_colours(result, *image, request);
        *lost = pass_profile(*image, result, path);
        result.set_dimensions(image->dimensions());
        const std::string samples = words_of(write_image(result, path, checked));
        if (!samples.empty()) *lost += (lost->empty() ? "" : "; ") + samples;
    };
    const std::string saved = fmt::format("{}, {}", size, depth.words);
    job.keep = [=](AppState& now) {
        post_saved(now, path, lost->empty() ? saved : fmt::format("{}; {}", saved, *lost));
    };
    job.explain = [](AppState& now, Message::Level level, const std::string& why) {
        post(now, level, level == Message::Level::info ? "Export: cancelled" : why);
        if (level != Message::Level::info) now.ui.dialogs.open(Dialog::exporting);  // with what was typed
    };
    return job;
}

}  // namespace texelscope
