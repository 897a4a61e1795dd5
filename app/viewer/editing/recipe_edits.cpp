#include "app/viewer/editing/method_edits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/picture/first_look.h"
#include "app/picture/rendered_rows.h"
#include "app/state/history.h"
#include "app/state/messages.h"
#include "app/state/panes.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "gpu/core/errors.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

const Document* shown_original(const Scene& scene) {
    if (scene.panes.empty()) return nullptr;
    const Document* shown = document_of(scene, scene.pane());
    const Document* original = shown ? document_named(scene, original_source(shown->source)) : nullptr;
    return original ? original : shown;
}

double pixel_count(const Document& document) {
    return document.image ? double(document.image->width()) * document.image->height() : 0;
}

bool show_the_same_picture(const Document& a, const Document& b) {
    return a.image && b.image && (may_be_original(*a.image, *b.image) || may_be_original(*b.image, *a.image));
}

const Document* partner_of(const Document& shown, const std::vector<const Document*>& all) {
    const Document* partner = nullptr;
    for (const Document* each : all) {
        if (each == &shown) continue;
        if (show_the_same_picture(*each, shown)) return each;
        partner = each;
    }
    return partner;
}

size_t count_of(const std::vector<const Document*>& all) {
    return all.size() + size_t(std::ranges::count_if(all, [](const Document* each) { return each->image != nullptr; }));
}

std::string kind_of(const Document& document) {
    const int channels = document.image->channels();
    return fmt::format("{} has {} channel{}", document.title(), channels, channels == 1 ? "" : "s");
}

std::string why_not_used(const Document* document, const char* name) {
    if (!document) return fmt::format("Choose the {}.", name);
    if (document->unreadable) return fmt::format("{} cannot be read.", document->title());
    if (!document->image) return fmt::format("{} is being read.", document->title());
    if (document->image->one_dimensional())
        return fmt::format("{} is a signal; libraries resize pictures.", document->title());
    if (!document->image->in_memory())
        return fmt::format("{} is too large: the whole image is needed in memory.", document->title());
    return {};
}

// What begins in lower case, without a full stop.
std::string as_sentence(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() = char(text.front() - 'a' + 'A');
    if (!text.ends_with('.')) text += '.';
    return text;
}

int document_for(Scene& scene, const ResizedPicture& made) {
    const std::string source = made.source.text();
    auto& documents = scene.documents;
    auto at = std::ranges::find(documents, source, &Document::source);
    if (at == documents.end()) {
        documents.emplace_back().source = source;
        at = documents.end() - 1;
    }
    if (made.image) {
        at->image = made.image;
        at->look = look_of(made.image);
    }
    return int(at - documents.begin());
}

// Pictures that were made here and that no pane shows any more would only fill the list of open images.
void drop_made_pictures(Scene& scene) {
    const std::string current = scene.document()->source;
    std::erase_if(scene.documents, [&](const Document& document) {
        return parse_resized_source(document.source) && document.source != current &&
               scene.reference.source != document.source &&
               std::ranges::none_of(scene.panes, [&](const Pane& pane) { return pane.source == document.source; });
    });
    const auto at = std::ranges::find(scene.documents, current, &Document::source);
    scene.current = int(at - scene.documents.begin());
}

// Sample by sample: what is enlarged is not interpolated.
Pane plain_pane_of(const std::string& source, const std::string& label) {
    Pane pane{default_spec(parse_method("nearest"))};
    pane.source = source;
    pane.label = label;
    return pane;
}

// The current document in all panes, whole, as it is stored: one change for undo.
void show_whole(AppState& state, std::vector<Pane> panes) {
    Scene& scene = state.scene;
    scene.panes = std::move(panes);
    scene.active = 0;
    scene.document()->keep_fit = true;
    scene.document()->region.reset();
    scene.reference = {Reference::Kind::image, {}, scene.document()->source};
    scene.light = Light::stored;
    scene.warp = {};
    scene.selection.reset();
    state.ui.figures = true;
    state.transition.reset();
    drop_made_pictures(scene);
}

// The recipe of a pane, or else this one.
std::string recipe_of(const Scene& scene, size_t pane, const char* otherwise) {
    const MethodInfo* method = pane < scene.panes.size() ? scene.panes[pane].spec.method : nullptr;
    return method && method->recipe ? method->recipe->text : otherwise;
}

Extent typed_size(const std::string& text, const Image& image) {
    WholePicture picture;
    if (text.find('x') != text.npos) picture.size = parse_size("size", text);
    else picture.factor = parse_factors("size", text);
    return extent_of(picture, shape_of(image));
}

}  // namespace

std::vector<const Document*> resizable_documents(const Scene& scene) {
    std::vector<const Document*> all;
    for (const Document& document : scene.documents)
        if (original_source(document.source) == document.source) all.push_back(&document);
    return all;
}

void ask_how_it_was_made(AppState& state) {
    state.ui.dialogs.open(Dialog::identifying);
    state.ui.identifying.chosen = false;
    state.ui.identifying.seen = 0;
    follow_pair(state);
    const IdentifyReport& known = state.report.identifying;
    const IdentifyUi& pair = state.ui.identifying;
    const bool is_known = known.found && known.original == pair.original && known.result == pair.result;
    if (!is_known && !state.report.background.running() && why_no_pair(state.scene, pair).empty())
        state.tasks.push_back(task::Identify{});
}

