/** Messages of invalid patterns by name, with placeholders. */
export const REGEX_FAULTS = {
  endsInBackslash: "the pattern ends in a backslash",
  aboveOctal: "{escape} is above \\377",
  unknownEscape: "unknown escape {escape}",
  namelessReference: "\\k needs the name of a group, as in \\k<name>",
  hexDigitsMissing: "{escape} needs {length} hexadecimal digits, or {...}",
  noSuchCharacter: "no character has the code {digits}",
  halfCharacter: "{escape} is half of a character",
  namelessProperty: "{escape} needs a name, as in {example}",
  noSuchProperty: "{name} is not a known property",
  classesTooDeep: "classes are nested more than {limit} levels deep",
  openClass: "this class has no closing ]",
  noSuchClass: "{name} is not a known class",
  rangeOfClass: "both ends of a range must be characters",
  rangeReversed: "the start of this range must be before its end",
  openGroup: "this ( has no closing )",
  noSuchGroupKind: "{beginning} is not a known type of group",
  noSuchFlag: "{flag} is not a flag that can be switched",
  patternTooLong: "the pattern is longer than {limit} characters",
  nothingToClose: "this ) has no opening (",
  openComment: "this comment has no closing )",
  nothingToRepeat: "this {sign} has nothing to repeat",
  noSuchGroup: "the group {group} does not exist",
  noSuchGroupBefore: "no group before this is named {name}",
  referenceInLookBehind: "a look-behind cannot refer to a group inside itself",
  countsReversed: "the counts of this repetition are in the wrong order",
  groupsTooDeep: "groups are nested more than {limit} levels deep",
  secondGroup: "two groups are named {name}",
  namelessGroup: "a group needs a name, as in (?<name>...)",
  conditionWithoutGroup: "a condition must be a group, as in (?(1)...)",
  patternTooLarge: "the pattern is too large: its repetitions expand to more than {limit} parts",
} as const;

export type RegexFault = keyof typeof REGEX_FAULTS;

/** Values of a message's placeholders. */
export type RegexFaultValues = Readonly<Record<string, string | number>>;
