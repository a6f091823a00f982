// Writes a module with the files of a page: compressed, under names that change with their content, as
// src/http/pages/files.ts takes them. Used by api-browser.mjs and web.mjs.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const TARGET = "dist/pages";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  "": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

export function hashOf(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/**
 * Begins the files of a page.
 *
 * @param name of the module in dist/pages
 */
export function createPage(name) {
  const files = [];

  function write(file, content, isImmutable) {
    const gzip = gzipSync(content, { level: 9 }).toString("base64");
    files.push({ name: file, type: TYPES[path.extname(file)], hash: hashOf(content), isImmutable, gzip });
  }

  return {
    /** A file that is asked for under its hash. @returns the name that it got */
    addHashed(file, content) {
      const { name: stem, ext } = path.parse(file);
      const hashedName = `${stem}.${hashOf(content)}${ext}`;
      write(hashedName, content, true);
      return hashedName;
    },
    /** A file whose name changes with its content already. */
    addImmutable: (file, content) => write(file, content, true),
    /** A file that keeps its name, such as a licence. */
    add: (file, content) => write(file, content, false),
    /**
     * Ends with the page itself.
     *
     * @param html its text, in which each name of `links` stands as `assets/NAME`
     * @param links hashed names by plain ones; none where they stand there already
     */
    finish(html, links = {}) {
      let page = html;
      for (const [plain, hashed] of Object.entries(links)) {
        const linked = page.replace(`"assets/${plain}"`, `"assets/${hashed}"`);
        if (linked === page) throw new Error(`the page ${name} does not load assets/${plain}`);
        page = linked;
      }
      write("index.html", Buffer.from(page), false);
      writeModule(name, files);
      // What package.json gives to browsers, which have a server of their own to load pages from.
      writeModule("none", undefined);
    },
  };
}

/** CommonJS, since both kinds of consumers can load that, and the files then need to be there only once. */
function writeModule(name, files) {
  fs.mkdirSync(TARGET, { recursive: true });
  // Beside the place that it will have, so that nobody finds half of it there.
  const unfinished = path.join(TARGET, `.${name}-${process.pid}`);
  fs.writeFileSync(unfinished, `exports.files = ${JSON.stringify(files, undefined, 1)};\n`);
  fs.renameSync(unfinished, path.join(TARGET, `${name}.cjs`));
}
