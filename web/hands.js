// What happens to the canvas: mouse, pen, fingers, keys.
"use strict";

// ---- Mouse, pen and fingers ----

const ratio = () => window.devicePixelRatio || 1;
const mods = event => (event.shiftKey ? 1 : 0) | (event.ctrlKey || event.metaKey ? 2 : 0) | (event.altKey ? 4 : 0);
const at = event => [event.offsetX * ratio(), event.offsetY * ratio()];

function size() {
    Module._page_sized(Math.max(1, Math.round(innerWidth * ratio())), Math.max(1, Math.round(innerHeight * ratio())), ratio());
    wake();
}

const fingers = new Map();  // where each is
let held = -1;  // the button that one finger holds: 0 left, 1 right
let long_press = 0, long_press_after = 550 /* milliseconds */, twist = 0, beginning = [0, 0];
let over_panel = false;  // that scrolls: nothing is pressed until it is clear that the finger does not scroll it
let scrolled_to = null;  // where the finger was, once it does

function press(button, event) {
    Module._page_button(button, 1, mods(event));
    held = button;
}
function let_go() {
    clearTimeout(long_press);
    if (held >= 0) Module._page_button(held, 0, 0);
    held = -1;
}
function between() {
    const [a, b] = [...fingers.values()];
    const x = b[0] - a[0], y = b[1] - a[1];
    return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, apart: Math.max(1, Math.hypot(x, y)), angle: Math.atan2(y, x) * 180 / Math.PI };
}

function finger_down(event) {
    Module.onTouch = true;
    fingers.set(event.pointerId, at(event));
    if (fingers.size > 1) {
        over_panel = false;
        return let_go();
    }
    beginning = at(event);
    twist = 0;
    Module._page_entered(1);
    Module._page_moved(...beginning);
    Module.finger_has_moved = false;
    scrolled_to = null;
    over_panel = Module._page_scrolls(...beginning) !== 0;
    if (!over_panel) press(0, event);
    long_press = setTimeout(() => {  // a right click
        over_panel = false;
        let_go();
        Module._page_button(1, 1, 0);
        Module._page_button(1, 0, 0);
        wake();
    }, long_press_after);
}
function finger_moved(event) {
    if (!fingers.has(event.pointerId)) return;
    const before = fingers.size === 2 ? between() : null;
    fingers.set(event.pointerId, at(event));
    if (!before) {
        if (held < 0 && !over_panel) return;
        const [x, y] = at(event), dx = x - beginning[0], dy = y - beginning[1];
        if (Math.hypot(dx, dy) < 8 * ratio() && !Module.finger_has_moved) return;
        if (over_panel && !Module.finger_has_moved) {
            if (Math.abs(dy) > Math.abs(dx)) scrolled_to = y;
            else {
                over_panel = false;
                press(0, event);
            }
        }
        Module.finger_has_moved = true;
        clearTimeout(long_press);
        if (scrolled_to === null) return Module._page_moved(x, y);
        Module._page_scroll(y - scrolled_to);
        scrolled_to = y;
        return;
    }
    const now = between();
    let turned = now.angle - before.angle;
    turned -= 360 * Math.round(turned / 360);
    twist += turned;
    // A pinch is seldom straight: only a clear twist turns the picture.
    Module._page_pinched(now.x, now.y, now.x - before.x, now.y - before.y, now.apart / before.apart, Math.abs(twist) > 12 ? turned : 0);
}
function finger_up(event) {
    fingers.delete(event.pointerId);
    if (over_panel && !Module.finger_has_moved && event.type === "pointerup") press(0, event);
    over_panel = false;
    let_go();
}

