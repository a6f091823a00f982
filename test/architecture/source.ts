// Reads TypeScript files as text: enough to see what they import and which forms they use.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** One import or re-export. */
export interface ImportLine {
  readonly line: number;
  readonly specifier: string;
  /** `static` is loaded with the file, `dynamic` when asked for, `type` never. */
  readonly kind: "static" | "dynamic" | "type";
  /** What a relative specifier leads to, as a path from the root; the specifier itself for a package. */
  readonly target: string;
}

export interface SourceFile {
  /** Path from the root, with slashes. */
  readonly name: string;
  readonly lines: readonly string[];
  /** The text with comments, strings and regular expressions blanked out, line for line. */
  readonly codeLines: readonly string[];
  readonly imports: readonly ImportLine[];
}

const COMMENT = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`;
const QUOTED = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const TEMPLATE = "`(?:\\\\.|\\$\\{(?:[^{}`]|`[^`]*`|\\{[^{}]*\\})*\\}|[^`\\\\])*`";
const REGEX = String.raw`(?<=[=(,:!&|?{};\n[]\s*)\/(?![*\/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\/\\\n[])+\/`;
const LITERAL = new RegExp([COMMENT, QUOTED, TEMPLATE, REGEX].join("|"), "g");

const STATIC =
  /^[ \t]*(?:import|export)\b(?<type>\s+type\b(?!\s*,|\s+from))?(?:[^;"'=()]*?\bfrom)?\s*"(?<specifier>[^"]+)"/gm;
const DYNAMIC = /(?<type>\btypeof\s+)?\b(?:import|require)\s*\(\s*"(?<specifier>[^"]+)"/g;

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** Takes a file apart. `name` is its path from the root. */
export function parseSource(name: string, text: string): SourceFile {
  const uncommented = text.replace(LITERAL, (literal) => (/^\/[/*]/.test(literal) ? blank(literal) : literal));
  const imports: ImportLine[] = [];
  for (const [pattern, kind] of [[STATIC, "static"] as const, [DYNAMIC, "dynamic"] as const]) {
    for (const { index, groups } of uncommented.matchAll(pattern)) {
      const specifier = groups?.["specifier"] ?? "";
      const start = index + (uncommented.slice(index).match(/\S/)?.index ?? 0);
      const line = uncommented.slice(0, start).split("\n").length;
      const target = specifier.startsWith(".") ? resolve(name, specifier) : specifier;
      imports.push({ line, specifier, kind: groups?.["type"] ? "type" : kind, target });
    }
  }
  return { name, lines: text.split("\n"), codeLines: text.replace(LITERAL, blank).split("\n"), imports };
}

function resolve(from: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, ".ts");
}

/** All TypeScript files below the given folders. */
export function readSources(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => {
    const names = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" });
    return names
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll(path.sep, "/")}`)
      .sort()
      .map((name) => parseSource(name, fs.readFileSync(path.join(ROOT, name), "utf8")));
  });
}
