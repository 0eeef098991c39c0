/**
 * Serves the suite with `Bun.serve()` and prints the port.
 *
 * @module
 */
import { serveSuite } from "./serve_suite.ts";

declare const Bun: {
  serve(options: object): { readonly port: number };
};

const { port } = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: serveSuite });
console.log(port);
