// What the page does beside its views, loaded when the first of them is there.
import { keepFocus } from "./focus.js";
import { watchLimits } from "./limits/watch.js";

keepFocus();
watchLimits();
