import { EVENT_LIMITS } from "./json-limits.js";
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./json-signs.js";

/**
 * Cuts the text of an export document into what can be parsed piece by piece, while it arrives:
 *
 *     {"buckets":{"a":{"type":"t","events":[{..},{..}]}}}
 *     `--------------- frame -------------' `-batch-' `-'
 *
 * The *frame* is the document with each `events` list of a bucket replaced by `[n]`, its number; the elements of the
 * list come out in *batches*. No text is looked at more closely than to tell brackets from strings: a frame and
 * batches that `JSON.parse` accepts make a document that it would accept, and every value comes from `JSON.parse`.
 */
export interface DocumentSplitter {
  write(text: string): void;
  /** The frame, when all text is written. */
  end(): string;
}

/** What comes out of a splitter. */
export interface SplitterEvents {
  /** Elements of list `list`, separated by commas. @param text never blank, but for a list without elements */
  batch(list: number, text: string): void;
  /** An element of list `list` that is too large to be looked at; only its brackets were. */
  skip(list: number): void;
  /** Something that cannot be part of a document. */
  defect(reason: string): void;
}

/** Characters from which on a batch is complete. */
const BATCH = 32 * 1024;
/** Most characters and values of a frame: like an event it is held and parsed as a whole. */
const MOST_OF_FRAME = { size: 8 * 1024 * 1024, values: 200_000 };

/** Levels of a document; the data of an event may nest 1,000 of them. */
const MOST_LEVELS = 1100;

/** How deep the lists of events lie: document, buckets, bucket, list. */
const LIST_DEPTH = 4;

/** How much of the frames of some documents has been read: they are in memory together. */
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
  /** Whether the text is within a list of events, and if so whether a batch of it is out already. */
  let inList = false;
  let isContinued = false;
  let depth = 0;
  /** Opening brackets and latest keys of the levels above a list, by depth. */
  const brackets: number[] = [];
  const keys: string[] = [];
  /** Values of the event that is being read. */
  let eventValues = 0;
  /** Characters of what is held that come before that event. */
  let eventFrom = 0;
  /** Whether that event is too large, and goes nowhere. */
  let isSkipping = false;
  let inString = false;
  let isEscaped = false;
  /** The latest string, with its quotes; what it begins with, while it is cut by the end of a piece of text. */
  let string = "";

  function keep(text: string): void {
    if (inList) held += text;
    else {
      frame.push(text);
      count.length += text.length;
    }
    if (held.length - eventFrom > EVENT_LIMITS.size) isSkipping = true;
    if (isSkipping) held = held.slice(0, eventFrom);
    if (count.length > MOST_OF_FRAME.size) {
      defect(`more than ${MOST_OF_FRAME.size} characters stand beside the events`);
    }
  }

  function countValue(): void {
    if (inList && ++eventValues > EVENT_LIMITS.values) isSkipping = true;
    if (!inList && ++count.values > MOST_OF_FRAME.values) {
      defect(`more than ${MOST_OF_FRAME.values} values stand beside the events`);
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
      // What comes before it ends with a comma.
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

  function beginsList(): boolean {
    const path = brackets.slice(1, LIST_DEPTH).every((bracket) => bracket === OPEN_OBJECT);
    return depth === LIST_DEPTH - 1 && path && isKey(keys[1], "buckets") && isKey(keys[LIST_DEPTH - 1], "events");
  }

  /** @returns the position behind the string, or the end of the text */
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
    /** Where the text begins that is not kept yet. */
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
        const begins = !inList && code === OPEN_LIST && beginsList();
        countValue();
        if (++depth > MOST_LEVELS) {
          if (inList) isSkipping = true;
          else defect(`it nests more than ${MOST_LEVELS} levels deep`);
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

/** Whether a string of JSON, with its quotes, spells a key. */
function isKey(string: string | undefined, key: string): boolean {
  if (string === undefined) return false;
  try {
    return string === `"${key}"` || JSON.parse(string) === key;
  } catch {
    return false;
  }
}
