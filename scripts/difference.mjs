/**
 * What changed between two texts, line by line: the fewest lines with `-` or `+` before them, and behind `@@` the line
 * of the old text where each place begins.
 *
 * @param {string} before
 * @param {string} after
 * @returns {string[]} nothing when they are the same
 */
export function differenceOf(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let [aEnd, bEnd] = [a.length, b.length];
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  return changes(a.slice(start, aEnd), b.slice(start, bEnd), start + 1);
}

/** By the longest common subsequence. @param {string[]} a @param {string[]} b @param {number} firstLine */
function changes(a, b, firstLine) {
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  let isSame = true;
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      isSame = true;
      i++;
      j++;
      continue;
    }
    if (isSame) lines.push(`@@ line ${firstLine + i}`);
    isSame = false;
    const isGone = j === b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1]);
    lines.push(isGone ? `-${a[i++]}` : `+${b[j++]}`);
  }
  return lines;
}