void ask_for_the_difference(AppState& state) {
    state.ui.dialogs.open(Dialog::explaining);
    ExplainUi& ui = state.ui.explaining;
    ui.from = recipe_of(state.scene, 0, "like:pillow/bicubic");
    ui.to = recipe_of(state.scene, 1, "like:opencv/cubic");
    if (ui.from == ui.to) ui.to = ui.from == "like:opencv/cubic" ? "like:pillow/bicubic" : "like:opencv/cubic";
    if (!state.report.background.running() && explained_pair(state.scene, ui).problem.empty())
        state.tasks.push_back(task::Explain{});
}

void follow_pair(AppState& state) {
    IdentifyUi& pair = state.ui.identifying;
    const std::vector<const Document*> all = resizable_documents(state.scene);
    const bool gone = !document_named(state.scene, pair.original) || !document_named(state.scene, pair.result);
    if ((!pair.chosen && pair.seen != count_of(all)) || gone) {
        pair.seen = count_of(all);
        const Document* shown = shown_original(state.scene);
        const Document* partner = shown ? partner_of(*shown, all) : nullptr;
        pair.original = shown ? shown->source : "";
        pair.result = partner ? partner->source : "";
        if (partner && pixel_count(*partner) > pixel_count(*shown)) std::swap(pair.original, pair.result);
    }
    for (const std::string* source : {&pair.original, &pair.result}) {
        const Document* document = document_named(state.scene, *source);
        if (document && !document->image && !document->unreadable && !state.read.under_way.contains(*source) &&
            !(state.loading && state.loading->source == *source))
            state.tasks.push_back(task::LoadDocument{*source});
    }
}

std::string why_no_pair(const Scene& scene, const IdentifyUi& pair) {
    const size_t open = resizable_documents(scene).size();
    if (open == 0) return "Open two pictures, the original and what it became; files can be dropped here.";
    if (open == 1)
        return fmt::format("Only {} is open: open the other picture too; files can be dropped here.",
                           resizable_documents(scene).front()->title());
    const Document* const original = document_named(scene, pair.original);
    const Document* const result = document_named(scene, pair.result);
    if (const std::string why = why_not_used(original, "original"); !why.empty()) return why;
    if (const std::string why = why_not_used(result, "result"); !why.empty()) return why;
    if (original == result) return "Original and result are the same image: choose another one.";
    const Image &from = *original->image, &to = *result->image;
    if (from.channels() != to.channels())
        return fmt::format("{} and {}: both must have the same channels.", kind_of(*original), kind_of(*result));
    if (from.width() == to.width() && from.height() == to.height())
        return fmt::format("Both are {}×{}: nothing was resized.", from.width(), from.height());
    return {};
}

const Document* explained_document(const Scene& scene) { return shown_original(scene); }

ExplainedPair explained_pair(const Scene& scene, const ExplainUi& ui) {
    const auto refused = [](std::string why) { return ExplainedPair{{}, {}, {}, as_sentence(std::move(why))}; };
    const Document* document = explained_document(scene);
    if (!document) return refused("Open a picture first.");
    if (const std::string why = why_not_used(document, "picture"); !why.empty()) return refused(why);
    ExplainedPair pair;
    try {
        pair.from = parse_recipe(ui.from).text;
        pair.to = parse_recipe(ui.to).text;
    } catch (const UsageError& error) {
        return refused(error.what());
    }
    if (pair.from == pair.to) return refused("Both are the same recipe: choose another one");
    try {
        pair.size = typed_size(ui.size, *document->image);
    } catch (const UsageError&) {
        return refused(fmt::format("“{}” is no size: type a factor such as 0.5, or pixels such as 224x224", ui.size));
    }
    return pair;
}

void show_beside_result(AppState& state, const std::string& result, const ResizedPicture& made, double largest) {
    Scene& scene = state.scene;
    if (!document_named(scene, result)) return;
    settle_history(state);
    document_for(scene, made);
    scene.current = int(std::ranges::find(scene.documents, result, &Document::source) - scene.documents.begin());
    std::vector<Pane> panes = {plain_pane_of(result, "the result"), plain_pane_of(made.source.text(), made.label)};
    panes[1].difference = true;
    scene.arrangement = Arrangement::columns;
    if (largest > 0 && std::isfinite(largest))
        scene.difference.gain = float(std::clamp(std::exp2(std::floor(-std::log2(largest))), 1.0, 16777216.0));
    show_whole(state, std::move(panes));
}

void show_rungs(AppState& state, const std::vector<ResizedPicture>& rungs) {
    settle_history(state);
    Scene& scene = state.scene;
    std::vector<Pane> panes;
    for (const ResizedPicture& rung : rungs) {
        document_for(scene, rung);
        panes.push_back(plain_pane_of(rung.source.text(), rung.label));
    }
    const std::string first = rungs.front().source.text();
    scene.current = int(std::ranges::find(scene.documents, first, &Document::source) - scene.documents.begin());
    scene.arrangement = Arrangement::grid;
    show_whole(state, std::move(panes));
}

void use_measured_weights(AppState& state, const std::string& original, const std::string& weights, bool antialiased) {
    settle_history(state);
    if (document_named(state.scene, original)) state.scene.pane().source = original;
    type_weights(state.scene, state.weights, weights);
    if (!state.weights.problems.empty())
        return post(state.messages, Message::Level::warning, to_string(state.weights.problems.front()));
    Pane& pane = state.scene.pane();
    pane.label.clear();
    pane.difference = false;
    pane.antialias = antialiased;
    post(state.messages, Message::Level::info,
         fmt::format("Pane {} shows the original with the measured weights; Method ▸ Own weight function… edits them",
                     pane_name(state.scene.active)));
}

}  // namespace texelscope
