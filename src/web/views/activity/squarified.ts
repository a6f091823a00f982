// The layout of a treemap (Bruls, Huizing, van Wijk: Squarified Treemaps). Pure.

/** A rectangle, in any unit. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides a box into parts that are nearly square.
 *
 * @param weights positive, descending
 * @returns a box for each, with an area in proportion to its weight
 */
export function squarified(weights: readonly number[], box: Box): readonly Box[] {
  const boxes: Box[] = [];
  let { x, y, width, height } = box;
  const scale = (width * height) / weights.reduce((sum, weight) => sum + weight, 0);
  const areas = weights.map((weight) => weight * scale);
  while (boxes.length < areas.length) {
    const side = Math.min(width, height);
    const row = rowOf(areas.slice(boxes.length), side);
    const depth = row.reduce((sum, area) => sum + area, 0) / side;
    let at = 0;
    for (const area of row) {
      const length = area / depth;
      const isColumn = width >= height;
      boxes.push(
        isColumn ? { x, y: y + at, width: depth, height: length } : { x: x + at, y, width: length, height: depth },
      );
      at += length;
    }
    if (width >= height) [x, width] = [x + depth, Math.max(0, width - depth)];
    else [y, height] = [y + depth, Math.max(0, height - depth)];
  }
  return boxes;
}

/** As many of the first areas as make the least square one of them most square. */
function rowOf(areas: readonly number[], side: number): readonly number[] {
  let best = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const [count, area] of areas.entries()) {
    sum += area;
    // The first area is the largest one.
    const worst = Math.max((side * side * (areas[0] ?? 0)) / (sum * sum), (sum * sum) / (side * side * area));
    if (worst > best) return areas.slice(0, count);
    best = worst;
  }
  return areas;
}
