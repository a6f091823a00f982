const MOST = 10;

/** Prints results as they come in, and what they come to at the end. */
export class Report {
  results = [];
  unsteady = [];

  add(result) {
    const { name, passed, reason, output, seconds, tellsAlways } = result;
    this.results.push(result);
    const line = `${reason ? "FAIL" : "ok  "} ${name}  ${passed} passed, ${seconds.toFixed(1)} s`;
    console.log(reason ? `${line}, ${reason}` : line);
    if ((reason || tellsAlways) && output.trim()) console.log(`${output.trimEnd().replace(/^/gm, "     | ")}\n`);
  }

  /** Whether a file is red, and for another reason than its time limit: it would take as long again. */
  mayBeUnsteady(name) {
    return this.results.some((each) => each.name === name && each.reason && !each.reason.startsWith("time limit"));
  }

  /** Forgets that a file was red, but not that it was unsteady. */
  takeBack(name) {
    this.unsteady.push(...this.results.filter((each) => each.name === name));
    this.results = this.results.filter((each) => each.name !== name);
  }

  /** Prints the slowest and the failing ones and the totals. @returns whether all is green */
  close() {
    if (this.results.length > MOST) {
      this.#printMost("slowest:", "seconds");
      this.#printMost("most of the processor:", "cpu");
    }
    // Not in the order in which they ended, which is another one each time.
    const red = this.results.filter(({ reason }) => reason).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (red.length > 0) {
      console.log("\nfailed:");
      for (const { name, reason } of red) console.log(`     ${name}: ${reason}`);
      console.log(`run just them: ${commandOf(red)}\n`);
    }
    if (this.unsteady.length > 0) console.log("\nunsteady, red beside others and green alone:");
    for (const { name, reason } of this.unsteady) console.log(`     ${name}: ${reason}`);
    if (this.results.length === 0) console.log("no test matches");
    const sum = (key) => this.results.reduce((total, result) => total + result[key], 0);
    const failed = this.results.length === 0 ? 1 : sum("failed");
    if (sum("cpu") >= 1) console.log(`${sum("cpu").toFixed(0)} s of the processor`);
    console.log(`${sum("passed")} passed, ${failed} failed`);
    return failed === 0;
  }

  #printMost(title, key) {
    console.log(`\n${title}`);
    const most = [...this.results].sort((a, b) => b[key] - a[key]).slice(0, MOST);
    for (const result of most) console.log(`${result[key].toFixed(1).padStart(7)} s  ${result.name}`);
  }
}

function commandOf(red) {
  const isLong = ({ tellsAlways }) => tellsAlways;
  const flag = red.every(isLong) ? "--long " : "--with-long ";
  const names = red.flatMap(({ name }) => (name.startsWith("check: ") ? [`"${name}"`] : name.split(" ")));
  return `node test/run.mjs ${red.some(isLong) ? flag : ""}${names.join(" ")}`;
}
