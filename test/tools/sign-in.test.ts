// The commands `open` and `pair`, which ask a running server.
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { proved } from "../access/proofs.js";
import { fakeBrowser } from "../cli/browser.js";
import { inside } from "../cli/inside.js";
import { call, jsonLines, type Workshop } from "../cli/launcher.js";

const test = suite("activity-server open and pair");

async function linesOf({ told }: Workshop, words: readonly string[]): Promise<Record<string, unknown>[]> {
  return jsonLines(await told([...words, "--json"]));
}

async function signIn(url: string, token: string): Promise<Response> {
  const headers = { origin: url, "content-type": "application/json" };
  return fetch(`${url}/api/0/session`, { method: "POST", headers, body: JSON.stringify({ token }) });
}

test("open prints a link that signs in once", () =>
  inside(async (workshop) => {
    const { url, facts } = await workshop.start(["--auth", "required"]);
    const folder = String(facts.data);
    const stdout = await workshop.program.told(["open", "--print", "--data", folder]);
    const [, address, token = ""] = /^(http:\/\/[^/]+)\/#\/sign-in\/([\w-]{43})\n$/.exec(stdout) ?? [];
    assert.is(address, url);
    const answer = await signIn(url, token);
    assert.is(answer.status, 200);
    const { secret } = (await answer.json()) as { secret: string };
    const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    assert.match(cookie, new RegExp(`^activity-server-session-${facts.port}=`));
    const headers = proved(
      { cookie, "x-activity-session": secret },
      "GET",
      "/api/0/buckets",
      Date.now(),
      String(facts.port),
    );
    const read = await fetch(`${url}/api/0/buckets`, { headers });
    assert.is(read.status, 200);
    assert.is((await signIn(url, token)).status, 401);
    const [link] = await linesOf(workshop, ["open", "--data", folder]);
    assert.equal([link?.["event"], String(link?.["url"]).startsWith(`${url}/#/sign-in/`)], ["sign-in-link", true]);
  }));

test("the browser gets the name of a private page, not the link", async () => {
  if (process.platform !== "linux") return;
  await inside(async (workshop) => {
    const { path, run, start } = workshop;
    const { url, facts } = await start(["--auth", "required"]);
    const { env, opened } = await fakeBrowser(workshop);
    const { code, stdout } = await run(["open", "--data", String(facts.data)], env);
    assert.is(code, 0);
    assert.match(stdout, /^Opening the dashboard in the browser/);
    const name = await opened();
    assert.match(name, /^file:\/\/.*\/sign-in\.html$/);
    const file = new URL(name);
    assert.is((await stat(file)).mode & 0o777, 0o600);
    const [, link = ""] = /location\.replace\("([^"]*)"\)/.exec(await readFile(file, "utf8")) ?? [];
    assert.is(link.startsWith(`${url}/#/sign-in/`), true);
    assert.is((await signIn(url, link.split("/").at(-1) ?? "")).status, 200);

    // So does --open, where the page would show nothing without a session.
    const next = await start(["--auth", "required", "--open", "--data", path("next")], env);
    const page = await readFile(new URL(await opened()), "utf8");
    const [, token = ""] = /sign-in\/([\w-]{43})"/.exec(page) ?? [];
    assert.is((await signIn(next.url, token)).status, 200);
  });
});

test("another web UI is signed in by a page of the server", () =>
  inside(async (workshop) => {
    const { path, start } = workshop;
    await mkdir(path("ui"));
    await writeFile(path("ui/index.html"), "another web UI");
    const { url, facts } = await start(["--auth", "required", "--webui", path("ui"), "--session-cookie-alone"]);
    const [link] = await linesOf(workshop, ["open", "--data", String(facts.data)]);
    const [, token = ""] = /\/api\/sign-in#([\w-]{43})$/.exec(String(link?.["url"])) ?? [];
    const page = await fetch(`${url}/api/sign-in`);
    assert.match(page.headers.get("content-security-policy") ?? "", /script-src 'self'/);
    const answer = await signIn(url, token);
    const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    assert.is((await fetch(`${url}/api/0/buckets`, { headers: { cookie } })).status, 200);
    assert.is((await fetch(`${url}/api/0/buckets`)).status, 401);
  }));

test("pair lists who asks, lets them have a key, or refuses them", () =>
  inside(async (workshop) => {
    const { url, facts } = await workshop.start(["--auth", "required"]);
    const data = ["--data", String(facts.data)];
    const ask = async (name: string) => {
      const body = { name, scopes: ["write:phone_*"] };
      return (await call(`${url}/api/0/pairing`, "POST", body)).body as { code: string; secret: string };
    };
    const collect = async (secret: string) => (await call(`${url}/api/0/pairing/collect`, "POST", { secret })).body;
    assert.is(await workshop.told(["pair", ...data]), "no pairing requests\n");
    const [phone, tablet] = [await ask("phone"), await ask("tablet")];
    const listed = await workshop.program.run(["pair", ...data]);
    const shown = [`${phone.code}  phone requests a key: write:phone_*, from 127.0.0.1`, `${tablet.code}  tablet`];
    for (const line of shown) assert.ok(listed.stdout.includes(line), listed.stdout);
    const [question] = await linesOf(workshop, ["pair", ...data]);
    assert.equal([question?.["event"], question?.["code"], question?.["kind"]], ["pairing", phone.code, "key"]);

    const narrower = ["--scope", "append:phone_*", "--name", "my-phone"];
    const approved = await workshop.run(["pair", phone.code.toLowerCase(), ...narrower, ...data]);
    assert.is(approved.stdout, "my-phone gets a key: append:phone_*\n");
    const { status, key, scopes } = (await collect(phone.secret)) as Record<string, unknown>;
    assert.equal([status, scopes], ["approved", ["append:phone_*"]]);
    assert.match(String(key), /^as_/);
    assert.is((await workshop.run(["pair", tablet.code, "--refuse", ...data])).code, 0);
    assert.equal(await collect(tablet.secret), { status: "refused" });
    const gone = await workshop.run(["pair", tablet.code, ...data]);
    assert.is(gone.code, 1);
    assert.match(gone.stderr, /no pairing request has this code/);
    const wide = await ask("wide");
    const refused = await workshop.run(["pair", wide.code, "--scope", "admin", ...data]);
    assert.equal([refused.code, /scopes must be .*'admin'/.test(refused.stderr)], [1, true]);
  }));

for (const [auth, outcome] of [
  ["optional", /^safari-web-extension:\/\/a may report\n$/],
  [
    "required",
    /^safari-web-extension:\/\/a may report with a key, .* keys add NAME --scope append:GLOB --origin safari-web-/,
  ],
] as const) {
  test(`pair lets an extension report, with auth ${auth}`, () =>
    inside(async (workshop) => {
      const { url, facts } = await workshop.start(["--auth", auth]);
      await call(`${url}/api/0/buckets/b`, "POST", {}, { origin: "safari-web-extension://a" });
      const [question] = await linesOf(workshop, ["pair", "--data", String(facts.data)]);
      const code = String(question?.["code"]);
      const { stdout } = await workshop.run(["pair", code, "--data", String(facts.data)]);
      assert.match(stdout, outcome);
    }));
}

test.run();
