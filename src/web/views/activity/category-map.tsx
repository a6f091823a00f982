import type { JSX } from "preact";
import { keyOf, labelOf } from "../../categories.js";
import { type CategoryColors, textOn } from "../../category-colors.js";
import { createCategoryCondition } from "../../filter/handle.js";
import { linkOf } from "../../filter/state.js";
import { formatRough, formatShare } from "../../format.js";
import { useWidth } from "../../parts/chart.js";
import type { ReportGroup } from "../../report.js";
import { t } from "../../texts/activity.js";
import { type MapBox, mapBoxes } from "./map-boxes.js";

const HEIGHT = 320;

export interface CategoryMapProps {
  /** The list `category` of a report. */
  readonly group: Pick<ReportGroup, "rows"> | undefined;
  readonly colors: CategoryColors;
  /** Total that shares relate to, in seconds. */
  readonly whole: number;
  /** In CSS pixels. */
  readonly height?: number;
  /** The link of a category's condition. @default adds it to the current filter */
  readonly linkTo?: ((handle: string) => string) | undefined;
}

/** Categories as nested boxes, whose areas are their times. A box filters by its category. */
export function CategoryMap({ group, colors, whole, height = HEIGHT, linkTo = linkOf }: CategoryMapProps): JSX.Element {
  const [place, width] = useWidth();
  const boxes = mapBoxes(group, { x: 0, y: 0, width, height });
  return (
    <div class="map" ref={place} style={{ height: `${height}px` }}>
      <ul aria-label={t("areas")}>
        {boxes.map((one) => (
          <Area key={keyOf(one.name)} area={one} color={colors.of(one.name)} {...{ whole, width, linkTo }} />
        ))}
      </ul>
    </div>
  );
}

interface AreaProps extends Pick<CategoryMapProps, "whole"> {
  readonly linkTo: (handle: string) => string;
  readonly area: MapBox;
  readonly color: string;
  /** Of the map, in CSS pixels. */
  readonly width: number;
}

function Area({ area: { name, seconds, box, hasLabel }, color, whole, width, linkTo }: AreaProps): JSX.Element {
  const length = formatRough(seconds);
  const share = formatShare(seconds, whole);
  // Shares of the width, since paper can be narrower than the window.
  const inWidth = (pixels: number): string => `${((pixels / width) * 100).toFixed(3)}%`;
  const style = {
    ...{ insetInlineStart: inWidth(box.x), top: `${box.y}px`, width: inWidth(box.width), height: `${box.height}px` },
    ...{ backgroundColor: color, color: textOn(color) },
  };
  return (
    <li>
      <a
        class="map-area"
        href={linkTo(createCategoryCondition(name))}
        title={`${labelOf(name)}: ${length}, ${share}`}
        style={style}
      >
        {name.length > 1 && <span class="unseen">{`${labelOf(name.slice(0, -1))} > `}</span>}
        <span class={hasLabel ? "map-label" : "unseen"}>
          <span dir="auto">{name.length === 1 ? labelOf(name) : name.at(-1)}</span> <bdi>{length}</bdi>
        </span>
        <span class="unseen">, {share}</span>
      </a>
    </li>
  );
}
