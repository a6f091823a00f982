/** Texts of goals, limits and notifications. */
export const goalsTexts = {
  title: "Goals and limits",
  hint: "For all active time. Set goals for a category below its rule. Changes are saved immediately.",
  goal: "Goal in hours",
  limit: "Limit in hours",
  goalPer: "Goal per",
  limitPer: "Limit per",
  outOfRange: "Enter hours from 0 to {most}.",
  unsupported: "This browser does not support notifications.",
  blocked: "Notifications are blocked in the browser settings.",
  on: "While the dashboard is open, this browser notifies you when you exceed a limit.",
  turnOff: "Turn off",
  turnOn: "Notify me when I exceed a limit",
  passed: "{name}: limit exceeded",
  passedBy: "{time} of {limit}",
} as const;
