import type { KeptDrafts } from "../privacy/privacy.js";
import type { Write, WriteContext } from "../write.js";

const NO_DRAFTS: KeptDrafts = { drafts: [], isKept: undefined, changed: 0 };

/**
 * Fourth step: applies privacy rules to the events that a write adds.
 *
 * @returns `undefined` for many drafts, and for patterns that need more than a time slice: then call
 *   `applyPrivacyInTurns`
 */
export function applyPrivacy(write: Write, { parts }: WriteContext): KeptDrafts | undefined {
  switch (write.kind) {
    case "insertEvents":
    case "createBucket":
      return parts.shared.privacy.applyNow(write.bucketId, write.drafts);
    // The commit step applies them: to heartbeats in the order in which they are noted, to imports a slice at a time.
    case "heartbeat":
    case "importBuckets":
      return NO_DRAFTS;
    // These add no events, or only ones that were stored before.
    case "updateBucket":
    case "deleteBucket":
    case "deleteEvent":
    case "deleteEvents":
    case "deleteMatching":
    case "splitEvent":
    case "moveEvent":
    case "putSetting":
    case "restoreTrash":
    case "removeTrash":
    case "setAccess":
    case "renameBucket":
    case "setBucketHost":
    case "renameHost":
    case "mergeBuckets":
    case "undo":
    case "deleteRedirect":
    case "applyPrivacy":
    case "runRetention":
      return NO_DRAFTS;
    default:
      return write satisfies never;
  }
}

/** Like `applyPrivacy`, in time slices with other work in between. */
export async function applyPrivacyInTurns(write: Write, { parts }: WriteContext): Promise<KeptDrafts> {
  return "drafts" in write ? parts.shared.privacy.apply(write.bucketId, write.drafts) : NO_DRAFTS;
}
