// What is asked of every framework, the same of each: by name, so that a report can say what fails.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { visitPage } from "./pages.mjs";

const BUCKET = { client: "probe", type: "app.editor.activity", hostname: "desk" };
const START = Date.UTC(2026, 2, 2, 9);
const MIB = 1024 * 1024;
const FEED_MILLIS = 60_000;

const instant = (seconds) => new Date(START + seconds * 1000).toISOString();

function json(method, body) {
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Sends a request and demands its status. @returns the parsed body */
async function call(url, init, status = 200) {
  const response = await fetch(url, init);
  const text = await response.text();
  assert.equal(response.status, status, `${init?.method ?? "GET"} ${url}: ${response.status} ${text.slice(0, 300)}`);
  return /^[[{]/.test(text) ? JSON.parse(text) : text;
}

/** An export document of about 20 MB. */
async function largeExport(id) {
  const text = exportOf(id);
  // It took a while: connections that the server has closed meanwhile are seen before one of them is used again.
  await pause(10);
  return text;
}

function exportOf(id) {
  const events = Array.from({ length: 100_000 }, (_, index) => ({
    timestamp: instant(index * 10),
    duration: 9,
    data: { file: `src/module-${index % 997}.ts`, project: "activity", note: "x".repeat(80 + (index % 31)) },
  }));
  return JSON.stringify({ buckets: { [id]: { id, created: instant(0), ...BUCKET, events } } });
}

async function largeForm(id) {
  const form = new FormData();
  form.set("buckets.json", new Blob([await largeExport(id)], { type: "application/json" }), "buckets.json");
  return form;
}

async function count(url, id) {
  return Number(await call(`${url}/api/0/buckets/${id}/events/count`));
}

/** Opens the feed of a bucket as a client that accepts compression, like a browser. */
async function openFeed(url, headers) {
  const ending = new AbortController();
  const response = await fetch(`${url}/api/0/feed?buckets=editor`, {
    headers: { "accept-encoding": "gzip, deflate, br", ...headers },
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(FEED_MILLIS)]),
  });
  const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type"), /^text\/event-stream/);
  return {
    leave: () => ending.abort(),
    async until(pattern) {
      while (!pattern.test(text)) {
        const { done, value } = await chunks.read();
        assert.ok(!done, `the feed has ended: ${text}`);
        text += value;
      }
    },
  };
}

/** Opens some feeds before the program gets SIGTERM. @returns demands, after its end, that it did not wait for them */
export async function openFeeds(url) {
  const readers = await Promise.all(Array.from({ length: 5 }, () => openFeed(url)));
  await Promise.all(readers.map((reader) => reader.until(/"reset"/)));
  return async (cutsFeeds = false) => {
    if (!cutsFeeds) for (const reader of readers) await reader.until(/"bye"/);
  };
}

/** What a server has to do, in this order, on an empty storage. */
export const STEPS = {
  async info(url) {
    const info = await call(`${url}/api/0/info`);
    assert.match(info.version, /^v\d/);
  },

  async heartbeats(url) {
    await call(`${url}/api/0/buckets/editor`, json("POST", BUCKET));
    for (let second = 0; second < 20; second++) {
      const beat = { timestamp: instant(second), duration: 0, data: { file: "a.ts" } };
      await call(`${url}/api/0/buckets/editor/heartbeat?pulsetime=60`, json("POST", beat));
    }
    const events = await call(`${url}/api/0/buckets/editor/events`);
    assert.equal(events.length, 1);
    assert.equal(events[0].duration, 19);
  },

  async "id with %2F"(url) {
    const id = encodeURIComponent("a/b c");
    await call(`${url}/api/0/buckets/${id}`, json("POST", BUCKET));
    await call(`${url}/api/0/buckets/${id}/events`, json("POST", [{ timestamp: instant(0), duration: 1, data: {} }]));
    assert.equal(await count(url, id), 1);
    await call(`${url}/api/0/buckets/${id}?force=1`, { method: "DELETE" });
    await call(`${url}/api/0/buckets/${id}`, undefined, 404);
  },

  async query(url) {
    const query = ['events = query_bucket("editor");', "RETURN = sum_durations(events);"];
    const answer = await call(
      `${url}/api/0/query/`,
      json("POST", { timeperiods: [`${instant(0)}/${instant(60)}`], query }),
    );
    assert.equal(answer[0], 19);
  },

  async feed(url) {
    const reader = await openFeed(url);
    try {
      await reader.until(/"reset"/);
      // The response goes on, so this arrives only if nothing on the way keeps messages back.
      const beat = { timestamp: instant(1000), duration: 0, data: { file: "ä.ts" } };
      await call(`${url}/api/0/buckets/editor/heartbeat?pulsetime=1`, json("POST", beat));
      await reader.until(/"inserted".*ä\.ts.*\n\n/);
    } finally {
      reader.leave();
    }
  },

  async "feed that its readers leave"(url) {
    // More than may read at a time: the server learns of each that leaves.
    for (let count = 0; count < 1020; count += 20) {
      const readers = await Promise.all(Array.from({ length: 20 }, () => openFeed(url)));
      await Promise.all(readers.map((reader) => reader.until(/"reset"/)));
      for (const reader of readers) reader.leave();
    }
  },

  async "quiet feed"(url) {
    const reader = await openFeed(url);
    // The comment that comes every 15 seconds.
    await reader.until(/\n:\nid: /);
    reader.leave();
  },

  async settings(url) {
    await call(`${url}/api/0/settings/startOfDay`, json("POST", "04:00"));
    assert.equal(await call(`${url}/api/0/settings/startOfDay`).then((text) => JSON.parse(text)), "04:00");
  },

  async "import as JSON"(url) {
    const body = await largeExport("imported");
    assert.ok(body.length > 15 * MIB);
    await call(`${url}/api/0/import`, { method: "POST", headers: { "content-type": "application/json" }, body });
    assert.equal(await count(url, "imported"), 100_000);
  },

  async "import as form"(url) {
    // As the page of its own origin sends it.
    const headers = { origin: new URL(url).origin };
    await call(`${url}/api/0/import`, { method: "POST", headers, body: await largeForm("uploaded") });
    assert.equal(await count(url, "uploaded"), 100_000);
  },

  async "import as form without an origin"(url) {
    // As programs send it: the fetch of Node adds no Origin header by itself.
    await call(`${url}/api/0/import`, { method: "POST", body: await largeForm("sent") });
    assert.equal(await count(url, "sent"), 100_000);
  },

  async export(url) {
    const { buckets } = await call(`${url}/api/0/buckets/imported/export`);
    assert.equal(buckets.imported.events.length, 100_000);
  },

  async "aborted export"(url) {
    const controller = new AbortController();
    const response = await fetch(`${url}/api/0/export`, { signal: controller.signal });
    await response.body.getReader().read();
    controller.abort();
    await call(`${url}/api/0/info`);
  },

  async dashboard(url) {
    for (const path of ["", "/"]) await visitPage(`${url}${path}`, "#app main, main");
  },

  async "API browser"(url) {
    for (const path of ["/api", "/api/"]) await visitPage(`${url}${path}`, ".swagger-ui .opblock");
  },
};

/** What an app with sessions has to do, in this order, on an empty storage. */
export const SESSION_STEPS = {
  async "without a session"(url) {
    await call(`${url}/api/0/info`, undefined, 403);
    await call(`${url}/api/0/buckets/editor`, json("POST", BUCKET), 403);
  },

  async "with a guessed session"(url) {
    const headers = { cookie: "session=guessed; sessionId=guessed; better-auth.session_token=guessed" };
    await call(`${url}/api/0/buckets/`, { headers }, 403);
  },

  async "with a session"(url, { login, output }) {
    const { origin } = new URL(url);
    const response = await fetch(origin + login.path, {
      ...json("POST", login.body),
      headers: { "content-type": "application/json", origin },
    });
    assert.equal(response.status, 200, await response.text());
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const signedIn = (init) => ({ ...init, headers: { ...init?.headers, cookie } });
    await call(`${url}/api/0/buckets/editor`, signedIn(json("POST", BUCKET)));
    const feed = await openFeed(url, { cookie });
    await feed.until(/"reset"/);
    const beat = { timestamp: instant(0), duration: 0, data: { file: "a.ts" } };
    await call(`${url}/api/0/buckets/editor/heartbeat?pulsetime=60`, signedIn(json("POST", beat)));
    await feed.until(/"inserted".*a\.ts.*\n\n/);
    feed.leave();
    const events = await call(`${url}/api/0/buckets/editor/events`, signedIn());
    assert.equal(events.length, 1);
    assert.match(output(), /ada changed bucket editor/);
  },

  async "without it again"(url) {
    for (const path of ["buckets/", "feed"]) await call(`${url}/api/0/${path}`, undefined, 403);
  },
};

/** What has to be there after a restart. */
export async function checkKept(url) {
  assert.equal(await count(url, "imported"), 100_000);
}
