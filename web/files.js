// What the page opens and keeps: links, sessions, the browser's storage, files.
"use strict";

const folder = "/files";  // of opened and saved files, as the program sees them
const most_bytes = 400 << 20;  // of a file

// ---- Links: #lesson=half-texel/3, #session=… ----

function decoded(text) {
    try { return decodeURIComponent(text); } catch { return text; }
}
const in_hash = name => location.hash.startsWith(`#${name}=`) ? decoded(location.hash.slice(name.length + 2)) : "";

async function through(stream, bytes) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
async function packed(text) {
    const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
    let all = "";
    for (const each of bytes) all += String.fromCharCode(each);
    return btoa(all).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), each => each.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

// The file of the session in the address; empty if there is none, or if it waits for pictures.
async function session_of_address() {
    const text = in_hash("session");
    if (!text) return "";
    try {
        return session_file(await unpacked(text), "link");
    } catch {
        later("the link's session is cut off or damaged; ask for the link again", true);
        return "";
    }
}

// ---- Sessions: of a link, of a file, of a tab that the browser has put away ----

let awaited = null;  // a session, and the names of the pictures that it waits for

const there = name => Module.FS.analyzePath(name.startsWith("/") ? name : `${folder}/${name}`).exists;
function session_file(text, what) {
    const path = `${folder}/${what}.json`;
    const names = (JSON.parse(text).images || []).map(each => each.source || "").filter(name => name && !name.startsWith("@") && !there(name));
    Module.FS.writeFile(path, text);
    awaited = names.length ? { path, names } : null;
    if (!awaited) return path;
    later(`the ${what} has the view, but not ${names.join(", ")}: drop ${names.length > 1 ? "these files" : "this file"} here`);
    return "";
}
// Whether what has been opened was all that a session waited for, which is opened now.
function has_come() {
    if (!awaited || !awaited.names.every(there)) return false;
    // As a dropped file, or it would come before what was dropped just now, and that would replace it.
    Module.ccall("page_dropped", null, ["string"], [awaited.path]);
    awaited = null;
    return true;
}

// ---- Messages of the page in the program's window ----

const before_start = [];
function later(sentence, problem = false) {
    if (Module.running) Module.ccall("page_say", null, ["string", "number"], [sentence, problem ? 1 : 0]);
    else before_start.push([sentence, problem]);
}

// ---- Storage: settings, and the sessions that were saved last ----

const storage = {
    get(name) {
        try { return localStorage.getItem("texelscope/" + name); } catch { return null; }
    },
    set(name, text) {
        try {
            localStorage.setItem("texelscope/" + name, text);
        } catch {
            if (!this.told) later("this browser keeps no settings: its storage is full or forbidden", false);
            this.told = true;
        }
    },
};
const settings_file = "/home/web_user/.config/texelscope/settings.json";
const most_sessions = 8, most_session_bytes = 200000;

function sessions() {
    try { return JSON.parse(storage.get("sessions") || "{}"); } catch { return {}; }
}
function restore_storage() {
    const FS = Module.FS;
    if (window.top === window) storage.set("try", "");
    FS.mkdirTree(settings_file.replace(/\/[^/]*$/, ""));
    FS.mkdirTree(folder);
    FS.chdir(folder);
    const kept = sessions();
    for (const [path, text] of Object.entries(kept)) FS.writeFile(path, text);
    const settings = storage.get("settings");
    if (!settings) return;
    try {
        const all = JSON.parse(settings);
        all.recent = (all.recent || []).filter(each => each.startsWith("@") || each in kept);  // other files are gone
        FS.writeFile(settings_file, JSON.stringify(all));
    } catch {
        FS.writeFile(settings_file, settings);  // the program says what is wrong
    }
}
function keep_storage() {
    if (!Module.running) return;
    Module.ccall("page_keep_settings", null, [], []);
    try { storage.set("settings", Module.FS.readFile(settings_file, { encoding: "utf8" })); } catch { /* none was written */ }
    try { sessionStorage.setItem("texelscope/shown", Module.ccall("page_shown", "string", [], [])); } catch { /* as above */ }
}
// What was shown, if the browser has put the tab away meanwhile.
function shown_before() {
    try { return document.wasDiscarded && sessionStorage.getItem("texelscope/shown") || ""; } catch { return ""; }
}

