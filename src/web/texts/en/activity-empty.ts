/** Texts of the activity view without activity. */
export const activityEmptyTexts = {
  noActivity: "No activity recorded",
  none_day: "No active time on this day.",
  none_week: "No active time in this week.",
  none_month: "No active time in this month.",
  none_year: "No active time in this year.",
  none_range: "No active time in this period.",
  goTo: "Go to {period}",
  reported: "First report received",
  moment: "At {time}: {what}.",
  anEvent: "an event",
  momentWhy: "Its time appears here after the watcher's next report.",
  silentWhy: "This device has no window or editor bucket. See {timeline} or {buckets}.",
  itsTimeline: "Its timeline",
  allBuckets: "all buckets",
} as const;
