import fs from "node:fs";
import path from "node:path";

/** Where distributions put the programs of the server; the newest version first. */
const FOLDERS = ["/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt", "/usr"];
const SUBFOLDERS = ["bin", ""];

/** The folder with programs of PostgreSQL, in PATH or where distributions have it; `undefined` where there is none. */
export function findBinaries(programs: readonly string[] = ["initdb", "postgres"]): string | undefined {
  const inPath = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return [...inPath, ...FOLDERS.flatMap(foldersOf)].find((folder) =>
    programs.every((name) => fs.existsSync(path.join(folder, name))),
  );
}

/** The pooler, in PATH or where distributions put it for administrators. */
export function findPgbouncer(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => path.join(folder, "pgbouncer")).find((file) => fs.existsSync(file));
}

function foldersOf(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const versions = fs.readdirSync(folder).filter((name) => /^(?:postgresql@|pgsql-)?\d+$/.test(name));
  versions.sort((a, b) => Number(b.replace(/\D/g, "")) - Number(a.replace(/\D/g, "")));
  return versions.flatMap((version) => SUBFOLDERS.map((sub) => path.join(folder, version, sub)));
}

/** Whom the server runs as: it refuses to run as root. */
export function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = fs.readFileSync("/etc/passwd", "utf8").split("\n");
  const line = ["postgres", "nobody"].flatMap((name) => users.find((user) => user.startsWith(`${name}:`)) ?? [])[0];
  const [, , uid, gid] = (line ?? "").split(":");
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}
