// long: 600 s
import { suite } from "uvu";
import { EXPRESS_HOSTS } from "./express.js";
import { hostRequests } from "./requests.js";

const test = suite("in Express");

hostRequests(test, EXPRESS_HOSTS, 0);

test.run();
