#include "app/viewer/widgets/gui.h"

#include <cstring>
#include <utility>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

namespace texelscope::gui {
namespace {

// A word at a time: far cheaper than drawing.
uint64_t hashed(uint64_t hash, const void* data, size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    const auto take = [&](uint64_t word) {
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 29;
    };
    for (; bytes >= 8; at += 8, bytes -= 8) {
        uint64_t word;
        std::memcpy(&word, at, 8);
        take(word);
    }
    for (; bytes > 0; ++at, --bytes) take(*at);
    return hash;
}

// A hash of all vertices and draw calls.
uint64_t hash_of(const ImDrawData& data) {
    uint64_t hash = hashed(0xcbf29ce484222325u, &data.DisplaySize, sizeof data.DisplaySize);
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const ImDrawList& list = *data.CmdLists[i];
        hash = hashed(hash, list.VtxBuffer.Data, size_t(list.VtxBuffer.size_in_bytes()));
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const uint64_t of[] = {uint64_t(command.ElemCount),
                                   uint64_t(reinterpret_cast<uintptr_t>(command.TextureId))};
            hash = hashed(hashed(hash, &command.ClipRect, sizeof command.ClipRect), of, sizeof of);
        }
    }
    return hash;
}

// A list of shapes by itself, as data to be drawn.
struct DataOfList {
    explicit DataOfList(ImDrawList& shapes) : list(&shapes), data(*ImGui::GetDrawData()) {
        data.CmdLists = &list;
        data.CmdListsCount = 1;
        data.TotalIdxCount = shapes.IdxBuffer.Size;
        data.TotalVtxCount = shapes.VtxBuffer.Size;
    }
    DataOfList(const DataOfList&) = delete;
    DataOfList& operator=(const DataOfList&) = delete;

    ImDrawList* list;
    ImDrawData data;
};

// Windows that will first be drawn by the next frame.
bool has_hidden_windows() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && (window->HiddenFramesCannotSkipItems > 0 || window->Appearing)) return true;
    return false;
}

bool field_has_keyboard() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    return context.ActiveId != 0 && context.ActiveId == context.InputTextState.ID;
}

// ImGui keeps the undo steps of a field that was left, and applies them to whatever text it has later: beyond its end, too.
// A code field, of several lines, compares its text itself.
void forget_left_field() {
    ImGuiInputTextState& state = ImGui::GetCurrentContext()->InputTextState;
    if (!field_has_keyboard() && state.Stb.single_line) state.ID = 0;
}

// Tab begins in the topmost dialog, whatever was clicked beside it.
void focus_for_tab(Dialog topmost) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!io.KeysDown[io.KeyMap[ImGuiKey_Tab]] || ImGui::GetCurrentContext()->OpenPopupStack.Size > 0) return;
    ImGuiWindow* dialog = ImGui::FindWindowByName(row_of(topmost).title);
    const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
    if (dialog && dialog->WasActive && (!focused || focused->RootWindow != dialog)) ImGui::FocusWindow(dialog);
}

}  // namespace

Gui::Gui(Window& window, float ui_scale, DrawnFonts fonts)
    : window_(window), ui_scale_(ui_scale), drawn_fonts_(std::move(fonts)) {
    ImGui::CreateContext(drawn_fonts_.atlas.get());
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;               // sizes are stored in the settings
    io.ConfigInputTextCursorBlink = false;  // no blinking: nothing is drawn without a change
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.UserData = &theme_;
    unrecorded_ = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
    theme_.unrecorded = unrecorded_.get();
    ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);  // calls our callbacks as well
    ImGui_ImplOpenGL3_Init(Window::shading_language().c_str());
    theme_.scale = 0;
    follow_display();
}

Gui::~Gui() {
    unrecorded_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    if (drawn_fonts_.atlas) drawn_fonts_.atlas->Locked = false;  // by a frame that was not finished
    ImGui::DestroyContext();
}

float Gui::display_scale() const { return ui_scale_ > 0 ? ui_scale_ : window_.content_scale() / window_.pixel_ratio(); }

