// Packs what Python in a browser needs: node pack.mjs IN OUT. In IN lies our own code and the suite; in OUT come two
// archives, compiled by the very Python that will read them: of its standard library what is needed, and of our own.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const [given, out] = process.argv.slice(2);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const python = await loadPyodide();
python.mountNodeFS("/given", given);
python.FS.writeFile("/stdlib.zip", readFileSync(here("node_modules/pyodide/python_stdlib.zip")));
python.FS.mkdir("/packed");
python.runPython(readFileSync(here("pack.py"), "utf-8"));
for (const name of python.FS.readdir("/packed").filter((name) => !name.startsWith(".")))
  writeFileSync(join(out, name), python.FS.readFile(`/packed/${name}`));
