#pragma once
// Pictures that other programs make: asked about, made in the background, kept.

#include <memory>
#include <stop_token>
#include <string>

#include "app/state/app_state.h"
#include "app/state/scene.h"

namespace texelscope {

// Whether the command may run: the user has allowed this text on this machine, or everything.
bool is_allowed(const AppState& state, const std::string& command);

// Keeps the text, for this run and later ones.
void allow(AppState& state, const std::string& command);

// Asks whether the command of this source may run, unless it is asked about already.
void ask_about(AppState& state, const ProgramSource& source);

// The picture: the last results are kept by the command and the samples it got. Of the right size: the original's sides times
// the factor, rounded. Throws Error with what the program said last, also for a wrong size and for an original that is in no
// file; Cancelled.
std::shared_ptr<const Image> program_picture(const ProgramSource& source, const std::stop_token& stop);

// "convert took 84 ms": of a picture that has been made in this run; empty for others.
std::string words_of_run(const ProgramSource& source);

}  // namespace texelscope
