// What the tests read out of the pages of this project.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The root of this project. */
export const ROOT: string = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Where it begins, for messages. */
  readonly place: string;
}

/** The names of all pages that people read, relative to the root. */
export function pageNames(): string[] {
  const docs = fs.readdirSync(path.join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", "CHANGELOG.md", ...docs.map((name) => `docs/${name}`)];
}

export function readPage(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), "utf8");
}

/** The fenced blocks of a page in one language. */
export function blocksOf(name: string, language: string): Block[] {
  const page = readPage(name);
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .map(({ 1: found = "", 2: text = "", index }) => ({
      language: found,
      text,
      place: `${name}:${page.slice(0, index).split("\n").length}`,
    }))
    .filter((block) => block.language === language);
}

/** The rows of the first table whose head begins with the given cell. */
export function tableOf(name: string, firstHead: string): string[][] {
  const lines = readPage(name).split("\n");
  const head = lines.findIndex((line) => line.startsWith(`| ${firstHead} |`));
  if (head < 0) throw new Error(`${name} has no table that begins with ${firstHead}`);
  const rows = lines.slice(head + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end < 0 ? rows.length : end).map(cellsOf);
}

function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The texts in backquotes of a cell. */
export function codesIn(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

/** The anchor by which a heading is linked to. */
function anchorOf(heading: string): string {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return plain.trim().replaceAll(/\s/g, "-");
}

/** Links of a page to other pages or places of this project that lead nowhere. */
export function brokenLinks(name: string): string[] {
  const targets = [...readPage(name).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = "", anchor] = target.split("#");
    const page = file === "" ? name : path.posix.join(path.posix.dirname(name), file);
    if (!fs.existsSync(path.join(ROOT, page))) return true;
    if (anchor === undefined) return false;
    const headings = [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
    return !headings.includes(anchor);
  });
}
