import { ForeignFormatError } from "../../foreign/program-events.js";
import { batchEventTexts, type ForeignList, readWholeFile } from "../../foreign/whole-files.js";
import { quotePath } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { formatCount } from "../tools/report.js";
import { readWhole } from "./read-file.js";
import type { EventBatchText, Source, SourceBucket } from "./source.js";

const BATCH_EVENTS = 1000;

/**
 * Opens a file of another program, or a list in JSON.
 *
 * @param bucketId for events without a bucket
 * @throws LaunchError for a file in another format
 */
export async function openWholeSource(
  kind: "list" | "wakatime" | "csv",
  file: string,
  bucketId: string | undefined,
): Promise<Source> {
  const text = await readWhole(file);
  try {
    const lists = readWholeFile(kind, text, bucketId);
    const invalid = lists.reduce((sum, list) => sum + list.invalid, 0);
    return {
      kind: lists[0]?.name ?? "nothing",
      buckets: lists.map(toSourceBucket),
      settings: new Map(),
      losses: invalid === 0 ? [] : [`${formatCount(invalid, "event")}: invalid`],
      close: async () => undefined,
    };
  } catch (cause) {
    if (cause instanceof ForeignFormatError) throw new LaunchError(`${quotePath(file)}: ${cause.message}`);
    throw cause;
  }
}

function toSourceBucket({ bucket, events }: ForeignList): SourceBucket {
  function* read(): Generator<EventBatchText> {
    for (const batch of batchEventTexts(events, BATCH_EVENTS)) yield { ...batch, canSplitBefore: true };
  }
  return { bucket, events: events.length, first: events[0]?.timestamp, last: events.at(-1)?.timestamp, read };
}
