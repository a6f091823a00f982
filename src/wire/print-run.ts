import type { PrintedList, PrintedRun } from "../domain/event.js";
import { Recent } from "../domain/recent.js";
import { ByteWriter, utf8 } from "./byte-writer.js";

/** Bytes of an event without its data, at most. */
const MOST_BYTES = 128;
/** What an event usually takes beside its data, rather too much. */
const USUAL_BYTES = 88;

const COMMA = 44;
const [ID, TIMESTAMP, DURATION, DATA, END] = ['"id":', '"timestamp":"', '","duration":', ',"data":', "},"].map(
  utf8,
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
const BEGIN = 123;

/** How events are printed. */
export interface RunForm {
  readonly withIds: boolean;
}

/** Bytes that are printed at a time: others want to be served in between, and memory is to be let go. */
const PIECE = 128 * 1024;

/** Prints the events of a run, each with a comma behind it, in pieces. */
export function* printRun(run: PrintedRun, form: RunForm): Generator<Uint8Array> {
  const { list, backwards } = run;
  let { from, to } = run;
  while (from < to) {
    const writer = new ByteWriter(Math.min(PIECE + USUAL_BYTES, bytesFor({ list, from, to, backwards })));
    const done = write(writer, { list, from, to, backwards }, form, PIECE);
    if (backwards) to -= done;
    else from += done;
    yield writer.finish();
  }
}

/**
 * Writes the events of a run, each with a comma behind it.
 *
 * @param most bytes after which it stops
 * @param starts gets where each event begins
 * @returns how many events were written
 */
function write(
  writer: ByteWriter,
  { list, from, to, backwards }: PrintedRun,
  { withIds }: RunForm,
  most: number,
  starts?: Uint32Array,
): number {
  const { timestamps, durations, ids, refs, texts, textStarts } = list;
  const count = to - from;
  for (let step = 0; step < count; step++) {
    if (writer.length >= most) return step;
    const index = backwards ? to - 1 - step : from + step;
    const ref = refs[index] as number;
    const textStart = textStarts[ref] as number;
    const textEnd = textStarts[ref + 1] as number;
    if (starts !== undefined) starts[step] = writer.length;
    writer.reserve(MOST_BYTES + textEnd - textStart);
    writer.byte(BEGIN);
    if (withIds) {
      writer.put(ID);
      writer.integer(ids[index] as number);
      writer.byte(COMMA);
    }
    writer.put(TIMESTAMP);
    writer.timestamp(timestamps[index] as number);
    writer.put(DURATION);
    writer.seconds(durations[index] as number);
    writer.put(DATA);
    writer.put(texts, textStart, textEnd);
    writer.put(END);
  }
  return count;
}

/** About as many bytes as a run takes when it is printed. */
function bytesFor({ list: { refs, textStarts }, from, to }: PrintedRun): number {
  let bytes = (to - from) * USUAL_BYTES;
  for (let index = from; index < to; index++) {
    const ref = refs[index] as number;
    bytes += (textStarts[ref + 1] as number) - (textStarts[ref] as number);
  }
  return bytes;
}

/** A whole list, printed from the last event to the first, with ids. */
interface PrintedWhole {
  readonly bytes: Uint8Array;
  /** Where the event at each step begins, and where the last one ends. */
  readonly starts: Uint32Array;
}

/** Memory that lists may take that were printed before, in bytes. */
const KEPT_BYTES = 48 * 1024 * 1024;
/** Of an event in such a list, which is kept alive along with what was printed of it. */
const LIST_BYTES_PER_EVENT = 32;
/** Largest list that is printed as a whole, in bytes. */
const LARGEST_WHOLE = 1024 * 1024;
/** A run of less than this part of its list is printed alone. */
const WORTH_KEEPING = 1 / 8;
const WITH_IDS: RunForm = { withIds: true };

/** Prints runs as answers need them, with ids, and keeps what it has printed of whole lists, newest first. */
export class RunPrinter {
  readonly #kept: Recent<PrintedList, PrintedWhole> = new Recent(KEPT_BYTES);
  /** Lists that were asked for: one that never comes again would only take the place of others. */
  readonly #seen: WeakSet<PrintedList> = new WeakSet();

  /** The events of a run, each with a comma behind it, in pieces. Not to be changed. */
  *print(run: PrintedRun): Generator<Uint8Array> {
    const { list, from, to, backwards } = run;
    const whole = backwards ? (this.#kept.get(list) ?? this.#wholeFor(run)) : undefined;
    if (whole === undefined) yield* printRun(run, WITH_IDS);
    else yield whole.bytes.subarray(whole.starts[list.length - to], whole.starts[list.length - from]);
  }

  /** Prints the list of a run when the run asks for enough of it. */
  #wholeFor({ list, from, to }: PrintedRun): PrintedWhole | undefined {
    const isNew = !this.#seen.has(list);
    this.#seen.add(list);
    if (isNew || to - from < list.length * WORTH_KEEPING) return undefined;
    const run: PrintedRun = { list, from: 0, to: list.length, backwards: true };
    const bytes = bytesFor(run);
    if (bytes > LARGEST_WHOLE) return undefined;
    const writer = new ByteWriter(bytes);
    const starts = new Uint32Array(list.length + 1);
    write(writer, run, WITH_IDS, Number.POSITIVE_INFINITY, starts);
    starts[list.length] = writer.length;
    const whole = { bytes: writer.finish(), starts };
    const listBytes = list.texts.length + list.length * LIST_BYTES_PER_EVENT;
    this.#kept.put(list, whole, whole.bytes.length + starts.byteLength + listBytes);
    return whole;
  }
}
