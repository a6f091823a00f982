import type { ActivityClient } from "../../client/index.js";
import { DOCUMENT_END, documentHead } from "../../foreign/event-text.js";
import type { EventBatchText, SourceBucket } from "./source.js";

/** What became of a bucket. */
export interface Delivered {
  readonly isNew: boolean;
  readonly imported: number;
  /** Events that were there already. */
  readonly known: number;
  readonly invalid: number;
  /** Events that privacy rules dropped. */
  readonly dropped: number;
  /** Events that privacy rules changed, known ones among them. */
  readonly changed: number;
}

/** Characters from which on a document is sent: little enough for the memory of both sides. */
const DOCUMENT_CHARACTERS = 512 * 1024;
/** The same where equal events could be cut apart, of which the later would be taken for known. */
const LONGEST_DOCUMENT = 128 * 1024 * 1024;

/**
 * Imports a bucket in documents of a limited size. What is stored is recognized the next time, so an import that breaks
 * off goes on where it was.
 *
 * @param onEvents told how many events were sent
 * @throws ActivityClientError
 */
export async function deliver(
  { bucket, read }: SourceBucket,
  client: Pick<ActivityClient, "import">,
  onEvents: (count: number) => void,
): Promise<Delivered> {
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
    characters >= (batch.isApart ? DOCUMENT_CHARACTERS : LONGEST_DOCUMENT);
  for await (const batch of read()) {
    // In one document equal events are several; what was sent before is recognized.
    if (isLong(batch) || (batch.isAnew === true && texts.length > 0)) await send();
    texts.push(batch.text);
    characters += batch.text.length;
    count += batch.count;
  }
  // A bucket without events is one, too.
  if (texts.length > 0 || !isSent) await send();
  return sum;
}
