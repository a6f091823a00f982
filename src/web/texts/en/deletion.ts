export const deletionTexts = {
  button: "Delete…",
  title: "Delete what was found?",
  nothing: "Nothing is stored that the filter finds in this time.",
  what: {
    one: "{count} event with a length of {length}, from {first} to {last}, is deleted:",
    other: "{count} events with a length of {length} in all, from {first} to {last}, are deleted:",
  },
  shownTime: "The page shows {active}: time while somebody was there, without what overlaps.",
  unseen: {
    one: "{count} of them is not in the list: nobody was there meanwhile.",
    other: "{count} of them are not in the list: nobody was there meanwhile.",
  },
  inBucket: { one: "{count} event in {bucket}", other: "{count} events in {bucket}" },
  whole: "Events that reach over an end of the time are deleted whole.",
  kept: "They stay in the trash, from which they can be restored.",
  confirm: { one: "Delete this event", other: "Delete these {count}" },
  done: { one: "{count} event was deleted.", other: "{count} events were deleted." },
} as const;
