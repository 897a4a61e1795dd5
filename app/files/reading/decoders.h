#pragma once
// The decoders of formats that are not our own. They may be fed anything: to be called in a process of its own, see
// decoding/decoding.h. Our own formats are read where they are needed: their readers are small and have been fuzzed for
// millions of inputs, and most of the work is to read the file.

#include "app/files/decoding/decoder.h"

namespace texelscope {

// Checks the structure of the file (damage.h) and decodes it by the record of its format; reads its metadata;
// answers questions about colour profiles (profile_question.h).
const Decoder& foreign_decoder();

}  // namespace texelscope
