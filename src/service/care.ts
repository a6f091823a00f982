import { currentMicros } from "../domain/time.js";
import { Identity } from "./identity/identity.js";
import { PrivacyApplying } from "./privacy/applying.js";
import { PrivacyTrial } from "./privacy/past.js";
import type { RedirectedService } from "./redirected-service.js";
import { Retention, type RetentionOptions } from "./retention/retention.js";
import type { Trash } from "./trash/trash.js";

/** What takes care of what is stored. */
export interface Care {
  readonly identity: Identity;
  readonly privacy: PrivacyTrial;
  readonly applying: PrivacyApplying;
  readonly retention: Retention;
}

/** Puts it together. @param service hears which buckets have moved */
export function createCare(options: RetentionOptions & { readonly trash: Trash }, service: RedirectedService): Care {
  const { storage, trash, access, clock, ages } = options;
  const applying = new PrivacyApplying({
    ...{ storage, trash, access },
    now: () => currentMicros(clock),
    changed: (bucketId) => service.bucketsMoved({ moves: [], changes: [{ kind: "events-written", bucketId }] }),
  });
  return {
    identity: new Identity({
      ...{ storage, trash, clock, ages },
      redirects: service.redirects,
      undoPrivacy: (undo) => applying.undo(undo),
      moved: (told) => service.bucketsMoved(told),
    }),
    privacy: new PrivacyTrial(storage, () => service.startWork()),
    applying,
    retention: new Retention(options),
  };
}
