// Columns of the results.
import type { ComponentChildren, JSX } from "preact";
import type { ClientSearchEvent } from "../../../client/index.js";
import { formatTerm } from "../../../filter/term.js";
import { escaped } from "../../filter/escaped.js";
import { createCondition } from "../../filter/handle.js";
import { linkOf } from "../../filter/state.js";
import { formatCount, formatDate, formatMoment, shorten } from "../../format.js";
import { Name } from "../../parts/name.js";
import type { Column } from "../../parts/table.js";
import { href, type Params } from "../../router.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/search.js";
import { Duration } from "../activity/duration.js";
import type { Way } from "./address.js";
import type { FoundGroup } from "./first-found.js";

const MAX_SHOWN = 160;
/** Margin around an event in the timeline, in milliseconds. */
const AROUND = 600_000;

/** The condition for a group; `#` is a placeholder for numbers. */
export function createGroupHandle(way: Way | "label", key: string): string | undefined {
  if (!key.includes("#") || (way !== "title" && way !== "label")) return createCondition(way, key);
  const pattern = `^${key.split("#").map(escaped).join("(?:#|\\d+)")}$`;
  return formatTerm({ kind: "matches", path: [way], pattern, ignoreCase: false, not: false });
}

export interface Showing {
  readonly zone: string;
  readonly params: Params;
}

export function groupColumns(way: Exclude<Way, "events">, { zone, params }: Showing): readonly Column<FoundGroup>[] {
  return [
    {
      label: t(`of_${way}`),
      cell: (group) => (
        <Words text={group.key}>
          <Key {...{ way, group, params }} />
        </Words>
      ),
    },
    {
      label: common("time"),
      isNumeric: true,
      cell: ({ seconds }) => {
        if (seconds === undefined) return <Counting />;
        return seconds === 0 ? UNKNOWN : <Duration seconds={seconds} />;
      },
    },
    {
      label: common("events"),
      isNumeric: true,
      cell: (group) => (group.events === undefined ? <Missing {...group} /> : formatCount(group.events)),
    },
    { label: t("first"), cell: (group) => <DayOf moment={group.first} {...{ group, zone, params }} /> },
    { label: t("last"), cell: (group) => <DayOf moment={group.last} {...{ group, zone, params }} /> },
  ];
}

export function eventColumns({ zone, params }: Showing): readonly Column<ClientSearchEvent>[] {
  return [
    {
      label: common("when"),
      cell: ({ timestamp }) => <At moment={timestamp} text={formatMoment(timestamp, zone)} params={params} />,
    },
    { label: common("time"), isNumeric: true, cell: ({ duration }) => <Duration seconds={duration} /> },
    { label: t("of_events"), cell: ({ data }) => <Data data={data} /> },
    {
      label: common("bucket"),
      cell: ({ bucket, timestamp }) => (
        <a class="handle quiet" href={href(["buckets", bucket], { at: timestamp })}>
          {bucket}
        </a>
      ),
    },
  ];
}

interface KeyProps {
  readonly way: Exclude<Way, "events">;
  readonly group: FoundGroup;
  readonly params: Params;
}

function Key({ way, group: { key, isLabel = false }, params }: KeyProps): JSX.Element {
  if (key === null || key === "") return <em class="quiet">{t(`none_${way}`)}</em>;
  if (way === "day") return <a href={href(["day", key], params)}>{formatDate(`${key}T12:00:00Z`, "UTC")}</a>;
  return <Handle condition={createGroupHandle(isLabel ? "label" : way, key)} text={shorten(key, MAX_SHOWN)} />;
}

function Data({ data }: Pick<ClientSearchEvent, "data">): JSX.Element {
  const fields = Object.entries(data).filter(([, value]) => typeof value === "string" || typeof value === "number");
  return (
    <Words text={fields.map(([, value]) => value).join(" · ")}>
      {fields
        .slice(0, 4)
        .flatMap(([name, value], at) => [
          at > 0 && " · ",
          <Handle key={name} condition={createCondition(name, value)} text={shorten(String(value), MAX_SHOWN)} />,
        ])}
    </Words>
  );
}

function Handle({ condition, text }: { readonly condition: string | undefined; readonly text: string }): JSX.Element {
  if (condition === undefined) return <Name text={text} />;
  return (
    <a class="handle" href={linkOf(condition)}>
      <Name text={text} />
    </a>
  );
}

/** A text that may be truncated, with a tooltip. */
function Words({
  text,
  children,
}: {
  readonly text: string | null;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <span class="search-words" title={text || undefined}>
      {children}
    </span>
  );
}

/** Placeholder for an unknown number. */
function Counting(): JSX.Element {
  return <span class="quiet">…</span>;
}

/** For rows of windows with a matching page or file, and for time that is not active. */
const UNKNOWN = "–";

function Missing({ seconds }: FoundGroup): JSX.Element {
  return seconds === undefined ? <Counting /> : <>{UNKNOWN}</>;
}

interface DayProps extends Showing {
  readonly moment: string | undefined;
  readonly group: FoundGroup;
}

function DayOf({ moment, group, zone, params }: DayProps): JSX.Element {
  if (moment === undefined) return <Missing {...group} />;
  return <At moment={moment} text={formatDate(moment, zone)} params={params} />;
}

/** A time with a link to the timeline. */
function At(props: { readonly moment: string; readonly text: string; readonly params: Params }): JSX.Element {
  const at = Date.parse(props.moment);
  const [start, end] = [at - AROUND, at + AROUND].map((instant) => new Date(instant).toISOString());
  return (
    <a class="handle search-at" href={href(["timeline"], { start, end, host: props.params["host"] })}>
      {props.text}
    </a>
  );
}
