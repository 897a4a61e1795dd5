#pragma once

#include "app/viewer/loop/documents.h"

namespace texelscope {

// Loads a document's image, read in the background before, or read or made now, and its first look. A message says what
// the file lacks. As the functions of documents.h, all of it or nothing.
StillWanted load_into(AppState& state, Document& document, const AcceptImage& accept);

}  // namespace texelscope
