/**
 * How long each program was in front while somebody was there.
 *
 * @param source see sources.js
 * @returns `[{ app, minutes }]`, the longest first
 */
export async function focusReport(source, start, end) {
  const [window, afk] = await Promise.all(["currentwindow", "afkstatus"].map((type) => source.bucketOf(type)));
  if (window === undefined) throw new Error("no window watcher has reported yet");
  const windows = await source.read(window, start, end);
  const states = afk === undefined ? [] : await source.read(afk, start, end);
  const away = states.filter(({ data }) => data.status === "afk");
  const millisOf = new Map();
  for (const span of windows) {
    const { app } = span.data;
    const focused = span.end - span.start - overlapOf(span, away);
    millisOf.set(app, (millisOf.get(app) ?? 0) + focused);
  }
  return [...millisOf]
    .map(([app, millis]) => ({ app, minutes: millis / 60_000 }))
    .sort((one, other) => other.minutes - one.minutes);
}

function overlapOf(span, others) {
  let millis = 0;
  for (const other of others) {
    millis += Math.max(0, Math.min(span.end, other.end) - Math.max(span.start, other.start));
  }
  return millis;
}
