import { microsToSeconds, printTimestamp } from "../domain/time.js";
import type { Timeline } from "../timeline.js";
import { answeredEvents } from "./print.js";
import type { RunPrinter } from "./print-run.js";

/** Bins and data that are printed at a time. */
const PIECE = 256;

/** Prints what is to be drawn, in pieces. */
export async function* printTimeline(
  { start, end, count, content }: Timeline,
  printer: RunPrinter,
): AsyncGenerator<string | Uint8Array> {
  yield `{"start":${printInstant(start)},"end":${printInstant(end)},"count":${count},`;
  if ("events" in content) {
    yield '"events":[';
    yield* answeredEvents(content.events, printer);
  } else {
    const { binLength, bins, datas } = content;
    yield `"bin_duration":${microsToSeconds(binLength)},"bins":[`;
    yield* joined(bins, ({ index, count, covered, data }) => {
      return `{"index":${index},"count":${count},"covered":${microsToSeconds(covered)},"data":${data}}`;
    });
    yield '],"data":[';
    yield* joined(datas, (text) => text);
  }
  yield "]}";
}

function printInstant(micros: number | null): string {
  return micros === null ? "null" : `"${printTimestamp(micros)}"`;
}

function* joined<Item>(items: readonly Item[], print: (item: Item) => string): Generator<string> {
  for (let from = 0; from < items.length; from += PIECE) {
    const texts = items.slice(from, from + PIECE).map(print);
    yield (from === 0 ? "" : ",") + texts.join(",");
  }
}
