// Actions of the File menu.

#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/pane_edits.h"

namespace texelscope {

std::vector<Action> file_actions() {
    return {
        Action{"file.open", "Open…", Menu::file, 0,
               "Choose an image or a session file. Dropping files or a folder on the window also opens them.",
               [](AppState& s) { s.ui.dialogs.toggle(Dialog::browser); }}
            .keys({"Ctrl+O"})
            .opening(Dialog::browser),
        Action{"file.reload", "Reload", Menu::file, 1,
               "Reload the image and keep the view. A file that changes on disk is reloaded automatically.",
               [](AppState& s) { s.tasks.push_back(task::Reload{}); }}
            .keys({"F5"})
            .only_if(has_document),
        Action{"file.close", "Close", Menu::file, 1,
               "Close the active pane's image. After the last one, the default picture is shown.",
               [](AppState& s) {
                   follow_with_active_pane(s);
                   s.tasks.push_back(task::Close{});
               }}
            .keys({"Ctrl+W"})
            .only_if(has_document),
        Action{"file.information", "File information…", Menu::file, 1,
               "What the file says of itself: place, size, channels, colour profile, EXIF and other metadata. Typing "
               "filters the rows.",
               [](AppState& s) { s.ui.dialogs.toggle(Dialog::information); }}
            .opening(Dialog::information)
            .only_if(has_document)
            .ticked_if([](const AppState& s) { return s.ui.dialogs.has(Dialog::information); })
            .found_by("metadata, properties, exif, iptc, xmp, camera, gps, icc profile, tags, layers"),
        Action{"file.quit", "Quit", Menu::file, 3, "Quit the program.",
               [](AppState& s) { s.tasks.push_back(task::Quit{}); }}
            .keys({"Ctrl+Q"}),
    };
}

}  // namespace texelscope
