/**
 * Serves the suite as a Worker.
 *
 * @module
 */
import { serveSuite } from "./serve_suite.ts";

export default { fetch: serveSuite };
