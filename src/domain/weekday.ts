/** Names of weekdays in settings, in the order of `Date.getUTCDay()`. */
export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Whether a setting is the name of a weekday. Pure. */
export function isWeekday(value: unknown): value is Weekday {
  return WEEKDAYS.some((name) => name === value);
}

/** Numbers of the weekdays in the setting `workdays`, 0 for Sunday: Monday to Friday unless it lists others. */
export function readWorkdays(stored: unknown): readonly number[] {
  const names: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const listed = names.filter(isWeekday).map((name) => WEEKDAYS.indexOf(name));
  return listed.length > 0 ? listed : [1, 2, 3, 4, 5];
}
