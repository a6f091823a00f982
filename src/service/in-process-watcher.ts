import type { AcceptedEvent, ActivityEvent } from "../domain/activity-event.js";
import type { JsonObject } from "../domain/json.js";
import type { DurationInput, TimeInput, TimestampMicros } from "../domain/time.js";
import { currentMicros } from "../domain/time.js";
import { hasCode, ifCode } from "../errors.js";
import type { InProcessApi } from "./in-process.js";
import { type BucketInput, toDuration } from "./input-coercion.js";

/** The target of a watcher. */
export interface WatcherOptions {
  readonly bucketId: string;
  /** The bucket; the watcher creates it if it is missing. */
  readonly bucket: BucketInput;
  /** Longest gap that still belongs to the same activity, with its unit: `"60s"`, `{ seconds: 60 }`. */
  readonly pulsetime: DurationInput;
}

/** Reports current activity to one bucket. `Data` is your type of the data, which is not checked. */
export interface Watcher<Data extends object = JsonObject> {
  /**
   * Reports current activity. Creates the bucket if it is missing, even after it was deleted.
   *
   * @param time of the activity; default now, by the clock of the server
   * @returns the event that now covers this time
   * @throws ActivityError the errors of `heartbeat()` and `buckets.create()`
   */
  beat(data: Data, time?: TimeInput): Promise<AcceptedEvent<Data>>;
  /** The event that a heartbeat with the same data would extend now, from any program; `undefined` if none. */
  current(): Promise<ActivityEvent<Data> | undefined>;
}

/** Creates watchers over the calls of one caller. @throws ActivityError `INVALID_INPUT` for an invalid pulsetime */
export function createWatchers(
  api: Pick<InProcessApi, "heartbeat" | "buckets" | "events">,
  clock: () => number,
): <Data extends object = JsonObject>(options: WatcherOptions) => Watcher<Data> {
  return <Data extends object>({ bucketId, bucket, pulsetime }: WatcherOptions): Watcher<Data> => {
    const pulsetimeMicros = toDuration(pulsetime, "pulsetime");
    let creating: Promise<unknown> | undefined;

    /** Concurrent heartbeats share one attempt, so that they keep their order. */
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
