// Selects, sorts and positions lanes. Pure.

import type { ClientBucket } from "../../../client/index.js";
import { firstWhere } from "../../../util/binary-search.js";
import { t } from "../../texts/timeline.js";

/** A bucket as a lane. */
export interface Lane {
  readonly bucketId: string;
  /** Short: the kind of bucket, and its ID if more specific. */
  readonly name: string;
  readonly type: string;
  readonly host: string;
}

/** A row of the drawing: a hostname or a lane. */
export type Row =
  | {
      readonly kind: "host";
      readonly host: string;
      readonly isFolded: boolean;
      readonly top: number;
      readonly height: number;
    }
  | { readonly kind: "lane"; readonly lane: Lane; readonly top: number; readonly height: number };

/** Common types in display order, with their names. */
const KNOWN: readonly (readonly [type: string, name: "stopwatch" | "windows" | "presence" | "web" | "editor"])[] = [
  ["general.stopwatch", "stopwatch"],
  ["currentwindow", "windows"],
  ["afkstatus", "presence"],
  ["web.tab.current", "web"],
  ["app.editor.activity", "editor"],
];

function rankOf(type: string): number {
  const rank = KNOWN.findIndex(([known]) => known === type);
  return rank < 0 ? KNOWN.length : rank;
}

/** Whether a lane has a person's entries, which belong to no device. */
export function isManual({ type }: Pick<Lane, "type">): boolean {
  return type === "general.stopwatch";
}

/**
 * Sorts buckets: those of persons first, then by host in the given order, then by type, then by ID.
 *
 * @param hosts all hosts
 */
export function lanesOf(buckets: readonly ClientBucket[], hosts: readonly string[]): readonly Lane[] {
  const places = new Map(hosts.map((host, place) => [host, place]));
  const place = (host: string): number => places.get(host) ?? hosts.length;
  return buckets
    .map(({ id, type, hostname, name }) => ({
      bucketId: id,
      type,
      host: hostname,
      name: name || laneName(id, type, hostname),
    }))
    .sort((a, b) => {
      const byPerson = Number(isManual(b)) - Number(isManual(a));
      if (byPerson !== 0) return byPerson;
      const byHost = place(a.host) - place(b.host) || order(a.host, b.host);
      return byHost || rankOf(a.type) - rankOf(b.type) || order(a.type, b.type) || order(a.bucketId, b.bucketId);
    });
}

/** Lanes of one host and of persons; all if the host has none, e.g. because it was deleted. */
export function lanesOfHost(lanes: readonly Lane[], host: string | undefined): readonly Lane[] {
  const isOwn = (lane: Lane): boolean => lane.host === host;
  return lanes.some(isOwn) ? lanes.filter((lane) => isOwn(lane) || isManual(lane)) : lanes;
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** `Windows`, `Web · firefox`; for an unknown type the ID without the host, which is displayed above. */
function laneName(id: string, type: string, host: string): string {
  const rest = id
    .replace(/^aw-(?:(?:watcher|import)-|(?=stopwatch))/, "")
    .replace(host === "" ? "" : new RegExp(`[_-]${host.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`), "");
  const key = KNOWN.find(([name]) => name === type)?.[1];
  if (key === undefined) return rest || id;
  const known = t(key);
  const detail = rest.replace(/^(?:stopwatch|currentwindow|window|afk|web|editor)(?:[-_]|$)/, "");
  return detail === "" ? known : `${known} · ${detail}`;
}

/** Heights in pixels. */
export interface RowHeights {
  readonly host: number;
  readonly lane: number;
  /** Height of window lanes, which are the most important. @default as others */
  readonly windows?: number;
}

/** Positions lanes below their hosts, from top to bottom. @param folded hosts whose lanes are not shown */
export function rowsOf(
  lanes: readonly Lane[],
  heights: RowHeights,
  folded: ReadonlySet<string> = new Set(),
): readonly Row[] {
  const rows: Row[] = [];
  let top = 0;
  let host: string | undefined;
  for (const lane of lanes) {
    if (!isManual(lane) && lane.host !== host) {
      rows.push({ kind: "host", host: lane.host, isFolded: folded.has(lane.host), top, height: heights.host });
      top += heights.host;
      host = lane.host;
    }
    if (!isManual(lane) && folded.has(lane.host)) continue;
    const height = lane.type === "currentwindow" ? (heights.windows ?? heights.lane) : heights.lane;
    rows.push({ kind: "lane", lane, top, height });
    top += height;
  }
  return rows;
}

/** Height of all rows. */
export function heightOf(rows: readonly Row[]): number {
  const last = rows.at(-1);
  return last === undefined ? 0 : last.top + last.height;
}

/** Visible rows, plus one at either end. */
export function rowsWithin(rows: readonly Row[], top: number, bottom: number): readonly Row[] {
  const first = firstWhere(0, rows.length, (at) => (rows[at] as Row).top + (rows[at] as Row).height > top);
  const behind = firstWhere(first, rows.length, (at) => (rows[at] as Row).top >= bottom);
  return rows.slice(Math.max(0, first - 1), behind + 1);
}

/** Parses the hidden lanes in an address. */
export function readHidden(text: string | null): ReadonlySet<string> {
  return new Set((text ?? "").split(",").filter(Boolean).map(decoded));
}

/** @returns `undefined` if none is hidden */
export function printHidden(hidden: ReadonlySet<string>): string | undefined {
  return hidden.size === 0 ? undefined : [...hidden].map(encodeURIComponent).join(",");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
