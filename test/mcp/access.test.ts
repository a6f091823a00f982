// Who may call /mcp, and what each level discloses.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { connect } from "../../src/client/index.js";
import { ActivityError, allow, createActivityServer, deny, type KeyScope } from "../../src/index.js";
import { combineScopes, findScopeBeyond, parseScopes } from "../../src/service/access/grants.js";
import type { TestServer } from "../../src/testing/index.js";
import { recordingLogger } from "../harness.js";
import { refusalOf } from "../refusals.js";
import { type McpClient, withMcp } from "./client.js";
import { CLOCK, MARKERS, withMcpServer } from "./scene.js";

const test = suite("access of assistants");

async function keyWith(server: TestServer, ...scopes: readonly KeyScope[]): Promise<string> {
  return (await server.keys.add({ name: `k${(await server.keys.list()).length}`, scopes })).key;
}

function post(
  server: TestServer,
  headers: Record<string, string> = {},
  path = "/mcp",
  body?: string,
): Promise<Response> {
  const sent = body ?? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  return server.fetch(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: sent,
    }),
  );
}

/** Calls every tool with every argument that could disclose something. @returns all that the server sent */
async function callEverything(client: McpClient, responses: readonly string[]): Promise<string> {
  const { tools } = await client.listTools();
  const lists = ["category", "app", "language", "host", "site", "title", "url", "project", "file"];
  for (const { name } of tools) {
    if (name === "stopwatch" || name === "suggest_rule") continue;
    for (const period of ["today", "this week", "2023-01-01..2024-03-08"]) {
      await client.callTool({
        name,
        arguments: name === "search" ? { text: "mark", period } : name === "now" ? {} : { period },
      });
    }
  }
  for (const list of lists) await client.callTool({ name: "summary", arguments: { groups: [list] } });
  return responses.join("\n");
}

test("scopes together disclose what the highest level allows", () =>
  withMcpServer(async (server) => {
    for (const [scopes, shown] of [
      [["read:*"], []],
      [
        ["read:*", "assistant:sites", "assistant:apps"],
        ["app", "site"],
      ],
      [["admin"], ["app", "site", "title", "project"]],
      [["assistant:query"], ["app", "site", "title", "project"]],
      [
        ["admin", "assistant:apps"],
        ["app", "site", "title", "project"],
      ],
    ] as const) {
      const key = await keyWith(server, ...(scopes as readonly KeyScope[]));
      await withMcp(server, { key }, async (client, responses) => {
        const all = (await callEverything(client, responses)).toLowerCase();
        assert.ok(all.includes("work"), "categories are shown");
        for (const [level, marker] of Object.entries(MARKERS)) {
          const isShown = (shown as readonly string[]).includes(level);
          assert.is(all.includes(marker.toLowerCase()), isShown, `${scopes} ${level}`);
        }
      });
    }
  }));

test("only a key that allows it offers queries, over the buckets that it may read", () =>
  withMcpServer(
    async (server) => {
      for (const [scopes, isOffered, sees] of [
        [["assistant:titles"], false, false],
        [["read:*"], false, false],
        [["admin"], false, false],
        [["admin", "assistant:titles"], false, false],
        [["admin", "assistant:query"], true, true],
        [["assistant:query"], true, true],
        [["read:*", "assistant:query"], true, true],
        [["read:*_desk", "assistant:query"], true, true],
        [["read:aw-watcher-afk_*", "assistant:query"], true, false],
        [["write:aw-watcher-afk_*", "read:aw-watcher-afk_*", "assistant:query"], true, false],
      ] as const) {
        const key = await keyWith(server, ...(scopes as readonly KeyScope[]));
        await withMcp(server, { key }, async (client, responses) => {
          const { tools } = await client.listTools();
          const offered = tools.some(({ name }) => name === "query");
          assert.is(offered, isOffered, String(scopes));
          const calls = [
            'RETURN = query_bucket("aw-watcher-window_desk");',
            'RETURN = find_bucket("aw-watcher-window_");',
          ];
          for (const query of calls) {
            const asked = client.callTool({ name: "query", arguments: { query } });
            if (!isOffered) assert.match(await refusalOf(asked), /unknown tool query/);
            else assert.is((await asked).isError ?? false, !sees, `${scopes} ${query}`);
          }
          const names = { name: "query", arguments: { query: "RETURN = query_bucket_names();" } };
          if (isOffered) await client.callTool(names);
          assert.is(responses.join().includes("aw-watcher-web-firefox_desk"), sees, String(scopes));
        });
      }
      await withMcp(server, { key: "secret" }, async (client) => {
        const { tools } = await client.listTools();
        assert.not(
          tools.some(({ name }) => name === "query"),
          "nor does the apiKey",
        );
      });
    },
    { apiKey: "secret" },
  ));

