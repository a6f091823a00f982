// docs/examples/many-users, run with the packed package. Uses the build in dist, which the runner makes.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { checkedFetch } from "../api/answer-check.js";
import { whileRunning } from "../examples/running.js";
import { openConsumer, packPrograms, ROOT } from "../package/tarball.js";
import { newDatabase } from "./database.js";

const test = suite("example: many users");

const FOLDER = path.join(ROOT, "docs/examples/many-users");
const MANIFEST = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const read = (name: string): string => fs.readFileSync(path.join(FOLDER, name), "utf8");
const { dependencies } = JSON.parse(read("package.json"));

const url = await newDatabase();

/** Signs somebody in. @returns what their watchers send */
async function signIn(base: string, name: string): Promise<Readonly<Record<string, string>>> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(new URL("/login", base), { method: "POST", headers, body: JSON.stringify({ name }) });
  const { watcherToken } = (await response.json()) as { readonly watcherToken: string };
  return { ...headers, authorization: `Bearer ${watcherToken}` };
}

test("it names what it imports, in the versions that are tested", () => {
  const imported = [...read("main.js").matchAll(/from "(?!node:)([\w-]+)/g)].map(([, name]) => name);
  assert.equal([...new Set(imported)].sort(), Object.keys(dependencies).sort());
  for (const [name, range] of Object.entries(dependencies)) {
    assert.is(range, `^${MANIFEST.devDependencies[name] ?? MANIFEST.version}`, name);
  }
});

if (url === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  test("everybody has a tracker of their own, also when its server was closed meanwhile", async () => {
    const consumer = openConsumer(packPrograms(), [...Object.keys(MANIFEST.dependencies), "express", "pg"]);
    const variables = { DATABASE_URL: url, MAX_SERVERS: "2" };
    Object.assign(process.env, variables);
    try {
      for (const name of ["main.js", "package.json"]) consumer.write(name, read(name));
      await whileRunning(consumer.folder, "main.js", async ({ url, terminate }) => {
        const tracker = new URL("/tracker/api/0/", url).href;
        assert.is((await fetch(`${tracker}buckets/`)).status, 401);
        const names = ["ann", "bob", "cid", "dan"];
        const users = await Promise.all(names.map((name) => signIn(url, name)));
        for (const round of [0, 1]) {
          for (const [index, headers] of users.entries()) {
            const bucket = `${tracker}buckets/window`;
            const body = JSON.stringify({ client: names[index], type: "t", hostname: "h" });
            const { status } = await checkedFetch(bucket, { method: "POST", headers, body });
            assert.is(status, round === 0 ? 200 : 304);
            const list = await (await checkedFetch(`${tracker}buckets/`, { headers })).json();
            assert.equal(list.window.client, names[index]);
          }
        }
        const { code, stderr } = await terminate();
        assert.equal([code, stderr], [0, ""]);
      });
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      consumer.close();
    }
  });
}

test.run();
