/** What can be wrong at a place of a privacy rule, by name. */
export const PRIVACY_FAULTS = {
  switchExpected: "true or false is expected",
  bucketsExpected: "a bucket id, in which * stands for any text, is expected",
  keyExpected: "a key of data is expected",
  keyOrBucketsExpected: "a key of data, or buckets, is expected",
  patternExpected: "a pattern is expected",
  dataExpected: "an object, the new data, is expected",
  keysExpected: "a list of at least one key of data is expected",
  valueExpected: "needs either equals or matches beside key",
} as const;

/** A fault of a privacy rule. */
export type PrivacyFault = keyof typeof PRIVACY_FAULTS;
