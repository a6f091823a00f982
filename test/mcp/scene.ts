import type { JsonObject } from "../../src/domain/json.js";
import type { TestServer, TestServerOptions } from "../../src/testing/index.js";
import { withTestServer } from "../harness.js";

/** Friday evening. */
export const CLOCK = "2024-03-08T18:00:00Z";

/** Texts that only one level of disclosure may return. */
export const MARKERS = { app: "MarkApp", site: "markersite.example", title: "markertitle", project: "markerproject" };

const DAYS = ["2024-03-08", "2024-03-07", "2024-03-05", "2024-02-29", "2024-02-10", "2023-06-01"];

/** Runs a server that assistants can call, with events of several days. */
export function withMcpServer(
  body: (server: TestServer) => Promise<void>,
  options: TestServerOptions = {},
): Promise<void> {
  return withTestServer({ clock: CLOCK, mcp: true, ...options }, async (server) => {
    await fill(server);
    await body(server);
  });
}

/** Fills a server with windows, pages, files and settings of several days. */
async function fill(server: TestServer): Promise<void> {
  const at = (day: string, time: string, minutes: number, data: object) => {
    return { timestamp: `${day}T${time}:00Z`, duration: `${minutes}m` as const, data: data as JsonObject };
  };
  const hostname = "desk";
  await server.buckets.create(
    "aw-watcher-window_desk",
    { type: "currentwindow", client: "t", hostname },
    DAYS.flatMap((day, index) => [
      at(day, "09:00", 50 + index, { app: MARKERS.app, title: `editor ${MARKERS.title} one` }),
      at(day, "10:00", 40, { app: "Firefox", title: `page ${MARKERS.title} two` }),
      at(day, "11:00", 7 + index, { app: "Mail", title: "inbox" }),
    ]),
  );
  await server.buckets.create(
    "aw-watcher-afk_desk",
    { type: "afkstatus", client: "t", hostname },
    DAYS.flatMap((day) => [
      at(day, "09:00", 110, { status: "not-afk" }),
      at(day, "10:50", 10, { status: "afk" }),
      at(day, "11:00", 60, { status: "not-afk" }),
    ]),
  );
  await server.buckets.create(
    "aw-watcher-web-firefox_desk",
    { type: "web.tab.current", client: "t", hostname },
    DAYS.map((day) => at(day, "10:00", 30, { url: `https://${MARKERS.site}/x`, title: MARKERS.title })),
  );
  await server.buckets.create(
    "aw-watcher-vscode_desk",
    { type: "app.editor.activity", client: "t", hostname },
    DAYS.map((day) =>
      at(day, "09:00", 20, { file: `/${MARKERS.project}/a.ts`, project: MARKERS.project, language: "ts" }),
    ),
  );
  await server.settings.put("classes", [
    { name: ["Work"], rule: { type: "regex", regex: "editor" } },
    { name: ["Work", "Mail"], rule: { type: "regex", regex: "Mail" } },
  ]);
  await server.settings.put("goals", [{ category: ["Work"], per: "day", goal: 3600 }]);
}
