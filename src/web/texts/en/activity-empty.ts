/** Texts of the activity view without activity. */
export const activityEmptyTexts = {
  noActivity: "No activity recorded",
  none_day: "No active time was recorded in this day.",
  none_week: "No active time was recorded in this week.",
  none_month: "No active time was recorded in this month.",
  none_year: "No active time was recorded in this year.",
  none_range: "No active time was recorded in this period.",
  goTo: "Go to {period}",
  reported: "The first report is here",
  moment: "At {time}: {what}.",
  anEvent: "an event",
  momentWhy: "Time counts once it has passed. Without a length it takes a further heartbeat within the pulsetime.",
  silent: "Nothing to add up here",
  silentWhy: "This host has no bucket of windows or editors. {timeline} and {buckets} show what there is.",
  itsTimeline: "Its timeline",
  allBuckets: "all buckets",
} as const;
