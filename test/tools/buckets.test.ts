import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer } from "../../src/index.js";
import { inWorkshop } from "../cli/launcher.js";

const test = suite("buckets from the command line");

test("rename, rename-host, redirects and undo; nothing is done without --yes", () =>
  inWorkshop(async ({ path, run }) => {
    const folder = path("data");
    const server = createActivityServer({ storage: leveldb({ path: folder }) });
    await server.buckets.create("w_old", { type: "t", client: "c", hostname: "old" }, [{ timestamp: "2024-01-01" }]);
    await server.close();
    const buckets = (...words: string[]) => run(["buckets", ...words, "--data", folder]);
    const unasked = await buckets("rename", "w_old", "w_new");
    assert.is(unasked.code, 2);
    assert.match(unasked.stderr, /--yes to do it, --dry-run/);
    assert.match((await buckets("rename", "w_old", "w_new", "--dry-run")).stdout, /^w_old -> w_new, 1 event\n$/);
    assert.is((await buckets("redirects")).stdout, "");
    const renamed = await buckets("rename-host", "old", "new", "--rename-buckets", "--yes");
    assert.match(
      renamed.stdout,
      /^w_old -> w_new, host old -> new, 1 event\nw_old leads to w_new\ndone; .* undo (\w+)\n$/,
    );
    assert.is((await buckets("redirects")).stdout, "w_old leads to w_new\n");
    const [, undo = ""] = /undo (\w+)/.exec(renamed.stdout) ?? [];
    assert.match((await buckets("undo")).stdout, new RegExp(`^${undo}: \\S+ host, w_old -> w_new\n$`));
    assert.match((await buckets("undo", undo)).stdout, /^undone: /);
    assert.match((await buckets("undo", undo)).stderr, /nothing can be undone under/);
    assert.match((await buckets("redirects", "w_old", "--remove")).stderr, /'w_old' is not redirected/);
    assert.is((await buckets("nothing")).code, 2);
  }));

test.run();
