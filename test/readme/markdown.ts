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

/** Folders of docs with pages whose programs are run. */
const FOLDERS = [
  "docs",
  ...["start", "guides", "reference", "explanation", "contribute"].map((name) => `docs/${name}`),
];

/** The pages whose programs are run, relative to the root. */
export function pageNames(): string[] {
  const docs = FOLDERS.flatMap((folder) => fs.readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`));
  return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...docs.filter((name) => name.endsWith(".md"))];
}

/** Every page of the repository, relative to the root. */
export function everyPage(): string[] {
  const folders = ["docs", "bench", "test"].flatMap((folder) => {
    const names = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" });
    return names.map((name) => `${folder}/${name.replaceAll(path.sep, "/")}`);
  });
  const pages = folders.filter((name) => name.endsWith(".md") && !/\/(\.|node_modules\/)/.test(name));
  return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...pages];
}

export function readPage(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), "utf8");
}

/** All fenced blocks of a page; the language is empty where none is given. */
export function everyBlockOf(name: string): Block[] {
  const page = readPage(name);
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = "", 2: text = "", index }) => ({
    language,
    text,
    place: `${name}:${page.slice(0, index).split("\n").length}`,
  }));
}

/** The fenced blocks of a page in one language. */
export function blocksOf(name: string, language: string): Block[] {
  return everyBlockOf(name).filter((block) => block.language === language);
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

/** A page without its fenced blocks, where a `#` is no heading and a bracket no link. */
function proseOf(name: string): string {
  return readPage(name).replaceAll(/^```.*?^```$/gms, "");
}

const knownAnchors = new Map<string, readonly string[]>();

function anchorsOf(page: string): readonly string[] {
  const anchors =
    knownAnchors.get(page) ?? [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
  knownAnchors.set(page, anchors);
  return anchors;
}

/** Whether a file of this project exists and, when there is a `#`, has that heading. */
export function leadsSomewhere(target: string): boolean {
  const [file = "", anchor] = target.split("#");
  if (!fs.existsSync(path.join(ROOT, file))) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
}

/** Links of a page to other pages or places of this project that lead nowhere. */
export function brokenLinks(name: string): string[] {
  const text = proseOf(name).replaceAll(/`[^`\n]*`/g, "");
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const full = target.startsWith("#") ? name + target : path.posix.join(path.posix.dirname(name), target);
    return !leadsSomewhere(full);
  });
}
