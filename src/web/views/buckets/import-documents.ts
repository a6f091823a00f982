// Converts selected files to export documents.
import { DOCUMENT_END, documentHead } from "../../../foreign/event-text.js";
import { detectWrapping } from "../../../foreign/export-shapes.js";
import { ForeignFormatError } from "../../../foreign/program-events.js";
import { DETECTION_CHARACTERS, detectKind, isSqlite, SQLITE_HEAD_BYTES } from "../../../foreign/recognize.js";
import { batchEventTexts, type ForeignList, readWholeFile } from "../../../foreign/whole-files.js";
import { isGzip, textEncodingOf } from "../../../util/text-encoding.js";
import { withFlags } from "../../flags.js";
import { PageError } from "../../page-error.js";
import { t } from "../../texts/buckets.js";

/** A document, and its position in the file from 0 to 1. */
export interface FileDocument {
  readonly body: Blob;
  readonly from: number;
  readonly to: number;
  /** Whether it continues the previous document's bucket. */
  readonly isContinued: boolean;
  /** Entries of the file that were skipped before this document. */
  readonly invalid: number;
}

/** Events per document, a few megabytes. */
const DOCUMENT_EVENTS = 20_000;

const COMMAND = "activity-server import --from FILE";

/** @throws PageError for an unreadable file */
export async function documentsOf(file: File): Promise<Iterable<FileDocument>> {
  const head = new Uint8Array(await file.slice(0, SQLITE_HEAD_BYTES).arrayBuffer());
  if (isSqlite(head)) throw new PageError(() => t("isDatabase", { command: withFlags(COMMAND) }));
  const content = await inUtf8(isGzip(head) ? await decompressed(file) : file);
  const beginning = await content.slice(0, DETECTION_CHARACTERS).text();
  const kind = detectKind(beginning);
  if (kind === "backup") throw new PageError(() => t("isBackup", { command: withFlags(COMMAND) }));
  // Sends other files unchanged; the server reports their errors.
  if (kind === "export" || kind === undefined) {
    const { before, after } = detectWrapping(beginning);
    const body = before === "" ? content : new Blob([before, content, after]);
    return [{ body, from: 0, to: 1, isContinued: false, invalid: 0 }];
  }
  const name = file.name.replace(/\.(json|csv|tsv|txt|gz)$/gi, "");
  return documentsOfLists(readNamed(kind, await content.text(), name));
}

/** Events without a bucket go to a bucket named after the file. */
function readNamed(kind: "list" | "wakatime" | "csv", text: string, name: string): ForeignList[] {
  try {
    return readWholeFile(kind, text, undefined);
  } catch (error) {
    if (error instanceof ForeignFormatError && error.needsBucket) return readWholeFile(kind, text, name);
    throw error;
  }
}

/** Converts a file to UTF-8, without a byte order mark. */
async function inUtf8(content: Blob): Promise<Blob> {
  const head = new Uint8Array(await content.slice(0, 3).arrayBuffer());
  const encoding = textEncodingOf(head);
  if (encoding !== "utf-8") {
    const text = content.stream().pipeThrough(new TextDecoderStream(encoding, { fatal: true }));
    return new Response(text.pipeThrough(new TextEncoderStream())).blob();
  }
  return head.join() === "239,187,191" ? content.slice(3) : content;
}

async function decompressed(file: File): Promise<Blob> {
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

function* documentsOfLists(lists: readonly ForeignList[]): Generator<FileDocument> {
  const total = lists.reduce((sum, { events }) => sum + events.length, 0) || 1;
  let done = 0;
  for (const { bucket, events, invalid } of lists) {
    const head = documentHead(bucket);
    const batches = events.length === 0 ? [{ text: "", count: 0 }] : batchEventTexts(events, DOCUMENT_EVENTS);
    let isContinued = false;
    for (const { text, count } of batches) {
      const from = done / total;
      done += count;
      yield {
        body: new Blob([head, text, DOCUMENT_END]),
        from,
        to: done / total,
        isContinued,
        invalid: isContinued ? 0 : invalid,
      };
      isContinued = true;
    }
  }
}
