// Writes a .d.cts beside every .d.ts, so that `require` consumers get types of their own module kind.
import fs from "node:fs";
import path from "node:path";

const root = "dist/types";
const RELATIVE_JS = /((?:from|import)\s*\(?\s*["'])(\.{1,2}\/[^"']*?)\.js(["'])/g;

for (const name of fs.readdirSync(root, { recursive: true })) {
  if (!name.endsWith(".d.ts")) continue;
  const text = fs.readFileSync(path.join(root, name), "utf8");
  fs.writeFileSync(path.join(root, name.replace(/\.d\.ts$/, ".d.cts")), text.replace(RELATIVE_JS, "$1$2.cjs$3"));
}
