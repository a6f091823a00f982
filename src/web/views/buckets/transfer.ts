// Export documents on their way from and to the server.
import { type Signal, signal } from "@preact/signals";
import { parseErrorBody } from "../../../client/error-body.js";
import { ActivityClientError } from "../../../client/errors.js";
import type { ImportCounts } from "../../../client/index.js";
import { isJsonObject } from "../../../domain/json.js";
import { apiBase, ask, keyHeaders } from "../../api.js";
import { recount } from "./counts.js";
import { summed } from "./import-counts.js";
import { documentsOf } from "./import-documents.js";

/** The import of one file. */
export interface ImportJob {
  readonly number: number;
  readonly file: File;
  readonly state:
    | { readonly kind: "waiting" | "stopped" }
    /** `sentBytes` equals the size when all is sent and the server reads it. */
    | { readonly kind: "running"; readonly sentBytes: number }
    | { readonly kind: "done"; readonly counts: ImportCounts }
    | { readonly kind: "failed"; readonly error: unknown };
}

/** Imports since the page was loaded, in their order. They go on when the view is left. */
export const importJobs: Signal<readonly ImportJob[]> = signal([]);

let lastNumber = 0;
let running: { readonly number: number; readonly controller: AbortController } | undefined;

/** Sends files to the server, one after the other. */
export function importFiles(files: Iterable<File>): void {
  const jobs = Array.from(files, (file): ImportJob => ({ number: ++lastNumber, file, state: { kind: "waiting" } }));
  importJobs.value = [...importJobs.value, ...jobs];
  void runNext();
}

/** Sends a file again that failed or was stopped. */
export function retryImport(number: number): void {
  setState(number, { kind: "waiting" });
  void runNext();
}

/** Ends an import; what the server has taken whole by then it keeps. */
export function stopImport(number: number): void {
  if (running?.number === number) running.controller.abort();
  else setState(number, { kind: "stopped" });
}

/** Takes the reports of all that is over off the list. */
export function clearImports(): void {
  importJobs.value = importJobs.value.filter(({ state }) => state.kind === "waiting" || state.kind === "running");
}

async function runNext(): Promise<void> {
  const next = importJobs.value.find(({ state }) => state.kind === "waiting");
  if (next === undefined || running !== undefined) return;
  const controller = new AbortController();
  running = { number: next.number, controller };
  setState(next.number, { kind: "running", sentBytes: 0 });
  try {
    const counts = await importFile(next.file, controller.signal, (sentBytes) =>
      setState(next.number, { kind: "running", sentBytes }),
    );
    setState(next.number, { kind: "done", counts });
  } catch (error) {
    const state = controller.signal.aborted ? ({ kind: "stopped" } as const) : ({ kind: "failed", error } as const);
    setState(next.number, state);
  }
  // Also after a failure: what was cut off may have been carried out.
  void recount();
  running = undefined;
  void runNext();
}

function setState(number: number, state: ImportJob["state"]): void {
  importJobs.value = importJobs.value.map((job) => (job.number === number ? { ...job, state } : job));
}

/** Posts what a file holds, in as many documents as that takes. @param onSent told how much of the file is through */
async function importFile(file: File, signal: AbortSignal, onSent: (bytes: number) => void): Promise<ImportCounts> {
  const documents = await documentsOf(file);
  const all: ImportCounts[] = [];
  for (const { body, from, to, isContinued, invalid } of documents) {
    const share = (to - from) * file.size;
    const counts = await upload(body, signal, (bytes) => onSent(from * file.size + (share * bytes) / body.size));
    // The bucket of the document before it.
    const merged = isContinued ? 0 : counts.buckets_merged;
    all.push({ ...counts, buckets_merged: merged, events_invalid: counts.events_invalid + invalid });
  }
  return summed(all);
}

/**
 * Posts a document. Not by `fetch`, which does not tell how much has been sent.
 *
 * @throws ActivityClientError
 */
function upload(file: Blob, signal: AbortSignal, onSent: (bytes: number) => void): Promise<ImportCounts> {
  const [method, url] = ["POST", `${apiBase}/api/0/import`];
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (code: "UNREACHABLE" | "ABORTED", message: string): void =>
      reject(new ActivityClientError(code, message, { method, url }));
    request.open(method, url);
    request.setRequestHeader("content-type", "application/json");
    for (const [name, value] of Object.entries(keyHeaders(method, url))) request.setRequestHeader(name, value);
    // Bytes on the wire, which may have a little more around them.
    request.upload.addEventListener("progress", ({ loaded }) => onSent(Math.min(loaded, file.size)));
    request.upload.addEventListener("load", () => onSent(file.size));
    request.addEventListener("error", () => fail("UNREACHABLE", "no whole answer"));
    request.addEventListener("abort", () => fail("ABORTED", "stopped"));
    request.addEventListener("load", () => {
      const body = parsed(request.responseText);
      if (request.status === 200 && isCounts(body)) resolve(body);
      else reject(refusal(request.status, request.responseText));
    });
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** The error of an answer. */
function refusal(status: number, body: string): ActivityClientError {
  const code = status >= 400 ? "REFUSED" : "MALFORMED_RESPONSE";
  return new ActivityClientError(code, `${status}`, { status, ...parseErrorBody(body, status) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCounts(value: unknown): value is ImportCounts {
  return isJsonObject(value) && typeof value.events_imported === "number" && typeof value.events_invalid === "number";
}

/** Where a download comes from, below the server. */
export function exportPath(bucketId?: string): string {
  return bucketId === undefined ? "api/0/export" : `api/0/buckets/${encodeURIComponent(bucketId)}/export`;
}

/**
 * Downloads a document where a plain link cannot, since links show no key.
 *
 * @throws ActivityClientError `REFUSED`; TypeError when there is no answer
 */
export async function downloadExport(path: string): Promise<void> {
  const response = await ask(path);
  if (!response.ok) throw refusal(response.status, await response.text());
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = filenameIn(response.headers.get("content-disposition") ?? "");
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The name that the server gives a file. */
export function filenameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename=([^;]+)/.exec(disposition)?.[1]?.trim() ?? "aw-buckets-export.json";
}
