/** Messages of invalid retention rules by name, with placeholders. */
export const RETENTION_FAULTS = {
  bucketsUnfit: "must be a bucket id of at most {limit} characters; * stands for any text",
  nothingToKeep: "needs one of {fields}",
  numberUnfit: "must be a number above 0, at most {limit}",
} as const;

export type RetentionFault = keyof typeof RETENTION_FAULTS;
