import { build } from "esbuild";

await build({
  entryPoints: ["main.js"],
  outfile: "dist/main.cjs",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // Electron's own module, and native code that is loaded from node_modules.
  external: ["electron", "classic-level"],
});
