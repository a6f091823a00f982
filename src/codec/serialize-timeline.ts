import { microsToSeconds, serializeTimestamp } from "../domain/time.js";
import type { Timeline } from "../service/timeline.js";
import { slicesOf } from "../util/slices.js";
import type { EventSerializer } from "./event-serializer.js";
import { serializeMembers } from "./serialize-events.js";

/** Bins and data to serialize at a time. */
const CHUNK = 256;

/** Serializes a timeline in chunks. */
export async function* serializeTimeline(
  { start, end, count, content }: Timeline,
  serializer: EventSerializer,
): AsyncGenerator<string | Uint8Array> {
  yield `{"start":${serializeInstant(start)},"end":${serializeInstant(end)},"count":${count},`;
  if ("events" in content) {
    yield '"events":[';
    yield* serializeMembers(content.events, (batch) => serializer.serialize(batch));
  } else {
    const { binLength, bins, datas } = content;
    yield `"bin_duration":${microsToSeconds(binLength)},"bins":[`;
    yield* joinItems(bins, ({ index, count, covered, data }) => {
      return `{"index":${index},"count":${count},"covered":${microsToSeconds(covered)},"data":${data}}`;
    });
    yield '],"data":[';
    yield* joinItems(datas, (text) => text);
  }
  yield "]}";
}

function serializeInstant(micros: number | null): string {
  return micros === null ? "null" : `"${serializeTimestamp(micros)}"`;
}

function* joinItems<Item>(items: readonly Item[], serialize: (item: Item) => string): Generator<string> {
  let comma = "";
  for (const slice of slicesOf(items, CHUNK)) {
    yield comma + slice.map(serialize).join(",");
    comma = ",";
  }
}
