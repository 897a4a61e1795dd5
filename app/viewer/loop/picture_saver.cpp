#include "app/viewer/loop/picture_saver.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/files/desktop/desktop.h"
#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"
#include "app/picture/numbers.h"
#include "app/picture/profile_conversion.h"
#include "app/picture/rendered_rows.h"
#include "app/picture/source_cache.h"
#include "app/state/pane_images.h"
#include "app/viewer/editing/saving_edits.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

constexpr double shown_after = 0.3;  // seconds: what fills a screen is written by then

BackgroundJob job_of(const char* name, const char* title) {
    BackgroundJob job{.name = name, .title = title, .dialog = {}, .work = {}, .keep = {}};
    job.reports_its_end = true;
    job.quiet = shown_after;
    return job;
}

std::string pixels_of(const Image& image) { return fmt::format("{}×{} pixels", image.width(), image.height()); }

struct Made {
    std::shared_ptr<const Image> image;
    int percent;  // of all work
};

Made made(const PictureBeside& picture, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
    constexpr int of_one = 20, of_panes = 90;
    lower_priority();
    progress.step(0, 100, "computing");
    int percent = of_one;
    auto image = picture.make(backend, [&](int done, int total) {
        percent = of_panes;
        progress.step(of_panes * done / total, 100, fmt::format("computing pane {} of {}", done + 1, total));
    });
    return {std::move(image), percent};
}

int after(int percent, double part) { return percent + int((100 - percent) * part); }

BackgroundJob save_job(const PictureBeside& picture, const std::string& path) {
    BackgroundJob job = job_of("save", "Save");
    const auto saved = std::make_shared<std::string>();
    job.work = [picture, path, saved](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        const auto [image, percent] = made(picture, backend, progress);
        *saved = pixels_of(*image);
        WriteOptions options;
        options.progress = [&, from = percent](double part) {
            progress.step(std::min(after(from, part), 99), 100, "writing " + *saved);
        };
        options.last_check = [&] { progress.step(100, 100, "written"); };
        const std::string lost = words_of(write_image(*image, path, options));
        if (!lost.empty()) *saved += "; " + lost;
    };
    job.keep = [path, saved](AppState& now) { post_saved(now.messages, path, *saved); };
    job.explain = [path](AppState& now, Message::Level level, const std::string& why) {
        const bool cancelled = level == Message::Level::info;
        post(now.messages, level, cancelled ? path + ": saving it was cancelled" : why);
        if (!cancelled) reopen_saving(now.ui, Dialog::save, why);
    };
    return job;
}

BackgroundJob copy_job(const PictureBeside& picture) {
    BackgroundJob job = job_of("copy", "Copy");
    job.work = [picture](const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
        const auto [image, percent] = made(picture, backend, progress);
        const std::string size = pixels_of(*image);
        copy_picture_to_clipboard(
            *image, [&, from = percent](double part) { progress.step(after(from, part), 100, "encoding " + size); });
    };
    job.keep = [](AppState& now) { post(now.messages, Message::Level::info, "copied: the picture"); };
    job.explain = [](AppState& now, Message::Level level, const std::string& why) {
        post(now.messages, level, level == Message::Level::info ? "copying the picture was cancelled" : why);
    };
    return job;
}

}  // namespace

PictureSaver::~PictureSaver() {
    while (works()) try {
            runner_.complete();
            begin_next();
        } catch (const Cancelled&) {
        } catch (const std::exception& error) {
            std::fputs(fmt::format("texelscope: {}\n", error.what()).c_str(), stderr);
        }
}

void PictureSaver::save(const PictureBeside& picture, const std::string& path) {
    add({save_job(picture, path), picture.device, path + " was not saved"});
}

void PictureSaver::copy(const PictureBeside& picture) {
    add({copy_job(picture), picture.device, "the picture was not copied"});
}

void PictureSaver::cancel_all() {
    waiting_.clear();
    cancel();
}

void PictureSaver::add(Wanted wanted) {
    wanted.job.explain = [this, explain = std::move(wanted.job.explain)](AppState& state, Message::Level level,
                                                                         const std::string& why) {
        failed_ = failed_ || level == Message::Level::error;
        explain(state, level, why);
    };
    waiting_.push_back(std::move(wanted));
    begin_next();
}

void PictureSaver::give_up_device(AppState& state, const std::string& why) {
    for (const Wanted& each : waiting_)
        if (each.on_gpu()) each.job.explain(state, Message::Level::error, each.not_done + ": " + why);
    std::erase_if(waiting_, [](const Wanted& each) { return each.on_gpu(); });
    runner_.end_cancelled();
    if (runner_.running() && now_.on_gpu()) runner_.give_up(state, now_.not_done + ": " + why);
    begin_next();
}

void PictureSaver::begin_next() {
    if (runner_.running() || waiting_.empty()) return;
    now_ = std::move(waiting_.front());
    waiting_.pop_front();
    runner_.start(std::exchange(now_.job, {}), now_.device);
}

void PictureSaver::follow(AppState& state) {
    runner_.follow(state);
    begin_next();
}

BackgroundJob export_job(const Scene& scene, const ExportUi& exporting, const std::string& path) {
    const auto image = image_of(scene, scene.active);
    if (!image) throw Error("there is no picture to export: open an image first");
    const WholePicture picture = exported_picture(scene, exporting);
    const RenderRequest request = request_for(picture, shape_of(*image));
    const Light light = exporting.linear ? Light::linear : Light::stored;
    const WriteOptions options = options_for(path, image->type(), exporting.depth);
    const WrittenDepth depth = written_depth(path, image->type(), exporting.depth);
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
        post_saved(now.messages, path, lost->empty() ? saved : fmt::format("{}; {}", saved, *lost));
    };
    job.explain = [](AppState& now, Message::Level level, const std::string& why) {
        post(now.messages, level, level == Message::Level::info ? "Export: cancelled" : why);
        if (level != Message::Level::info) reopen_saving(now.ui, Dialog::exporting, why);
    };
    return job;
}

}  // namespace texelscope
