import { useLayoutEffect } from "preact/hooks";
import { type Calendar, isCurrent } from "../../period.js";
import type { ReportRequest } from "../../report.js";
import { type Displayed, useRefresh, useReport } from "../activity/displayed.js";
import { previousPeriod } from "../activity/previous-period.js";
import type { TileSource } from "./source.js";

export interface SourceLoaderProps {
  readonly source: TileSource;
  readonly request: ReportRequest;
  readonly calendar: Calendar;
  readonly now: number;
  readonly publish: (displayed: Displayed) => void;
}

/** Loads the report of all tiles with the same source, and again after changes. */
export function SourceLoader({ source, request, calendar, now, publish }: SourceLoaderProps): null {
  const { period } = source;
  const displayed = useReport(request, period);
  const { value, isOld, failure, retry } = displayed;
  useRefresh({ start: previousPeriod(period, calendar).start, end: period.end }, isCurrent(period, now), now, retry);
  useLayoutEffect(() => publish(displayed), [value, isOld, failure?.error]);
  return null;
}
