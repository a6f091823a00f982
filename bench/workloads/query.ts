import type { Bench } from "../bench.js";
import { measureBeats, type Pressure } from "../query/beats.js";
import { type Heat, measureTask, QueryServer, type Task } from "../query/measure.js";
import {
  BROWSER_BUCKET,
  categoryProgram,
  DAYS,
  desktopProgram,
  HOURS,
  IDLE_BUCKET,
  MONTH,
  ONE_DAY,
  WINDOW_BUCKET,
} from "../query/programs.js";

const desktop = desktopProgram(false);
const category = categoryProgram();
const buckets = [WINDOW_BUCKET, IDLE_BUCKET];

const TASKS: readonly Task[] = [
  {
    id: "month",
    workload: "desktop, month",
    requests: [{ timeperiods: MONTH, query: desktop }],
    buckets,
    goal: { cold: 400, warm: 100, again: 4 },
  },
  {
    id: "browser-month",
    workload: "desktop + one browser, month",
    requests: [{ timeperiods: MONTH, query: desktopProgram(true) }],
    buckets: [...buckets, BROWSER_BUCKET],
    goal: { cold: 700, warm: 180 },
  },
  {
    id: "day",
    workload: "desktop, one day",
    requests: [{ timeperiods: ONE_DAY, query: desktop }],
    buckets,
    goal: { cold: 30, warm: 8 },
  },
  {
    id: "categories",
    workload: "category groups, 30 days",
    requests: [{ timeperiods: DAYS, query: category }],
    buckets,
    goal: { cold: 400, warm: 80 },
  },
  {
    id: "hours",
    workload: "24 hourly requests",
    requests: HOURS.map((hour) => ({ timeperiods: [hour], query: category })),
    buckets,
    goal: { warm: 50 },
  },
];
const HEATS: readonly Heat[] = ["cold", "warm", "again"];
const PRESSURES: readonly Pressure[] = ["months", "days-and-months", "hostile"];

/** How long the web UI's own programs take over a month of three watchers, and whether heartbeats wait for them. */
export async function query(bench: Bench): Promise<void> {
  const tasks = TASKS.flatMap((task) => HEATS.map((heat) => ({ task, heat })));
  const wanted = tasks.filter(({ task, heat }) => bench.wants(`query/${heat}/${task.id}`));
  const pressures = PRESSURES.filter((pressure) => bench.wants(`query/beats/${pressure}`));
  for (const storage of ["memory", "leveldb"] as const) {
    const server = await QueryServer.start(bench, storage);
    try {
      for (const { task, heat } of wanted) {
        // Memory forgets all when its process ends.
        if (storage === "leveldb" || heat !== "cold") await measureTask(bench, server, task, heat);
      }
      for (const pressure of pressures) await measureBeats(bench, server, pressure);
    } finally {
      await server.child.stop();
    }
  }
}
