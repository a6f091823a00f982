import { formatDuration } from "../../format.js";
import { t } from "../../texts/activity.js";

/** What a limit comes to: how much it is, and how much over it somebody is. */
export function limitText(seconds: number, limit: number): string {
  if (seconds <= limit) return t("limitIs", { length: formatDuration(limit) });
  return t("overLimit", { length: formatDuration(seconds - limit), limit: formatDuration(limit) });
}
