#pragma once
// Names in a session file that are not those of an enumeration.

#include <string_view>

#include "app/state/interface.h"

namespace texelscope::session_names {

// Prefix of a source that is not UTF-8, whose other bytes are in hexadecimal: "bytes:caf%e9.png".
inline constexpr std::string_view bytes = "bytes:";

// The plots that have their own zoom.
struct NamedZoom {
    std::string_view name;
    PlotZoom& (*of)(InspectUi&);
};
inline constexpr NamedZoom zooms[] = {{"profile", [](InspectUi& ui) -> PlotZoom& { return ui.profile; }},
                                      {"weight", [](InspectUi& ui) -> PlotZoom& { return ui.curves[0]; }},
                                      {"spectrum", [](InspectUi& ui) -> PlotZoom& { return ui.curves[1]; }},
                                      {"step", [](InspectUi& ui) -> PlotZoom& { return ui.curves[2]; }},
                                      {"impulse", [](InspectUi& ui) -> PlotZoom& { return ui.curves[3]; }},
                                      {"fetches", [](InspectUi& ui) -> PlotZoom& { return ui.curves[4]; }},
                                      {"histogram", [](InspectUi& ui) -> PlotZoom& { return ui.histogram; }}};

}  // namespace texelscope::session_names
