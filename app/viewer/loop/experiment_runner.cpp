#include "app/viewer/loop/experiment_runner.h"

#include <algorithm>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "app/files/file_io.h"
#include "app/studies/experiments/result_files.h"

namespace texelscope {
namespace {

constexpr double follow_every = 0.2;  // seconds

ExperimentOptions chosen_options(const AppState& state, const Experiment& experiment) {
    ExperimentOptions options(experiment.options);
    const auto& all = state.ui.experiments.options;
    if (const auto found = all.find(std::string(experiment.name)); found != all.end())
        for (const auto& [name, text] : found->second) options.set(name, text);
    return options;
}

// u8 of 1 or 3 channels.
void upload(const gl::Texture& texture, const Image& image) {
    const bool grey = image.channels() == 1;
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, grey ? GL_R8 : GL_RGB8, image.width(), image.height(), 0, grey ? GL_RED : GL_RGB,
                 GL_UNSIGNED_BYTE, image.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const GLint second = grey ? GL_RED : GL_GREEN, third = grey ? GL_RED : GL_BLUE;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, second);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, third);
    glBindTexture(GL_TEXTURE_2D, 0);
}

std::string summary(const ExperimentResult& result) {
    const auto count = [&](Verdict::Outcome outcome) {
        return std::count_if(result.verdicts.begin(), result.verdicts.end(),
                             [&](const Verdict& verdict) { return verdict.outcome == outcome; });
    };
    const auto agree = count(Verdict::Outcome::agrees), differ = count(Verdict::Outcome::differs);
    return fmt::format("{}: done, {} of {} as expected", result.title, agree, agree + differ);
}

}  // namespace

void ExperimentRunner::start(const AppState& state, const BackendInfo& like) {
    if (run_) throw Error(fmt::format("{} is running: cancel it or wait for it to finish", experiment_->title));
    const Experiment& experiment = find_experiment(state.ui.experiments.chosen);
    ExperimentOptions options = chosen_options(state, experiment);
    experiment_ = &experiment;
    run_ = std::make_unique<ExperimentRun>(experiment, std::move(options), like);
    followed_ = -follow_every;  // the next frame shows that it runs
}

void ExperimentRunner::cancel() {
    if (run_) run_->cancel();
}

void ExperimentRunner::give_up(AppState& state) {
    if (!run_) return;
    run_->cancel();
    run_->wait();
    finish(state);
}

void ExperimentRunner::wake(const AppState& state, WakeUp& wake_up) const {
    if (run_) wake_up.draw_in(followed_ + follow_every - state.now);
}

void ExperimentRunner::save(AppState& state, const std::string& path) const {
    const auto found = state.report.experiments.results.find(state.ui.experiments.chosen);
    if (found == state.report.experiments.results.end())
        throw Error("there is no result to save: run the experiment first");
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".html") write_text(path, result_as_html(*found->second));
    else if (extension.empty()) write_folder(*found->second, path);
    else throw FileError(path, "a report is either a page (a name ending in .html) or a folder (a name without a dot)");
    post(state, Message::Level::info, path + ": saved");
}

ExperimentTexture ExperimentRunner::shown(Shown& slot, const std::shared_ptr<const Image>& image) {
    if (!image) return {};
    if (image != slot.image) {
        if (!slot.texture) slot.texture = gl::Texture::create();
        upload(slot.texture, *image);
        slot.image = image;
    }
    return {slot.texture.name(), image->width(), image->height()};
}

void ExperimentRunner::finish(AppState& state) {
    try {
        auto result = std::make_shared<const ExperimentResult>(run_->take_result());
        post(state, Message::Level::info, summary(*result));
        state.report.experiments.results[std::string(experiment_->name)] = std::move(result);
    } catch (const Cancelled&) {
        post(state, Message::Level::info, fmt::format("{}: cancelled", experiment_->title));
    } catch (const Error& error) {
        post(state, Message::Level::error, fmt::format("{}: {}", experiment_->title, without_dashes(error.what())));
    } catch (const std::bad_alloc&) {
        post(state, Message::Level::error, fmt::format("{}: not enough memory", experiment_->title));
    } catch (const std::exception& error) {
        post(state, Message::Level::error, fmt::format("{}: {}", experiment_->title, error.what()));
    }
    run_.reset();
    state.report.experiments.running.clear();
    state.report.experiments.picture = {};
}

// Pictures of the chosen experiment, while the window is open.
void ExperimentRunner::show_pictures(AppState& state) {
    ExperimentsReport& report = state.report.experiments;
    const auto found = report.results.find(state.ui.experiments.chosen);
    const auto wanted =
        found == report.results.end() || !state.ui.dialogs.has(Dialog::experiments) ? nullptr : found->second;
    if (wanted == pictured_) return;
    pictured_ = wanted;
    pictures_.clear();
    report.textures.clear();
    if (!wanted) return;
    for (const ResultPicture& picture : wanted->pictures) {
        pictures_.push_back(gl::Texture::create());
        upload(pictures_.back(), picture.image);
        report.textures.push_back({pictures_.back().name(), picture.image.width(), picture.image.height()});
    }
}

void ExperimentRunner::follow(AppState& state) {
    ExperimentsReport& report = state.report.experiments;
    if (run_ && (run_->ended() || state.now - followed_ >= follow_every)) {
        followed_ = state.now;
        const ExperimentRun::Now now = run_->now();
        report.running = experiment_->name;
        report.words = now.words;
        report.done = now.done;
        report.total = now.total;
        report.picture = shown(live_, now.picture);
        if (run_->ended()) finish(state);
    }
    show_pictures(state);
}

}  // namespace texelscope
