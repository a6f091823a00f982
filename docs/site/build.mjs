// Builds the site from the pages of the repository, the operations of the API, and the types of the package.
//
//   npm run docs             builds it into docs/site/dist, and checks every link
//   npm run docs -- --serve  serves what was built
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeApiPages } from "./api-pages.mjs";
import { brokenLinks } from "./links.mjs";
import { copyPages } from "./pages.mjs";

const SITE = path.dirname(fileURLToPath(import.meta.url));
const PROJECT = path.resolve(SITE, "../..");
const PAGES = path.join(SITE, ".pages");
const BUILT = path.join(SITE, "dist");

if (process.argv.includes("--serve")) {
  const { serve } = await import("vitepress");
  await serve({ root: SITE });
} else {
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: SITE, stdio: "inherit" });
  fs.rmSync(PAGES, { recursive: true, force: true });
  copyPages(PROJECT, PAGES);
  writeApiPages(path.join(PAGES, "reference/api"));
  await writeTypePages(path.join(PAGES, "reference/types"));
  const { build } = await import("vitepress");
  await build(SITE);
  const broken = brokenLinks(BUILT);
  for (const link of broken) console.error(link);
  if (broken.length > 0) process.exitCode = 1;
  else console.log(`The site is in ${path.relative(process.cwd(), BUILT)}. To look at it: npm run docs -- --serve`);
}

/** Writes pages about everything that the package exports. */
async function writeTypePages(out) {
  const { Application, Converter } = await import("typedoc");
  const { name, exports } = JSON.parse(fs.readFileSync(path.join(PROJECT, "package.json"), "utf8"));
  const modules = new Map();
  for (const [subpath, entry] of Object.entries(exports)) {
    if (entry.import?.types !== undefined)
      modules.set(path.join(PROJECT, entry.import.types), path.posix.join(name, subpath));
  }
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...modules.keys()],
    // TypeDoc empties this folder.
    out,
    plugin: ["typedoc-plugin-markdown"],
    tsconfig: path.join(SITE, "tsconfig.json"),
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    readme: "none",
    router: "module",
    entryFileName: "index",
    useHTMLAnchors: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    logLevel: "Error",
  });
  // Named as programs import them. Where a type is declared in dist helps nobody.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children) module.name = modules.get(module.sources[0].fullFileName);
    for (const reflection of Object.values(project.reflections)) delete reflection.sources;
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("the types cannot be read");
  await app.generateOutputs(project);
}
