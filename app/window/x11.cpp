// Last: its macros (None, Bool) are names elsewhere.

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <fmt/format.h>

#include "app/window/window.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr size_t most_copied_bytes = size_t(1) << 30;

// The asking side of a selection (ICCCM 2.4, large ones in pieces as of 2.7.2).
class SelectionReader {
public:
    explicit SelectionReader(const std::stop_token& stop)
        : stop_(stop), display_(XOpenDisplay(nullptr), [](Display* display) { XCloseDisplay(display); }) {
        if (!display_) throw Unavailable("pasting needs an X display; under Wayland, Xwayland will do");
        window_ = XCreateSimpleWindow(display(), DefaultRootWindow(display()), 0, 0, 1, 1, 0, 0, 0);
        XSelectInput(display(), window_, PropertyChangeMask);
    }

    bool anything() const { return XGetSelectionOwner(display(), atom("CLIPBOARD")) != 0; }

    // The names of the forms that it can be had in.
    std::vector<std::string> forms() {
        const std::optional<Value> list = ask("TARGETS");
        std::vector<std::string> names;
        if (!list || list->bits != 32) return names;
        for (size_t at = 0; at + sizeof(Atom) <= list->bytes.size(); at += sizeof(Atom)) {
            Atom form = 0;
            std::copy_n(list->bytes.data() + at, sizeof form, reinterpret_cast<std::byte*>(&form));
            const std::unique_ptr<char, int (*)(void*)> name(form ? XGetAtomName(display(), form) : nullptr, XFree);
            if (name) names.emplace_back(name.get());
        }
        return names;
    }

    // Its bytes in one of these forms; empty if that is declined.
    std::vector<std::byte> bytes(const std::string& form) {
        std::optional<Value> value = ask(form.c_str());
        return value && value->bits == 8 ? std::move(value->bytes) : std::vector<std::byte>();
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds patience{5};

    struct Value {
        Atom type = 0;  // 0: there is no such property
        int bits = 0;   // of an item; those of 32 bits are longs
        std::vector<std::byte> bytes;
    };

    Display* display() const { return display_.get(); }
    Atom atom(const char* name) const { return XInternAtom(display(), name, False); }

    XEvent next_event() const {
        const Clock::time_point end = Clock::now() + patience;
        while (!XPending(display())) {
            if (stop_.stop_requested()) throw Cancelled("pasting was cancelled");
            if (Clock::now() > end) throw Error("the program that has copied it does not answer");
            pollfd connection{ConnectionNumber(display()), POLLIN, 0};
            ::poll(&connection, 1, 20);
        }
        XEvent event;
        XNextEvent(display(), &event);
        return event;
    }

    // Takes the property away, which tells the other side that it has been read.
    Value take_property() const {
        constexpr long piece = 1 << 18;  // of 4 bytes
        Value value;
        unsigned long rest = 1;
        for (long at = 0; rest > 0; at += piece) {
            unsigned char* data = nullptr;
            unsigned long count = 0;
            if (XGetWindowProperty(display(), window_, property_, at, piece, True, AnyPropertyType, &value.type,
                                   &value.bits, &count, &rest, &data) != Success)
                throw Error("the X server does not hand it out");
            const std::unique_ptr<unsigned char, int (*)(void*)> owner(data, XFree);
            const size_t item = value.bits == 32 ? sizeof(long) : size_t(value.bits) / 8;
            const std::span part(reinterpret_cast<const std::byte*>(data), data ? count * item : 0);
            value.bytes.insert(value.bytes.end(), part.begin(), part.end());
            check_size(value.bytes.size());
        }
        return value;
    }

    static void check_size(size_t bytes) {
        if (bytes > most_copied_bytes) throw Error("what was copied has more than a gigabyte");
    }

    // Each piece is put into the property once the one before has been taken; an empty one ends them. An event may be of
    // a piece that has been taken already: then there is no property.
    Value take_pieces() const {
        Value whole;
        for (;;) {
            const XEvent event = next_event();
            if (event.type != PropertyNotify || event.xproperty.state != PropertyNewValue ||
                event.xproperty.atom != property_)
                continue;
            const Value piece = take_property();
            if (piece.type == 0) continue;
            if (piece.bytes.empty()) return whole;
            whole.type = piece.type;
            whole.bits = piece.bits;
            whole.bytes.insert(whole.bytes.end(), piece.bytes.begin(), piece.bytes.end());
            check_size(whole.bytes.size());
        }
    }

    std::optional<Value> ask(const char* form) {
        const Atom selection = atom("CLIPBOARD"), target = atom(form);
        XConvertSelection(display(), selection, target, property_, window_, CurrentTime);
        XFlush(display());
        for (;;) {
            const XEvent event = next_event();
            if (event.type != SelectionNotify || event.xselection.target != target) continue;
            if (event.xselection.property == 0) return {};
            break;
        }
        Value value = take_property();
        return value.type == atom("INCR") ? take_pieces() : std::move(value);
    }

    const std::stop_token stop_;
    std::unique_ptr<Display, void (*)(Display*)> display_;
    ::Window window_ = 0;  // goes with the connection
    Atom property_ = atom("TEXELSCOPE_PASTED");
};

}  // namespace

