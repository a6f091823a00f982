// Events of a bucket by filter and offset; docs/reference/api.md#reading-events
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withServer } from "../harness.js";
import { ADAPTERS, json, refusal } from "./client.js";

const test = suite("events by filter and offset");

const APPS = ["editor", "browser", "mail"];
const EVENTS = Array.from({ length: 30 }, (_, second) => ({
  timestamp: new Date(Date.UTC(2024, 2, 1, 10, 0, second)),
  duration: "1s" as const,
  data: { app: APPS[second % 3] as string, title: `Page ${second}` },
}));

for (const [name, open] of Object.entries(ADAPTERS)) {
  test(`${name}: reads pages of the events that meet a filter`, () =>
    open((storage) =>
      withServer({ storage, buckets: ["b"] }, async ({ send, server }) => {
        await server.events.insert("b", EVENTS);
        const titles = async (search: string): Promise<string> => {
          const events = json(await send("GET", `/api/0/buckets/b/events?${search}`)) as { data: { title: string } }[];
          return events.map(({ data }) => data.title.slice(5)).join(" ");
        };
        assert.is(await titles("limit=3"), "29 28 27");
        assert.is(await titles("limit=3&offset=2"), "27 26 25");
        assert.is(await titles("offset=28"), "1 0");
        assert.is(await titles("offset=30"), "");
        assert.is(await titles("limit=0&offset=1"), "");
        assert.is(await titles("filter=app%3Dmail&limit=2&offset=1"), "26 23");
        assert.is(await titles("filter=app%3Dmail&filter=!PAGE%202"), "17 14 11 8 5");
        assert.is(await titles("filter=title~%2F%5B05%5D%24%2F&end=2024-03-01T10:00:19.5Z"), "15 10 5 0");
        assert.is(await titles("filter=app%3Dnone"), "");
        assert.is(
          json(await send("GET", "/api/0/buckets/b/events/count?filter=app%3Dmail&start=2024-03-01T10:00:15Z")),
          6,
        );
        assert.is(await server.events.count("b", { filter: ["app=mail"] }), 10);
        const range = { filter: ["app=mail", "!Page 2"], offset: 1, limit: 2, order: "oldest" } as const;
        const oldest = await server.events.read("b", range).toArray();
        assert.equal(
          oldest.map(({ data }) => data["title"]),
          ["Page 8", "Page 11"],
        );
      }),
    ));
}

test("answers by the categories of now", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", EVENTS);
    const count = async (): Promise<number> =>
      (json(await send("GET", "/api/0/buckets/b/events?filter=category%3AWork")) as unknown[]).length;
    await server.settings.put("classes", [{ name: ["Work"], rule: { type: "regex", regex: "editor" } }]);
    assert.is(await count(), 10);
    assert.is(await count(), 10);
    await server.settings.put("classes", [{ name: ["Work", "A"], rule: { type: "regex", regex: "editor|mail" } }]);
    assert.is(await count(), 20);
  }));

test("refuses what it cannot read, with the place", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    const refused = async (search: string): Promise<string> => {
      const response = await send("GET", `/api/0/buckets/b/events${search}`);
      return refusal(response, 400);
    };
    assert.match(await refused("?filter=title~"), /filter 'title~': expected a string to search, at character 7/);
    assert.match(await refused("/count?filter=title~%2Fa(%2F"), /filter 'title~\/a\(\/': .* of the pattern/);
    assert.match(await refused(`?${"filter=a&".repeat(101)}`), /filter must be at most 100/);
    assert.throws(() => server.events.read("b", { filter: ["a=", 3 as never] }), /filter\[1\] must be a string, got 3/);
    assert.throws(() => server.events.read("b", { filter: "a=b" as never }), /filter must be a list, got 'a=b'/);
    assert.throws(() => server.events.read("b", { offset: -1 }), /offset must be an integer from 0 to .*, got -1/);
  }));

test.run();
