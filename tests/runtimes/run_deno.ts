/**
 * Serves the suite with `Deno.serve()` and prints the port.
 *
 * @module
 */
import { serveSuite } from "./serve_suite.ts";

const onListen = ({ port }: Deno.NetAddr): void => console.log(port);
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, serveSuite);
