#!/bin/bash
# Builds texelscope if needed and runs it.
#
#   scripts/run.sh                       the viewer, with the built-in picture
#   scripts/run.sh IMAGE… [OPTIONS]      the viewer
#   scripts/run.sh SUBCOMMAND …          render, methods, info, …: see scripts/run.sh --help
#
# TEXELSCOPE_PRESET=cpu|debug|… uses another preset of CMakePresets.json than release.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"

preset=${TEXELSCOPE_PRESET:-release}
set_up "$preset" build run
build "$preset" texelscope
program=$root/build/$preset/texelscope

# Does this start need a window?
opens_window=yes screenshot=no
case ${1:-} in
    render | resize | sample | warp | compare | identify | explain | check | lesson | push | experiment | bench | methods | info | completion | manual) opens_window=no ;;
esac
for argument in "$@"; do
    case $argument in
        -h | --help | --version) opens_window=no ;;
        --screenshot | --screenshot=*) screenshot=yes ;;
    esac
done

# A display exists if its socket does; one on another host is assumed to exist.
display_usable() {
    case ${DISPLAY:-} in
        :*) local number=${DISPLAY#:} && [ -S "/tmp/.X11-unix/X${number%%.*}" ] && return ;;
        ?*) return 0 ;;
    esac
    [ -n "${WAYLAND_DISPLAY:-}" ] && [ -S "${XDG_RUNTIME_DIR:-}/$WAYLAND_DISPLAY" ]
}

if [ $opens_window = no ] || display_usable; then
    exec "$program" "$@"
fi

command -v xvfb-run >/dev/null || die "no display here, and no virtual one (Debian packages xvfb and xauth)"
picture=texelscope-first-frame.png
if [ $screenshot = no ]; then
    say "no display here: drawing the first frame on a virtual one"
    set -- "$@" --screenshot "$picture"
fi
env -u WAYLAND_DISPLAY xvfb-run -a -s "-screen 0 1600x1000x24" "$program" "$@"
if [ $screenshot = no ]; then
    say "saved it as"
    echo "$PWD/$picture"
fi