const buttons = [0, 2, 1];  // of the browser, as GLFW numbers them
function listen() {
    const pointer = handle => event => {
        if (!Module.running) return;
        handle(event);
        wake();
        if (event.cancelable) event.preventDefault();
    };
    const touching = event => event.pointerType === "touch";
    canvas.addEventListener("pointerdown", pointer(event => {
        canvas.focus({ preventScroll: true });
        try { canvas.setPointerCapture(event.pointerId); } catch { /* a made-up event of a test */ }
        if (touching(event)) return finger_down(event);
        Module._page_moved(...at(event));
        Module._page_button(buttons[event.button] ?? 3, 1, mods(event));
    }));
    canvas.addEventListener("pointermove", pointer(event => {
        if (touching(event)) return finger_moved(event);
        Module._page_entered(1);
        Module._page_moved(...at(event));
    }));
    canvas.addEventListener("pointerup", pointer(event => touching(event) ? finger_up(event) : Module._page_button(buttons[event.button] ?? 3, 0, mods(event))));
    canvas.addEventListener("pointercancel", pointer(event => touching(event) && finger_up(event)));
    canvas.addEventListener("pointerleave", pointer(event => touching(event) || Module._page_entered(0)));
    canvas.addEventListener("contextmenu", event => event.preventDefault());
    canvas.addEventListener("wheel", pointer(event => {
        Module._page_entered(1);
        Module._page_moved(...at(event));
        const notch = event.deltaMode === 0 ? 100 : event.deltaMode === 1 ? 3 : 1;
        // A trackpad's pinch is a wheel with Ctrl, in small steps.
        const pinch = event.ctrlKey && event.deltaMode === 0 && Math.abs(event.deltaY) < 50;
        if (pinch) Module._page_pinched(...at(event), 0, 0, Math.exp(-event.deltaY / 100), 0);
        else Module._page_scrolled(-event.deltaX / notch, -event.deltaY / notch);
    }), { passive: false });

    listen_to_keys();
    addEventListener("resize", size);
    const zoomed = () => matchMedia(`(resolution: ${ratio()}dppx)`).addEventListener("change", () => { size(); zoomed(); }, { once: true });
    zoomed();
    canvas.addEventListener("focus", () => { Module._page_focused(1); wake(); });
    canvas.addEventListener("blur", () => { Module._page_focused(0); wake(); });
    // The browser may take its graphics memory back, mostly of a tab that is in the background.
    canvas.addEventListener("webglcontextlost", event => {
        event.preventDefault();
        if (!Module.running) return;
        Module.running = false;
        Module._page_lost();
        say("The browser has taken its graphics memory back. texelscope goes on when it gets it again; if it does not, reload the page.");
    });
    canvas.addEventListener("webglcontextrestored", () => Module.stopped || Module._page_restored());
    document.addEventListener("visibilitychange", () => {
        if (!Module.running) return;
        Module._page_hidden(document.hidden ? 1 : 0);
        if (document.hidden) {
            keep_storage();
            cancelAnimationFrame(frame);
            frame = 0;
        }
        wake();
    });
    addEventListener("pagehide", keep_storage);
    addEventListener("hashchange", async () => {
        const session = await session_of_address();
        if (session) Module.ccall("page_dropped", null, ["string"], [session]);
        else if (in_hash("lesson")) Module.ccall("page_open_lesson", null, ["string"], [in_hash("lesson")]);
    });

    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", event => {
        event.preventDefault();
        Module._page_moved(event.clientX * ratio(), event.clientY * ratio());
        open(event.dataTransfer.files);
    });
    file.addEventListener("change", async () => {
        await open(file.files);
        file.value = "";
    });
    document.addEventListener("paste", async event => {
        const picture = [...event.clipboardData.files].find(each => each.type.startsWith("image/"));
        if (picture) {
            event.preventDefault();
            await open([new File([picture], `pasted.${picture.type.replace(/^image\/|\+.*$/g, "")}`)]);
        } else {
            Module.ccall("page_pasted", null, ["string"], [event.clipboardData.getData("text/plain")]);
            for (const action of [1, 0]) Module.ccall("page_key", null, ["number", "string", "number", "number"], [86, "v", action, 2]);
        }
        event.preventDefault();
        wake();
    });
}

// ---- Keys ----

const key_numbers = { Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61, BracketLeft: 91,
    Backslash: 92, BracketRight: 93, Backquote: 96, Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261,
    ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267, Home: 268, End: 269,
    NumpadDecimal: 330, NumpadDivide: 331, NumpadMultiply: 332, NumpadSubtract: 333, NumpadAdd: 334, NumpadEnter: 335,
    ShiftLeft: 340, ControlLeft: 341, AltLeft: 342, MetaLeft: 341, ShiftRight: 344, ControlRight: 345, AltRight: 346, MetaRight: 345 };
function key_number(code) {
    if (/^Key[A-Z]$/.test(code)) return code.charCodeAt(3);
    if (/^Digit\d$/.test(code)) return code.charCodeAt(5);
    if (/^F\d+$/.test(code)) return 289 + Number(code.slice(1));
    if (/^Numpad\d$/.test(code)) return 320 + Number(code[6]);
    return key_numbers[code] ?? -1;
}
// The browser's own: developer tools, reloading, and pasting, whose event comes with what is pasted.
function browsers_own(event) {
    const command = event.ctrlKey || event.metaKey;
    return event.key === "F12" || (command && /^[rv]$/i.test(event.key) && !event.altKey) || (command && event.shiftKey && /^[ij]$/i.test(event.key));
}
function key(event, action) {
    if (!Module.running || event.isComposing || browsers_own(event)) return;
    const letter = [...event.key].length === 1 ? event.key : "";
    Module.ccall("page_key", null, ["number", "string", "number", "number"], [key_number(event.code), letter.toLowerCase(), action, mods(event)]);
    const altgr = event.getModifierState("AltGraph");
    if (letter && action > 0 && (altgr || !(event.ctrlKey || event.metaKey || event.altKey))) Module._page_character(letter.codePointAt(0));
    event.preventDefault();
    wake();
}
function listen_to_keys() {
    canvas.addEventListener("keydown", event => key(event, event.repeat ? 2 : 1));
    canvas.addEventListener("keyup", event => key(event, 0));
    // A touched screen's keyboard writes into a field, of which the program gets each change.
    keys.addEventListener("input", event => {
        const send = (number, label) => { for (const action of [1, 0]) Module.ccall("page_key", null, ["number", "string", "number", "number"], [number, label, action, 0]); };
        if (event.inputType.startsWith("delete")) send(259, "");
        else if (event.inputType === "insertLineBreak") send(257, "");
        else for (const each of event.data || "") Module._page_character(each.codePointAt(0));
        keys.value = " ";
        wake();
    });
}
function follow_text_field() {
    const wanted = Module._page_wants_text() !== 0, there = document.activeElement === keys;
    if (wanted && !there) {
        keys.value = " ";
        keys.focus({ preventScroll: true });
    } else if (!wanted && there) canvas.focus({ preventScroll: true });
}

++parts;
