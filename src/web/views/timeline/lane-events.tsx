import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientEvent } from "../../../client/client-types.js";
import { client } from "../../api.js";
import { termsForEvents } from "../../filter/for-events.js";
import { formatDuration, formatMoment, shorten } from "../../format.js";
import { useLoad } from "../../load.js";
import { Busy } from "../../parts/busy.js";
import { Failure } from "../../parts/failure.js";
import { Table } from "../../parts/table.js";
import { filterTexts } from "../../router.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/timeline.js";
import { hostText } from "../activity/names.js";
import { isManual, type Lane } from "./lanes.js";
import type { TimelineModel } from "./model.js";
import { printWindow, type TimeWindow } from "./scale.js";

/** Maximum number of listed events. */
const MOST = 50;
/** Time without movement before events are listed, in milliseconds. */
const STILL = 400;

/** The focused lane's visible events as a list, for screen readers. */
export function LaneEvents({ model }: { readonly model: TimelineModel }): JSX.Element | null {
  const window = useStill(model);
  // Loads nothing while it is collapsed.
  const [isOpen, setOpen] = useState(false);
  const lane = model.focused.value;
  if (lane === undefined) return null;
  const host = isManual(lane) ? "" : hostText(lane.host);
  return (
    <>
      {/* Stays mounted while lanes change, so that it is announced. */}
      <p class="unseen" role="status">
        {lane.name} {host}
      </p>
      <section class="card tl-list" aria-label={host === "" ? lane.name : t("region", { lane: lane.name, host })}>
        <h2>
          {lane.name} <span class="quiet">{host}</span>
        </h2>
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t("table")}</summary>
          {isOpen && <List key={lane.bucketId} lane={lane} window={window} model={model} />}
        </details>
      </section>
    </>
  );
}

/** The window after it has stopped moving. */
function useStill(model: TimelineModel): TimeWindow {
  const [still, setStill] = useState(model.window.peek());
  useSignalEffect(() => {
    const window = model.window.value;
    const timer = setTimeout(() => setStill(window), STILL);
    return () => clearTimeout(timer);
  });
  return still;
}

interface ListProps {
  readonly lane: Lane;
  readonly window: TimeWindow;
  readonly model: TimelineModel;
}

function List({ lane, window, model }: ListProps): JSX.Element {
  const range = printWindow(window);
  const { bucketId } = lane;
  const filter = termsForEvents(filterTexts.value);
  const loaded = useLoad(
    JSON.stringify([bucketId, range.start, range.end, filter, model.round.value]),
    async (signal) => {
      const asked = filter.length > 0 ? { ...range, filter } : range;
      const [events, count] = await Promise.all([
        client.events.list(bucketId, { ...asked, limit: MOST }, { signal }),
        client.events.count(bucketId, asked, { signal }),
      ]);
      return { events, count };
    },
  );
  const shown = loaded.state === "ready" ? loaded.value : loaded.before;
  const zone = model.zone.value;
  const look = model.look.value;
  return (
    <>
      {loaded.state === "failed" && <Failure error={loaded.error} retry={loaded.retry} />}
      {shown === undefined && loaded.state !== "failed" && <Busy />}
      {shown !== undefined && (
        <>
          <p class="quiet" role="status">
            {summary(shown.count, shown.events.length)}
          </p>
          <Table
            caption={t("caption", { lane: lane.name })}
            columns={[
              { label: common("start"), cell: ({ timestamp }: ClientEvent) => formatMoment(timestamp, zone) },
              { label: common("duration"), isNumeric: true, cell: ({ duration }) => formatDuration(duration) },
              {
                label: t("what"),
                cell: (event) => (
                  <button type="button" class="plain tl-what" onClick={() => pin(event)}>
                    {shorten(look(lane.type, event.data).label, 120) || `(${t("noData")})`}
                  </button>
                ),
              },
            ]}
            rows={shown.events}
            keyOf={({ id }) => id}
          />
        </>
      )}
    </>
  );

  function pin({ id, timestamp, duration, data }: ClientEvent): void {
    const start = Date.parse(timestamp);
    model.pin({
      lane,
      start,
      end: start + Math.max(0, duration * 1000),
      seconds: duration,
      data,
      id,
      count: 1,
      isCut: false,
    });
  }
}

function summary(count: number, listed: number): string {
  if (count === 0) return t("nothingInSight");
  return listed < count ? t("newestInSight", { count, listed }) : t("inSight", { count });
}
