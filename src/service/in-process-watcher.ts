import type { AcceptedEvent, ActivityEvent } from "../domain/activity-event.js";
import type { JsonObject } from "../domain/json.js";
import type { DurationInput, TimeInput, TimestampMicros } from "../domain/time.js";
import { currentMicros } from "../domain/time.js";
import { hasCode, ifCode } from "../errors.js";
import type { InProcessApi } from "./in-process.js";
import { type BucketInput, durationOf } from "./input-coercion.js";

/** What a watcher reports to. */
export interface WatcherOptions {
  readonly bucketId: string;
  /** The bucket, which the watcher creates when it is missing. */
  readonly bucket: BucketInput;
  /** Longest gap that still counts as the same activity, with its unit: `"60s"`, `{ seconds: 60 }`. */
  readonly pulsetime: DurationInput;
}

/** Reports what is happening now to one bucket. `Data` is what the app knows of the data; nothing checks it. */
export interface Watcher<Data extends object = JsonObject> {
  /**
   * Reports that this is happening. Creates the bucket if it is missing, also after it was deleted.
   *
   * @param time when it happens; default now, by the clock of the server
   * @returns the event that now covers this time
   * @throws ActivityError as `heartbeat()` and `buckets.create()` do
   */
  beat(data: Data, time?: TimeInput): Promise<AcceptedEvent<Data>>;
  /** The event that a heartbeat with the same data would extend now, by whichever program; `undefined` if none. */
  current(): Promise<ActivityEvent<Data> | undefined>;
}

/** Makes watchers over the calls of one caller. @throws ActivityError `INVALID_INPUT` for a wrong pulsetime */
export function createWatchers(
  api: Pick<InProcessApi, "heartbeat" | "buckets" | "events">,
  clock: () => number,
): <Data extends object = JsonObject>(options: WatcherOptions) => Watcher<Data> {
  return <Data extends object>({ bucketId, bucket, pulsetime }: WatcherOptions): Watcher<Data> => {
    const pulsetimeMicros = durationOf(pulsetime, "pulsetime");
    let creating: Promise<unknown> | undefined;

    /** Beats that come together share one attempt, so that they keep their order. */
    function create(): Promise<unknown> {
      creating ??= api.buckets.create(bucketId, bucket).finally(() => {
        creating = undefined;
      });
      return creating;
    }

    return {
      async beat(data, time = currentMicros(clock) as TimestampMicros) {
        const send = () => api.heartbeat<Data>(bucketId, { timestamp: time, data }, pulsetime);
        try {
          return await send();
        } catch (thrown) {
          if (!hasCode(thrown, "NO_SUCH_BUCKET")) throw thrown;
        }
        await create();
        return send();
      },
      async current() {
        const newest = api.events.read<Data>(bucketId, { limit: 1 }).toArray();
        const [event] = await newest.catch(ifCode("NO_SUCH_BUCKET", []));
        const isCurrent = event && currentMicros(clock) <= event.timestamp + event.duration + pulsetimeMicros;
        return isCurrent ? event : undefined;
      },
    };
  };
}
