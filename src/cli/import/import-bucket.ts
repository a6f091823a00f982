import type { ActivityClient } from "../../client/index.js";
import { DOCUMENT_END, documentHead } from "../../foreign/event-text.js";
import type { EventBatchText, SourceBucket } from "./source.js";

/** The result for a bucket. */
export interface ImportedBucket {
  readonly isNew: boolean;
  readonly imported: number;
  /** Events that already existed. */
  readonly known: number;
  readonly invalid: number;
  /** Events that privacy rules dropped. */
  readonly dropped: number;
  /** Events that privacy rules changed, including known ones. */
  readonly changed: number;
}

/** Characters after which a document is sent: small enough for the memory of both sides. */
const DOCUMENT_CHARACTERS = 512 * 1024;
/** The limit if equal events could be separated, so that the later ones would count as known. */
const MAX_DOCUMENT_CHARACTERS = 128 * 1024 * 1024;

/**
 * Imports a bucket in documents of a limited size. Stored events are recognized later, so an interrupted import
 * continues where it stopped.
 *
 * @param onEvents called with the number of sent events
 * @throws ActivityClientError
 */
export async function importBucket(
  { bucket, read }: SourceBucket,
  client: Pick<ActivityClient, "import">,
  onEvents: (count: number) => void,
): Promise<ImportedBucket> {
  const head = documentHead(bucket);
  const sum = { isNew: false, imported: 0, known: 0, invalid: 0, dropped: 0, changed: 0 };
  let texts: string[] = [];
  let characters = 0;
  let count = 0;
  let isSent = false;

  async function send(): Promise<void> {
    const document = head + texts.join() + DOCUMENT_END;
    texts = [];
    characters = 0;
    const result = await client.import(document);
    sum.isNew ||= result.buckets_created === 1;
    sum.imported += result.events_imported;
    sum.known += result.events_already_there;
    sum.invalid += result.events_invalid;
    sum.dropped += result.events_dropped ?? 0;
    sum.changed += result.events_changed ?? 0;
    isSent = true;
    onEvents(count);
    count = 0;
  }

  const isLong = (batch: EventBatchText): boolean =>
    characters >= (batch.canSplitBefore ? DOCUMENT_CHARACTERS : MAX_DOCUMENT_CHARACTERS);
  for await (const batch of read()) {
    // Equal events in one document are separate events; events that were sent before are recognized.
    if (isLong(batch) || (batch.isRestart === true && texts.length > 0)) await send();
    texts.push(batch.text);
    characters += batch.text.length;
    count += batch.count;
  }
  // A bucket without events must be sent as well.
  if (texts.length > 0 || !isSent) await send();
  return sum;
}
