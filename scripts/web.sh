#!/bin/bash
# The program as a page, with Emscripten: fetches the sources of the libraries that it needs, builds it and the engine's tests,
# and runs these in Node.js and the page in Chromium, as docs/browser.md says. The page is build/web/page.
#
#   scripts/web.sh                     builds, and runs what a merge needs: all but the slow tests
#   scripts/web.sh --serve [PORT]      builds the page, and serves it on this machine
#   scripts/web.sh --build             only builds
#   scripts/web.sh --sources           only fetches
#   scripts/web.sh … -- CTEST-OPTIONS  e.g. -- -R '^engine'
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"

build=yes
tests=yes
serve=no
port=0
while [ $# -gt 0 ]; do
    case $1 in
        --build) tests=no ;;
        --sources) build=no ;;
        --serve)
            serve=yes
            case ${2:-} in [0-9]*) port=$2; shift ;; esac
            ;;
        --) shift; break ;;
        -h | --help) sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; exit ;;
        *) say "unknown option $1; see scripts/web.sh --help"; exit 2 ;;
    esac
    shift
done

# Debian's source packages, verified by apt, in build/web/sources/NAME. Lists of their own: the system's are left alone.
fetch_sources() {
    local work=$root/build/web/apt sources=$root/build/web/sources package
    mkdir -p "$work/lists/partial" "$work/archives" "$sources"
    local apt=(-q -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache=
        -o Acquire::Retries=3)
    # The distribution itself first: some mirrors of its security updates have no sources.
    lists() {
        apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
            sort -u | grep "$@" -- -security | sed 's/^/deb-src [signed-by=\/usr\/share\/keyrings\/debian-archive-keyring.gpg] /'
    }
    download() { (cd "$work/archives" && apt-get "${apt[@]}" source --download-only --only-source "$1" >&2); }
    for package in "$@"; do
        [ -d "$sources/$package" ] && continue
        if [ ! -f "$work/sources.list" ]; then
            { lists -v; lists || true; } >"$work/sources.list"
            apt-get "${apt[@]}" update >&2
        fi
        say "fetching the source of $package"
        if ! download "$package"; then
            say "trying the distribution alone, without its security updates"
            lists -v >"$work/sources.list"
            apt-get "${apt[@]}" update >&2
            download "$package" || die "the source of $package could not be fetched"
        fi
        rm -rf "$work/$package"
        dpkg-source --no-check -x "$work/archives/$package"_*.dsc "$work/$package" >&2  # apt has checked it
        mv "$work/$package" "$sources/$package"
    done
}

install_missing web
command -v em++ >/dev/null || die "em++ is missing (Debian package emscripten)"
fetch_sources fmtlib muparser imgui freetype libpng1.6 libjpeg-turbo lcms2 zlib libwebp
[ $build = yes ] || exit 0
set_up web web
if [ $serve = yes ]; then
    build web page
    say "serving build/web/page; end it with Ctrl+C"
    exec python3 "$root/web/serve.py" "$root/build/web/page" "$port"
fi
build web
[ $tests = yes ] || exit 0
[ $# -gt 0 ] || set -- -LE slow
cd "$root" && ctest --preset web -j "${CTEST_PARALLEL_LEVEL:-1}" "$@"
