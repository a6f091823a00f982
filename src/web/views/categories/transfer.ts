import { isJsonObject, type JsonValue } from "../../../domain/json.js";
import { readCategories } from "../../../filter/categories.js";
import { printCategories, type StoredCategories } from "../../categories.js";
import { PageError } from "../../page-error.js";
import { t } from "../../texts/categories.js";

/** Maximum file size in bytes; typical rules take some kilobytes. */
const MAX_BYTES = 5_000_000;

/**
 * Parses a category file: a list, or an object with a list as `categories`.
 *
 * @throws PageError for invalid files
 */
export async function readFile(file: Blob): Promise<StoredCategories> {
  if (file.size > MAX_BYTES) throw new PageError(() => t("fileTooLarge"));
  const list = readCategories(listIn(parsed(await file.text())));
  if (list === undefined) throw new PageError(() => t("fileWithoutList"));
  if (list.categories.length === 0) throw new PageError(() => t("fileEmpty"));
  return { categories: list.categories, others: [] };
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as JsonValue;
  } catch {
    throw new PageError(() => t("fileNotJson"));
  }
}

function listIn(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? value["categories"] : value;
}

/** Formats a category file. */
export function printFile(list: StoredCategories): string {
  return `${JSON.stringify({ categories: printCategories(list) }, null, 2)}\n`;
}
