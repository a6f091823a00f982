import type { AcceptedDraft } from "./event.js";
import { serializeObject } from "./json.js";
import { microsToSeconds, serializeTimestamp } from "./time.js";

/**
 * Serializes one event to a string, identical to the output of `serializeEvents` (codec). Short responses are sent
 * fastest as strings.
 */
export function serializeEvent({ id, timestamp, duration, data }: AcceptedDraft): string {
  const seconds = microsToSeconds(duration);
  const time = serializeTimestamp(timestamp);
  return `{"id":${id || null},"timestamp":"${time}","duration":${seconds},"data":${serializeObject(data)}}`;
}
