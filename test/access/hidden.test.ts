// A bucket that a key may not read does not exist for it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { sendJson } from "../api/sending.js";
import { type Guarded, guarded, OTHER, OWN, SPARE } from "./servers.js";

const test = suite("hidden buckets");

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: readonly (readonly [string, string])[];
}

type Ask = (key: string, method: string, path: string, body?: unknown) => Promise<Answer>;

async function asked(body: (ask: Ask, guarded: Guarded) => Promise<void>): Promise<void> {
  const made = await guarded("keys, required");
  const { server, keys } = made;
  const ask: Ask = async (key, method, path, content) => {
    const answer = await sendJson(server, method, path, content, { authorization: keys[key] ?? "" });
    return { status: answer.status, text: await answer.text(), headers: [...answer.headers] };
  };
  try {
    await body(ask, made);
  } finally {
    await server.close();
  }
}

const PERIOD = "2024-03-01/2024-03-02";

function program(...lines: readonly string[]) {
  return { timeperiods: [PERIOD], query: lines };
}

test("a hidden bucket and one that there is not are answered alike by every operation that names one", () =>
  asked(async (ask) => {
    let compared = 0;
    for (const [id, { method, path, body }] of Object.entries(OPERATION_LIST)) {
      if (!path.includes(":bucketId")) continue;
      const content = body?.["application/json"]?.example;
      for (const key of ["read", "append", "write", "read:other"]) {
        const answers: Answer[] = [];
        const [hidden, missing] = key === "read:other" ? [OWN, "own_none"] : [OTHER, "other_none"];
        for (const bucketId of [hidden, missing] as const) {
          const place = `${path.replace(":bucketId", bucketId).replace(":eventId", "1")}?force=1&pulsetime=1`;
          const answer = await ask(key, method, place, content);
          const headers = answer.headers.map(([name, value]) => [name, value.replaceAll(bucketId, "ID")] as const);
          answers.push({ ...answer, headers, text: answer.text.replaceAll(bucketId, "ID") });
        }
        assert.equal(answers[0], answers[1], `${id} ${key}`);
        assert.ok([403, 404].includes(answers[0]?.status ?? 0), `${id} ${key}: ${answers[0]?.status}`);
        compared++;
      }
    }
    assert.ok(compared > 50, String(compared));
  }));

test("queries see what the key may read, by each function that reads", () =>
  asked(async (ask) => {
    const of = async (key: string, line: string) => ask(key, "POST", "/api/0/query", program(line));
    for (const name of ["query_bucket", "query_bucket_eventcount"]) {
      const hidden = await of("read", `RETURN = ${name}("${OTHER}");`);
      const missing = await of("admin", `RETURN = ${name}("${OTHER.replace("desk", "none")}");`);
      assert.is(hidden.status, 400);
      assert.is(hidden.text, missing.text.replaceAll("other_none", OTHER), name);
      assert.is((await of("read", `RETURN = ${name}("${OWN}");`)).status, 200);
    }
    const names = async (key: string) => (await of(key, "RETURN = query_bucket_names();")).text;
    assert.equal(JSON.parse(await names("read")), [[OWN, SPARE]]);
    assert.equal(JSON.parse(await names("read:other")), [[OTHER]]);
    assert.equal(JSON.parse(await names("append")), [[]]);
    assert.equal(JSON.parse(await names("admin")), [[OWN, SPARE, OTHER]]);
    assert.equal(JSON.parse((await of("admin", 'RETURN = find_bucket("other");')).text), [OTHER]);
    const sought = await of("read", 'RETURN = find_bucket("other");');
    assert.is(sought.status, 400);
    assert.match(sought.text, /no bucket has 'other' in its ID/);
    const found = await of("read", 'RETURN = find_bucket("desk");');
    assert.equal(JSON.parse(found.text), [OWN]);
  }));

