#include "tests/gui/drag_source.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include "app/files/bytes/naming.h"

namespace texelscope::test {
namespace {

class DragSource {
public:
    DragSource(Display* display, std::string list) : display_(display), list_(std::move(list)) {
        source_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        XSetSelectionOwner(display_, selection_, source_, CurrentTime);
    }
    ~DragSource() { XDestroyWindow(display_, source_); }

    bool drop(int x, int y) {
        const std::optional<Window> target = taker_at(x, y);
        if (!target) return false;
        send(*target, "XdndEnter", protocol << 24, long(type_), 0, 0);
        send(*target, "XdndPosition", 0, long(x) << 16 | y, CurrentTime, long(atom("XdndActionCopy")));
        const std::optional<XClientMessageEvent> status = answer("XdndStatus");
        if (!status || !(status->data.l[1] & 1)) return false;
        send(*target, "XdndDrop", 0, CurrentTime, 0, 0);
        const std::optional<XClientMessageEvent> finished = answer("XdndFinished");
        return finished && finished->data.l[1] != 0;  // GLFW answers with the number of bytes it took
    }

private:
    static constexpr long protocol = 5;

    Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    // The innermost window that has the property, beginning at the whole screen.
    std::optional<Window> taker_at(int x, int y) const {
        const Window root = DefaultRootWindow(display_);
        std::optional<Window> found;
        for (Window window = root, child = None;; window = child) {
            Atom type = None;
            int format = 0, inner_x = 0, inner_y = 0;
            unsigned long count = 0, left = 0;
            unsigned char* value = nullptr;
            XGetWindowProperty(display_, window, atom("XdndAware"), 0, 1, False, XA_ATOM, &type, &format, &count, &left,
                               &value);
            if (value) XFree(value);
            if (type == XA_ATOM) found = window;
            if (!XTranslateCoordinates(display_, root, window, x, y, &inner_x, &inner_y, &child) || child == None)
                return found;
        }
    }

    void send(Window target, const char* message, long second, long third, long fourth, long fifth) const {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = target;
        event.xclient.message_type = atom(message);
        event.xclient.format = 32;
        const long values[] = {long(source_), second, third, fourth, fifth};
        std::copy(std::begin(values), std::end(values), event.xclient.data.l);
        XSendEvent(display_, target, False, NoEventMask, &event);
        XFlush(display_);
    }

    // The message, while the list is handed out to whoever asks for it.
    std::optional<XClientMessageEvent> answer(const char* message) const {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < end) {
            if (!XPending(display_)) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                continue;
            }
            XEvent event;
            XNextEvent(display_, &event);
            if (event.type == SelectionRequest) hand_out(event.xselectionrequest);
            if (event.type == ClientMessage && event.xclient.message_type == atom(message)) return event.xclient;
        }
        return std::nullopt;
    }

    void hand_out(const XSelectionRequestEvent& request) const {
        XChangeProperty(display_, request.requestor, request.property, type_, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(list_.data()), int(list_.size()));
        XEvent event{};
        event.xselection.type = SelectionNotify;
        event.xselection.requestor = request.requestor;
        event.xselection.selection = request.selection;
        event.xselection.target = request.target;
        event.xselection.property = request.property;
        event.xselection.time = request.time;
        XSendEvent(display_, request.requestor, False, NoEventMask, &event);
        XFlush(display_);
    }

    Display* display_;
    std::string list_;
    Atom selection_ = atom("XdndSelection"), type_ = atom("text/uri-list");
    Window source_ = None;
};

}  // namespace

bool drop_files(const std::string& display, const std::vector<std::string>& files, int x, int y) {
    const std::unique_ptr<Display, int (*)(Display*)> connection(XOpenDisplay(display.c_str()), XCloseDisplay);
    if (!connection) return false;
    std::string list;
    for (const std::string& file : files) list += "file://" + encoded_path(file) + "\r\n";
    return DragSource(connection.get(), list).drop(x, y);
}

}  // namespace texelscope::test
