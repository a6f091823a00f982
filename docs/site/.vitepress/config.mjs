import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const PAGES = fileURLToPath(new URL("../.pages", import.meta.url));

export default defineConfig({
  title: "activity-server",
  description: "The ActivityWatch-compatible activity store for Node",
  srcDir: ".pages",
  outDir: "dist",
  cacheDir: ".cache",
  // The build checks every link afterwards, with its heading.
  ignoreDeadLinks: true,
  markdown: {
    languageAlias: { mjs: "js", cjs: "js", query: "python" },
    anchor: { slugify: anchorOf },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Docs", link: "/docs/" },
      { text: "API", link: "/reference/api/" },
      { text: "Types", link: "/reference/types/" },
      { text: "Changes", link: "/CHANGELOG" },
    ],
    sidebar: {
      "/": sectionsOf("docs/index.md", "docs"),
      "/reference/api/": [{ text: "API", items: pagesIn("reference/api") }],
      "/reference/types/": [{ text: "Types", items: pagesIn("reference/types") }],
    },
  },
});

/** The anchor of a heading, as GitHub makes it: links have to hold there too. */
function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** The sections of the index of the docs, with the pages that each of them links to. */
function sectionsOf(index, folder) {
  const text = fs.readFileSync(path.join(PAGES, index), "utf8");
  const [, ...sections] = text.split(/^## /m);
  return sections.map((section) => {
    const links = Array.from(section.matchAll(/\]\(([^)#\s]+\.md)/g), ([, link]) => path.posix.join("/", folder, link));
    return { text: section.slice(0, section.indexOf("\n")), items: [...new Set(links)].map(itemOf) };
  });
}

function pagesIn(folder) {
  return fs
    .readdirSync(path.join(PAGES, folder), { recursive: true })
    .filter((file) => file.endsWith(".md"))
    .map((file) => itemOf(path.posix.join("/", folder, file)));
}

function itemOf(link) {
  const [, title = link] = /^# (.+)$/m.exec(fs.readFileSync(path.join(PAGES, link), "utf8")) ?? [];
  return { text: title.replace(/[`\\]/g, ""), link };
}
