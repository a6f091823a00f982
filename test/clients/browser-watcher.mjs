// A browser extension and an editor plugin as the watcher loop needs them.
import { setTimeout as pause } from "node:timers/promises";

const TABS = [
  { url: "https://activitywatch.net/", title: "ActivityWatch", audible: false, incognito: false, tabCount: 3 },
  { url: "https://example.org/?q=ä%20b#top", title: "Suche – „ä b“ ☕", audible: false, incognito: false, tabCount: 4 },
  { url: "https://video.example/watch?v=1", title: "(1) Video", audible: true, incognito: false, tabCount: 4 },
  { url: "about:blank", title: "New Tab", audible: false, incognito: true, tabCount: 5 },
];
const PULSETIME = 80;
const ATTEMPTS = 4;

const pick = (list, chance) => list[Math.floor(chance() * list.length)];

/**
 * The extension: on a change of the tab the old data 1 ms earlier, then the new data; else a beat per interval. A
 * failed heartbeat creates the bucket and is tried again.
 *
 * @param {{ url: string, seconds: number, chance: () => number, record: (entry: object) => void }} options
 */
export async function watchBrowser({ url, seconds, chance, record }) {
  const bucket = "aw-watcher-web-firefox";
  const headers = {
    "content-type": "application/json",
    origin: "moz-extension://6f0b1c0e-3c2b-4c36-9f0c-0d6f0a7d4a11",
  };

  async function post(path, body) {
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  }

  const create = () =>
    post(`/api/0/buckets/${bucket}`, { client: "aw-client-web", type: "web.tab.current", hostname: "unknown" });

  async function beat(timestamp, data) {
    const event = { data, duration: 0, timestamp: new Date(timestamp).toISOString() };
    record({ kind: "beat", bucket, pulsetime: PULSETIME, event });
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const endpoint = `buckets/${bucket}/heartbeat?pulsetime=${PULSETIME}`;
      const { status, text } = await post(`/api/0/${endpoint}`, event);
      record({ kind: "sent", endpoint, event, status, answer: text });
      if (status < 300) return;
      await create();
    }
  }

  const deadline = performance.now() + seconds * 1000;
  await create();
  let shown;
  while (performance.now() < deadline) {
    const tab = pick(TABS, chance);
    const now = Date.now();
    if (shown !== undefined && shown !== tab) await beat(now - 1, shown);
    await beat(now, tab);
    shown = tab;
    await pause(pick([300, 2000, 5000, 9000, 20_000], chance));
  }
}

/**
 * An editor plugin on the client from npm: beats on every key press, so often that they queue up in the client.
 *
 * @param {{ client: object, seconds: number, chance: () => number, record: (entry: object) => void }} options
 */
export async function watchEditor({ client, seconds, chance, record }) {
  const bucket = "aw-watcher-loop-editor";
  const pulsetime = 10;
  await client.ensureBucket(bucket, "app.editor.activity", "box");
  const deadline = performance.now() + seconds * 1000;
  const answers = [];
  while (performance.now() < deadline) {
    const file = pick(["/src/index.ts", "/src/größe.ts", "/README.md"], chance);
    for (let burst = Math.ceil(chance() * 5); burst > 0; burst--) {
      const event = {
        timestamp: new Date(),
        duration: 0,
        data: { language: "ts", project: "/src", file, branch: "a/b" },
      };
      const wire = { ...event, timestamp: event.timestamp.toISOString() };
      record({ kind: "beat", bucket, pulsetime, event: wire });
      const endpoint = `buckets/${bucket}/heartbeat?pulsetime=${pulsetime}`;
      answers.push(
        client.heartbeat(bucket, pulsetime, event).then(
          () => record({ kind: "sent", endpoint, event: wire, status: 200, answer: "{}" }),
          (error) =>
            record({ kind: "sent", endpoint, event: wire, status: error.response?.status, answer: `${error}` }),
        ),
      );
      await pause(20);
    }
    await pause(pick([200, 1000, 4000, 12_000], chance));
  }
  await Promise.all(answers);
}
