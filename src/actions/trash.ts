import type { TRASH_OPERATIONS } from "../api/subjects/trash.js";
import { noSuchEntry } from "../service/trash/entry.js";
import type { Actions } from "./action.js";

/** docs/trash.md. */
export const trashActions: Actions<keyof typeof TRASH_OPERATIONS> = {
  listTrash: (_, service) => service.listTrash(),

  restoreTrash: ({ params, body }, service) => service.restoreTrash(params.entryId, body),

  async deleteTrash({ params: { entryId } }, service) {
    if ((await service.removeTrash([entryId])).length === 0) throw noSuchEntry(entryId);
  },

  async emptyTrash(_, service) {
    const entries = await service.removeTrash();
    return { entries: entries.length, events: entries.reduce((sum, entry) => sum + entry.events, 0) };
  },
};
