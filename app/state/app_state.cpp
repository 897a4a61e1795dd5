#include "app/state/app_state.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace texelscope {

std::string Document::title() const { return is_file() ? std::filesystem::path(source).filename().string() : source; }

void post(AppState& state, Message::Level level, std::string text) {
    for (Message& message : state.messages)
        if (message.level == level && message.text == text) {
            ++message.count;
            message.shown_at = -1;
            return;
        }
    state.messages.push_back({level, std::move(text)});
    // The strip has space for only a few; the oldest is removed.
    if (state.messages.size() > 4) state.messages.erase(state.messages.begin());
}

void withdraw(AppState& state, std::string_view text) {
    std::erase_if(state.messages, [&](const Message& message) { return message.text == text; });
}

void forget_errors_about(AppState& state, const std::string& source) {
    const std::string beginning = source + ":";
    std::erase_if(state.messages, [&](const Message& message) {
        return message.level == Message::Level::error && message.text.starts_with(beginning);
    });
}

View shown_view(const AppState& state) {
    const Document* document = state.scene.document();
    if (!document) return {};
    if (!state.transition) return document->view;
    const double t = (state.now - state.transition->start) / transition_seconds;
    return between(state.transition->from, document->view, ease_out(t));
}

std::vector<int> panes_in_view(const AppState& state) {
    const Scene& scene = state.scene;
    const int count = int(scene.panes.size());
    if (scene.arrangement == Arrangement::single) return {scene.active};
    if (scene.arrangement == Arrangement::wipe && count > 1) return {0, std::max(scene.active, 1)};
    std::vector<int> panes;
    for (int pane = 0; pane < count; ++pane) panes.push_back(pane);
    return panes;
}

int focused_pane(const AppState& state) {
    if (!state.pointer.inside) return state.scene.active;
    const std::vector<int> panes = panes_in_view(state);
    const bool there = std::find(panes.begin(), panes.end(), state.pointer.pane) != panes.end();
    return there ? state.pointer.pane : state.scene.active;
}

const PaneReport* report_of(const AppState& state, int pane) {
    return pane >= 0 && size_t(pane) < state.report.panes.size() ? &state.report.panes[size_t(pane)] : nullptr;
}

namespace {

constexpr int gap = 2;  // framebuffer pixels between panes

struct Cells {
    int columns = 1, rows = 1;
};

Cells cells_of(Arrangement arrangement, int panes) {
    switch (arrangement) {
        case Arrangement::single:
        case Arrangement::wipe: return {};
        case Arrangement::columns: return {panes, 1};
        case Arrangement::rows: return {1, panes};
        case Arrangement::grid: break;
    }
    const int columns = int(std::ceil(std::sqrt(double(panes))));
    return {columns, (panes + columns - 1) / columns};
}

int focused(const AppState& state, std::optional<int> pane) { return pane ? *pane : focused_pane(state); }

}  // namespace

PixelRect pane_rect(const AppState& state, int pane) {
    const PixelRect& picture = state.report.picture;
    const std::vector<int> panes = panes_in_view(state);
    const auto at = std::find(panes.begin(), panes.end(), pane);
    if (at == panes.end() || picture.empty()) return {};
    const Cells cells = cells_of(state.scene.arrangement, int(panes.size()));
    if (cells.columns * cells.rows == 1) return picture;
    const int index = int(at - panes.begin());
    const int pitch_x = (picture.width + gap) / cells.columns, pitch_y = (picture.height + gap) / cells.rows;
    const Document* document = state.scene.document();
    const Image* image = document ? document->image.get() : nullptr;
    return {picture.x + index % cells.columns * pitch_x, picture.y + index / cells.columns * pitch_y,
            with_parity_of(std::max(pitch_x - gap, 0), image ? image->width() : 0),
            with_parity_of(std::max(pitch_y - gap, 0), image ? image->height() : 0)};
}

PixelRect pane_clip(const AppState& state, int pane) {
    PixelRect clip = pane_rect(state, pane);
    if (state.scene.arrangement != Arrangement::wipe || state.scene.panes.size() < 2 || clip.empty()) return clip;
    const int at = wipe_at(state);
    int& start = state.scene.wipe.horizontal ? clip.y : clip.x;
    int& length = state.scene.wipe.horizontal ? clip.height : clip.width;
    if (pane != 0) start += at;
    length = pane == 0 ? at : std::max(length - at, 0);
    return clip;
}

