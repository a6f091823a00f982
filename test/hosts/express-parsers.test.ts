// long: 600 s
import { suite } from "uvu";
import { RAW_HOSTS } from "./express.js";
import { hostRequests } from "./requests.js";

const test = suite("in Express behind its other parsers");

hostRequests(test, RAW_HOSTS, 1);

test.run();
