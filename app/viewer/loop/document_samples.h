#pragma once

#include "app/viewer/loop/documents.h"

namespace texelscope {

// A document's image: read beside the window before, or read or made now; and what is seen of it at first. A message says what
// the file lacks. Throws as the functions of documents.h do.
void load_into(AppState& state, Document& document, const AcceptImage& accept);

}  // namespace texelscope
