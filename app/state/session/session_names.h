#pragma once
// The names of choices in a session file.

#include <array>
#include <string_view>
#include <utility>

#include "app/state/app_state.h"

namespace texelscope::session_names {

// Prefix of a source that is not UTF-8, whose other bytes are in hexadecimal: "bytes:caf%e9.png".
inline constexpr std::string_view bytes = "bytes:";

template <class Choice, size_t N> using Table = std::array<std::pair<Choice, std::string_view>, N>;

inline constexpr Table<Reference::Kind, 4> reference = {{{Reference::Kind::own, "own"},
                                                         {Reference::Kind::method, "method"},
                                                         {Reference::Kind::image, "image"},
                                                         {Reference::Kind::truth, "truth"}}};
inline constexpr Table<ChannelView, 6> channel = {{{ChannelView::all, "all"},
                                                   {ChannelView::first, "first"},
                                                   {ChannelView::second, "second"},
                                                   {ChannelView::third, "third"},
                                                   {ChannelView::alpha, "alpha"},
                                                   {ChannelView::luma, "luma"}}};
inline constexpr Table<ComplexView, 5> complex = {{{ComplexView::parts, "parts"},
                                                   {ComplexView::polar, "polar"},
                                                   {ComplexView::magnitude, "magnitude"},
                                                   {ComplexView::phase, "phase"},
                                                   {ComplexView::domain, "domain"}}};
inline constexpr Table<Backdrop, 2> backdrop = {{{Backdrop::grey, "grey"}, {Backdrop::checkerboard, "checkerboard"}}};
inline constexpr Table<ColourMap, 5> colour_map = {{{ColourMap::channels, "channels"},
                                                    {ColourMap::grey, "grey"},
                                                    {ColourMap::ember, "ember"},
                                                    {ColourMap::lagoon, "lagoon"},
                                                    {ColourMap::balance, "balance"}}};
inline constexpr Table<ProfileLine::Along, 3> along = {
    {{ProfileLine::Along::row, "row"}, {ProfileLine::Along::column, "column"}, {ProfileLine::Along::line, "line"}}};

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

// The table for choices that have a name_of.
template <class Choice, size_t N> constexpr Table<Choice, N> named(const std::array<Choice, N>& all) {
    Table<Choice, N> table{};
    for (size_t i = 0; i < N; ++i) table[i] = {all[i], name_of(all[i])};
    return table;
}
inline constexpr auto dock =
    named(std::array{Dock::none, Dock::profile, Dock::curves, Dock::histogram, Dock::statistics, Dock::taps});
inline constexpr auto folder_order = named(std::array{FolderOrder::name, FolderOrder::modified, FolderOrder::size});
inline constexpr auto value_unit = named(all_value_units);
inline constexpr auto arrangement = named(all_arrangements);
inline constexpr auto tone_curve = named(all_tone_curves);
inline constexpr auto difference = named(all_difference_kinds);
inline constexpr auto warp = named(all_warps);
inline constexpr auto outside = named(std::array{Outside::extend, Outside::background});

template <class Choice, size_t N> constexpr std::string_view name_in(const Table<Choice, N>& table, Choice choice) {
    for (const auto& [value, name] : table)
        if (value == choice) return name;
    return table.front().second;
}

}  // namespace texelscope::session_names