void Gui::follow_display() {
    const float ratio = window_.pixel_ratio();
    const float scale = display_scale() * magnification_;
    const bool as_dense = dense_ == theme_.dense || !reading_fonts_;
    theme_.dense = dense_;
    if (scale == theme_.scale && ratio == theme_.pixel_ratio && as_dense) return;
    theme_.scale = scale;
    theme_.pixel_ratio = ratio;
    drawn_ = 0;  // the fonts are in a texture
    const bool first = theme_.text == nullptr;
    const bool drawn = first && drawn_fonts_.pixels_per_unit == scale * ratio;
    if (drawn) static_cast<Fonts&>(theme_) = drawn_fonts_.fonts;
    else load_fonts(theme_);
    reading_fonts_ = !drawn;
    set_style(theme_);
    if (first) return;  // the texture is made with the first frame
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Gui::need_reading_fonts() {
    if (reading_fonts_) return;
    theme_.scale = 0;  // all are drawn again
    follow_display();
}

void Gui::prepare_to_draw() { ImGui_ImplOpenGL3_NewFrame(); }

void Gui::begin_frame(std::optional<Dialog> owner, std::optional<Dialog> topmost) {
    if (!window_.minimised()) follow_display();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    keep_tab_stop(topmost);
    hand_over_strokes(owner);
    if (topmost) focus_for_tab(*topmost);
    ImGuiIO& io = ImGui::GetIO();
    const bool& on_tab_stop = theme_.memory.on_tab_stop;
    // Elsewhere Tab hides the panels; it must not also move the focus into one of their fields.
    if (!topmost && !io.WantTextInput && !on_tab_stop) io.KeysDown[io.KeyMap[ImGuiKey_Tab]] = false;
    // Arrows and Enter choose from a list that drops down, and act on the control that Tab has reached; elsewhere they are
    // the picture's.
    constexpr int by_keys = ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigFlags = has_popup() || on_tab_stop ? io.ConfigFlags | by_keys : io.ConfigFlags & ~by_keys;
    forget_left_field();
    ImGui::NewFrame();
    unrecorded_->_ResetForNewFrame();
    unrecorded_->PushTextureID(io.Fonts->TexID);
    unrecorded_->PushClipRectFullScreen();
    follow_tab();
    theme_.memory.rest.begin_frame(io.MouseDelta.x != 0 || io.MouseDelta.y != 0);
    for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle})
        if (ImGui::IsMouseDown(button) || ImGui::IsMouseReleased(button)) hide_tooltip();
    controls_.clear();
}

// ImGui 1.86 moves the focus by Tab to whatever dialogs have marked as a stop (begin_tab_stops), but forgets where it was
// unless a field has the keyboard, and then begins with the first. Called before NewFrame(), which moves it.
void Gui::keep_tab_stop(std::optional<Dialog> topmost) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    constexpr int by_program = ImGuiNavMoveFlags_Tabbing | ImGuiNavMoveFlags_FocusApi;
    const bool moves = context.NavMoveSubmitted && (context.NavMoveFlags & by_program) == ImGuiNavMoveFlags_Tabbing;
    const bool there =
        context.NavIdIsAlive || context.NavInitRequest || context.NavInitResultId != 0;  // or enters a list
    bool& on_tab_stop = theme_.memory.on_tab_stop;
    const bool stays = on_tab_stop && there && !field_has_keyboard() && !clicked_;
    on_tab_stop = topmost == tab_owner_ && (moves || stays);
    tab_owner_ = topmost;
    if (on_tab_stop) context.NavDisableHighlight = false;  // else Space would not act on it
}

// From where the focus is.
void Gui::follow_tab() {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    clicked_ = ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    const bool from_first = context.NavMoveSubmitted && context.NavMoveFlags & ImGuiNavMoveFlags_Tabbing &&
                            context.NavTabbingDir == 0 && context.NavId != 0;
    if (theme_.memory.on_tab_stop && from_first) context.NavTabbingDir = +1;
}

