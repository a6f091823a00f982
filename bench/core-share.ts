import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const GROUPS = "/sys/fs/cgroup";
/** Short, so that a process that has used up its share waits for milliseconds. */
const PERIOD_MICROS = 10_000;

/**
 * Lets a process have no more than a share of a core, as a smaller machine would, by a control group of Linux. Needs
 * root.
 *
 * @param share of one core, 0 to 1
 * @returns takes the group away, when the process has ended; `undefined` where that cannot be had
 */
export function limitToShare(pid: number, share: number): (() => void) | undefined {
  const isSecond = existsSync(join(GROUPS, "cgroup.controllers"));
  const group = join(GROUPS, isSecond ? "" : "cpu", `activity-bench-${pid}`);
  const quota = String(Math.round(share * PERIOD_MICROS));
  try {
    mkdirSync(group);
    if (isSecond) writeFileSync(join(group, "cpu.max"), `${quota} ${PERIOD_MICROS}`);
    else {
      writeFileSync(join(group, "cpu.cfs_period_us"), String(PERIOD_MICROS));
      writeFileSync(join(group, "cpu.cfs_quota_us"), quota);
    }
    writeFileSync(join(group, "cgroup.procs"), String(pid));
  } catch {
    return undefined;
  }
  return () => rmdirSync(group);
}
