// How soon a search over a year of data has its first rows, and how long it takes: `npx tsx bench/search.ts [EVENTS]`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leveldb } from "../adapters/leveldb/index.js";
import { createActivityServer, micros } from "../src/index.js";
import { seededRandom } from "./data.js";

const EVENTS = Number(process.argv[2] ?? 341_690);
const YEAR_SECONDS = 365 * 86_400;
const START = Date.UTC(2024, 0, 1) * 1000;
const random = seededRandom(1);
const APPS = ["firefox", "code", "terminal", "mail", "slack", "player"];

const folder = await mkdtemp(join(tmpdir(), "search-bench-"));
const server = createActivityServer({ storage: leveldb({ path: folder }) });
await fill();
const url = `${(await server.listen({ port: 0 })).url}/api/0/search?format=ndjson`;
await measure("a rare text", "&filter=thesis");
await measure("a rare text, again", "&filter=thesis");
await measure("an app", "&filter=app%3Dcode&limit=100");
await measure("a category", "&filter=category%3AWork&limit=100");
await measure("a pattern, by day", "&filter=title~%2Fticket%20%5Cd%2B%2Fi&group=day");
await measure("titles, numbers folded", "&group=title&numbers=fold&limit=100&bucket=window_*");
await measure("active time of an app", "&filter=app%3Dcode&active=true&limit=100");
await measure("nothing", "&filter=nowhere%20to%20be%20found");
await server.close();
await rm(folder, { recursive: true });

async function fill(): Promise<void> {
  const windows = Math.floor(EVENTS * 0.9);
  await server.buckets.create("window_desk", { type: "currentwindow", client: "bench", hostname: "desk" });
  await server.buckets.create("afk_desk", { type: "afkstatus", client: "bench", hostname: "desk" });
  await insert("window_desk", windows, () => {
    const title = random() < 0.01 ? "Thesis draft" : `Ticket ${Math.floor(random() * 20_000)}`;
    return { app: APPS[Math.floor(random() * APPS.length)] as string, title };
  });
  await insert("afk_desk", EVENTS - windows, (index) => ({ status: index % 2 === 0 ? "not-afk" : "afk" }));
}

async function insert(id: string, count: number, data: (index: number) => object): Promise<void> {
  const seconds = YEAR_SECONDS / count;
  for (let from = 0; from < count; from += 20_000) {
    const events = Array.from({ length: Math.min(20_000, count - from) }, (_, at) => ({
      timestamp: micros(Math.round(START + (from + at) * seconds * 1e6)),
      duration: { seconds: Math.floor(seconds * 0.9) },
      data: data(from + at),
    }));
    await server.events.insert(id, events);
  }
}

async function measure(what: string, query: string): Promise<void> {
  const began = performance.now();
  const response = await fetch(url + query);
  let first = 0;
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    first ||= performance.now() - began;
    text += decoder.decode(chunk, { stream: true });
  }
  const all = performance.now() - began;
  const lines = text.trimEnd().split("\n");
  const { events } = (JSON.parse(lines.at(-1) ?? "{}") as { summary: { events: number } }).summary;
  const rows = `${lines.length - 1} rows of ${events} events`;
  console.log(`${what}: first ${first.toFixed(0)} ms, all ${all.toFixed(0)} ms, ${rows}`);
}
