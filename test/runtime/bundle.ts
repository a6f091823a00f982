// The published package, bundled for where there is no Node.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { openConsumer, type Packed, ROOT } from "../package/tarball.js";

/** Where a bundle is to run: conditions under which packages are resolved, and what the bundler takes for granted. */
export interface Runtime {
  readonly name: string;
  readonly platform: "browser" | "neutral";
  readonly conditions: readonly string[];
}

export const BROWSER: Runtime = { name: "a browser", platform: "browser", conditions: [] };
export const WORKER: Runtime = { name: "a worker", platform: "browser", conditions: ["workerd", "worker"] };
export const RUNTIMES: readonly Runtime[] = [
  BROWSER,
  WORKER,
  { name: "no runtime in particular", platform: "neutral", conditions: [] },
];

/** A bundle: a script that leaves what the entries export in a global variable. */
export interface Bundle {
  readonly text: string;
  /** Modules that were left out, to be found where the bundle runs. */
  readonly imports: readonly string[];
  /** What the bundler complained about. */
  readonly warnings: readonly string[];
}

/** The variable that holds what the entries export. */
export const GLOBAL_NAME = "activity";

const CORE: readonly string[] = Object.keys(
  JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")).dependencies,
);

/**
 * Bundles entries of the packed package, which is all there is besides what the core depends on.
 *
 * @param entries names as a program imports them
 */
export async function bundle(
  packed: Packed,
  entries: readonly string[],
  { platform, conditions }: Runtime,
  minify = false,
): Promise<Bundle> {
  const { folder, write, close } = openConsumer(packed, CORE);
  try {
    write("entry.mjs", entries.map((entry) => `export * from ${JSON.stringify(entry)};`).join("\n"));
    const result = await build({
      entryPoints: [path.join(folder, "entry.mjs")],
      ...{ bundle: true, write: false, metafile: true, minify, logLevel: "silent" },
      ...{ format: "iife", globalName: GLOBAL_NAME, platform, conditions: [...conditions, "import"] },
    });
    return {
      text: result.outputFiles[0]?.text ?? "",
      imports: Object.values(result.metafile.outputs).flatMap(({ imports }) => imports.map((line) => line.path)),
      warnings: result.warnings.map(({ text }) => text),
    };
  } finally {
    close();
  }
}
