/**
 * A watcher: reports what `look()` sees as heartbeats, and keeps what it cannot deliver for the next time.
 *
 * @param options.now Unix milliseconds
 */
export function createWatcher({ url, look, fetch = globalThis.fetch, now = Date.now, pulsetimeSeconds = 10 }) {
  const bucketId = "focus-watcher";
  const waiting = [];
  let isCreated = false;

  async function post(path, body) {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/0/buckets/${bucketId}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    await answer.text();
    // 304 tells that the bucket exists.
    if (!answer.ok && answer.status !== 304) throw new Error(`${path}: ${answer.status}`);
  }

  async function deliver() {
    if (!isCreated) await post("", { type: "focus", client: "focus-watcher", hostname: "!local" });
    isCreated = true;
    while (waiting.length > 0) {
      await post(`/heartbeat?pulsetime=${pulsetimeSeconds}`, waiting[0]);
      waiting.shift();
    }
  }

  return {
    bucketId,
    /** Looks once. Resolves to whether everything is delivered. */
    async tick() {
      waiting.push({ timestamp: new Date(now()).toISOString(), duration: 0, data: look() });
      try {
        await deliver();
        return true;
      } catch {
        return false;
      }
    },
  };
}