int wipe_at(const AppState& state) {
    const PixelRect& picture = state.report.picture;
    const int length = state.scene.wipe.horizontal ? picture.height : picture.width;
    return std::clamp(int(std::lround(state.scene.wipe.at * length)), 0, length);
}

const Document* document_named(const AppState& state, const std::string& source) {
    for (const Document& document : state.scene.documents)
        if (document.source == source) return &document;
    return nullptr;
}

const Document* document_of(const AppState& state, const Pane& pane) {
    if (!pane.source.empty())
        if (const Document* own = document_named(state, pane.source)) return own;
    return state.scene.document();
}

std::shared_ptr<const Image> image_of(const AppState& state, int pane) {
    if (pane < 0 || size_t(pane) >= state.scene.panes.size()) return nullptr;
    const Document* document = document_of(state, state.scene.panes[size_t(pane)]);
    return document ? document->image : nullptr;
}

Extent image_extent(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state, focused(state, pane));
    return image ? Extent{image->width(), image->height()} : Extent{};
}

Extent output_extent(const AppState& state, std::optional<int> pane) {
    const PixelRect rect = pane_rect(state, focused(state, pane));
    return {rect.width, rect.height};
}

View view_offset(const AppState& state, int pane) {
    View offset = state.scene.panes[size_t(pane)].offset;
    const Document* current = state.scene.document();
    const auto image = image_of(state, pane);
    if (current && current->image && image) offset.scale *= double(image->width()) / current->image->width();
    return offset;
}

View pane_view(const AppState& state, std::optional<int> pane) {
    const int index = focused(state, pane);
    const Pane& which = state.scene.panes[size_t(index)];
    return which.own_view ? *which.own_view : with_offset(shown_view(state), view_offset(state, index));
}

bool shows_signal(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state, focused(state, pane));
    return image && image->one_dimensional();
}

Affine shown_affine(const AppState& state, std::optional<int> pane) {
    const Extent image = image_extent(state, pane), output = output_extent(state, pane);
    return sampling_affine(pane_view(state, pane), image.width, image.height, output.width, output.height);
}

Affine current_affine(const AppState& state, std::optional<int> pane) {
    const int index = focused(state, pane);
    const auto& own = state.scene.panes[size_t(index)].own_view;
    const Document* document = state.scene.document();
    const auto image = image_of(state, index);
    if (!document || !document->image || !image) return shown_affine(state, index);
    const Extent output = output_extent(state, index);
    const View ratio{0, 0, double(image->width()) / document->image->width(), 0};
    return sampling_affine(own ? without_offset(*own, ratio) : shown_view(state), document->image->width(),
                           document->image->height(), output.width, output.height);
}

Affine read_affine(const AppState& state, std::optional<int> pane) {
    Affine affine = shown_affine(state, pane);
    if (shows_signal(state, pane)) affine.yx = affine.yy = affine.y0 = 0;
    return affine;
}

Warp acting_warp(const AppState& state, std::optional<int> pane) {
    return shows_signal(state, pane) ? Warp{} : state.scene.warp;
}

Point shown_point(const AppState& state, double i, double j, std::optional<int> pane) {
    const Extent image = image_extent(state, pane);
    return warped(acting_warp(state, pane), apply(read_affine(state, pane), i, j), image.width, image.height);
}

bool shows_reference(const AppState& state, int pane) { return state.pointer.reference && pane == focused_pane(state); }

MethodSpec shown_spec(const AppState& state, std::optional<int> pane) {
    const int which = focused(state, pane);
    return shows_reference(state, which) ? reference_spec(state, which) : state.scene.panes[size_t(which)].spec;
}

bool antialiases(const AppState& state, std::optional<int> pane) {
    return state.scene.panes[size_t(focused(state, pane))].antialias.value_or(state.scene.antialias);
}

MethodSpec reference_spec(const AppState& state, int pane) {
    const MethodSpec& spec = state.scene.panes[size_t(pane)].spec;
    const Reference& reference = state.scene.reference;
    MethodSpec result = reference_of(spec);
    if (reference.kind == Reference::Kind::method && reference.spec.method) {
        result = reference_of(reference.spec);
        result.address = spec.address;  // the same picture beyond the edges
    }
    return result;
}

MethodSpec reference_of(const MethodSpec& spec) {
    MethodSpec reference = spec;
    reference.path = FetchPath::global;
    reference.prefilter = {Prefilter::Kind::iir};
    return reference;
}

std::string pane_name(int index) { return std::string(1, char('A' + index)); }

}  // namespace texelscope
