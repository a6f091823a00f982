import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    adapter: "src/storage/index.ts",
    memory: "adapters/memory.ts",
    leveldb: "adapters/leveldb/index.ts",
    unstorage: "adapters/unstorage/index.ts",
    client: "src/client/index.ts",
    queue: "src/client/queue/index.ts",
    testing: "src/testing/index.ts",
    contract: "test/contract/index.ts",
    cli: "src/cli/index.ts",
  },
  format: ["esm", "cjs"],
  target: "node20",
  platform: "node",
  // tsc writes the declarations: tsup's own writer needs a compiler interface that TypeScript 7 no longer has.
  dts: false,
  sourcemap: false,
  clean: true,
  // Off by default for CommonJS, and then every entry would carry its own copy of the core.
  splitting: true,
  // Installed beside the package, and loaded only by what needs them: native code cannot be bundled.
  external: ["citty", "classic-level", "consola", "listhen"],
});
