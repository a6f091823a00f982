// The launcher with --socket, and what it says to people who share a machine.
import { readdir, stat } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { countLoginUsers } from "../../src/cli/other-users.js";
import { createClient } from "../../src/client/index.js";
import { inside } from "./inside.js";
import { stopped } from "./launcher.js";

const test = suite("launcher with a socket");

test("--socket listens there for its user only, opens no port, and is gone at the end", () =>
  inside(async ({ program, path }) => {
    const running = await program.start(["--socket", path("s"), "--storage", "memory"]);
    const { socket, url, urls, port, protection, next } = running.facts;
    assert.equal(
      { socket, url, urls, port, protection },
      {
        socket: path("s"),
        url: "http://localhost",
        urls: [],
        port: 0,
        protection: "socket",
      },
    );
    assert.is(next, `curl --unix-socket ${path("s")} http://localhost/api/0/buckets/`);
    assert.is((await stat(path("s"))).mode & 0o777, 0o600);
    assert.type((await createClient({ socketPath: path("s") }).info()).hostname, "string");
    await running.complaint((text) => text.includes("--port has no effect with a socket"));
    assert.is((await stopped(running)).code, 0);
    assert.not.ok((await readdir(path("."))).includes("s"));
  }));

test("a socket of a server that was killed is replaced, one of a living server is refused with its words", () =>
  inside(async ({ start, run, program, path }) => {
    const killed = await program.start(["--socket", path("s"), "--storage", "memory"]);
    killed.kill("SIGKILL");
    await killed.ended;
    assert.ok((await stat(path("s"))).isSocket());
    await start(["--socket", path("s"), "--storage", "memory"]);
    const { code, stderr } = await run(["--socket", path("s"), "--storage", "memory"]);
    assert.is(code, 1);
    assert.match(stderr, /the socket '.*s' is taken by an activity server: v\d.* choose another path with --socket/);
    await createClient({ socketPath: path("s") }).info();
    const blocked = await run(["--socket", path("."), "--storage", "memory"]);
    assert.match(blocked.stderr, "another file has this path");
  }));

test("tools find a server behind a socket", () =>
  inside(async ({ start, run, told, path }) => {
    await start(["--socket", path("s"), "--data", path("data")]);
    assert.match(await told(["verify", "--data", path("data")]), "sound");
    // `http://localhost` would be whoever has port 80.
    for (const print of [[], ["--print"]]) {
      const opened = await run(["open", ...print, "--data", path("data")]);
      assert.equal([opened.code, opened.stdout], [1, ""]);
      assert.match(opened.stderr, "browsers cannot open this server's socket");
    }
  }));

test("--auth required holds for a socket, too", () =>
  inside(async ({ start, path }) => {
    const { facts } = await start(["--socket", path("s"), "--storage", "memory", "--auth", "required"]);
    assert.is(facts.protection, "keys");
    const refused = await createClient({ socketPath: path("s") })
      .buckets.list()
      .catch(({ status }: { status: number }) => status);
    assert.is(refused, 401);
  }));

const ROOT = "root:x:0:0:root:/root:/bin/bash";
const ANNA = "anna:x:1000:1000:Anna,,,:/home/anna:/bin/bash";
const BEN = "ben:x:1001:1001::/home/ben:/usr/bin/fish";

test("people are accounts that log in", () => {
  const services = [
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin",
    "build:x:30001:30000::/var/empty:/sbin/nologin",
    "git:x:1005:1005::/srv/git:/bin/false",
    "daemon:x:1:1:daemon:/usr/sbin:/bin/bash",
    "",
    "# comment",
  ];
  assert.is(countLoginUsers([ROOT, ANNA, ...services].join("\n")), 1);
  assert.is(countLoginUsers([ROOT, ANNA, BEN, ...services].join("\n")), 2);
  assert.is(countLoginUsers("carl:x:1002:1002::/home/carl:"), 1);
  assert.is(countLoginUsers(""), 0);
});

test("the first start on a machine of several people says that they can read it, and how to close it", () =>
  inside(async ({ start, path }) => {
    const shared = { TEST_ACCOUNTS: [ROOT, ANNA, BEN].join("\n") };
    const says = async (words: readonly string[], env: Readonly<Record<string, string>>) => {
      const running = await start(words, env);
      const { stderr } = await stopped(running);
      return stderr.split("\n").filter((line) => line.includes("other users of this machine"));
    };
    const [line, ...more] = await says(["--data", path("one")], shared);
    assert.match(line ?? "", /--auth required or --socket PATH/);
    assert.equal(more, []);
    assert.equal(await says(["--data", path("one")], shared), [], "the second start");
    assert.equal(await says(["--data", path("two")], { TEST_ACCOUNTS: [ROOT, ANNA].join("\n") }), []);
    assert.equal(await says(["--data", path("three"), "--auth", "required"], shared), []);
    assert.equal(await says(["--data", path("four"), "--socket", path("s")], shared), []);
  }));

test.run();
