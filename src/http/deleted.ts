import type { Deleted } from "../service/trash/entry.js";
import { type HttpResponse, jsonResponse } from "./request-context.js";

/** Names the entry of the trash that takes a deletion back (docs/trash.md#restoring). */
const TRASH_ENTRY = "x-activity-trash-entry";

/** The response of a deletion whose body is that of other servers. Pages of other origins may read the header, too. */
export function deletedResponse(body: string, { entry }: Deleted): HttpResponse {
  if (entry === null) return jsonResponse(body);
  return jsonResponse(body, { [TRASH_ENTRY]: entry, "access-control-expose-headers": TRASH_ENTRY });
}
