// The columns of what was found.
import type { ComponentChildren, JSX } from "preact";
import type { ClientSearchEvent, ClientSearchGroup } from "../../../client/search-types.js";
import { formatTerm } from "../../../filter/term.js";
import { handleOf } from "../../filter/handle.js";
import { escaped } from "../../filter/program.js";
import { linkOf } from "../../filter/state.js";
import { formatCount, formatDate, formatMoment, shorten } from "../../format.js";
import type { Column } from "../../parts/table.js";
import { href, type Params } from "../../router.js";
import { t } from "../../texts/search.js";
import { Duration } from "../activity/duration.js";

/** By what it is counted; `events` = listed one by one. */
export type Way = "title" | "app" | "url" | "day" | "events";

const MOST_SHOWN = 160;
/** Room around an event where the timeline shows it, in milliseconds. */
const AROUND = 600_000;

/** The condition that finds a group; `#` stands for any number. */
export function handleOfGroup(way: Way, key: string): string | undefined {
  if (!key.includes("#") || way === "url") return handleOf(way, key);
  const pattern = `^${key.split("#").map(escaped).join("(?:#|\\d+)")}$`;
  return formatTerm({ kind: "matches", path: [way], pattern, ignoreCase: false, not: false });
}

export interface Showing {
  readonly zone: string;
  readonly params: Params;
}

export function groupColumns(
  way: Exclude<Way, "events">,
  { zone, params }: Showing,
): readonly Column<ClientSearchGroup>[] {
  return [
    { label: t(`of_${way}`), cell: (group) => <Key {...{ way, group, params }} /> },
    { label: t("time"), isNumeric: true, cell: ({ seconds }) => <Duration seconds={seconds} /> },
    { label: t("events"), isNumeric: true, cell: ({ events }) => formatCount(events) },
    { label: t("first"), cell: ({ first }) => <At moment={first} text={formatDate(first, zone)} params={params} /> },
    { label: t("last"), cell: ({ last }) => <At moment={last} text={formatDate(last, zone)} params={params} /> },
  ];
}

export function eventColumns({ zone, params }: Showing): readonly Column<ClientSearchEvent>[] {
  return [
    {
      label: t("when"),
      cell: ({ timestamp }) => <At moment={timestamp} text={formatMoment(timestamp, zone)} params={params} />,
    },
    { label: t("time"), isNumeric: true, cell: ({ duration }) => <Duration seconds={duration} /> },
    { label: t("of_events"), cell: ({ data }) => <Data data={data} /> },
    {
      label: t("bucket"),
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
  readonly group: ClientSearchGroup;
  readonly params: Params;
}

function Key({ way, group: { key }, params }: KeyProps): JSX.Element {
  if (key === null || key === "") return <em class="quiet">{t(`none_${way}`)}</em>;
  if (way === "day") return <a href={href(["day", key], params)}>{formatDate(`${key}T12:00:00Z`, "UTC")}</a>;
  return <Handle condition={handleOfGroup(way, key)}>{shorten(key, MOST_SHOWN)}</Handle>;
}

function Data({ data }: Pick<ClientSearchEvent, "data">): JSX.Element {
  const fields = Object.entries(data).filter(([, value]) => typeof value !== "object");
  return (
    <>
      {fields.slice(0, 4).flatMap(([name, value], at) => [
        at > 0 && " · ",
        <Handle key={name} condition={handleOf(name, value)}>
          {shorten(String(value), MOST_SHOWN)}
        </Handle>,
      ])}
    </>
  );
}

function Handle(props: { readonly condition: string | undefined; readonly children: ComponentChildren }): JSX.Element {
  const { condition, children } = props;
  if (condition === undefined) return <bdi>{children}</bdi>;
  return (
    <a class="handle" href={linkOf(condition)}>
      <bdi>{children}</bdi>
    </a>
  );
}

/** A moment, which leads to the timeline of what was around it. */
function At(props: { readonly moment: string; readonly text: string; readonly params: Params }): JSX.Element {
  const at = Date.parse(props.moment);
  const [start, end] = [at - AROUND, at + AROUND].map((instant) => new Date(instant).toISOString());
  return (
    <a class="handle search-at" href={href(["timeline"], { start, end, host: props.params["host"] })}>
      {props.text}
    </a>
  );
}
