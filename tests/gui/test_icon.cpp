// What window managers and task bars show for the window.

#include <set>

#include "app/files/bytes/embedded_files.h"
#include "tests/gui/viewer_test.h"

// Last: its macros (None, Bool) are names elsewhere.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace texelscope::test {
namespace {

using Icons = ViewerTest;

// The sides of all _NET_WM_ICON pictures of this window and those in it.
std::set<unsigned long> icon_sides(Display* display, ::Window window) {
    std::set<unsigned long> sides;
    Atom type = None;
    int format = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* data = nullptr;
    XGetWindowProperty(display, window, XInternAtom(display, "_NET_WM_ICON", False), 0, 1 << 20, False, XA_CARDINAL,
                       &type, &format, &count, &rest, &data);
    const auto* values = reinterpret_cast<const unsigned long*>(data);
    for (unsigned long at = 0; data && at + 2 < count; at += 2 + values[at] * values[at + 1])
        if (values[at] == values[at + 1]) sides.insert(values[at]);
    if (data) XFree(data);
    ::Window root = None, parent = None, *children = nullptr;
    unsigned children_count = 0;
    if (XQueryTree(display, window, &root, &parent, &children, &children_count) == 0) return sides;
    for (unsigned i = 0; i < children_count; ++i) sides.merge(icon_sides(display, children[i]));
    if (children) XFree(children);
    return sides;
}

TEST_F(Icons, OfTheWindowHaveTheSizesOfTaskBars) {
    if (embedded_icons().empty()) GTEST_SKIP() << "built without rsvg-convert";
    ViewerProgram viewer(*screen_, {"@step:64"});
    viewer.settled_state();
    Display* display = XOpenDisplay(screen_->display().c_str());
    ASSERT_TRUE(display);
    const std::set<unsigned long> sides = icon_sides(display, DefaultRootWindow(display));
    XCloseDisplay(display);
    EXPECT_EQ(sides, (std::set<unsigned long>{16, 24, 32, 48, 64}));
}

}  // namespace
}  // namespace texelscope::test