test("queries of assistants have the limits of all queries", () =>
  withMcpServer(
    async (server) => {
      await withMcp(server, { key: await keyWith(server, "assistant:query") }, async (client) => {
        const query = 'RETURN = query_bucket("aw-watcher-window_desk");';
        const refused = await client.callTool({ name: "query", arguments: { query, period: "this year" } });
        assert.ok(refused.isError);
        assert.match(refused.content[0]?.text ?? "", /events/);
      });
    },
    { queryLimits: { events: 2 } },
  ));

test("callers without credentials get categories and no queries, if the server needs none", () =>
  withMcpServer((server) =>
    withMcp(server, {}, async (client, responses) => {
      const all = await callEverything(client, responses);
      for (const marker of Object.values(MARKERS)) assert.not(all.includes(marker), marker);
      const { tools } = await client.listTools();
      assert.not(tools.some(({ name }) => name === "query"));
    }),
  ));

test("a bucket that the key may not read does not exist", () =>
  withMcpServer(async (server) => {
    const hidden = { type: "currentwindow", client: "t", hostname: "hiddenhost" };
    const events = [
      { timestamp: "2024-03-08T12:00:00Z", duration: "1h" as const, data: { app: "hiddenapp", title: "x" } },
    ];
    await server.buckets.create("aw-watcher-window_hidden", hidden, events);
    const key = await keyWith(server, "read:*_desk", "assistant:titles");
    await withMcp(server, { key }, async (client, responses) => {
      const { structuredContent } = await client.callTool({ name: "summary", arguments: { groups: ["app", "host"] } });
      assert.not((await callEverything(client, responses)).includes("hidden"));
      const { totals } = structuredContent as unknown as { totals: { active: number } };
      const all = (await server.report({})).totals.active;
      assert.is(all - totals.active, 3600);
    });
  }));

test("a key with only an assistant scope calls nothing else, and one without read or assistant scopes not this", () =>
  withMcpServer(async (server) => {
    const only = { authorization: `Bearer ${await keyWith(server, "assistant:titles")}` };
    assert.is((await post(server, only)).status, 200);
    for (const path of ["/api/0/buckets/", "/api/0/export", "/api/0/buckets/aw-watcher-window_desk/events"]) {
      const response = await server.fetch(new Request(`http://localhost${path}`, { headers: only }));
      assert.is(response.status, 403, path);
    }
    const report = await post(server, only, "/api/0/report", "{}");
    assert.is(report.status, 403);
    assert.match(((await report.json()) as { message: string }).message, /may only call \/mcp/);
    const watcher = await post(server, { authorization: `Bearer ${await keyWith(server, "append:*")}` });
    assert.is(watcher.status, 403);
    assert.match(await watcher.text(), /assistant:categories/);
  }));

test("the stopwatch needs the scope append", () =>
  withMcpServer(async (server) => {
    for (const [scopes, isOffered, stops] of [
      [["assistant:titles"], false, false],
      [["read:*"], false, false],
      [["assistant:apps", "append:aw-stopwatch"], true, false],
      [["assistant:apps", "write:aw-stopwatch"], true, true],
    ] as const) {
      const key = await keyWith(server, ...(scopes as readonly KeyScope[]));
      await withMcp(server, { key }, async (client) => {
        const { tools } = await client.listTools();
        assert.is(
          tools.some(({ name }) => name === "stopwatch"),
          isOffered,
          String(scopes),
        );
        if (!isOffered) {
          const refused = await refusalOf(client.callTool({ name: "stopwatch", arguments: { action: "start" } }));
          return assert.match(refused, /unknown tool/);
        }
        const started = await client.callTool({ name: "stopwatch", arguments: { action: "start", label: "x" } });
        assert.not(started.isError);
        const stopped = await client.callTool({ name: "stopwatch", arguments: { action: "stop" } });
        assert.is(stopped.isError ?? false, !stops);
        if (!stops) assert.match(stopped.content[0]?.text ?? "", /write:aw-stopwatch/);
      });
    }
    assert.is((await connect(server).events.list("aw-stopwatch")).length, 2);
  }));

test("stopping the stopwatch shows labels only with the level of titles", () =>
  withMcpServer(async (server) => {
    for (const [level, shows] of [
      ["assistant:sites", false],
      ["assistant:titles", true],
    ] as const) {
      await server.buckets.create("aw-stopwatch", { type: "general.stopwatch", client: "t", hostname: "unknown" });
      await server.events.insert("aw-stopwatch", {
        ...{ timestamp: CLOCK, duration: 0, data: { label: "markerlabel", running: true } },
      });
      await withMcp(server, { key: await keyWith(server, level, "write:aw-stopwatch") }, async (client, responses) => {
        await client.callTool({ name: "stopwatch", arguments: { action: "stop" } });
        assert.is(responses.join().includes("markerlabel"), shows, level);
      });
    }
  }));

