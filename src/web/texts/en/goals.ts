/** What goals and limits are called, and the notes of limits that are passed. */
export const goalsTexts = {
  title: "Goals and limits",
  hint: "For all active time here; those of a category stand below its rule. They are saved at once.",
  goal: "Goal in hours",
  limit: "Limit in hours",
  per: "For each",
  day: "Day",
  week: "Week",
  outOfRange: "Give hours from 0 to {most}.",
  unsupported: "This browser cannot tell you when a limit is passed.",
  blocked: "Notifications of this page are blocked in the settings of the browser.",
  on: "This browser tells you when a limit is passed, while the dashboard is open.",
  turnOff: "Stop",
  turnOn: "Tell me when a limit is passed",
  activeTime: "Active time",
  passed: "{name}: limit passed",
  passedBy: "{time} of {limit}",
} as const;
