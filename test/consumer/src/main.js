// node src/main.js URL DATE
import { focusReport } from "./report.js";
import { overHttp } from "./sources.js";

const [url, date] = process.argv.slice(2);
const start = new Date(`${date}T00:00:00Z`);
const end = new Date(start.getTime() + 86_400_000);
try {
  for (const { app, minutes } of await focusReport(overHttp({ url }), start, end)) {
    console.log(`${minutes.toFixed(1).padStart(7)} min  ${app}`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
