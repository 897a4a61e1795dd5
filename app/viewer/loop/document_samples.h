#pragma once

#include "app/viewer/loop/documents.h"

namespace texelscope {

// Loads a document's image, read in the background before, or read or made now, and its first look. A message says what
// the file lacks. Throws as the functions of documents.h do.
void load_into(AppState& state, Document& document, const AcceptImage& accept);

}  // namespace texelscope
