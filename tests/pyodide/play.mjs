// Plays a game of each table given as JSON on the standard input, in Python as a browser runs it, and prints how they
// went and which modules came in that neither Python nor the interpreter provides.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "../../conformance/pyodide/node_modules/pyodide/pyodide.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const tables = await text(process.stdin);
const python = await loadPyodide();
python.mountNodeFS("/given/hoyle_reference", here("../../reference_impl/hoyle_reference"));
python.FS.writeFile("/given/played.py", readFileSync(here("played.py")));
python.globals.set("tables", tables);
const told = python.runPython(`
import json, sys

sys.dont_write_bytecode = True  # the package is mounted, not copied
sys.path.insert(0, "/given")
before = set(sys.modules)
from played import played

games = played(json.loads(tables))
came_in = {name.partition(".")[0] for name in sys.modules.keys() - before}
json.dumps({"games": games, "foreign": sorted(came_in - sys.stdlib_module_names - {"played", "hoyle_reference"})})
`);
console.log(told);
