#include "tests/gui/x11_clipboard_owner.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>

// Last: its macros (None, Bool) are names elsewhere.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace texelscope::test {

class ClipboardOwner::Server {
public:
    Server(const std::string& display, std::map<std::string, std::string> forms)
        : display_(XOpenDisplay(display.c_str())), forms_(std::move(forms)) {
        if (!display_) throw std::runtime_error("no display");
        window_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        XSetSelectionOwner(display_, atom("CLIPBOARD"), window_, CurrentTime);
        XSync(display_, False);
        thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    }
    ~Server() {
        thread_.request_stop();
        thread_.join();
        XCloseDisplay(display_);
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

private:
    struct Sending {
        ::Window to;
        Atom property, form;
        std::string rest;
        bool ended = false;
    };

    Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    void serve(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            pollfd connection{ConnectionNumber(display_), POLLIN, 0};
            if (!XPending(display_)) ::poll(&connection, 1, 10);
            while (XPending(display_)) {
                XEvent event;
                XNextEvent(display_, &event);
                if (event.type == SelectionRequest) hand_out(event.xselectionrequest);
                if (event.type == PropertyNotify && event.xproperty.state == PropertyDelete) go_on(event.xproperty);
            }
        }
    }

    void put(::Window to, Atom property, Atom form, const std::string& bytes) const {
        XChangeProperty(display_, to, property, form, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(bytes.data()), int(bytes.size()));
    }

    void hand_out(const XSelectionRequestEvent& request) {
        bool has = true;
        if (request.target == atom("TARGETS")) {
            std::vector<Atom> names = {request.target};
            for (const auto& [form, bytes] : forms_) names.push_back(atom(form.c_str()));
            XChangeProperty(display_, request.requestor, request.property, XA_ATOM, 32, PropModeReplace,
                            reinterpret_cast<const unsigned char*>(names.data()), int(names.size()));
        } else {
            const auto found = std::find_if(forms_.begin(), forms_.end(), [&](const auto& each) {
                return atom(each.first.c_str()) == request.target;
            });
            has = found != forms_.end();
            if (has && found->second.size() > piece_bytes) {
                const long size = long(found->second.size());
                sending_ = Sending{request.requestor, request.property, request.target, found->second};
                XSelectInput(display_, request.requestor, PropertyChangeMask);
                XChangeProperty(display_, request.requestor, request.property, atom("INCR"), 32, PropModeReplace,
                                reinterpret_cast<const unsigned char*>(&size), 1);
            } else if (has) {
                put(request.requestor, request.property, request.target, found->second);
            }
        }
        XEvent event{};
        event.xselection.type = SelectionNotify;
        event.xselection.requestor = request.requestor;
        event.xselection.selection = request.selection;
        event.xselection.target = request.target;
        event.xselection.property = has ? request.property : 0;
        event.xselection.time = request.time;
        XSendEvent(display_, request.requestor, False, NoEventMask, &event);
        XFlush(display_);
    }

    // The next piece, once the one before has been taken; an empty one in the end.
    void go_on(const XPropertyEvent& taken) {
        if (!sending_ || taken.window != sending_->to || taken.atom != sending_->property) return;
        if (sending_->ended) {
            sending_.reset();
            return;
        }
        const std::string piece = sending_->rest.substr(0, piece_bytes);
        sending_->rest.erase(0, piece.size());
        sending_->ended = piece.empty();
        put(sending_->to, sending_->property, sending_->form, piece);
        XFlush(display_);
    }

    Display* display_;
    std::map<std::string, std::string> forms_;
    ::Window window_ = 0;
    std::optional<Sending> sending_;
    std::jthread thread_;
};

ClipboardOwner::ClipboardOwner(const std::string& display, std::map<std::string, std::string> forms)
    : server_(std::make_unique<Server>(display, std::move(forms))) {}

ClipboardOwner::~ClipboardOwner() = default;

}  // namespace texelscope::test
