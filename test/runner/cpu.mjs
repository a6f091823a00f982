// Seconds of the processor that a process took with all that it has started. Linux counts them in a control group, where
// the user may make one; pages of a browser are counted as well then, which nobody waits for.
import fs from "node:fs";
import path from "node:path";

const MOUNT = /^\S+ (\S+) cgroup2 /m;
const MEMBERS = "cgroup.procs";
const TICKS_A_SECOND = 100;

/** A control group for a process and its descendants. */
class Group {
  #folder;

  constructor(folder, pid) {
    this.#folder = folder;
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, MEMBERS), String(pid));
  }

  seconds() {
    const [, micros] = /^usage_usec (\d+)$/m.exec(fs.readFileSync(path.join(this.#folder, "cpu.stat"), "utf8"));
    return Number(micros) / 1_000_000;
  }

  end() {
    try {
      fs.rmdirSync(this.#folder);
    } catch {
      // Something in it is just ending. An empty group does no harm.
    }
  }
}

/** What a process and children that it has waited for took, as far as the system tells. */
function ownGroup(pid) {
  let known = 0;
  const seconds = () => {
    try {
      const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ").slice(11, 15);
      known = fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
    } catch {
      // It has ended, or the system has no such files.
    }
    return known;
  };
  return { seconds, end: () => undefined };
}

/** Counts for a process that was just started. @returns `seconds`: so far; `end`: to be called when it has ended */
export function countCpu(pid) {
  try {
    const [, mount] = MOUNT.exec(fs.readFileSync("/proc/mounts", "utf8"));
    const [, place] = /^0::(.*)$/m.exec(fs.readFileSync("/proc/self/cgroup", "utf8"));
    return new Group(path.join(mount, place, `activity-tests-${pid}`), pid);
  } catch {
    return ownGroup(pid);
  }
}
