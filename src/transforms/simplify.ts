import type { EventBatch } from "../domain/batch.js";
import { mapData, ownValue, withValue } from "./data.js";
import type { Steps } from "./steps.js";

const LEADING_COUNT = /^\([0-9]+\)\p{White_Space}*/u;
const FRAME_RATE = /FPS:\p{White_Space}+[0-9.]+/gu;
const LEADING_MARK = /^[●*]\p{White_Space}*/u;

/**
 * Removes volatile parts from the string of a key (docs/reference/compatibility.md#titles): a leading count such as
 * `(2) ` and, in window titles, frame rates and the mark of an unsaved file.
 */
export function simplifyWindowTitles(events: EventBatch, key: string): Steps<EventBatch> {
  return mapData(events, (data) => {
    const text = ownValue(data, key);
    if (typeof text !== "string") return data;
    const simpler = simplifyTitle(text, key === "title" && Object.hasOwn(data, "app"));
    return simpler === text ? data : withValue(data, key, simpler);
  });
}

function simplifyTitle(text: string, ofWindow: boolean): string {
  const uncounted = text.replace(LEADING_COUNT, "");
  return ofWindow ? uncounted.replace(FRAME_RATE, "FPS: ...").replace(LEADING_MARK, "") : uncounted;
}
