// Where events come from. Both sources give spans in milliseconds: { start, end, data }.

/** Reads over HTTP. `fetch` is the global one, or that of a server in the same process. */
export function overHttp({ url = "http://127.0.0.1:5600", fetch = globalThis.fetch } = {}) {
  async function get(path) {
    const answer = await fetch(`${url}/api/0${path}`);
    const body = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body.message}`);
    return body;
  }

  return {
    async bucketOf(type) {
      const bucket = Object.values(await get("/buckets")).find((one) => one.type === type);
      return bucket?.id;
    },
    async read(bucketId, start, end) {
      const query = new URLSearchParams({ start: start.toISOString(), end: end.toISOString() });
      const events = await get(`/buckets/${encodeURIComponent(bucketId)}/events?${query}`);
      return events.map(({ timestamp, duration, data }) => {
        const from = Date.parse(timestamp);
        return { start: from, end: from + duration * 1000, data };
      });
    },
  };
}

/** Reads from a server in the same process, without HTTP. */
export function inProcess(server) {
  return {
    async bucketOf(type) {
      return (await server.buckets.list()).find((bucket) => bucket.type === type)?.id;
    },
    async read(bucketId, start, end) {
      const spans = [];
      for await (const { timestamp, duration, data } of server.events.read(bucketId, { start, end })) {
        spans.push({ start: timestamp / 1000, end: (timestamp + duration) / 1000, data });
      }
      return spans;
    },
  };
}
