// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { json } from "../http/client.js";
import { JSON_HOSTS, RAW_HOSTS } from "./express.js";
import { hostRequests } from "./requests.js";
import { visit } from "./site.js";

const test = suite("in Express behind json()");

hostRequests(test, JSON_HOSTS, 2);

for (const host of [...JSON_HOSTS, ...RAW_HOSTS]) {
  // Parsers in their default mode take nothing but objects and lists.
  if (host.name.includes("json() and")) continue;
  test(`a setting that is a text stays a text in ${host.name}`, () =>
    visit(host, "/tracker", async ({ send }) => {
      for (const value of ["text", "12", "true", "null", '"quoted"', "", 12, true]) {
        assert.equal(json(await send("POST", "/api/0/settings/k", JSON.stringify(value))), value);
        assert.equal(json(await send("GET", "/api/0/settings/k")), value);
      }
    }));
}

test.run();
