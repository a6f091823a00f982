// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { H3_V1_HOSTS } from "./h3-v1.js";
import { hostRequests } from "./requests.js";

const test = suite("in h3 1");

test("it is installed with listhen", () => assert.is(H3_V1_HOSTS.length, 2));

hostRequests(test, H3_V1_HOSTS, 0);

test.run();
