// Reads the numbered SQL files. `:"schema"` in them is a placeholder. The build bundles them (tsup.config.ts).
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("./migrations/", import.meta.url);

const TEXTS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => readFileSync(new URL(name, FOLDER), "utf8"));

/** Creates the table of applied migrations. */
export const PREPARATION: string = TEXTS[0] as string;

/** The migrations, in order: version n of the tables is the result of the first n. */
export const MIGRATIONS: readonly string[] = TEXTS.slice(1);
