import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./json-characters.js";
import { EVENT_LIMITS } from "./json-limits.js";

/**
 * Splits the text of an export document, as it arrives, into parts that can be parsed separately:
 *
 *     {"buckets":{"a":{"type":"t","events":[{..},{..}]}}}
 *     `--------------- frame -------------' `-batch-' `-'
 *
 * The *frame* is the document with each bucket's `events` list replaced by `[n]`, its number; the elements of the lists
 * become *batches*. The splitter only distinguishes brackets from strings: if `JSON.parse` accepts the frame and all
 * batches, it would accept the document, and every value is parsed by `JSON.parse`.
 */
export interface DocumentSplitter {
  write(text: string): void;
  /** Returns the frame after all text is written. */
  end(): string;
}

/** Callbacks of a splitter. */
export interface SplitterEvents {
  /** Receives elements of list `list`, separated by commas. @param text not blank, except for an empty list */
  batch(list: number, text: string): void;
  /** Called for an element of list `list` that is too large; only its brackets were checked. */
  skip(list: number): void;
  /** Called for text that cannot be part of a document. */
  defect(reason: string): void;
}

/** Minimum number of characters in a batch. */
const BATCH = 32 * 1024;
/** Maximum characters and values of a frame, which is kept and parsed as a whole, like an event. */
const FRAME_LIMITS = { size: 8 * 1024 * 1024, values: 200_000 };

/** Maximum nesting of a document. The data of an event may have 1,000 levels. */
const MAX_LEVELS = 1100;

/** Depth of event lists: document, buckets, bucket, list. */
const LIST_DEPTH = 4;

/** Size of the frames of several documents, which are in memory together. */
export interface FrameCount {
  length: number;
  values: number;
}

/** @param count shared by the documents of a request */
export function createSplitter(
  { batch, skip, defect }: SplitterEvents,
  count: FrameCount = { length: 0, values: 0 },
): DocumentSplitter {
  const frame: string[] = [];
  let held = "";
  let lists = 0;
  /** Whether the position is inside an event list, and whether a batch of it was already passed on. */
  let inList = false;
  let isContinued = false;
  let depth = 0;
  /** Opening brackets and last keys of the levels above a list, by depth. */
  const brackets: number[] = [];
  const keys: string[] = [];
  /** Values in the current event. */
  let eventValues = 0;
  /** Start of the current event in the retained text. */
  let eventFrom = 0;
  /** Whether the current event is too large and is discarded. */
  let isSkipping = false;
  let inString = false;
  let isEscaped = false;
  /** The last string with its quotes, possibly still incomplete. */
  let string = "";

  function keep(text: string): void {
    if (inList) held += text;
    else {
      frame.push(text);
      count.length += text.length;
    }
    if (held.length - eventFrom > EVENT_LIMITS.size) isSkipping = true;
    if (isSkipping) held = held.slice(0, eventFrom);
    if (count.length > FRAME_LIMITS.size) {
      defect(`it has more than ${FRAME_LIMITS.size} characters outside of the events`);
    }
  }

  function countValue(): void {
    if (inList && ++eventValues > EVENT_LIMITS.values) isSkipping = true;
    if (!inList && ++count.values > FRAME_LIMITS.values) {
      defect(`it has more than ${FRAME_LIMITS.values} values outside of the events`);
    }
  }

  function flush(isLast: boolean): void {
    const text = held;
    held = "";
    eventFrom = 0;
    eventValues = 0;
    if (!isSkipping) passOn(text, isLast);
    else {
      isSkipping = false;
      // The text before it ends with a comma.
      if (text !== "") passOn(text.slice(0, -1), false);
      skip(lists - 1);
    }
    isContinued = !isLast;
  }

  function passOn(text: string, isLast: boolean): void {
    const isBlank = text.trim() === "";
    if (isBlank && (isContinued || !isLast)) defect("an element of a list of events is missing");
    else batch(lists - 1, text);
  }

  function isListStart(): boolean {
    const path = brackets.slice(1, LIST_DEPTH).every((bracket) => bracket === OPEN_OBJECT);
    return depth === LIST_DEPTH - 1 && path && isKey(keys[1], "buckets") && isKey(keys[LIST_DEPTH - 1], "events");
  }

  /** @returns the position after the string, or the end of the text */
  function skipString(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at++) {
      if (isEscaped) isEscaped = false;
      else {
        const code = text.charCodeAt(at);
        if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) {
          inString = false;
          at++;
          break;
        }
      }
    }
    if (!inList && depth < LIST_DEPTH) string += text.slice(from, at);
    return at;
  }

  function write(text: string): void {
    let at = 0;
    /** Start of the text that is not yet retained. */
    let from = 0;
    while (at < text.length) {
      if (inString) {
        at = skipString(text, at);
        continue;
      }
      const code = text.charCodeAt(at++);
      if (code === QUOTE) {
        inString = true;
        string = '"';
      } else if (code === COLON) {
        if (!inList && depth < LIST_DEPTH) keys[depth] = string;
      } else if (code === COMMA) {
        countValue();
        if (!inList || depth !== LIST_DEPTH) continue;
        if (!isSkipping) {
          eventFrom = held.length + at - from;
          eventValues = 0;
          if (eventFrom < BATCH) continue;
        }
        keep(text.slice(from, at - 1));
        from = at;
        flush(false);
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        const begins = !inList && code === OPEN_LIST && isListStart();
        countValue();
        if (++depth > MAX_LEVELS) {
          if (inList) isSkipping = true;
          else defect(`it is nested more than ${MAX_LEVELS} levels deep`);
        }
        if (depth < LIST_DEPTH) brackets[depth] = code;
        if (!begins) continue;
        keep(`${text.slice(from, at)}${lists++}`);
        from = at;
        inList = true;
        isContinued = false;
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        if (inList && depth === LIST_DEPTH) {
          keep(text.slice(from, at - 1));
          from = at - 1;
          flush(true);
          inList = false;
        }
        depth--;
      }
    }
    keep(text.slice(from));
  }

  return {
    write,
    end() {
      if (inList || inString || depth !== 0) defect("it ends too early");
      return frame.join("");
    },
  };
}

/** Whether a JSON string, with its quotes, is a given key. */
function isKey(string: string | undefined, key: string): boolean {
  if (string === undefined) return false;
  try {
    return string === `"${key}"` || JSON.parse(string) === key;
  } catch {
    return false;
  }
}
