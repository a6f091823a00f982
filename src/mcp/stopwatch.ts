import type { StoredEvent } from "../domain/event.js";
import type { JsonObject } from "../domain/json.js";
import { currentMicros, microsToSeconds } from "../domain/time.js";
import { fieldUnfit, hasCode, ifCode } from "../errors.js";
import { includes } from "./disclosure.js";
import { type Caller, object, reportOn, SECONDS, TEXT, type Tool } from "./tool.js";

/** The bucket of the dashboard's stopwatch. */
const BUCKET_ID = "aw-stopwatch";
const BUCKET = { type: "general.stopwatch", client: "aw-webui", hostname: "unknown", name: null, data: {} } as const;
const MAX_RECENT = 100;

/** Starts and stops entries of the stopwatch. */
export const STOPWATCH: Tool = {
  name: "stopwatch",
  title: "Stopwatch",
  description: `Starts an entry of the stopwatch with a label, or stops the running ones. Stopping needs the scope
    write:${BUCKET_ID}. Only call it if the user asks for it.`.replace(/\s+/g, " "),
  level: "categories",
  writes: true,
  isOffered: ({ mayAppend }) => mayAppend(BUCKET_ID),
  input: object(
    {
      action: { type: "string", enum: ["start", "stop"] },
      label: { type: "string", minLength: 1, maxLength: 200, description: "Needed to start." },
    },
    ["label"],
  ),
  output: {
    action: TEXT,
    entries: { type: "array", items: object({ label: TEXT, start: TEXT, seconds: SECONDS }, ["label"]) },
  },
  async run({ action, label }, caller) {
    const text = typeof label === "string" ? label.trim() : "";
    if (action !== "stop" && text === "") throw fieldUnfit("label", "is missing; name the activity to start");
    // First: if it fails, nothing has been written.
    const { common } = await reportOn("today", caller, {});
    return {
      action: action ?? null,
      entries: action === "stop" ? await stop(caller) : await start(text, caller),
      ...common,
    };
  },
};

async function start(label: string, { service }: Caller): Promise<JsonObject[]> {
  const at = currentMicros(service.clock);
  const drafts = [draftOf(at, 0, { label, running: true })];
  await service.execute({ kind: "insertEvents", bucketId: BUCKET_ID, drafts }).catch(async (thrown: unknown) => {
    if (!hasCode(thrown, "NO_SUCH_BUCKET")) throw thrown;
    await service.execute({ kind: "createBucket", bucketId: BUCKET_ID, bucket: BUCKET, drafts });
  });
  return [{ label, start: new Date(at / 1000).toISOString(), seconds: 0 }];
}

async function stop({ service, disclosure }: Caller): Promise<JsonObject[]> {
  const at = currentMicros(service.clock);
  const selection = { limit: MAX_RECENT, terms: [] };
  const read = await service.visible.readEvents(BUCKET_ID, selection).catch(ifCode("NO_SUCH_BUCKET", undefined));
  const running: StoredEvent[] = [];
  for await (const batch of read?.batches ?? [])
    running.push(...batch.events().filter(({ data }) => data["running"] === true));
  if (running.length === 0) throw fieldUnfit("action", "must be start: no entry is running");
  const drafts = running.map(({ id, timestamp, data }) => {
    return { id, ...draftOf(timestamp, Math.max(0, at - timestamp), { ...data, running: false }) };
  });
  await service.execute({ kind: "insertEvents", bucketId: BUCKET_ID, drafts });
  return drafts.map(({ timestamp, duration, data }) => {
    return {
      // The owner may have started it.
      ...(includes(disclosure, "titles") && { label: String(data["label"] ?? "") }),
      start: new Date(timestamp / 1000).toISOString(),
      seconds: microsToSeconds(duration),
    };
  });
}

function draftOf(timestamp: number, duration: number, data: JsonObject) {
  return { timestamp, duration, data };
}
