import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { accepted } from "../adapters/until.js";
import type { Workshop } from "./launcher.js";

/** Puts a program in the place of the system's browser. */
export async function fakeBrowser({ path }: Workshop): Promise<{
  /** The variables of a launcher that finds it. */
  readonly env: { readonly PATH: string };
  /** What it was asked to open next. */
  opened(): Promise<string>;
}> {
  const file = path("opened");
  await mkdir(path("bin"));
  const script = `#!/bin/sh\nprintf %s "$1" > '${file}.tmp'\nmv '${file}.tmp' '${file}'\n`;
  await writeFile(path("bin/xdg-open"), script, { mode: 0o755 });
  return {
    env: { PATH: `${path("bin")}:${process.env["PATH"]}` },
    async opened() {
      const target = await accepted(() => readFile(file, "utf8"), "the browser");
      await rm(file);
      return target;
    },
  };
}
