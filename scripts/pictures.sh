#!/bin/bash
# Makes the pictures of README.md, docs/viewer.md and docs/experiments.md anew, with the current panels and the times of
# this machine; the moving one needs Xvfb, xdotool and ffmpeg:
#
#   scripts/pictures.sh [FOLDER [PROGRAM]]      default: docs, and the program that scripts/run.sh builds
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-$here/../docs} program=${2:-$here/run.sh} sessions=$here/../assets/sessions
mkdir -p "$folder"
XDG_CONFIG_HOME=$(mktemp -d)  # as on the first start
export XDG_CONFIG_HOME
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -r "$XDG_CONFIG_HOME" "$work"' EXIT

picture() {  # NAME WINDOW ARGUMENTS…
    local name=$1 window=$2
    shift 2
    "$program" "$@" --window "$window" --ui-scale 1 --screenshot "$folder/$name.png"
}

# Sizes that keep each below 700 KB.
picture viewer 1440x900 --warp swirl:120 --zoom 0.8
picture compare 1440x900 "$sessions/four-methods.json"
picture wipe 1440x680 "$sessions/hardware-weights.json"
picture profile 1440x900 "$sessions/overshoot.json"
picture lesson 1440x900 --lesson "four-fetches#3"

"$program" experiment rotation --plot "$folder/rotation.svg" >/dev/null

# Zooms into four panes, drags them and zooms out, on a display of its own, as the program's recorder sees it.
moving_picture() {
    exec 3<>"$work/display"
    Xvfb -displayfd 3 -screen 0 960x600x24 >/dev/null 2>&1 &
    until [ -s "$work/display" ]; do sleep 0.1; done
    export DISPLAY=:$(cat "$work/display")
    (cd "$work" && exec "$program" "$sessions/four-methods.json" --window 960x600 --ui-scale 1) &
    until xdotool search --onlyvisible --name texelscope >/dev/null 2>&1; do
        sleep 0.2
        kill -0 $!  # it still runs
    done
    sleep 3
    xdotool mousemove 480 170 click --repeat 4 --delay 100 5 key ctrl+shift+r
    sleep 1
    xdotool click --repeat 9 --delay 150 4 sleep 0.6 mousedown 1
    for _ in $(seq 20); do xdotool mousemove_relative -- 3 1 sleep 0.04; done
    xdotool mouseup 1 sleep 0.6 click --repeat 9 --delay 150 5 sleep 0.4 key ctrl+shift+r
    sleep 3
    ffmpeg -y -loglevel error -ss 0.5 -i "$work/texelscope-recording.mp4" -vf "fps=8,scale=640:-1:flags=lanczos" \
        -loop 0 -c:v libwebp -q:v 35 -compression_level 6 "$folder/moving.webp"
}
if command -v Xvfb xdotool ffmpeg >/dev/null; then moving_picture; fi
