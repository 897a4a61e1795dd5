#include "app/viewer/loop/picture_saver.h"

#include <cstdio>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "app/files/clipboard.h"
#include "app/files/image_files.h"
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

}  // namespace

BackgroundJob save_job(MakePicture make, const std::string& path) {
    BackgroundJob job = job_of("save", "Save");
    const auto saved = std::make_shared<std::string>();
    job.work = [make = std::move(make), path, saved](const std::shared_ptr<Backend>&, ExperimentProgress& progress) {
        lower_priority();
        progress.step(0, 100, "computing");
        const std::shared_ptr<const Image> image = make();
        *saved = pixels_of(*image);
        WriteOptions options;
        options.progress = [&](double part) { progress.step(20 + int(79 * part), 100, "writing " + *saved); };
        options.last_check = [&] { progress.step(100, 100, "written"); };
        write_image(*image, path, options);
    };
    job.keep = [path, saved](AppState& now) { post_saved(now, path, *saved); };
    job.explain = [path](AppState& now, Message::Level level, const std::string& why) {
        const bool cancelled = level == Message::Level::info;
        post(now, level, cancelled ? path + ": saving it was cancelled" : why);
        if (!cancelled) now.ui.dialogs.open(Dialog::save);  // with what was typed
    };
    return job;
}

BackgroundJob copy_job(MakePicture make) {
    BackgroundJob job = job_of("copy", "Copy");
    job.work = [make = std::move(make)](const std::shared_ptr<Backend>&, ExperimentProgress& progress) {
        lower_priority();
        progress.step(0, 100, "computing");
        const std::shared_ptr<const Image> image = make();
        copy_picture_to_clipboard(
            *image, [&](double part) { progress.step(20 + int(80 * part), 100, "encoding " + pixels_of(*image)); });
    };
    job.keep = [](AppState& now) { post(now, Message::Level::info, "copied: the picture"); };
    job.explain = [](AppState& now, Message::Level level, const std::string& why) {
        post(now, level, level == Message::Level::info ? "copying the picture was cancelled" : why);
    };
    return job;
}

PictureSaver::~PictureSaver() {
    while (works()) try {
            runner_.complete();
            begin_next();
        } catch (const Cancelled&) {
        } catch (const std::exception& error) {
            std::fputs(fmt::format("texelscope: {}\n", error.what()).c_str(), stderr);
        }
}

void PictureSaver::add(BackgroundJob job) {
    waiting_.push_back(std::move(job));
    begin_next();
}

// What is written has been rendered, or is rendered by a CPU.
void PictureSaver::begin_next() {
    if (runner_.running() || waiting_.empty()) return;
    BackgroundJob next = std::move(waiting_.front());
    waiting_.pop_front();
    runner_.start(std::move(next), make_cpu_backend()->info());
}

void PictureSaver::follow(AppState& state) {
    runner_.follow(state);
    begin_next();
}

}  // namespace texelscope