test("an internal error is logged, and its message stays inside", async () => {
  for (const cause of [
    new Error("EACCES /home/ann"),
    new ActivityError("STORAGE_FAILED", "cannot read: EACCES /home/ann"),
  ]) {
    const { logger, errors } = recordingLogger();
    const storage = memory();
    const server = createActivityServer({ storage, mcp: true, logger });
    const { key } = await server.keys.add({ name: "k", scopes: ["assistant:titles"] });
    Object.assign(storage, { listBuckets: () => Promise.reject(cause) });
    await withMcp(server, { key }, async (client, responses) => {
      assert.match(String(await refusalOf(client.callTool({ name: "now" }))), /internal error/);
      assert.not.match(responses.join(), /EACCES/);
    });
    assert.ok(errors.includes(cause));
    await server.close();
  }
});

test("checks credentials, origin, host, hook and body like other routes", async () => {
  await withMcpServer(
    async (server) => {
      assert.is((await post(server)).status, 401);
      assert.is((await post(server, { authorization: "Bearer as_wrong" })).status, 401);
      assert.is((await post(server, { authorization: "Bearer secret" })).status, 200);
    },
    { apiKey: "secret" },
  );
  await withMcpServer(
    async (server) => {
      assert.is((await post(server, { origin: "https://evil.example" })).status, 403);
      assert.is((await post(server, { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })).status, 403);
      assert.is((await post(server, {}, "/mcp", "{")).status, 400);
      assert.is((await post(server, {}, "/mcp", JSON.stringify({ a: "x".repeat(2 * 1024 * 1024) }))).status, 413);
      const { status, headers } = await server.fetch(new Request("http://localhost/mcp"));
      assert.equal([status, headers.get("allow")], [405, "POST, OPTIONS"]);
    },
    { allowedHosts: ["localhost"] },
  );
  await withMcpServer(async (server) => assert.is((await post(server)).status, 400), {
    allowedHosts: ["other.example"],
  });
  const authorize = ({ path }: { path: string }) => (path === "/mcp" ? deny("not here") : allow());
  await withMcpServer(async (server) => assert.is((await post(server)).status, 403), { authorize });
});

test("the owner sees what assistants got", () =>
  withMcpServer(async (server) => {
    const key = await keyWith(server, "assistant:apps");
    const read = (secret: string) =>
      server.fetch(
        new Request("http://localhost/api/0/assistant/log", { headers: { authorization: `Bearer ${secret}` } }),
      );
    await withMcp(server, { key }, async (client) => {
      await client.callTool({ name: "now" });
      await client.callTool({ name: "goals", arguments: { period: "this week" } });
      await client.callTool({ name: "goals", arguments: { period: "never" } });
    });
    const log = (await (await read(await keyWith(server, "admin"))).json()) as Record<string, unknown>[];
    assert.equal(
      log.map(({ tool, period, level, key: name, time }) => [tool, period, level, name, time]),
      [
        ["goals", "this week", "apps", "k0", "2024-03-08T18:00:00.000Z"],
        ["now", null, "apps", "k0", "2024-03-08T18:00:00.000Z"],
      ],
    );
    assert.ok(log.every(({ rows }) => Number(rows) > 0));
    for (const other of [key, await keyWith(server, "write:*")]) assert.is((await read(other)).status, 403);
  }));

test("is off by default, like an unknown path", () =>
  withMcpServer(
    async (server) => {
      const [off, unknown] = [await post(server), await post(server, {}, "/nothing")];
      assert.equal([off.status, await off.text()], [404, await unknown.text()]);
    },
    { mcp: false },
  ));

test("a level includes those before it, and only when scopes are compared", () => {
  const beyond = (scopes: readonly KeyScope[], within: readonly KeyScope[]) => findScopeBeyond(scopes, within);
  assert.is(beyond(["assistant:apps"], ["assistant:titles"]), undefined);
  assert.is(beyond(["assistant:apps"], ["assistant:apps", "read:a"]), undefined);
  assert.is(beyond(["assistant:titles"], ["admin"]), undefined);
  assert.is(beyond(["assistant:titles"], ["assistant:query"]), undefined);
  assert.is(beyond(["assistant:query"], ["assistant:titles", "read:*"]), "assistant:query");
  assert.is(beyond(["assistant:titles"], ["assistant:sites"]), "assistant:titles");
  assert.is(beyond(["assistant:categories"], ["read:*", "write:*"]), "assistant:categories");
  assert.is(beyond(["read:a"], ["assistant:titles"]), "read:a");
  assert.not(combineScopes(parseScopes(["assistant:titles"])).allows("read", "a"));
  for (const wrong of ["assistant:", "assistant:all", "assistant:*", "assistant:apps,titles", "assistant"]) {
    assert.throws(() => parseScopes([wrong]), /assistant:categories, assistant:apps/);
  }
});

test.run();
