# Shared by run.sh and test.sh (sourced, not run). All messages here go to stderr: stdout is the program's.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package_list=$root/third_party/packages.txt
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}  # where Emscripten's optimiser finds acorn

say() { echo "texelscope: $*" >&2; }
die() { say "$*"; exit 1; }

# packages_in SECTION…: the package names of these sections of packages.txt
packages_in() {
    awk -v wanted=" $* " '
        { sub(/#.*/, "") }
        /^\[.*\]/ { on = index(wanted, " " substr($1, 2, length($1) - 2) " "); next }
        on && NF { print $1 }' "$package_list"
}

# missing_packages SECTION…: those that are not installed; nothing without dpkg
missing_packages() {
    command -v dpkg-query >/dev/null || return 0
    local package
    for package in $(packages_in "$@"); do
        case $(dpkg-query -W -f '${db:Status-Status} ' "$package" 2>/dev/null) in
            *installed*) ;;
            *) echo "$package" ;;
        esac
    done
}

# install_missing SECTION…: asks for root only when something is missing. If it cannot install, it continues: CMake may
# still find the libraries elsewhere, and reports what it misses if not.
install_missing() {
    local missing as_root=()
    if ! command -v apt-get >/dev/null; then
        say "this is no Debian; if CMake misses something, install what Debian calls:" $(packages_in "$@")
        return
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    say "missing Debian packages:" $missing
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "neither root nor sudo: ask for them to be installed (apt-get install" $missing")"
            return
        fi
        say "installing them with sudo"
        as_root=(sudo)
    fi
    apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 "$@" >&2; }
    apt_get update || say "the lists of packages could not be renewed; going on with those that are there"
    if ! apt_get install -y --no-install-recommends $missing; then
        say "the installation failed; installing one package at a time"
        local package
        for package in $missing; do
            apt_get install -y --no-install-recommends "$package" || say "$package could not be installed; going on without it"
        done
    fi
}

# set_up PRESET SECTION…: packages and configuration, each only if not done yet.
# What was done is noted in build/PRESET/.set-up-SECTION; CMake itself handles changed CMake files.
set_up() {
    local preset=$1 folder=$root/build/$1 section state done=yes
    shift
    state=$(cat "$package_list" "$root/CMakePresets.json" | cksum)
    for section in "$@"; do
        [ -f "$folder/CMakeCache.txt" ] && [ "$(cat "$folder/.set-up-$section" 2>/dev/null)" = "$state" ] || done=no
    done
    [ $done = no ] || return 0

    install_missing "$@"
    command -v cmake >/dev/null || die "cmake is missing (3.25 or newer; Debian package cmake)"
    command -v ninja >/dev/null || die "ninja is missing (Debian package ninja-build)"
    say "configuring (preset $preset)"
    # Afresh: CMake forgets a preset's settings where the compiler in an older cache is another.
    (cd "$root" && cmake --fresh --preset "$preset") >&2 || die "the configuration failed; what is missing stands above"
    for section in "$@"; do
        echo "$state" >"$folder/.set-up-$section"
    done
}

# build PRESET [TARGET]: quiet when there is nothing to do
build() {
    local preset=$1
    shift
    if ! cmake --build "$root/build/$preset" ${1:+--target "$1"} >&2; then
        rm -f "$root/build/$preset"/.set-up-*  # check packages and configuration again next time
        die "the build failed (preset $preset)"
    fi
}
