// long: 600 s
import { suite } from "uvu";
import { JSON_HOSTS } from "./express.js";
import { hostRequests } from "./requests.js";

const test = suite("in Express behind json()");

hostRequests(test, JSON_HOSTS, 2);

test.run();
