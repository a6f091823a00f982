export const deletionTexts = {
  button: "Delete…",
  title: "Delete what was found?",
  allTime: "Of all time, not only {period}",
  allHosts: "Of all hosts, not only {host}",
  nothing: "Nothing is stored that the filter finds.",
  what: {
    one: "{count} event with a length of {length}, from {first} to {last}, is deleted:",
    other: "{count} events with a length of {length} in all, from {first} to {last}, are deleted:",
  },
  /** For several buckets, whose times may overlap. */
  whatOfSeveral: {
    one: "{count} event, from {first} to {last}, is deleted:",
    other: "{count} events, from {first} to {last}, are deleted:",
  },
  shownTime: "The page shows {active}: time while somebody was there, without what overlaps.",
  unseen: {
    one: "{count} of them is not in the list: nobody was there meanwhile.",
    other: "{count} of them are not in the list: nobody was there meanwhile.",
  },
  inBucket: { one: "{count} event in {bucket}", other: "{count} events in {bucket}" },
  whole: "Events that begin earlier or end later are deleted whole.",
  confirm: { one: "Delete this event", other: "Delete these {count}" },
  confirmForGood: { one: "Delete this event for good", other: "Delete these {count} for good" },
  done: { one: "{count} event was moved to the trash.", other: "{count} events were moved to the trash." },
  doneForGood: { one: "{count} event was deleted for good.", other: "{count} events were deleted for good." },
} as const;
