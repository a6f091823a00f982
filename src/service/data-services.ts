import { currentMicros } from "../domain/time.js";
import { Identity } from "./identity/identity.js";
import { PrivacyApplier } from "./privacy/apply-rules.js";
import { PrivacyTrial } from "./privacy/preview.js";
import { Retention, type RetentionOptions } from "./retention/retention.js";
import type { Shared } from "./shared.js";
import type { Trash } from "./trash/trash.js";

/** Services that maintain stored data. */
export interface DataServices {
  readonly identity: Identity;
  readonly privacy: PrivacyTrial;
  readonly applying: PrivacyApplier;
  readonly retention: Retention;
}

/** Creates these services. */
export function createDataServices(
  options: RetentionOptions & { readonly trash: Trash; readonly shared: Shared },
): DataServices {
  const { storage, trash, access, shared, logger, clock, ages } = options;
  const applying = new PrivacyApplier({ storage, trash, access, now: () => currentMicros(clock) });
  return {
    identity: new Identity({
      ...{ storage, trash, clock, ages },
      redirects: shared.redirects,
      undoPrivacy: (undo, { refuse, tell }) =>
        applying.undo(undo, refuse, (bucketId) => tell({ moves: [], changes: [{ kind: "events-written", bucketId }] })),
    }),
    privacy: new PrivacyTrial(storage, () => shared.load.work()),
    applying,
    retention: new Retention({ storage, access, logger, clock, ages }),
  };
}
