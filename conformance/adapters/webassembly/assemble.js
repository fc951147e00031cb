// Assembles the part of WebAssembly's text format that winner.wat uses, so that the example needs no other tool:
//
//     node assemble.js winner.wat winner.wasm
//
// That part: one memory, functions of 32-bit integers, and instructions one after another. wat2wasm knows all of it.
"use strict";

const fs = require("node:fs");

const I32 = 0x7f;
const NO_RESULT = 0x40;
const END = 0x0b;
// The code of each instruction, and what follows it.
const INSTRUCTIONS = {
  block: [0x02, "type"], loop: [0x03, "type"], if: [0x04, "type"], else: [0x05], end: [END],
  br: [0x0c, "label"], br_if: [0x0d, "label"], return: [0x0f], call: [0x10, "function"],
  "local.get": [0x20, "local"], "local.set": [0x21, "local"], "local.tee": [0x22, "local"],
  "i32.load8_u": [0x2d, "address"], "i32.const": [0x41, "number"],
  "i32.eq": [0x46], "i32.lt_u": [0x49], "i32.gt_u": [0x4b], "i32.add": [0x6a], "i32.shr_u": [0x76],
};

// ---- the text: nested lists of words ---------------------------------------------------------------------------------

function parse(text) {
  const words = text.replace(/;;.*/g, "").match(/"[^"]*"|[()]|[^\s()]+/g);
  const lists = [[]];
  for (const word of words) {
    if (word === "(") lists.push([]);
    else if (word === ")") lists.at(-2).push(lists.pop());
    else lists.at(-1).push(word);
  }
  return lists[0][0];
}

const is = (name) => (part) => Array.isArray(part) && part[0] === name;

// ---- the bytes -------------------------------------------------------------------------------------------------------

const counted = (items) => [items.length, ...items.flat()];
const sized = (bytes) => [bytes.length, ...bytes];
const section = (id, items) => {
  const bytes = counted(items);
  if (bytes.length > 127) throw new Error("a section of more than 127 bytes needs longer numbers than this assembler has");
  return [id, ...sized(bytes)];
};
const nameBytes = (quoted) => sized([...Buffer.from(quoted.slice(1, -1))]);

// A function as it is written: what it is called, declares and exports, and its instructions, where `(result i32)` may
// stand once more.
function readFunction([, name, ...rest]) {
  const at = rest.findIndex((part) => !Array.isArray(part));
  const declared = (kind) => rest.slice(0, at).filter(is(kind));
  return { name, params: declared("param"), results: declared("result"), locals: declared("local"), exports: declared("export"), words: rest.slice(at) };
}

const names = (declared) => declared.map(([, name]) => name);

function body({ params, locals, words }, functions) {
  const variables = names([...params, ...locals]);
  const left = [...words];
  const labels = [];
  const operands = {
    type: () => (is("result")(left[0]) ? (left.shift(), I32) : NO_RESULT),
    label: () => labels.indexOf(left.shift()),
    function: () => functions.indexOf(left.shift()),
    local: () => variables.indexOf(left.shift()),
    address: () => [0, 0],
    number: () => Number(left.shift()),
  };
  const bytes = [];
  while (left.length) {
    const word = left.shift();
    if (!(word in INSTRUCTIONS)) throw new Error(`this assembler does not know '${word}'`);
    const [code, operand] = INSTRUCTIONS[word];
    if (operand === "type") labels.unshift(left[0][0] === "$" ? left.shift() : null);
    if (word === "end") labels.shift();
    bytes.push(code, operand ? operands[operand]() : []);
  }
  return sized([...counted(locals.map(() => [1, I32])), ...bytes.flat(), END]);
}

const TYPE = 0x60;
const integers = (declared) => counted(declared.map(() => I32));

function assemble(text) {
  const [, ...parts] = parse(text);
  const functions = parts.filter(is("func")).map(readFunction);
  const called = functions.map(({ name }) => name);
  const [, [, memory]] = parts.find(is("memory"));
  const exported = functions.flatMap(({ exports }, at) => exports.map(([, quoted]) => [...nameBytes(quoted), 0, at]));
  return new Uint8Array([
    ...[0x00, ...Buffer.from("asm"), 1, 0, 0, 0],
    ...section(1, functions.map(({ params, results }) => [TYPE, ...integers(params), ...integers(results)])),
    ...section(3, functions.map((_, at) => [at])),
    ...section(5, [[0, 1]]),
    ...section(7, [[...nameBytes(memory), 2, 0], ...exported]),
    ...section(10, functions.map((each) => body(each, called))),
  ]);
}

const [from, to] = process.argv.slice(2);
fs.writeFileSync(to, assemble(fs.readFileSync(from, "utf8")));
