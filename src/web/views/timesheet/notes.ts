// Notes on timesheet cells, stored as events of a separate bucket (docs/guides/timesheets.md). Pure.
import type { ClientEvent, NewBucket, NewEvent } from "../../../client/client-types.js";
import type { JsonObject } from "../../../domain/json.js";
import type { ColumnName } from "./choice.js";

export const NOTES_BUCKET = "timesheet-notes";

/** The bucket to create. Notes refer to days and columns, independently of hosts. */
export const NOTES: NewBucket = { type: "timesheet.note", client: "activity-server", hostname: "unknown" };

/** Position of a note: a column on a day, or without one the whole day. */
export interface NotePlace {
  readonly date: string;
  readonly by?: string | undefined;
  readonly column?: ColumnName | undefined;
}

/** A stored note. */
export interface CellNote extends NotePlace {
  readonly id: number;
  readonly text: string;
}

export const LONGEST_NOTE = 2000;

/** A unique key per position. */
export function placeKey({ date, by, column }: NotePlace): string {
  return JSON.stringify(column === undefined ? [date] : [date, by, column]);
}

/** Notes by position; if there are several, the newest. */
export function readNotes(events: readonly ClientEvent[]): ReadonlyMap<string, CellNote> {
  const notes = new Map<string, CellNote>();
  for (const event of [...events].sort((a, b) => (a.id ?? 0) - (b.id ?? 0))) {
    const note = readNote(event);
    if (note !== undefined) notes.set(placeKey(note), note);
  }
  return notes;
}

function readNote({ id, data }: ClientEvent): CellNote | undefined {
  const { date, key, column, note } = data;
  if (typeof id !== "number" || typeof date !== "string" || typeof note !== "string" || note === "") return undefined;
  if (column === undefined || column === null) return { id, date, text: note };
  if (typeof key !== "string" || !Array.isArray(column)) return undefined;
  const levels: readonly unknown[] = column;
  return levels.every((level) => typeof level === "string")
    ? { id, date, by: key, column: levels, text: note }
    : undefined;
}

/** The event of a note, at the start of its day. @param id of the note to replace */
export function noteEvent(place: NotePlace, start: number, text: string, id?: number): NewEvent {
  const { date, by, column } = place;
  const about: JsonObject = column === undefined || by === undefined ? {} : { key: by, column };
  return {
    ...(id === undefined ? {} : { id }),
    timestamp: new Date(start),
    duration: 0,
    data: { date, ...about, note: text.trim().slice(0, LONGEST_NOTE) },
  };
}
