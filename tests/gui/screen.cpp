#include "tests/gui/screen.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include "app/files/bytes/naming.h"

// Last: its macros (None, Bool) are names elsewhere.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace texelscope::test {
namespace {

// X window dump, version 7: a header of big-endian 32-bit words, the colours, then rows of pixels of 24 or 32 bits.
Image read_xwd(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto word = [&](size_t index) {
        uint32_t value = 0;
        for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(bytes.at(index * 4 + i));
        return value;
    };
    if (bytes.size() < 100 || word(1) != 7 || (word(11) != 24 && word(11) != 32)) return {};
    const uint32_t columns = word(4), rows = word(5), stride = word(12), red = word(14);
    const int bytes_per_pixel = int(word(11) / 8);
    const bool little_endian = word(7) == 0;
    const size_t start = word(0) + size_t(word(19)) * 12;
    Image image(int(columns), int(rows), 3, SampleType::u8);
    for (uint32_t y = 0; y < rows; ++y)
        for (uint32_t x = 0; x < columns; ++x) {
            const char* p = &bytes.at(start + size_t(y) * stride + size_t(x) * size_t(bytes_per_pixel));
            uint32_t pixel = 0;
            for (int i = 0; i < bytes_per_pixel; ++i)
                pixel |= uint32_t(uint8_t(p[i])) << (8 * (little_endian ? i : bytes_per_pixel - 1 - i));
            uint8_t* out = image.row_as<uint8_t>(int(y)) + size_t(x) * 3;
            out[0] = uint8_t(red == 0xff0000 ? pixel >> 16 : pixel);
            out[1] = uint8_t(pixel >> 8);
            out[2] = uint8_t(red == 0xff0000 ? pixel : pixel >> 16);
        }
    return image;
}

}  // namespace

Screen::Screen() {
    if (const char* given = std::getenv("TEXELSCOPE_TEST_DISPLAY")) {
        display_ = given;
        return;
    }
    // -displayfd 2: the server picks a free number and writes it to stderr. -r: a key whose release comes late, as on a busy
    // machine, is not repeated.
    server_ =
        std::make_unique<Process>(std::vector<std::string>{"Xvfb", "-displayfd", "2", "-screen", "0",
                                                           std::to_string(width) + "x" + std::to_string(height) + "x24",
                                                           "+extension", "GLX", "-noreset", "-r"},
                                  std::map<std::string, std::string>{});
    const auto is_number = [](const std::string& line) {
        return !line.empty() && line.find_first_not_of("0123456789") == std::string::npos;
    };
    const int line = server_->wait_for_line(0, is_number, 20);
    if (line >= 0) display_ = ":" + server_->lines()[size_t(line)];
}

bool Screen::xdotool(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {"xdotool"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, {{"DISPLAY", display_}}) == 0;
}

Image Screen::picture() const {
    const auto path = std::filesystem::temp_directory_path() / ("texelscope-" + std::to_string(getpid()) + ".xwd");
    const int status = run({"xwd", "-silent", "-root", "-out", path.string()}, {{"DISPLAY", display_}});
    Image image = status == 0 ? read_xwd(path) : Image();
    std::filesystem::remove(path);
    return image;
}

struct Cover::Shown {
    Display* display = nullptr;
    ::Window window = 0;
};

Cover::Cover(const std::string& display, int x, int y, int width, int height) : shown_(new Shown) {
    shown_->display = XOpenDisplay(display.c_str());
    if (!shown_->display) return;
    XSetWindowAttributes attributes{};
    attributes.override_redirect = True;
    attributes.background_pixel = 0;
    shown_->window =
        XCreateWindow(shown_->display, DefaultRootWindow(shown_->display), x, y, unsigned(width), unsigned(height), 0,
                      CopyFromParent, InputOutput, CopyFromParent, CWOverrideRedirect | CWBackPixel, &attributes);
    XMapRaised(shown_->display, shown_->window);
    XSync(shown_->display, False);
}

Cover::~Cover() {
    if (!shown_->display) return;
    XDestroyWindow(shown_->display, shown_->window);
    XCloseDisplay(shown_->display);
}

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
