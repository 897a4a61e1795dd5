#pragma once
// Menus that are seen whole: a long one has columns.

namespace texelscope::gui {

// Like ImGui's; no taller than the window below its menu bar. In a small window, a menu within a menu may open over the
// entry that was pointed at: a click that was meant for that one chooses nothing, until the mouse has moved.
bool begin_menu(const char* title, bool enabled = true);
void end_menu();

// Whether so many entries of an open menu, and lines between groups of them, can be below each other.
bool fits_one_column(int entries, int lines);

// The entries of an open menu, in as many columns as they need to be seen all at once.
class MenuColumns {
public:
    explicit MenuColumns(int entries, int lines = 0);
    ~MenuColumns();
    MenuColumns(const MenuColumns&) = delete;
    MenuColumns& operator=(const MenuColumns&) = delete;

    // Before each entry; `line`: between two groups, unless a column begins there.
    void next(bool line = false);

private:
    float entry_, line_, most_, used_ = 0;  // heights: of an entry, of a line, of a column at most, so far
    int left_;                              // columns that have not begun
    bool table_ = false, first_ = true;
};

}  // namespace texelscope::gui