test("no cache gives one key what another one asked for", () =>
  asked(async (ask) => {
    const query = program(`RETURN = query_bucket("${OTHER}");`);
    const listing = program("RETURN = query_bucket_names();");
    const reads = [
      ["GET", `/api/0/buckets/${OTHER}/events?limit=1`],
      ["GET", `/api/0/buckets/${OTHER}/timeline`],
      ["GET", `/api/0/buckets/${OTHER}/events/count`],
      ["GET", `/api/0/buckets/${OTHER}/export`],
      ["GET", "/api/0/export"],
      ["GET", "/api/0/buckets"],
      ["POST", "/api/0/query", query],
      ["POST", "/api/0/query", listing],
    ] as const;
    for (const [method, path, body] of reads) {
      // Short responses are kept when they are asked for the second time.
      for (let time = 0; time < 3; time++) {
        const whole = await ask("admin", method, path, body);
        assert.ok(whole.text.includes(OTHER) || path.endsWith("count"), `${path} ${whole.text}`);
      }
      for (const key of ["read", "append", "write"]) {
        const restricted = await ask(key, method, path, body);
        assert.not(restricted.text.includes(`"secret":"${OTHER}"`), `${key} ${path}`);
        assert.is.not(restricted.text, (await ask("admin", method, path, body)).text, `${key} ${path}`);
      }
    }
  }));

test("no refusal tells the id that a redirect leads to", () =>
  asked(async (ask, { server }) => {
    await server.events.delete(SPARE, 1);
    await server.identity.rename(SPARE, { to: "other_new" });
    const event = { timestamp: "2024-03-01T10:00:00Z", data: {} };
    const path = `/api/0/buckets/${SPARE}`;
    const [entry] = await server.trash.list();
    const refused = async (key: string, way: string, body: unknown): Promise<void> => {
      const { status, text } = await ask(key, "POST", way, body);
      assert.ok([403, 404].includes(status), `${key} ${way}: ${status}`);
      assert.not.match(text, "other_new", `${key} ${way}`);
    };
    const beat = `${path}/heartbeat?pulsetime=5`;
    await server.buckets.setAccess("other_new", "read-only");
    for (const key of ["append", "write"]) {
      await refused(key, `${path}/events`, [{ ...event, id: 1 }]);
      await refused(key, beat, event);
      await refused(key, `/api/0/trash/${entry?.id}/restore`, {});
    }
    await server.buckets.delete("other_new");
    await refused("append", beat, event);
    // Who may know of it is told.
    const told = await ask("admin", "POST", beat, event);
    assert.equal([told.status, JSON.parse(told.text).message], [404, "no bucket named 'other_new'"]);
  }));

test("a key that may read no bucket learns nothing of the rules of categories", () =>
  asked(async (ask, { server }) => {
    const rule = (name: string, regex: string) => ({ name: [name], rule: { type: "regex", regex } });
    const data = { data: [{ secret: OWN }], filter: ["category:Private"] };
    await server.settings.put("classes", [rule("Private", OWN)]);
    const asked = async (key: string) => JSON.parse((await ask(key, "POST", "/api/0/classify", data)).text);
    assert.equal(await asked("read"), { categories: [["Private"]], matches: [true] });
    assert.equal(await asked("append"), { categories: [["Uncategorized"]], matches: [false] });
    await server.settings.put("classes", [rule("Private", "(")]);
    const deletion = { buckets: [OWN], filter: ["category:Work"] };
    for (const [method, path, body] of [
      ["GET", "/api/0/search?filter=category:Work"],
      ["GET", "/api/0/search?group=category"],
      ["POST", "/api/0/events/delete", deletion],
    ] as const) {
      assert.match((await ask("write", method, path, body)).text, /Private/);
      const { status, text } = await ask("append", method, path, body);
      assert.is(status, 200, path);
      assert.not.match(text, /Private/);
    }
  }));

test("a refusal for want of a scope names the scope", () =>
  asked(async (ask) => {
    const scopeFor = async (key: string, method: string, path: string, body?: unknown): Promise<string | undefined> => {
      const { status, text } = await ask(key, method, path, body);
      assert.is(status, 403, `${key} ${method} ${path}`);
      return /needs the scope ([^"]*)"/.exec(text)?.[1];
    };
    const beat = { timestamp: "2024-03-01T10:00:00Z", data: {} };
    assert.is(await scopeFor("read", "POST", `/api/0/buckets/${OWN}/heartbeat?pulsetime=1`, beat), `append:${OWN}`);
    assert.is(await scopeFor("append", "DELETE", `/api/0/buckets/${OWN}/events/1`), `write:${OWN}`);
    assert.is(await scopeFor("write", "GET", "/api/0/settings"), "admin");
    assert.is(await scopeFor("write", "GET", "/api/0/keys"), "admin");
    assert.is(await scopeFor("write", "PUT", `/api/0/buckets/${OWN}/access`, { access: "open" }), "admin");
  }));

test.run();
