import type { JsonObject } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import { ownCopyOf } from "../../util/text-cache.js";
import type { Waiting } from "../../util/waiting.js";
import type { RunCursor, RunDraft, SortedRun } from "./draft-run.js";
import type { DraftData, SharedData } from "./shared-data.js";
import type { SpoolFile } from "./spool-file.js";

/** The position of a run in a file. */
interface FileRunPlace {
  readonly first: Micros;
  /** Its first byte. */
  readonly from: number;
  /** In bytes. */
  readonly length: number;
  readonly shared: SharedData;
}

/**
 * Sorted drafts in a file, a line for each:
 *
 *     1709287200000000 5000000 {"app":"Firefox"}
 *     `- timestamp     `- duration
 */
export class FileRun implements SortedRun {
  readonly first: Micros;
  readonly #file: SpoolFile;
  readonly #place: FileRunPlace;

  constructor(file: SpoolFile, place: FileRunPlace) {
    this.first = place.first;
    this.#file = file;
    this.#place = place;
  }

  async open(readBytes: number): Promise<RunCursor> {
    const cursor = new FileCursor(this.#file, this.#place, readBytes);
    await cursor.next();
    return cursor;
  }
}

class FileCursor implements RunCursor {
  readonly #file: SpoolFile;
  readonly #shared: SharedData;
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #position: number;
  readonly #end: number;
  readonly #readBytes: number;
  #text = "";
  #at = 0;
  draft: RunDraft | undefined;

  constructor(file: SpoolFile, { from, length, shared }: FileRunPlace, readBytes: number) {
    this.#readBytes = readBytes;
    this.#file = file;
    this.#shared = shared;
    this.#position = from;
    this.#end = from + length;
  }

  next(): Waiting {
    const lineEnd = this.#text.indexOf("\n", this.#at);
    if (lineEnd < 0) return this.#fill();
    this.draft = this.#draftIn(this.#at, lineEnd);
    this.#at = lineEnd + 1;
    return undefined;
  }

  async #fill(): Promise<void> {
    if (this.#position === this.#end) {
      this.draft = undefined;
      return;
    }
    const parts = [this.#text.slice(this.#at)];
    // A line may be longer than one read.
    do {
      const bytes = await this.#file.read(this.#position, Math.min(this.#readBytes, this.#end - this.#position));
      this.#position += bytes.length;
      parts.push(this.#decoder.decode(bytes, { stream: true }));
    } while (!parts.at(-1)?.includes("\n"));
    this.#text = parts.join("");
    this.#at = 0;
    this.next();
  }

  #draftIn(from: number, to: number): RunDraft {
    const durationAt = this.#text.indexOf(" ", from) + 1;
    const dataAt = this.#text.indexOf(" ", durationAt) + 1;
    return {
      timestamp: Number(this.#text.slice(from, durationAt - 1)),
      duration: Number(this.#text.slice(durationAt, dataAt - 1)),
      data: this.#dataOf(this.#text.slice(dataAt, to)),
    };
  }

  #dataOf(text: string): DraftData {
    return this.#shared.find(text) ?? this.#shared.add(ownCopyOf(text), JSON.parse(text) as JsonObject);
  }
}
