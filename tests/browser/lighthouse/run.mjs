// Measures some pages of a built site, served compressed as a host does: `make lighthouse`. It fails below 95 of 100.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import zlib from "node:zlib";

import * as chromeLauncher from "chrome-launcher";
import lighthouse from "lighthouse";

const LEAST = 95;
const TYPES = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2" };
const [site, ...pages] = process.argv.slice(2);

const server = http.createServer((request, response) => {
  const file = path.join(site, decodeURIComponent(new URL(request.url, "http://host").pathname));
  if (!fs.existsSync(file) || fs.statSync(file).isDirectory()) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream", "content-encoding": "gzip", "cache-control": "max-age=3600" });
  return fs.createReadStream(file).pipe(zlib.createGzip()).pipe(response);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const chrome = await chromeLauncher.launch({ chromePath: process.env.CHROME_PATH ?? "/usr/bin/chromium", chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu"] });

const scoresOf = async (page) => {
  const address = `http://127.0.0.1:${server.address().port}/${page}`;
  const { lhr } = await lighthouse(address, { port: chrome.port, output: "json", logLevel: "error" });
  return Object.values(lhr.categories).map(({ id, score }) => [id, Math.round(score * 100)]);
};
for (const page of pages) {
  const scores = await scoresOf(page);
  console.log(page, scores.map(([id, score]) => `${id} ${score}`).join(", "));
  if (scores.some(([, score]) => score < LEAST)) process.exitCode = 1;
}
await chrome.kill();
server.close();
