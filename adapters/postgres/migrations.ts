// Numbered SQL files as texts. The build puts them into the bundle (tsup.config.ts).
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("./migrations/", import.meta.url);

/** What each version of the tables adds to the one before, in their order; `:"schema"` stands for the schema. */
export const MIGRATIONS: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => readFileSync(new URL(name, FOLDER), "utf8"));
