/** Messages of invalid privacy rules by name. */
export const PRIVACY_FAULTS = {
  switchExpected: "must be true or false",
  bucketsExpected: "must be a bucket ID, in which * matches any characters",
  keyExpected: "must be a key of data",
  keyOrBucketsExpected: "must be a key of data, unless buckets are set",
  patternExpected: "must be a regular expression",
  dataExpected: "must be an object, the new data",
  keysExpected: "must be a list of at least one key of data",
  valueExpected: "needs either equals or matches in addition to key",
} as const;

export type PrivacyFault = keyof typeof PRIVACY_FAULTS;
