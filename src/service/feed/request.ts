import { fieldUnfit, mustBe } from "../../errors.js";
import { canonicalGlobTest } from "../../util/glob.js";
import type { Grants } from "../access/grants.js";
import { FEED_TYPES, type FeedType } from "./message.js";
import type { FeedCursor, ReaderOptions } from "./reader.js";

/** What a reader of the feed wants. */
export interface FeedRequest {
  /** A bucket ID in which `*` matches any characters. @default all buckets */
  readonly buckets?: string | undefined;
  /** @default all types; with `buckets`, those that belong to a bucket */
  readonly types?: readonly string[] | undefined;
  /** The cursor of a message. @default the end of the feed */
  readonly after?: string | undefined;
}

const BUCKET_TYPES: readonly FeedType[] = ["events", "bucket"];
const LONGEST_GLOB = 300;
const CURSOR = /^([A-Za-z0-9]{1,20})-(\d{1,15})$/;

/**
 * @param hasKeys whether keys exist, so that not every caller is the owner
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseFeedRequest(
  request: FeedRequest,
  grants: Grants,
  hasKeys: () => boolean,
): Omit<ReaderOptions, "onSlow"> {
  const { view, standing } = grants;
  const types = parseTypes(request.types ?? (request.buckets === undefined ? FEED_TYPES : BUCKET_TYPES));
  const matches = parseGlob(request.buckets);
  // As for the operations that read them (docs/reference/access.md#what-each-operation-needs).
  const sees: Partial<Record<FeedType, () => boolean>> = {
    setting: () => standing !== "key",
    pairing: () => standing === "operator" || (standing === "anybody" && !hasKeys()),
  };
  return {
    after: parseCursor(request.after),
    view: {
      key: JSON.stringify([types, request.buckets, view?.key, standing]),
      wants: ({ type }) => types.includes(type) && (sees[type]?.() ?? true),
      sees: (bucketId) => (view?.sees(bucketId) ?? true) && (matches?.(bucketId) ?? true),
    },
  };
}

function parseTypes(given: readonly string[]): readonly FeedType[] {
  const wanted = FEED_TYPES.join(", ");
  if (!Array.isArray(given) || given.length === 0) throw mustBe("types", `some of ${wanted}`, given);
  for (const type of given) if (!isType(type)) throw mustBe("types", `some of ${wanted}`, type);
  return given as readonly FeedType[];
}

function isType(text: unknown): text is FeedType {
  return FEED_TYPES.some((type) => type === text);
}

function parseGlob(glob: string | undefined): ((bucketId: string) => boolean) | undefined {
  if (glob === undefined) return undefined;
  if (typeof glob !== "string" || glob === "") {
    throw mustBe("buckets", "a bucket ID in which * matches any characters", glob);
  }
  const { length } = glob;
  if (length > LONGEST_GLOB) throw fieldUnfit("buckets", `must be at most ${LONGEST_GLOB} characters, got ${length}`);
  return /^\*+$/.test(glob) ? undefined : canonicalGlobTest(glob);
}

function parseCursor(text: string | undefined): FeedCursor | undefined {
  if (text === undefined) return undefined;
  const [, epoch, number] = CURSOR.exec(String(text)) ?? [];
  if (epoch === undefined) throw mustBe("after", "the cursor of a message of the feed", text);
  return { epoch, number: Number(number) };
}
