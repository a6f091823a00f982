// The client as one file, as a bundler makes it for browsers.
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ROOT } from "../package/tarball.js";

/** What a bundler makes of the client. */
export interface BundledClient {
  readonly text: string;
  /** Of the text, packed with gzip, in bytes. */
  readonly packedBytes: number;
  /** Modules that are left to be found where it runs. */
  readonly imports: readonly string[];
  /** Files of ours that are in it. */
  readonly files: readonly string[];
}

/** The variable that holds the client, in a bundle that is a script. */
export const GLOBAL_NAME = "activityClient";

/** Bundles the client, or a part of it, from its sources, minified. */
export async function bundledClient(format: "esm" | "iife", entry = "src/client/index.ts"): Promise<BundledClient> {
  const result = await build({
    ...{ entryPoints: [path.join(ROOT, entry)], bundle: true, write: false, metafile: true },
    ...{ minify: true, logLevel: "silent", platform: "browser", format, globalName: GLOBAL_NAME, absWorkingDir: ROOT },
  });
  const text = result.outputFiles[0]?.text ?? "";
  const [output] = Object.values(result.metafile.outputs);
  return {
    text,
    packedBytes: gzipSync(text, { level: 9 }).length,
    imports: (output?.imports ?? []).map((line) => line.path),
    files: Object.keys(result.metafile.inputs),
  };
}
