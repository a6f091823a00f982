// uvu alone is not trusted: it exits 0 after a hook that threw, a forgotten `run()` and a left-over `.only`. A file is
// green when its closing block says that every test ran and passed, and nothing else went wrong.

const CLOSING_BLOCK = /^\s*Total:\s+(\d+)\s+Passed:\s+(\d+)\s+Skipped:\s+(\d+)\s+Duration:/gm;

/** Why a file is red, or `undefined`. */
function faultOf({ code, signal, timedOut }, counts, limitSeconds) {
  const [total, passed, skipped] = counts;
  const exit = `exit ${code ?? signal}`;
  if (timedOut) return `time limit of ${limitSeconds} s`;
  if (total === undefined) return `no closing block, ${exit}`;
  if (total === 0) return "no test at all, or run() is missing";
  if (passed !== total) return `${total - passed} of ${total} failed or did not run`;
  if (skipped > 0) return `${skipped} skipped`;
  return code === 0 ? undefined : exit;
}

/** Judges what a file has printed and how it ended. */
export function judge({ name, limitSeconds, isLong }, ending) {
  const { output, seconds, cpu } = ending;
  const counts = [...output.matchAll(CLOSING_BLOCK)].at(-1)?.slice(1).map(Number) ?? [];
  const [total = 0, passed = 0] = counts;
  const reason = faultOf(ending, counts, limitSeconds);
  // What the long tests have counted is the point of them.
  return {
    name,
    passed,
    failed: reason ? Math.max(1, total - passed) : 0,
    reason,
    output,
    seconds,
    cpu,
    tellsAlways: isLong,
  };
}

/** A file that is red before it has run, or `undefined`. */
export function judgeUnread({ name, onlyAt }) {
  if (onlyAt === undefined) return undefined;
  return { name, passed: 0, failed: 1, reason: `.only left in line ${onlyAt}`, output: "", seconds: 0, cpu: 0 };
}