// ImGui 1.86 checks keys once per frame: one pressed and released since the last frame would be lost, or its Ctrl would
// if that was released.
void Gui::hand_over_strokes(std::optional<Dialog> owner) {
    ImGuiIO& io = ImGui::GetIO();
    for (int key : held_for_a_frame_) io.KeysDown[key] = false;
    held_for_a_frame_.clear();
    const auto hold = [&](int key) {
        if (io.KeysDown[key]) return;
        io.KeysDown[key] = true;
        held_for_a_frame_.push_back(key);
    };
    TypedAhead::Share share = typed_ahead_.take(owner, field_has_keyboard());
    typed_ahead_.for_each_waiting([&](const KeyStroke& stroke) {
        if (stroke.code >= 0) io.KeysDown[stroke.code] = false;
    });
    for (const KeyStroke& stroke : share.keys) {
        if (stroke.code < 0 || stroke.repeated) continue;
        io.KeysDownDuration[stroke.code] = -1;  // pressed again, even if it was held for the frame before
        hold(stroke.code);
        if (stroke.code == GLFW_KEY_ENTER && (has_popup() || theme_.memory.on_tab_stop) && !io.WantTextInput)
            hold(GLFW_KEY_SPACE);  // ImGui's own key
        if (stroke.modifiers.ctrl && !io.KeysDown[GLFW_KEY_RIGHT_CONTROL]) hold(GLFW_KEY_LEFT_CONTROL);
        if (stroke.modifiers.shift && !io.KeysDown[GLFW_KEY_RIGHT_SHIFT]) hold(GLFW_KEY_LEFT_SHIFT);
        if (stroke.modifiers.alt && !io.KeysDown[GLFW_KEY_RIGHT_ALT]) hold(GLFW_KEY_LEFT_ALT);
    }
    const auto down = [&](int left, int right) { return io.KeysDown[left] || io.KeysDown[right]; };
    io.KeyCtrl = down(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    io.KeyShift = down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
    io.KeyAlt = down(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
    // In the order of the strokes, unlike ImGui's own queue; Ctrl was not held while they were typed.
    io.InputQueueCharacters.resize(0);
    for (char32_t character : share.text) io.AddInputCharacter(ImWchar(character));
    if (!share.text.empty()) io.KeyCtrl = false;
    strokes_ = std::move(share.keys);
    theme_.strokes = strokes_;
}

void Gui::end_frame() {
    ImGui::Render();
    const uint64_t before =
        std::exchange(built_, hash_of(*ImGui::GetDrawData()) ^ hash_of(DataOfList(*unrecorded_).data));
    changing_ = built_ != before || !held_for_a_frame_.empty() || typed_ahead_.waiting() || has_hidden_windows();
}

void Gui::draw() {
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    drawn_ = built_;
}

void Gui::draw_unrecorded() {
    if (unrecorded_->VtxBuffer.empty()) return;
    DataOfList shapes(*unrecorded_);
    ImGui_ImplOpenGL3_RenderDrawData(&shapes.data);
}

// Not io.WantCaptureKeyboard: that is as of the beginning of the last frame. And a window that was clicked beside its
// controls, which ImGui holds for a frame, has no use for keys.
bool Gui::wants_keyboard() const {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiWindow* held = context.ActiveIdWindow;
    const bool in_use = context.ActiveId != 0 && !(held && context.ActiveId == held->MoveId);
    return in_use || context.IO.WantTextInput || has_popup() || theme_.memory.on_tab_stop;
}

void Gui::release_keyboard() {
    ImGui::ClearActiveID();
    theme_.memory.on_tab_stop = false;
    ImGui::GetCurrentContext()->WantTextInputNextFrame = -1;
    ImGui::GetIO().WantTextInput = ImGui::GetIO().WantCaptureKeyboard = false;
}

bool Gui::covers(double x, double y) const {
    const ImVec2 at(float(x) / theme_.pixel_ratio, float(y) / theme_.pixel_ratio);
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        const bool shown = window->WasActive && !window->Hidden &&
                           !(window->Flags & (ImGuiWindowFlags_NoMouseInputs | ImGuiWindowFlags_Tooltip));
        if (shown && window->OuterRectClipped.Contains(at)) return true;
    }
    return false;
}

bool Gui::has_popup() const { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }

void Gui::close_popups() { ImGui::ClosePopupToLevel(0, true); }

namespace {

constexpr int frames_to_focus = 4;  // by then a dialog's field has the keyboard, or there is none

// Keys that only type something reach a field as text.
bool acts(const KeyStroke& stroke) {
    return stroke.modifiers.ctrl || (stroke.key != Key::none && stroke.key != Key::space);
}

}  // namespace

TypedAhead::Share TypedAhead::take(std::optional<Dialog> owner, bool in_field) {
    frames_ = owner == owner_ ? frames_ + 1 : 0;
    owner_ = owner;
    std::erase_if(strokes_, [&](const Waiting& waiting) { return waiting.owner != owner; });
    Share share;
    if (owner && !in_field && frames_ < frames_to_focus) return share;
    while (!strokes_.empty()) {
        const KeyStroke stroke = strokes_.front().stroke;
        if (stroke.modifiers.ctrl && !share.text.empty()) break;  // while Ctrl is held, fields take no text
        strokes_.pop_front();
        if (stroke.typed) share.text.push_back(stroke.character);
        else share.keys.push_back(stroke);
        if (!stroke.typed && acts(stroke)) break;  // what follows was typed after its effect
    }
    return share;
}

}  // namespace texelscope::gui
