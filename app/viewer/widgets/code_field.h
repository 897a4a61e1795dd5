#pragma once
// A field for the text of a program or a formula: in the fixed-width font, with its lines numbered. What is wrong stands under
// the line it is in.

#include <functional>
#include <string>
#include <vector>

namespace texelscope::gui {

struct CodeError {
    int line = 1, column = 1;  // from 1 on, columns in bytes; after the last line is in the last one
    std::string sentence;
};
using CodeErrors = std::vector<CodeError>;

struct CodeField {
    const char* id;
    std::string name;  // in the ControlLog: of the field, and of NAME:line:N, NAME:error:N and NAME:cursor in it
    float height;      // window coordinates
    std::string tip;   // while the mouse is on the text
    bool takes_keyboard = false;  // in this frame
};

// As wide as there is space. When the text was changed, `take` is given it and returns what is wrong with it now, so that no
// frame shows the errors of another text. Esc gives the keyboard back and keeps what was typed.
void code_field(const CodeField& field, const std::string& text, const CodeErrors& errors,
                const std::function<CodeErrors(const std::string&)>& take);

// The height of a field for so many lines and errors. Below the lines there is space for one error even if there is none.
float code_height(int lines, int errors);

}  // namespace texelscope::gui
