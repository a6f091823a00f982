// Which lanes there are, in which order, and where. Pure.

import type { ClientBucket } from "../../../client/index.js";
import { firstWhere } from "../../../util/binary-search.js";
import { t } from "../../texts/timeline.js";

/** A bucket as a lane. */
export interface Lane {
  readonly bucketId: string;
  /** Short: what kind of bucket it is, and its id where that says more. */
  readonly name: string;
  readonly type: string;
  readonly host: string;
}

/** A row of the picture: the name of a host, or a lane. */
export type Row =
  | { readonly kind: "host"; readonly host: string; readonly top: number; readonly height: number }
  | { readonly kind: "lane"; readonly lane: Lane; readonly top: number; readonly height: number };

/** Types that most people have, in the order in which they are shown, and what they are called. */
const KNOWN: readonly (readonly [type: string, name: "windows" | "presence" | "web" | "editor"])[] = [
  ["currentwindow", "windows"],
  ["afkstatus", "presence"],
  ["web.tab.current", "web"],
  ["app.editor.activity", "editor"],
];

function rankOf(type: string): number {
  const rank = KNOWN.findIndex(([known]) => known === type);
  return rank < 0 ? KNOWN.length : rank;
}

/**
 * Orders buckets: by host in the given order, on a host by type, then by id.
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
      name: name || nameOf(id, type, hostname),
    }))
    .sort((a, b) => {
      const byHost = place(a.host) - place(b.host) || order(a.host, b.host);
      return byHost || rankOf(a.type) - rankOf(b.type) || order(a.type, b.type) || order(a.bucketId, b.bucketId);
    });
}

/** Those of one host; all of them when it has none, as a host that is gone. */
export function lanesOfHost(lanes: readonly Lane[], host: string | undefined): readonly Lane[] {
  const own = lanes.filter((lane) => lane.host === host);
  return own.length === 0 ? lanes : own;
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** `Windows`, `Web · firefox`; for an unknown type the id, without the host, which stands above. */
function nameOf(id: string, type: string, host: string): string {
  const rest = id
    .replace(/^aw-(?:watcher|import)-/, "")
    .replace(host === "" ? "" : new RegExp(`[_-]${host.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`), "");
  const key = KNOWN.find(([name]) => name === type)?.[1];
  if (key === undefined) return rest || id;
  const known = t(key);
  const detail = rest.replace(/^(?:currentwindow|window|afk|web|editor)(?:[-_]|$)/, "");
  return detail === "" ? known : `${known} · ${detail}`;
}

/** Heights in pixels. */
export interface RowHeights {
  readonly host: number;
  readonly lane: number;
  /** Of lanes of windows, which most look at. @default as others */
  readonly windows?: number;
}

/** Puts lanes under the names of their hosts, from the top to the bottom. */
export function rowsOf(lanes: readonly Lane[], heights: RowHeights): readonly Row[] {
  const rows: Row[] = [];
  let top = 0;
  let host: string | undefined;
  for (const lane of lanes) {
    if (lane.host !== host) {
      rows.push({ kind: "host", host: lane.host, top, height: heights.host });
      top += heights.host;
      host = lane.host;
    }
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

/** Rows that are in sight, one more at either end. */
export function rowsWithin(rows: readonly Row[], top: number, bottom: number): readonly Row[] {
  const first = firstWhere(0, rows.length, (at) => (rows[at] as Row).top + (rows[at] as Row).height > top);
  const behind = firstWhere(first, rows.length, (at) => (rows[at] as Row).top >= bottom);
  return rows.slice(Math.max(0, first - 1), behind + 1);
}

/** Reads the hidden lanes out of an address. */
export function readHidden(text: string | null): ReadonlySet<string> {
  return new Set((text ?? "").split(",").filter(Boolean).map(decoded));
}

/** @returns `undefined` when none is hidden */
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
