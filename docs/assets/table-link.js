// The link: a layout as the end of an address, which opens for ever, and a layout read from whatever is there.
// The same, with the same words, as hoyle_conformance/web/explorer/links.py.
(() => {
  "use strict";

  const VERSION = "1";
  const LONGEST = 32768; // characters of a link
  const LARGEST = 131072; // bytes that it holds
  const DEEPEST = 16;
  const FORBIDDEN = "__proto__";

  class Unreadable extends Error {
    constructor(says, remedy) {
      super(says);
      this.says = says;
      this.remedy = remedy;
    }
  }

  const damaged = (why) =>
    new Unreadable(
      `This link cannot be opened: ${why}.`,
      "Copy the whole link again, or ask for the position as a file.",
    );

  const isText = (value) => typeof value === "string";
  const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  /** What a link may hold, in this order, each with what it looks like: a layout, and which step is shown if not the last. */
  const KEYS = new Map([
    ["v", (value) => value === Number(VERSION)],
    ["rulesets", (value) => Array.isArray(value) && value.length > 0 && value.every(isText)],
    ["drawn_by", isText],
    ["given", isMapping],
    ["steps", (value) => Array.isArray(value) && value.every(isMapping)],
    ["readings", isMapping],
    ["house", isMapping],
    ["title", isText],
    ["at", (value) => Number.isSafeInteger(value) && value >= 0],
  ]);
  const NEEDED = ["v", "rulesets", "given", "steps"];

  const inOrder = (layout) =>
    Object.fromEntries([...KEYS.keys()].filter((key) => Object.hasOwn(layout, key)).map((key) => [key, layout[key]]));

  /** Whether a value holds nothing but text that can be written, and numbers that every reader reads alike. */
  function isPlain(value, depth) {
    if (isText(value)) return !/\p{Surrogate}/u.test(value);
    if (typeof value === "number") return Number.isSafeInteger(value);
    if (value === null || typeof value === "boolean") return true;
    if (depth <= 0) return false;
    if (Array.isArray(value)) return value.every((each) => isPlain(each, depth - 1));
    return Object.entries(value).every(
      ([key, each]) => key !== FORBIDDEN && isPlain(key, 0) && isPlain(each, depth - 1),
    );
  }

  /** A layout, as far as that can be told without the rules. */
  function checked(value) {
    const isOne =
      isMapping(value) &&
      NEEDED.every((key) => Object.hasOwn(value, key)) &&
      Object.keys(value).every((key) => KEYS.has(key) && KEYS.get(key)(value[key])) &&
      isPlain(value, DEEPEST);
    if (!isOne) throw damaged("its content is not a position");
    return inOrder(value);
  }

  /** All bytes that come out of a stream, or nothing more once there are too many. */
  async function allOf(readable, most) {
    const reader = readable.getReader();
    const pieces = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > most) {
        reader.cancel().catch(() => {});
        throw damaged("its content is too large");
      }
      pieces.push(value);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** Bytes put through a stream that packs or unpacks them. */
  async function through(stream, bytes, most) {
    const writer = stream.writable.getWriter();
    const writing = writer.write(bytes).then(() => writer.close());
    writing.catch(() => {}); // what is wrong is told where it is read
    const found = await allOf(stream.readable, most);
    await writing;
    return found;
  }

  function bytesOf(payload) {
    if (!/^[A-Za-z0-9_-]+$/.test(payload)) throw damaged("it contains characters that a link cannot have");
    const text = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (char) => char.charCodeAt(0));
  }

  async function inflated(payload) {
    try {
      return await through(new DecompressionStream("deflate-raw"), bytesOf(payload), LARGEST);
    } catch (error) {
      throw error instanceof Unreadable ? error : damaged("a part of it is missing or changed");
    }
  }

  function jsonOf(bytes) {
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      throw damaged("its content is not a position");
    }
  }

  /** A layout as it stands behind the # of an address. */
  async function written(layout) {
    const text = JSON.stringify(checked(JSON.parse(JSON.stringify(inOrder(layout)))));
    const bytes = new TextEncoder().encode(text);
    const packed = await through(new CompressionStream("deflate-raw"), bytes, Infinity);
    const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
    const link = `${VERSION}.${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
    if (link.length > LONGEST || bytes.length > LARGEST) {
      throw new Unreadable("This position is too large for a link.", "Save it as a file, or remove some steps.");
    }
    return link;
  }

  /** The layout that an address ends with, or what stands behind its #. */
  async function read(text) {
    const link = text.slice(text.lastIndexOf("#") + 1);
    if (link.length > LONGEST) throw damaged("it is too long");
    const dot = link.indexOf(".");
    if (dot < 0 || !/^[0-9]+$/.test(link.slice(0, dot))) throw damaged("it does not begin as it should");
    if (link.slice(0, dot) !== VERSION) {
      throw new Unreadable(
        "This link was made by another version of the table.",
        "Reload the page for the newest version, and try again.",
      );
    }
    return checked(jsonOf(await inflated(link.slice(dot + 1))));
  }

  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  table.link = { written, read, Unreadable };
})();
