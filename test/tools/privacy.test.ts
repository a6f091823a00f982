import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer } from "../../src/index.js";
import { inside } from "../cli/inside.js";

const test = suite("privacy from the command line");

test("preview counts what the rules of a file, or of the settings, would do", () =>
  inside(async ({ path, run, program }) => {
    const folder = path("data");
    const server = createActivityServer({ storage: leveldb({ path: folder }) });
    await server.buckets.create("b", { type: "t", client: "c", hostname: "h" }, [
      { timestamp: "2024-01-01", data: { app: "secret" } },
      { timestamp: "2024-01-02", data: { app: "editor" } },
    ]);
    await server.close();
    fs.writeFileSync(path("rules.json"), JSON.stringify([{ when: { key: "app", equals: "secret" }, then: "drop" }]));
    fs.writeFileSync(path("wrong.json"), "[");
    const previewed = await run(["privacy", "preview", path("rules.json"), "--data", folder]);
    assert.is(previewed.code, 0, previewed.stderr);
    assert.match(
      previewed.stdout,
      /^rules\[0\]: 1 dropped, 0 changed\n {2}b 2024-01-01T\S+ \{"app":"secret"\} -> dropped$/m,
    );
    assert.match(previewed.stdout, /^b: of 2 events: 1 dropped, 0 changed$/m);
    const unasked = await program.run(["privacy", "apply", path("rules.json"), "--data", folder]);
    assert.is(unasked.code, 2);
    assert.match(unasked.stdout, /^b: of 2 events: 1 dropped, 0 changed$/m);
    const applied = await run(["privacy", "apply", path("rules.json"), "--yes", "--data", folder]);
    const [, undo = ""] = /^b: of 2 events: 1 dropped, 0 changed; .* undo (\w+)$/m.exec(applied.stdout) ?? [];
    assert.match((await run(["buckets", "undo", undo, "--data", folder])).stdout, /^undone: .* privacy, b -> b$/m);
    const without = await run(["privacy", "preview", "--data", folder]);
    assert.match(without.stdout, /^of 0 events: 0 dropped, 0 changed$/m);
    assert.match((await run(["privacy", "preview", path("wrong.json"), "--data", folder])).stderr, /holds no JSON/);
    assert.is((await run(["privacy", "--data", folder])).code, 2);
  }));

test.run();
