// Searches files for a text that must be gone.
import fs from "node:fs";
import path from "node:path";

/** Random letters: LevelDB compresses what repeats. */
export function uniqueText(): string {
  return Array.from({ length: 40 }, () => "abcdefghijklmnopqrstuvwxyz"[Math.floor(Math.random() * 26)]).join("");
}

/** The files of a folder with a text in their names or content, plain or in base64. */
export function filesWith(folder: string, text: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names.map((entry) => ({ isFile: entry.isFile(), file: path.join(entry.parentPath, entry.name) }));
  const forms = [0, 1, 2].map((shift) => {
    const coded = Buffer.from(`${"x".repeat(shift)}${text}`).toString("base64");
    return coded.slice(4, coded.length - 4);
  });
  const found = files.filter(({ isFile, file }) => {
    if (path.relative(folder, file).includes(text)) return true;
    if (!isFile) return false;
    const content = fs.readFileSync(file);
    return content.includes(text) || forms.some((form) => content.includes(form));
  });
  return found.map(({ file }) => file);
}
