export const deletionTexts = {
  title: "Delete matching events?",
  titleOfTime: "Delete the events of this time?",
  allTime: "All time, not only {period}",
  allHosts: "All devices, not only {host}",
  nothing: "No stored events match the filter.",
  nothingInTime: "No event lies within this time.",
  what: {
    one: "This deletes {count} event ({length}) from {first} to {last}:",
    other: "This deletes {count} events ({length} in total) from {first} to {last}:",
  },
  /** For several buckets, whose times may overlap. */
  whatOfSeveral: {
    one: "This deletes {count} event from {first} to {last}:",
    other: "This deletes {count} events from {first} to {last}:",
  },
  shownTime: "The list shows {active} of active time, without overlaps.",
  unseen: {
    one: "{count} of them is not in the list because you were AFK.",
    other: "{count} of them are not in the list because you were AFK.",
  },
  inBucket: {
    one: "{count} event in {bucket}",
    other: "{count} events in {bucket}",
  },
  whole: "Events that start earlier or end later are deleted completely.",
  confirm: {
    one: "Delete event",
    other: "Delete {count} events",
  },
  confirmForGood: {
    one: "Delete event permanently",
    other: "Delete {count} events permanently",
  },
  done: {
    one: "Moved {count} event to trash",
    other: "Moved {count} events to trash",
  },
  doneForGood: {
    one: "Permanently deleted {count} event",
    other: "Permanently deleted {count} events",
  },
} as const;
