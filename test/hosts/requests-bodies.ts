// Bodies of every size and kind, in a host.
import * as assert from "uvu/assert";
import { sizeOf } from "../faults/sizes.js";
import { BUCKET } from "../harness.js";
import { event, json, refusal } from "../http/client.js";
import { form } from "./forms.js";
import { type HostCase, visit } from "./site.js";

const MIB = 1024 * 1024;
/** A body that is larger than what hosts take by themselves, in MiB. */
const LARGE_MIB = sizeOf("LARGE_BODY_MIB", { short: 2, long: 20 });
/** The default of `bodyLimitBytes`, and what a heartbeat may have. */
const LIMIT = 32 * MIB;
const SINGLE_LIMIT = MIB;
/** No length is announced. */
const CHUNKED = { "Transfer-Encoding": "chunked" };

function documentOf(id: string, minutes: readonly number[], data: unknown = { app: "ü" }): string {
  const events = minutes.map((minute) => event(minute, data, 1));
  return JSON.stringify({ buckets: { [id]: { ...BUCKET, id, created: "2024-03-01T00:00:00Z", events } } });
}

export const BODY_CASES: readonly HostCase[] = [
  {
    name: "documents are imported as JSON and as forms",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        const plain = json(await send("POST", "/api/0/import", documentOf("plain", [1, 2]))) as Record<string, number>;
        assert.equal([plain["buckets_created"], plain["events_imported"]], [1, 2]);
        const { body, headers: type } = form(documentOf("one", [1]), documentOf("two", [1, 2, 3]));
        for (const headers of [type, { ...type, ...CHUNKED }]) {
          const counts = json(await send("POST", "/api/0/import", body, headers)) as Record<string, number>;
          assert.is((counts["events_imported"] ?? 0) + (counts["events_already_there"] ?? 0), 4);
        }
        assert.is(json(await send("GET", "/api/0/buckets/two/events/count")), 3);
        const [read] = json(await send("GET", "/api/0/buckets/one/events")) as [{ data: unknown }];
        assert.equal(read.data, { app: "ü" });
        refusal(await send("POST", "/api/0/import", "nonsense", type), 400);
      }),
  },
  {
    name: `a body of ${LARGE_MIB} MiB is accepted`,
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        json(await send("POST", "/api/0/buckets/b", BUCKET));
        const title = "ü".repeat((LARGE_MIB / 8) * MIB);
        const draft = JSON.stringify([1, 2, 3, 4].map((minute) => event(minute, { title })));
        assert.ok(Buffer.byteLength(draft) > LARGE_MIB * MIB);
        assert.is((json(await send("POST", "/api/0/buckets/b/events", draft)) as unknown[]).length, 4);
        json(await send("POST", "/api/0/buckets/b/events", draft, CHUNKED));
        const read = json(await send("GET", "/api/0/buckets/b/events")) as { data: { title: string } }[];
        assert.equal(
          read.map(({ data }) => data.title === title),
          Array.from({ length: 8 }, () => true),
        );
      }),
  },
  {
    name: "a body above the limit is refused, and the next request is served",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        json(await send("POST", "/api/0/buckets/b", BUCKET));
        const draft = JSON.stringify(event(1, { title: "x".repeat(LIMIT) }));
        const plain = await send("POST", "/api/0/buckets/b/events", draft);
        assert.match(refusal(plain, 413), String(LIMIT));
        const chunked = await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", draft, CHUNKED);
        assert.match(refusal(chunked, 413), String(SINGLE_LIMIT));
        assert.is(json(await send("GET", "/api/0/buckets/b/events/count")), 0);
      }),
  },
  {
    name: "bodies mean the same however they come",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        const values = [{ ü: "😀", n: [1.5, null, true] }, [], {}, [[]], ["1"], { "": "" }];
        for (const value of values) {
          for (const headers of [{}, { "Content-Type": "application/json; charset=utf-8" }]) {
            assert.equal(json(await send("POST", "/api/0/settings/k", value, headers)), value);
            assert.equal(json(await send("GET", "/api/0/settings/k")), value);
          }
        }
        const vendor = { "Content-Type": "application/vnd.host+json" };
        const answer = await send("POST", "/api/0/settings/vendor", { value: 1 }, vendor);
        assert.equal(json(answer), { value: 1 });
      }),
  },
];