// ---- Files ----

function download(path) {
    const name = path.replace(/^.*\//, ""), bytes = Module.FS.readFile(path);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    if (!name.endsWith(".json") || bytes.length > most_session_bytes) return;
    const kept = Object.entries(sessions()).filter(([other]) => other !== path).slice(1 - most_sessions);
    storage.set("sessions", JSON.stringify(Object.fromEntries([...kept, [path, new TextDecoder().decode(bytes)]])));
}

// Files that the program writes get their name once they are complete: then they are a download. The next one removes it
// here, if it is large.
function watch_files() {
    const FS = Module.FS, rename = FS.rename;
    let large = "";
    FS.rename = (from, to) => {
        rename.call(FS, from, to);
        const path = FS.cwd && !to.startsWith("/") ? `${FS.cwd()}/${to}` : to;
        if (!path.startsWith(folder + "/")) return;
        setTimeout(() => {
            if (large && large !== path) try { FS.unlink(large); } catch { /* it is gone */ }
            large = "";
            download(path);
            if (FS.stat(path).size > 8 << 20) large = path;
        });
    };
}

// What the program has no reader for, and the browser has.
const browsers_types = { avif: "image/avif", heic: "image/heic", heif: "image/heif", jxl: "image/jxl", svg: "image/svg+xml" };
const ending = name => name.replace(/^.*[.]/, "").toLowerCase();
async function decoded_by_browser(blob, name) {
    const picture = new Image(), address = URL.createObjectURL(new Blob([blob], { type: browsers_types[ending(name)] }));
    picture.src = address;
    await picture.decode().finally(() => URL.revokeObjectURL(address));
    const drawn = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
    drawn.getContext("2d").drawImage(picture, 0, 0);
    later(`${name}: decoded by the browser, as 8 bits in sRGB`);
    return drawn.convertToBlob({ type: "image/png" });
}

// Another file of the same name stays.
function free_path(name, bytes) {
    const FS = Module.FS, dot = name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : name.length;
    const is_other = path => FS.analyzePath(path).exists &&
        (FS.stat(path).size !== bytes.length || FS.readFile(path).some((byte, i) => byte !== bytes[i]));
    let path = `${folder}/${name}`;
    for (let i = 2; is_other(path); ++i) path = `${folder}/${name.slice(0, dot)} (${i})${name.slice(dot)}`;
    return path;
}

// Its path for the program; empty if the page has said why there is none.
async function taken(blob, name) {
    try {
        if (blob.size > most_bytes) throw new Error(`it has ${Math.round(blob.size / 1048576)} MB; a page takes files of up to ${most_bytes / 1048576} MB`);
        if (ending(name) in browsers_types) {
            try {
                blob = await decoded_by_browser(blob, name);
                name += ".png";
            } catch {
                throw new Error("neither texelscope in a browser nor this browser can read it; convert it to PNG");
            }
        }
        const bytes = new Uint8Array(await blob.arrayBuffer());
        const path = free_path(name, bytes);
        Module.FS.writeFile(path, bytes);
        return path;
    } catch (error) {
        later(`${name}: ${error.message || error}`, true);
        return "";
    }
}
async function open(files) {
    const paths = [];
    for (const each of files) paths.push(await taken(each, each.name));
    if (!has_come())
        for (const path of paths.filter(each => each && !waits(each))) Module.ccall("page_dropped", null, ["string"], [path]);
    wake();
    canvas.focus();
}
// Whether it is a session whose pictures are not there.
function waits(path) {
    if (ending(path) !== "json") return false;
    try { return !session_file(Module.FS.readFile(path, { encoding: "utf8" }), "session"); } catch { return false; }
}

// ?image=URL, as far as the other server permits it.
async function image_of_address() {
    const address = query.get("image");
    if (!address) return "";
    try {
        const name = decoded(new URL(address, location.href).pathname.replace(/^.*\//, "")) || "image";
        const answer = await fetch(address, { credentials: "omit" });
        if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
        return await taken(await answer.blob(), name);
    } catch (error) {
        const why = error instanceof TypeError ? "it cannot be reached, or its server lets no other page read it" : error.message;
        later(`${address}: ${why}`, true);
        return "";
    }
}

++parts;
