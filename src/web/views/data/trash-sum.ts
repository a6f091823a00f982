import type { ClientTrashEntry } from "../../../client/index.js";
import { formatBytes } from "../../format.js";
import { t } from "../../texts/trash.js";

/** Describes the amount of data in the trash. */
export function trashSum(entries: readonly ClientTrashEntry[]): string {
  return t("sum", { count: entries.length, bytes: formatBytes(entries.reduce((sum, { bytes }) => sum + bytes, 0)) });
}
