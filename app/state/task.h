#pragma once
// Tasks: what panels and actions want done outside the state, between two frames. A task's struct may say of it:
//     replaces_picture   it asks for another picture in the window
//     reopens            the dialog that opens again if it fails, with what was typed
// Who carries it out, and which file it reads, is said in app/viewer/loop/tasks/.

#include <string>
#include <variant>
#include <vector>

#include "app/files/decoding/picture_in_file.h"
#include "app/state/dialogs.h"
#include "app/state/view_math.h"

namespace texelscope {

namespace task {
struct Open {
    static constexpr bool replaces_picture = true;
    std::string source;
    bool replace = false;  // the shown document is replaced
};
struct ShowDocument {
    static constexpr bool replaces_picture = true;
    int index;
};
// To another picture in the folder of the shown one.
struct Walk {
    static constexpr bool replaces_picture = true;
    enum class To { neighbour, first, last } to = To::neighbour;
    int steps = 1;  // to a neighbour; negative: backwards
};
struct ChoosePicture {  // of the shown file: another part, other channels
    static constexpr bool replaces_picture = true;
    PictureChoice choice;
};
struct SetUpright {  // of all open files
    static constexpr bool replaces_picture = true;
    bool upright;
};
struct WalkTo {  // as a walk does
    static constexpr bool replaces_picture = true;
    std::string path;
};
// The first of the open documents that can be read; what comes before it is closed. At the start.
struct ShowFirst {
    static constexpr bool replaces_picture = true;
};
struct Trash {  // the shown file
    static constexpr bool replaces_picture = true;
};
struct LeaveTrashed {  // goes on to another picture once the file of the shown one is gone
    static constexpr bool replaces_picture = true;
    std::string path;
};
struct Untrash {  // brings back what was moved to the trash
    static constexpr bool replaces_picture = true;
    std::string original;  // this file; empty: the latest
};
struct Reload {
    bool replaces_picture() const { return source.empty(); }
    std::string source = {};  // of a document whose file has changed; empty: the shown one
};
struct Close {
    bool replaces_picture() const { return source.empty(); }
    std::string source = {};  // of an open image; empty: the shown one
};
struct SaveView {
    static constexpr Dialog reopens = Dialog::save;
    std::string path;
    Extent size = {};  // of the output; empty: that of the pane
};
struct SaveSheet {
    static constexpr Dialog reopens = Dialog::save;
    std::string path;
};
struct SaveProfile {
    static constexpr Dialog reopens = Dialog::save;
    std::string path;  // a table, .csv
};
struct SaveCurves {  // drawn already, as SVG
    std::string path, svg;
};
struct SaveMethod {  // one's own, as a text
    static constexpr Dialog reopens = Dialog::save;
    std::string path, text;
};
struct SaveSession {
    static constexpr Dialog reopens = Dialog::save;
    std::string path;
};
struct OpenSession {
    static constexpr bool replaces_picture = true;
    std::string path;
};
struct RunExperiment {};     // the chosen one, with its options
struct CancelBackground {};  // what runs in the background
struct SaveExperiment {      // the chosen one's result, as a page or a folder
    std::string path;
};
struct Restore {                // compares the methods by restoring the shown image, as chosen
    bool unless_known = false;  // nothing if the last comparison was this one
};
struct SaveRestoring {  // the result, in the form that the file's name asks for
    std::string path;
};
struct ShowBest {  // the best methods as panes over the shrunk picture, against the original
    static constexpr bool replaces_picture = true;
};
struct ShowJudged {  // one of the pictures that were judged together: restored by a method, where that errs most
    static constexpr bool replaces_picture = true;
    size_t picture = 0, method = 0;  // of the report
};
struct RunProgram {  // makes the active pane's image larger by the command that was typed, and shows that in the pane
    std::string command;
    double factor = 4;
};
struct AllowCommand {  // it may run on this machine
    std::string command;
};
struct Identify {};  // which recipe made the chosen result of the chosen original
struct Explain {};   // what each difference between the two chosen recipes changes
struct SaveStudy {   // the answer of one of these, in the form that the file's name asks for
    Dialog of;
    std::string path;
};
struct Export {  // the active pane's image by its method, as chosen
    static constexpr Dialog reopens = Dialog::exporting;
    std::string path;
};
struct OpenOutside {  // by the desktop's program for such files
    std::string path;
};
struct CopyPicture {};  // the active pane's picture, as an image
struct Paste {};        // opens the picture, or the files, that another program has copied
struct OpenLesson {
    static constexpr bool replaces_picture = true;
    std::string name;  // a built-in lesson, or a file
    int step = 0;
};
struct ShowStep {
    static constexpr bool replaces_picture = true;
    int step;
    bool again = false;  // the state alone: a slider was moved, or the answer is shown
};
struct LeaveLesson {  // restores what was shown before
    static constexpr bool replaces_picture = true;
};
struct ToggleRecording {};  // asks first if it would be large
struct StartRecording {
    std::string path;
    std::string ffmpeg;  // the program; empty: numbered pictures in a folder of this path
};
// Reads a document's image without showing it: a pane or the reference needs it.
struct LoadDocument {
    std::string source;
};
// Fits the contrast to what the active pane shows, once that has been read: its image is not in memory.
struct AutoContrast {
    double share = 0;
    bool first = false;  // finds the levels that an image of data opens with instead
};
struct CopyText {
    std::string text;
    std::string what = {};  // for the message; empty: the text itself
};
struct ToggleFullscreen {};
struct LeaveFullscreen {};
struct BreakDevice {};  // for tests: the GPU writes to an illegal address
struct Quit {
    bool sure = false;  // has been asked about what would be lost
};
}  // namespace task
using Task =
    std::variant<task::Open, task::ShowDocument, task::LoadDocument, task::Walk, task::WalkTo, task::ShowFirst,
                 task::ChoosePicture, task::SetUpright, task::Trash, task::LeaveTrashed, task::Untrash, task::Reload,
                 task::Close, task::SaveView, task::SaveSheet, task::SaveProfile, task::SaveCurves, task::SaveMethod,
                 task::SaveSession, task::OpenSession, task::OpenLesson, task::ShowStep, task::LeaveLesson,
                 task::ToggleRecording, task::StartRecording, task::RunExperiment, task::CancelBackground,
                 task::SaveExperiment, task::Restore, task::SaveRestoring, task::ShowBest, task::ShowJudged,
                 task::RunProgram, task::AllowCommand, task::Identify, task::Explain, task::SaveStudy, task::Export,
                 task::OpenOutside, task::CopyPicture, task::Paste, task::AutoContrast, task::CopyText,
                 task::ToggleFullscreen, task::LeaveFullscreen, task::BreakDevice, task::Quit>;
using Tasks = std::vector<Task>;  // in the order in which they were asked for

}  // namespace texelscope
