/** Messages of invalid retention rules by name, with placeholders. */
export const RETENTION_FAULTS = {
  bucketsUnfit: "must be a bucket ID of at most {limit} characters, in which * matches any characters",
  nothingToKeep: "needs one of {fields}",
  numberUnfit: "must be a number above 0, at most {limit}",
} as const;

export type RetentionFault = keyof typeof RETENTION_FAULTS;
