// Reads spec/ as programs in other languages do: its YAML with js-yaml and yaml, its schemas with ajv as it is by default.
const fs = require("fs");
const path = require("path");
const Ajv = require("ajv/dist/2020");
const jsYaml = require("js-yaml");
const yaml = require("yaml");

const spec = path.join(__dirname, "../../spec");
const files = fs.readdirSync(spec, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
const text = (name) => fs.readFileSync(path.join(spec, name), "utf8");

function attempt(what) {
  try {
    return what();
  } catch (error) {
    return error.message.split("\n")[0];
  }
}

const written = Object.fromEntries(files.filter((name) => name.endsWith(".yaml")).map((name) => [name, text(name)]));
const read = (parse) => Object.fromEntries(Object.keys(written).map((name) => [name, attempt(() => parse(written[name]))]));

const schemas = files.filter((name) => name.endsWith(".schema.json")).map((name) => JSON.parse(text(name)));
const ajv = new Ajv();
ajv.addSchema(schemas);

console.log(JSON.stringify({
  "js-yaml": read(jsYaml.load),
  yaml: read(yaml.parse),
  ajv: Object.fromEntries(schemas.map((schema) => [schema.$id, attempt(() => ajv.getSchema(schema.$id) && "")])),
}));
