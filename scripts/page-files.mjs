// Writes the files of a page: compressed, under names that change with their content, with a list that
// src/http/pages/files.ts reads. Used by api-browser.mjs and web.mjs.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const TARGET = "dist/pages";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  "": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

// One step more would take 2 s longer and save 2 %.
const BROTLI_QUALITY = 10;

export function hashOf(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/**
 * Begins the files of a page.
 *
 * @param name of the folder below dist/pages
 */
export function createPage(name) {
  const manifest = [];
  fs.mkdirSync(TARGET, { recursive: true });
  // Beside the place that it will have, so that nobody finds half of it there.
  const folder = fs.mkdtempSync(path.join(TARGET, `.${name}-`));

  function write(file, content, isImmutable) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    fs.writeFileSync(path.join(folder, `${file}.br`), brotliCompressSync(content, { params }));
    fs.writeFileSync(path.join(folder, `${file}.gz`), gzipSync(content, { level: 9 }));
    manifest.push({ name: file, type: TYPES[path.extname(file)], hash: hashOf(content), isImmutable });
  }

  return {
    /** A file that is asked for under its hash. @returns the name that it got */
    addHashed(file, content) {
      const { name: stem, ext } = path.parse(file);
      const hashedName = `${stem}.${hashOf(content)}${ext}`;
      write(hashedName, content, true);
      return hashedName;
    },
    /** A file that keeps its name, such as a licence. */
    add: (file, content) => write(file, content, false),
    /**
     * Ends with the page itself.
     *
     * @param html its text, in which each name of `links` stands as `assets/NAME`
     * @param links hashed names by plain ones
     */
    finish(html, links) {
      let page = html;
      for (const [plain, hashed] of Object.entries(links)) {
        const linked = page.replace(`"assets/${plain}"`, `"assets/${hashed}"`);
        if (linked === page) throw new Error(`the page ${name} does not load assets/${plain}`);
        page = linked;
      }
      write("index.html", Buffer.from(page), false);
      fs.writeFileSync(path.join(folder, "manifest.json"), `${JSON.stringify(manifest, undefined, 1)}\n`);
      fs.chmodSync(folder, 0o755);
      fs.rmSync(path.join(TARGET, name), { recursive: true, force: true });
      fs.renameSync(folder, path.join(TARGET, name));
    },
  };
}

/** Puts the reader of the files beside them; it is the same for all pages. */
export function addReader() {
  // Not built with the rest: it is an ES module for both kinds of consumers, since it has to know where it lies.
  buildSync({
    entryPoints: ["src/http/pages/files.ts"],
    outfile: path.join(TARGET, "files.js"),
    ...{ bundle: true, format: "esm", platform: "node", target: "node20", logLevel: "warning" },
  });
}
