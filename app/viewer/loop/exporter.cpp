#include "app/viewer/loop/exporter.h"

#include <fmt/format.h>

#include "app/files/image_files.h"
#include "app/state/pane_images.h"
#include "app/viewer/editing/export_choice.h"

namespace texelscope {

BackgroundJob export_job(const AppState& state, const std::string& path) {
    const auto image = image_of(state, state.scene.active);
    if (!image) throw Error("there is no picture to export: open an image first");
    const RenderRequest request = request_for(exported_picture(state), *image);
    const Light light = state.ui.exporting.linear ? Light::linear : Light::stored;
    const WriteOptions options = options_for(path, image->type(), state.ui.exporting.depth);
    check_output_name(path, options);
    const std::string size = fmt::format("{}×{} pixels", request.width, request.height);
    BackgroundJob job{.name = "export", .title = "Export", .dialog = {}, .work = {}, .keep = {}};
    job.work = [=](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        progress.step(0, 2, "computing " + size);
        const Image result = SourceImage(backend, image, light).render_to_image(request);
        WriteOptions checked = options;
        checked.last_check = [&] { progress.step(2, 2, "written"); };
        progress.step(1, 2, "writing " + size);
        write_image(result, path, checked);
    };
    job.keep = [path, size](AppState& now) { post_saved(now, path, size); };
    return job;
}

}  // namespace texelscope
