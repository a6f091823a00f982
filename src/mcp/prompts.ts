import type { JsonObject } from "../domain/json.js";

/** A prompt that people select in their client. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: "stand-up",
    title: "Stand-up",
    description: "Sums up yesterday and today for a stand-up meeting.",
    text: `Call summary for yesterday and for today. Write three short lists for my stand-up meeting: what I worked on
      yesterday, what I worked on today, and anything unusual, such as little active time. Give times in hours and
      minutes. If coverage shows silent watchers, say which times are missing.`,
  },
  {
    name: "weekly-review",
    title: "Weekly review",
    description: "Reviews the week with goals and a comparison.",
    text: `Call summary with compare for this week, timesheet for this week, goals for this week, and uncategorised for
      this week. Write a review: active time by day, the categories with the most time and the largest changes, goals
      reached and limits passed, the longest focus, and which time lacks a category. If coverage shows silent watchers,
      say which times are missing.`,
  },
];

/** The messages of a prompt; `undefined` for an unknown one. */
export function promptResult(name: string | undefined): JsonObject | undefined {
  const prompt = PROMPTS.find((each) => each.name === name);
  if (prompt === undefined) return undefined;
  const text = prompt.text.replace(/\s+/g, " ");
  return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
}