Copied read_clipboard(const std::stop_token& stop) {
    SelectionReader reader(stop);
    if (!reader.anything()) throw Error("nothing has been copied");
    const std::vector<std::string> forms = reader.forms();
    const auto first_of = [&](std::initializer_list<const char*> wanted) {
        for (const char* form : wanted)
            if (std::ranges::count(forms, form) > 0)
                if (std::vector<std::byte> bytes = reader.bytes(form); !bytes.empty()) return bytes;
        return std::vector<std::byte>();
    };
    const auto as_text = [](const std::vector<std::byte>& bytes) {
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    Copied copied;
    copied.text = as_text(first_of({"text/uri-list"}));
    copied.picture = first_of({"image/png", "image/tiff", "image/webp", "image/bmp", "image/jpeg"});
    if (copied.text.empty() && copied.picture.empty())
        copied.text = as_text(first_of({"UTF8_STRING", "text/plain;charset=utf-8", "STRING"}));
    if (copied.text.empty() && copied.picture.empty()) throw Error("what has been copied is neither picture nor text");
    return copied;
}

// Last: its macros (None, Bool) are names elsewhere.

namespace {

// Xlib cannot go on without its connection, and ends the program if this returns. Other threads still run, so nothing is
// destroyed.
int end_without_display(Display* display) {
    std::fputs(fmt::format("texelscope: the display {} has gone; its server has ended or dropped the connection\n",
                           DisplayString(display))
                   .c_str(),
               stderr);
    std::_Exit(EXIT_FAILURE);
}

}  // namespace

void name_lost_display() {
    XSetIOErrorHandler(end_without_display);
    struct sigaction pipe {};
    ::sigaction(SIGPIPE, nullptr, &pipe);
    if ((pipe.sa_flags & SA_SIGINFO) != 0 || pipe.sa_handler != SIG_DFL) return;
    // Unlike one that is ignored, a signal with a handler has its usual effect in the programs that this one starts.
    pipe.sa_handler = [](int) {};
    pipe.sa_flags = SA_RESTART;
    ::sigaction(SIGPIPE, &pipe, nullptr);
}

ScreenProfile screen_profile() {
    name_lost_display();
    const std::shared_ptr<Display> display(XOpenDisplay(nullptr), [](Display* open) {
        if (open) XCloseDisplay(open);
    });
    if (!display) return {};
    ScreenProfile profile{display, {}};
    const Atom name = XInternAtom(display.get(), "_ICC_PROFILE", True);
    if (name == 0) return profile;
    constexpr long most_words = 4 << 20;  // of 4 bytes
    Atom type = 0;
    int bits = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* data = nullptr;
    const int status = XGetWindowProperty(display.get(), DefaultRootWindow(display.get()), name, 0, most_words, False,
                                          XA_CARDINAL, &type, &bits, &count, &rest, &data);
    if (status == Success && data && type == XA_CARDINAL && bits == 8 && rest == 0) {
        const auto* bytes = reinterpret_cast<const std::byte*>(data);
        profile.icc.assign(bytes, bytes + count);
    }
    if (data) XFree(data);
    return profile;
}

}  // namespace texelscope
