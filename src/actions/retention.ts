import type { RETENTION_OPERATIONS } from "../api/subjects/retention.js";
import type { Retention } from "../service/retention/retention.js";
import type { Actions } from "./action.js";

/** docs/retention.md. */
export function retentionActions(retention: Retention): Actions<keyof typeof RETENTION_OPERATIONS> {
  return {
    listRetentionRuns: () => retention.log(),
    previewRetention: ({ body }) => retention.preview(body.rules),
    runRetention: () => retention.runNow(),
  };
}
