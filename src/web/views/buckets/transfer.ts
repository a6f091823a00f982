// Uploads and downloads of export documents.
import { type Signal, signal } from "@preact/signals";
import { ActivityClientError } from "../../../client/errors.js";
import type { ImportCounts } from "../../../client/index.js";
import { isJsonObject } from "../../../domain/json.js";
import { apiBase, ask, keyHeaders } from "../../api.js";
import { download } from "../../download.js";
import { refusal } from "../../refusal.js";
import { recount } from "./counts.js";
import { summed } from "./import-counts.js";
import { documentsOf } from "./import-documents.js";

/** The import of one file. */
export interface ImportJob {
  readonly number: number;
  readonly file: File;
  readonly state:
    | { readonly kind: "waiting" | "stopped" }
    /** `sentBytes` equals the size while the server processes the last part. */
    | { readonly kind: "running"; readonly sentBytes: number }
    | { readonly kind: "done"; readonly counts: ImportCounts }
    | { readonly kind: "failed"; readonly error: unknown };
}

/** Imports since the page was loaded, in order. They continue when the view is closed. */
export const importJobs: Signal<readonly ImportJob[]> = signal([]);

let lastNumber = 0;
let running: { readonly number: number; readonly controller: AbortController } | undefined;

/** Uploads files, one at a time. */
export function importFiles(files: Iterable<File>): void {
  const jobs = Array.from(files, (file): ImportJob => ({ number: ++lastNumber, file, state: { kind: "waiting" } }));
  importJobs.value = [...importJobs.value, ...jobs];
  void runNext();
}

/** Retries a failed or stopped import. */
export function retryImport(number: number): void {
  setState(number, { kind: "waiting" });
  void runNext();
}

/** Stops an import; completed documents stay on the server. */
export function stopImport(number: number): void {
  if (running?.number === number) running.controller.abort();
  else setState(number, { kind: "stopped" });
}

/** Removes finished imports from the list. */
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
  // Even after a failure, since an aborted request may have succeeded.
  void recount();
  running = undefined;
  void runNext();
}

function setState(number: number, state: ImportJob["state"]): void {
  importJobs.value = importJobs.value.map((job) => (job.number === number ? { ...job, state } : job));
}

/** Uploads a file in as many documents as necessary. @param onSent receives the number of bytes sent */
async function importFile(file: File, signal: AbortSignal, onSent: (bytes: number) => void): Promise<ImportCounts> {
  const documents = await documentsOf(file);
  const all: ImportCounts[] = [];
  for (const { body, from, to, isContinued, invalid } of documents) {
    const share = (to - from) * file.size;
    const counts = await upload(body, signal, (bytes) => onSent(from * file.size + (share * bytes) / body.size));
    // It continues the previous document's bucket.
    const merged = isContinued ? 0 : counts.buckets_merged;
    all.push({ ...counts, buckets_merged: merged, events_invalid: counts.events_invalid + invalid });
  }
  return summed(all);
}

/**
 * Uploads a document. Not with `fetch`, which does not report upload progress.
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
    // Bytes on the wire, which may include some overhead.
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

/** The path of a download, relative to the server. */
export function exportPath(bucketId?: string): string {
  return bucketId === undefined ? "api/0/export" : `api/0/buckets/${encodeURIComponent(bucketId)}/export`;
}

/**
 * Downloads a document with credentials, which plain links do not send.
 *
 * @throws ActivityClientError `REFUSED`; TypeError without a response
 */
export async function downloadExport(path: string): Promise<void> {
  const response = await ask(path);
  if (!response.ok) throw refusal(response.status, await response.text());
  const content = await response.blob();
  download(filenameIn(response.headers.get("content-disposition") ?? ""), content, content.type);
}

/** The file name in a Content-Disposition header. */
export function filenameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename=([^;]+)/.exec(disposition)?.[1]?.trim() ?? "aw-buckets-export.json";
}
