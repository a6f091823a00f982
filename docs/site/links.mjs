import fs from "node:fs";
import path from "node:path";

const TARGET = /<(\w+)[^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /\sid="([^"]+)"/g;

/** The links of a built site that lead nowhere, and what it would load from elsewhere. One line for each. */
export function brokenLinks(built) {
  const pages = new Map();
  for (const file of fs.readdirSync(built, { recursive: true })) {
    if (file.endsWith(".html")) pages.set(`/${file.split(path.sep).join("/")}`, read(path.join(built, file)));
  }
  const broken = new Set();
  for (const [page, { text }] of pages) {
    for (const [, tag, target] of text.matchAll(TARGET)) {
      const url = new URL(target.replaceAll("&amp;", "&"), `http://site${page}`);
      if (url.host === "site") {
        const fault = faultOf(url, built, pages);
        if (fault !== undefined) broken.add(`${page}: ${target} ${fault}`);
      } else if (tag !== "a") {
        broken.add(`${page}: loads ${target}`);
      }
    }
  }
  return [...broken];
}

function faultOf({ pathname, hash }, built, pages) {
  const file = decodeURIComponent(pathname).replace(/\/$/, "/index.html");
  if (!fs.existsSync(path.join(built, file))) return "does not exist";
  const id = decodeURIComponent(hash.slice(1));
  return id !== "" && pages.has(file) && !pages.get(file).ids.has(id) ? "has no such heading" : undefined;
}

function read(file) {
  const text = fs.readFileSync(file, "utf8");
  return { text, ids: new Set(Array.from(text.matchAll(ID), ([, id]) => id.replaceAll("&amp;", "&"))) };
}
