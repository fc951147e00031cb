// Layouts made into links, and links into layouts, as a browser does it: JSON in, JSON out.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

runInThisContext(readFileSync(process.argv[2], "utf8"));
const { written, read } = globalThis.hoyleTable.link;
const asked = JSON.parse(readFileSync(0, "utf8"));

const refused = {};
for (const [what, text] of Object.entries(asked.hostile)) {
  refused[what] = await read(text).then(
    (layout) => ["It was read", layout],
    ({ says, remedy }) => [says, remedy],
  );
}
const told = {
  written: await Promise.all(asked.layouts.map(written)),
  read: await Promise.all(asked.links.map(read)),
  hostile: refused,
};
process.stdout.write(JSON.stringify(told));
