/** What can be wrong at a place of a retention rule, by name; gaps are filled with what stands there. */
export const RETENTION_FAULTS = {
  bucketsUnfit: "must be a bucket id of at most {limit} characters; * stands for any text",
  nothingToKeep: "needs one of {fields}",
  numberUnfit: "must be a number above 0, at most {limit}",
} as const;

/** A fault of a retention rule. */
export type RetentionFault = keyof typeof RETENTION_FAULTS;
