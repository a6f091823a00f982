// The queries for Grafana in docs/guides/reports.md, sent as its data source would send them.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createTestServer } from "../../src/testing/index.js";
import { ROOT } from "../package/tarball.js";

const test = suite("queries for Grafana");

interface Query {
  readonly url: string;
  readonly url_options: { readonly method: string; readonly body_content_type: string; readonly data: string };
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string; readonly type: "timestamp" | "number" | "string" }[];
}

const page = fs.readFileSync(path.join(ROOT, "docs/guides/reports.md"), "utf8");
const [, section = ""] = page.split("## Grafana");
const queries = [...(section.split("\n## ")[0] ?? "").matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = ""]) => JSON.parse(text) as Query,
);

/** The values of a column by their type in Grafana. */
const CHECKS = {
  timestamp: (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
  number: (value: unknown) => typeof value === "number",
  string: (value: unknown) => typeof value === "string",
};

test("each finds its rows and columns in the response", async () => {
  const server = createTestServer({ clock: "2024-03-08T18:00:00Z" });
  try {
    const bucket = { type: "currentwindow", client: "t", hostname: "desk" };
    const event = { timestamp: "2024-03-05T10:00:00Z", duration: "1h" as const, data: { app: "editor", title: "x" } };
    await server.buckets.create("aw-watcher-window_desk", bucket, [event]);
    const { key } = await server.keys.add({ name: "Grafana", scopes: ["read:*"] });
    assert.is(queries.length, 2);
    for (const { url, url_options: options, root_selector: root, columns } of queries) {
      const body = options.data
        .replace(/\$\{__from:date:YYYY-MM-DD\}/, "2024-03-04")
        .replace(/\$\{__to:date:YYYY-MM-DD\}/, "2024-03-06");
      const headers = { "content-type": options.body_content_type, authorization: `Bearer ${key}` };
      const response = await server.fetch(url, { method: options.method, headers, body });
      assert.is(response.status, 200);
      const all: unknown = await response.json();
      const rows = root.split(".").reduce((value, name) => (value as Record<string, unknown>)[name], all);
      assert.ok(Array.isArray(rows) && rows.length > 0, root);
      for (const { selector, type } of columns)
        assert.ok(
          rows.every((row) => CHECKS[type](row[selector])),
          selector,
        );
      const time = columns.find(({ type }) => type === "number")?.selector ?? "";
      assert.is(Math.max(...rows.map((row) => row[time])), 3600);
    }
  } finally {
    await server.close();
  }
});

test.run();
