#!/bin/bash
# Makes the pictures of README.md, docs/viewer.md and docs/experiments.md anew, with the current panels and the times of
# this machine:
#
#   scripts/pictures.sh [FOLDER [PROGRAM]]      default: docs, and the program that scripts/run.sh builds
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-$here/../docs} program=${2:-$here/run.sh} sessions=$here/../assets/sessions
mkdir -p "$folder"
XDG_CONFIG_HOME=$(mktemp -d)  # as on the first start
export XDG_CONFIG_HOME
trap 'rm -r "$XDG_CONFIG_HOME"' EXIT

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
