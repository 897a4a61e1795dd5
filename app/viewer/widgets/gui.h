#pragma once
// Dear ImGui on our window: context, fonts at the display's scale, frames.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "app/state/dialogs.h"
#include "app/viewer/widgets/theme.h"
#include "app/window/input.h"
#include "app/window/window.h"

namespace texelscope::gui {

// Strokes on their way to the fields of panels, in the order they were typed. A dialog's field takes the keyboard a few
// frames after the dialog opened: what is typed until then waits for it.

class TypedAhead {
public:
    struct Share {
        std::vector<char32_t> text;
        std::vector<KeyStroke> keys;  // the last one may act on the text
    };

    // `owner`: the dialog that owned the keyboard then.
    void add(const KeyStroke& stroke, std::optional<Dialog> owner) { strokes_.push_back({stroke, owner}); }

    // What the next frame may take. `owner`: the dialog that owns the keyboard now; what was typed for another one is
    // dropped. `in_field`: a text field has the keyboard.
    Share take(std::optional<Dialog> owner, bool in_field);

    bool waiting() const { return !strokes_.empty(); }
    template <class Visit> void for_each_waiting(Visit visit) const {
        for (const Waiting& waiting : strokes_) visit(waiting.stroke);
    }

private:
    struct Waiting {
        KeyStroke stroke;
        std::optional<Dialog> owner;
    };
    std::deque<Waiting> strokes_;
    std::optional<Dialog> owner_;
    int frames_ = 0;  // that it has owned the keyboard
};

class Gui {
public:
    // `ui_scale` 0: the display's. `fonts`: drawn already for the scale that is expected; others are drawn if it is another.
    // Window and context must outlive it.
    Gui(Window& window, float ui_scale, DrawnFonts fonts = {});
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    // From now on there are the fonts for reading, which are drawn if they are not there yet. Not within a frame.
    void need_reading_fonts();

    // Makes shaders and textures, which the first frame would do otherwise.
    void prepare_to_draw();

    // Enlarges everything by this factor, from the next frame on.
    void magnify(float factor) { magnification_ = factor; }
    // The same: text to read is smaller.
    void make_dense(bool dense) { dense_ = dense; }

    // Window coordinates per unit, before magnify().
    float display_scale() const;

    // A stroke that was no shortcut. `owner`: the dialog that owned the keyboard.
    void take(const KeyStroke& stroke, std::optional<Dialog> owner) { typed_ahead_.add(stroke, owner); }

    // Between these two calls the panels are built; fonts follow the monitor. `owner`: the dialog that owns the keyboard;
    // `topmost`: the one in which Tab moves between controls.
    void begin_frame(std::optional<Dialog> owner, std::optional<Dialog> topmost);

    // No tooltip appears until the mouse has moved. Called for each key; clicks are noticed here.
    void hide_tooltip() { theme_.memory.rest.hide(); }
    void end_frame();
    void draw();             // draws the result of end_frame, but for
    void draw_unrecorded();  // what is on the screen and in no recording: Theme::unrecorded

    // Whether draw() would repeat the last one. Pictures that changed within a texture do not count.
    bool draws_the_same() const { return drawn_ == built_; }

    // Whether the last frame's interface differs from that of the frame before, or the next one's will: windows that fit
    // their contents are hidden until these have been measured. Pictures that changed within a texture do not count.
    bool changing() const { return changing_; }

    // Whether typing belongs to a field of a panel, or to a popup.
    bool wants_keyboard() const;

    // Takes it from the field that has it, at once: a dialog was closed or opened. ImGui itself would notice a frame later,
    // and a key that comes before would be lost.
    void release_keyboard();

    // Whether a window or popup of the panels is at this position of the window (framebuffer pixels).
    bool covers(double x, double y) const;

    bool has_popup() const;
    void close_popups();

    const Theme& look() const { return theme_; }

    // From now on, each frame notes the positions of its controls.
    void log_controls() { theme_.control_log = &controls_; }
    const ControlLog& controls() const { return controls_; }

private:
    void follow_display();
    void keep_tab_stop(std::optional<Dialog> topmost);
    void follow_tab();
    void hand_over_strokes(std::optional<Dialog> owner);

    Window& window_;
    float ui_scale_, magnification_ = 1;
    bool dense_ = false;
    DrawnFonts drawn_fonts_;  // without an atlas: the context has its own
    bool reading_fonts_ = false;
    Theme theme_;
    ControlLog controls_;
    std::unique_ptr<ImDrawList> unrecorded_;
    TypedAhead typed_ahead_;
    std::vector<KeyStroke> strokes_;  // of this frame
    std::vector<int> held_for_a_frame_;
    std::optional<Dialog> tab_owner_;  // that was the topmost in the last frame
    bool clicked_ = false;             // in the last frame
    uint64_t built_ = 0;               // hash of the last frame's shapes
    uint64_t drawn_ = 0;               // of those that were drawn last
    bool changing_ = false;
};

}  // namespace texelscope::gui
