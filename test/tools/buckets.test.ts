import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer } from "../../src/index.js";
import { inside } from "../cli/inside.js";

const test = suite("buckets from the command line");

async function withBucket(folder: string, bucketId: string): Promise<void> {
  const server = createActivityServer({ storage: leveldb({ path: folder }) });
  const bucket = { type: "t", client: "c", hostname: "old" };
  await server.buckets.create(bucketId, bucket, [{ timestamp: "2024-01-01" }]);
  await server.close();
}

test("rename, rename-host, redirects and undo; nothing is done without --yes", () =>
  inside(async ({ path, run, program }) => {
    const folder = path("data");
    await withBucket(folder, "w_old");
    const buckets = (...words: string[]) => run(["buckets", ...words, "--data", folder]);
    const unasked = await program.run(["buckets", "rename", "w_old", "w_new", "--data", folder]);
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
    assert.match((await buckets("merge", "w_old", "--yes")).stderr, /needs --source/);
    assert.match((await buckets("merge", "w_old", "--source", "none", "--yes")).stderr, /no bucket named 'none'/);
    await withBucket(folder, "w_more");
    const merged = await buckets("merge", "w_old", "--source", "w_more", "--yes");
    assert.match(merged.stdout, /^w_more: of 1 event 1 equal, 0 cut, 0 covered\nw_more leads to w_old\ndone; /m);
    assert.match((await buckets("redirects", "w_old", "--remove")).stderr, /'w_old' is not redirected/);
    assert.is((await buckets("nothing")).code, 2);
  }));

test("a change that a server finished before it was killed was done already", () =>
  inside(async ({ path, run, program }) => {
    const folder = path("data");
    for (const id of ["a", "into", "more"]) await withBucket(folder, id);
    const changes = [
      { words: ["rename", "a", "b", "--redirect", "no"], name: "the rename of 'a' to 'b'" },
      { words: ["merge", "into", "--source", "more"], name: "the merge into 'into'" },
      { words: ["rename-host", "old", "new"], name: "the rename of the hostname 'old' to 'new'" },
    ];
    const { ended, kill } = await program.start(["--data", folder, "--port", "0"]);
    const undos: string[] = [];
    for (const { words } of changes) {
      const { stdout } = await run(["buckets", ...words, "--yes", "--data", folder]);
      undos.push(/undo (\w+)\n$/.exec(stdout)?.[1] ?? "none");
    }
    kill("SIGKILL");
    await ended;
    for (const [index, { words, name }] of changes.entries()) {
      for (const flag of ["--yes", "--dry-run"]) {
        const { code, stdout, stderr } = await run(["buckets", ...words, flag, "--data", folder]);
        assert.equal([code, stdout], [1, ""]);
        assert.match(stderr, `${name} was done already (undo ID ${undos[index]})`);
      }
    }
  }));

test.run();
