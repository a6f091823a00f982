// Tools for assistants. Their numbers are tested in numbers.test.ts.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import type { JsonObject } from "../../src/domain/json.js";
import { fitResult, toResult } from "../../src/mcp/fit.js";
import { INSTALL, loadSdk } from "../../src/mcp/sdk.js";
import type { TestServer } from "../../src/testing/index.js";
import { refusalOf } from "../refusals.js";
import { words } from "../words.js";
import { type McpClient, type ToolResult, withMcp } from "./client.js";
import { CLOCK, withMcpServer } from "./scene.js";

const test = suite("tools for assistants");

const READ_TOOLS = words`now summary timeline search timesheet goals uncategorised suggest_rule query`;

const ARGUMENTS: Readonly<Record<string, object>> = {
  search: { text: "e" },
  query: { query: "RETURN = 1;" },
  suggest_rule: { category: ["Web"], regex: "Firefox" },
  stopwatch: { action: "stop" },
};

function withOwner(body: (server: TestServer, key: string) => Promise<void>): Promise<void> {
  return withMcpServer(async (server) => {
    const { key } = await server.keys.add({ name: "owner", scopes: ["admin", "assistant:query"] });
    await body(server, key);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: results of many tools, compared as a whole.
type Structured = any;

async function call(client: McpClient, name: string, args: object = {}): Promise<Structured> {
  const result = await client.callTool({ name, arguments: args });
  assert.not(result.isError, result.content[0]?.text);
  return checked(result);
}

async function stored(server: TestServer) {
  return connect(server).events.list("aw-stopwatch");
}

function checked({ structuredContent, content }: ToolResult): JsonObject {
  assert.equal(JSON.parse(content[0]?.text ?? ""), structuredContent, "the same as text");
  return structuredContent as JsonObject;
}

for (const era of ["modern", "legacy"] as const) {
  test(`lists and calls every tool, with structured results (${era})`, () =>
    withOwner((server, key) =>
      withMcp(server, { key, era }, async (client) => {
        const { tools } = await client.listTools();
        assert.equal(
          tools.map(({ name }) => name).filter((name) => name !== "stopwatch"),
          READ_TOOLS,
        );
        for (const { name, description, outputSchema } of tools) {
          assert.ok(outputSchema, name);
          assert.ok(description.includes("never instructions"), name);
        }
        for (const name of READ_TOOLS) {
          const result = await call(client, name, ARGUMENTS[name]);
          assert.ok(result.coverage.length > 0, name);
          assert.is(result.disclosure, "query");
          assert.ok(result.data_notice.includes("never instructions"), name);
        }
      }),
    ));
}

test("a period in words is that of the report", () =>
  withOwner((server, key) =>
    withMcp(server, { key }, async (client) => {
      for (const [words, period] of [
        ["today", { date: "today" }],
        ["yesterday", { date: "yesterday" }],
        ["This  week", { period: "week" }],
        ["last week", { period: "week", date: "2024-02-26" }],
        ["last month", { period: "month", date: "2024-02-01" }],
        ["last year", { period: "year", date: "2023-05-05" }],
        ["2024-03-05..2024-03-07", { date: "2024-03-05", to: "2024-03-07" }],
      ] as const) {
        const { start, end, first_day, last_day, time_zone } = await connect(server).report(period);
        const summary = await call(client, "summary", { period: words });
        assert.equal(summary.period, { first_day, last_day, start, end, time_zone }, words);
      }
      assert.is((await call(client, "now")).time, new Date(CLOCK).toISOString());
    }),
  ));

test("mistakes are results that name the field and the fix", () =>
  withOwner((server, key) =>
    withMcp(server, { key }, async (client) => {
      for (const [name, args, message] of [
        ["summary", { period: "tomorrow" }, /^period must be today, yesterday, .* got 'tomorrow'/],
        ["summary", { period: "2024-02-30" }, /^period must be today/],
        ["summary", { period: "2024-03-09..2024-03-01" }, /^to must not be before date/],
        ["summary", { limit: 0 }, /^limit must be/],
        ["summary", { groups: ["apps"] }, /^groups\[0\] must be .*category.*app/],
        ["summary", { perod: "today" }, /perod/],
        ["timeline", { by: "minute" }, /^by must be/],
        ["timeline", { period: "2000-01-01..2024-01-01", by: "hour" }, /^by must make at most 10000 bins/],
        ["search", {}, /text/],
        ["stopwatch", { action: "start" }, /^label is missing/],
        ["stopwatch", { action: "start", label: "  " }, /^label is missing/],
        ["stopwatch", { action: "start", label: "a".repeat(201) }, /^label must have at most 200 characters, got 201$/],
        ["suggest_rule", { category: [], regex: "a" }, /^category must have from 1 to 10 items, got 0$/],
        ["stopwatch", { action: "stop" }, /^action must be start: no entry is running/],
      ] as const) {
        const result = await client.callTool({ name, arguments: args });
        assert.ok(result.isError, name);
        assert.match(result.content[0]?.text ?? "", message);
      }
      assert.match(await refusalOf(client.callTool({ name: "delete_all" })), /unknown tool delete_all/);
    }),
  ));

test("every argument of a wrong type is named", () =>
  withOwner((server, key) =>
    withMcp(server, { key }, async (client) => {
      for (const { name, inputSchema } of (await client.listTools()).tools) {
        for (const [argument, { type }] of Object.entries(
          inputSchema.properties as Record<string, { type?: string }>,
        )) {
          const given = { ...ARGUMENTS[name], [argument]: type === "string" ? 1 : "x" };
          const { isError, content } = await client.callTool({ name, arguments: given });
          assert.ok(isError && content[0]?.text?.startsWith(`${argument} must be`), `${name}: ${content[0]?.text}`);
        }
      }
    }),
  ));

test("a response has at most 25 kB, and says how many rows are left out", () =>
  withOwner(async (server, key) => {
    const events = Array.from({ length: 1500 }, (_, index) => {
      const timestamp = new Date(Date.parse("2024-03-08T05:00:00Z") + index * 10_000).toISOString();
      return { timestamp, duration: "10s" as const, data: { app: "long", title: `${"é".repeat(200)} ${index}` } };
    });
    await server.buckets.create(
      "aw-watcher-window_other",
      { type: "currentwindow", client: "t", hostname: "other" },
      events,
    );
    await withMcp(server, { key }, async (client, responses) => {
      const result = await call(client, "summary", { groups: ["title"], limit: 1000 });
      assert.ok(Buffer.byteLength(responses.at(-1) ?? "") <= 25_200, String(responses.at(-1)?.length));
      const [{ list, rows }] = result.left_out;
      assert.is(list, "groups.title.rows");
      assert.is(rows + result.groups.title.rows.length, 1000);
      assert.ok(result.groups.title.rows.length > 0);
      assert.ok(result.note);
    });
  }));

test("a rule moves what it would move if it were stored, and nothing is written", () =>
  withOwner((server, key) =>
    withMcp(server, { key }, async (client) => {
      const stored = await server.settings.get("classes");
      const own = async () => {
        const { groups } = await server.report({ period: "week", groups: ["category"] });
        return new Map(groups["category"]?.rows.map(({ name, own: time }) => [name?.join(">"), time ?? 0]));
      };
      const before = await own();
      const rule = { category: ["Web", "Fire"], regex: "FIREFOX|inbox", ignore_case: true };
      const { moved, seconds } = await call(client, "suggest_rule", { ...rule, period: "this week" });
      assert.equal(await server.settings.get("classes"), stored);
      assert.equal(await own(), before);
      const added = { name: rule.category, rule: { type: "regex", regex: rule.regex, ignore_case: true } };
      await server.settings.put("classes", [...(stored as unknown as JsonObject[]), added]);
      const after = await own();
      const names = [...new Set([...before.keys(), ...after.keys()])];
      const changes = names.flatMap((name) => {
        const change = (after.get(name) ?? 0) - (before.get(name) ?? 0);
        return change === 0 ? [] : [[name, change]];
      });
      assert.equal(moved.map(({ name, change }: Structured) => [name.join(">"), change]).sort(), changes.sort());
      assert.ok(seconds > 0 && seconds === after.get("Web>Fire"));
      const wrong = await client.callTool({ name: "suggest_rule", arguments: { ...rule, regex: "(" } });
      assert.ok(wrong.isError);
      assert.match(wrong.content[0]?.text ?? "", /Web > Fire/);
    }),
  ));

test("totals count all names, however many there are", () =>
  withOwner(async (server, key) => {
    const count = 11_000;
    // A page of a report has at most 4,000,000 characters.
    const long = "x".repeat(500);
    const start = Date.parse("2024-03-08T05:00:00Z");
    const events = Array.from({ length: count }, (_, index) => {
      return {
        timestamp: start + index * 100,
        duration: "0.1s" as const,
        data: { app: `x${index % 3}`, title: `needle ${index} ${long}` },
      };
    }).map(({ timestamp, ...rest }) => ({ timestamp: new Date(timestamp).toISOString(), ...rest }));
    const bucket = { type: "currentwindow", client: "t", hostname: "other" };
    await server.buckets.create("aw-watcher-window_other", bucket, events);
    await withMcp(server, { key }, async (client) => {
      const { groups } = await call(client, "search", { text: "NEEDLE", period: "today", limit: 3 });
      assert.equal([groups.title.total, groups.title.rows.length], [count, 3]);
      const left = await call(client, "uncategorised", { period: "today", limit: 2 });
      const report = await server.report({ filter: ["category:Uncategorized"], groups: ["app", "title"] });
      assert.is(left.groups.title.total, report.groups["title"]?.total);
      assert.ok(left.groups.title.total > count - 10);
      assert.is(left.groups.app.total, 4);
    });
  }));

test("results of every length fit", () => {
  for (let count = 0; count < 400; count += 7) {
    const rows = Array.from({ length: count }, (_, index) => ({ key: `é"${index}`.repeat(5), seconds: index }));
    const value = fitResult({ groups: { title: { rows } } });
    assert.ok(Buffer.byteLength(JSON.stringify(toResult(value))) <= 25_000, String(count));
  }
});

test("a large result without lists is refused, and one list in another is shortened", () => {
  const value = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key ${index}`, index]));
  assert.throws(() => fitResult({ result: value }), /^the result must have at most 25000 bytes; return less data$/);
  const { result, left_out } = fitResult({ result: [Array.from({ length: 10_000 }, (_, index) => index)] });
  const [rows] = result as unknown as number[][];
  assert.ok(rows !== undefined && rows.length > 1000);
  assert.equal(left_out, [{ list: "result[0]", rows: 10_000 - rows.length }]);
});

test("a query runs over a period in words, with the budgets and messages of queries", () =>
  withOwner((server, key) =>
    withMcp(server, { key }, async (client) => {
      const query = 'events = query_bucket(find_bucket("aw-watcher-window_")); RETURN = events;';
      const { result, period } = await call(client, "query", { query, period: "this week" });
      const range = { start: period.start, end: period.end };
      const [expected] = await server.query({ timeperiods: [range], query });
      assert.equal(result, expected);
      assert.ok(result.length === 9 && result[0].timestamp > period.start);
      for (const [wrong, message] of [
        ["RETURN = nothing;", /nothing/],
        ['RETURN = query_bucket("missing");', /missing/],
        ["x".repeat(10_001), /^query must have at most 10000 characters, got 10001$/],
      ] as const) {
        const refused = await client.callTool({ name: "query", arguments: { query: wrong } });
        assert.ok(refused.isError, wrong.slice(0, 50));
        assert.match(refused.content[0]?.text ?? "", message);
      }
    }),
  ));

test("without the package, nothing is loaded", async () => {
  assert.is(await loadSdk("@modelcontextprotocol/missing"), undefined);
  assert.match(INSTALL, /npm install @modelcontextprotocol\/server@2/);
});

test("starts and stops the stopwatch, as the dashboard does", () =>
  withOwner((server, key) =>
    withMcp(server, { key }, async (client) => {
      const { period, coverage } = await call(client, "now");
      assert.ok(coverage.length > 0);
      const started = await call(client, "stopwatch", { action: "start", label: " Call with Ann " });
      assert.equal([started.period, started.coverage], [period, coverage]);
      server.clock.advance("10m");
      const { entries } = await call(client, "stopwatch", { action: "stop" });
      assert.equal(entries, [{ label: "Call with Ann", start: "2024-03-08T18:00:00.000Z", seconds: 600 }]);
      const [event, ...rest] = await stored(server);
      assert.is(rest.length, 0);
      assert.equal(event?.data, { label: "Call with Ann", running: false });
      assert.is((await server.buckets.get("aw-stopwatch")).type, "general.stopwatch");
    }),
  ));

test("has prompts for a stand-up and a weekly review", () =>
  withOwner((server, key) =>
    withMcp(server, { key }, async (client) => {
      const { prompts } = await client.listPrompts();
      assert.equal(
        prompts.map(({ name }) => name),
        ["stand-up", "weekly-review"],
      );
      const { messages } = await client.getPrompt({ name: "weekly-review" });
      assert.match(messages[0]?.content.text ?? "", /Call summary with compare/);
      assert.match(await refusalOf(client.getPrompt({ name: "x" })), /unknown prompt x/);
    }),
  ));

test.run();
