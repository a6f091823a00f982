// Numbered SQL files as strings. The build includes them in the bundle (tsup.config.ts).
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("./migrations/", import.meta.url);

const TEXTS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => readFileSync(new URL(name, FOLDER), "utf8"));

/** The changes of each version of the tables, in order; `:"schema"` is replaced by the schema. */
export const PREPARATION: string = TEXTS[0] as string;

/** What each version of the tables adds to the one before, in their order. */
export const MIGRATIONS: readonly string[] = TEXTS.slice(1);
