/** Messages of invalid patterns by name, with placeholders. */
export const REGEX_FAULTS = {
  endsInBackslash: "the pattern ends in a backslash",
  aboveOctal: "{escape} is above \\377",
  unknownEscape: "unknown escape {escape}",
  namelessReference: "\\k needs the name of a group, as in \\k<name>",
  hexDigitsMissing: "{escape} needs {length} hexadecimal digits, or {...}",
  noSuchCharacter: "there is no character {digits}",
  halfCharacter: "{escape} is half of a character",
  namelessProperty: "{escape} needs a name, as in {example}",
  noSuchProperty: "no characters are known as {name}",
  classesTooDeep: "classes stand more than {limit} deep in each other",
  openClass: "this class has no closing ]",
  noSuchClass: "there is no class {name}",
  rangeOfClass: "a range goes from one character to another",
  rangeReversed: "this range ends before it begins",
  openGroup: "this ( has no closing )",
  noSuchGroupKind: "{beginning} begins no group that is known",
  noSuchFlag: "there is no flag {flag}, or it cannot be switched",
  patternTooLong: "the pattern is longer than {limit} characters",
  nothingToClose: "this ) closes nothing",
  openComment: "this comment has no closing )",
  nothingToRepeat: "there is nothing that this {sign} could repeat",
  noSuchGroup: "there is no group {group}",
  noSuchGroupBefore: "there is no group named {name} before",
  referenceInLookBehind: "a look-behind cannot refer to a group inside itself",
  countsReversed: "the counts of this repetition are in the wrong order",
  groupsTooDeep: "groups stand more than {limit} deep in each other",
  secondGroup: "a second group is named {name}",
  namelessGroup: "a group needs a name, as in (?<name>...)",
  conditionWithoutGroup: "a condition can only ask for a group, as in (?(1)...)",
  patternTooLarge: "the pattern is too large: its repetitions make more than {limit} parts",
} as const;

export type RegexFault = keyof typeof REGEX_FAULTS;

/** Values of a message's placeholders. */
export type RegexFaultValues = Readonly<Record<string, string | number>>;
