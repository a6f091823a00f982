// Writes dist/pages/api-browser.cjs: the API browser's page and what it loads. Swagger UI is taken from its package as it
// is, with its licenses.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { buildSync } from "esbuild";
import { createPage } from "./page-files.mjs";

const PAGE = "src/http/api-browser/page";
const LIBRARY = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** What the page loads, under hashed names. */
const LOADED = [
  path.join(LIBRARY, "swagger-ui-bundle.js"),
  path.join(LIBRARY, "swagger-ui.css"),
  path.join(PAGE, "start.js"),
  path.join(PAGE, "page.css"),
];

/** What goes along with the library; its script names the last one. */
const LICENSES = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];

/** A script of ours with what it imports. */
function bundled(file) {
  const { outputFiles } = buildSync({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
  });
  return Buffer.from(outputFiles[0].contents);
}

const page = createPage("api-browser");
const links = {};
for (const file of LOADED) {
  const name = path.basename(file);
  links[name] = page.addHashed(name, name === "start.js" ? bundled(file) : fs.readFileSync(file));
}
for (const name of LICENSES) page.add(name, fs.readFileSync(path.join(LIBRARY, name)));
page.finish(fs.readFileSync(path.join(PAGE, "index.html"), "utf8"), links);
