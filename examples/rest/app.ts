/**
 * The operations of `examples/invoices/` as a plain HTTP API: the very specs that are tools over
 * there, served by Hono. No MCP is loaded here.
 *
 * A transport of your own is small. This file says which route is which operation and who calls,
 * `serve_spec.ts` gathers the arguments and hands them to the kernel's dispatcher, and `answer.ts`
 * writes the result under the status that the kernel has for it.
 *
 * ```sh
 * deno run -A examples/rest/main.ts
 * curl -sS 'http://127.0.0.1:8001/invoices?status=open&limit=2'
 * curl -sS http://127.0.0.1:8001/invoices \
 *   -H 'content-type: application/json' -d '{"customerId":1,"amountCents":1250}'
 * ```
 *
 * @module
 */
import { type Context, Hono } from "@hono/hono";
import { bearerAuth } from "@hono/hono/bearer-auth";
import { bodyLimit } from "@hono/hono/body-limit";
import { except } from "@hono/hono/combine";
import { HTTPException } from "@hono/hono/http-exception";
import type { Spec } from "@limen/mcp/kernel";
import type { InvoiceDatabase } from "../invoices/database.ts";
import { createSpecs, type SpecsOptions } from "../invoices/specs.ts";
import { owner, type Staff, visitor } from "../invoices/staff.ts";
import { refuse } from "./answer.ts";
import { type Env, serveSpec } from "./serve_spec.ts";

/** Options of {@linkcode createApp}. */
export interface AppOptions extends SpecsOptions {
  /** The token that writes ask for. Default: none, and every caller may write. */
  readonly token?: string | undefined;
}

/** Serves customers and invoices as JSON; `GET /` tells what there is, and in which shape. */
export function createApp(database: InvoiceDatabase, options: AppOptions = {}): Hono<Env> {
  const specs = createSpecs(database, options);
  const routes: Readonly<Record<string, Spec<Staff>>> = {
    "GET /customers": specs.listCustomers,
    "GET /invoices": specs.listInvoices,
    "GET /invoices.csv": specs.exportInvoices,
    "GET /invoices/:id": specs.retrieveInvoice,
    "POST /invoices": specs.createInvoice,
    "POST /invoices/batch": specs.createInvoices,
    "PATCH /invoices/:id": specs.updateInvoice,
    "DELETE /invoices/:id": specs.deleteInvoice,
  };

  const app = new Hono<Env>().use(bodyLimit({ maxSize: 1024 * 1024 }));
  identify(app, options.token);
  const schemas: Record<string, object> = {};
  for (const [route, spec] of Object.entries(routes)) {
    const [method, path] = route.split(" ") as [string, string];
    const { handler, inputSchema, outputSchema } = serveSpec(spec, route);
    app.on(method, path, handler);
    schemas[route] = { inputSchema, outputSchema };
  }
  app.get("/", (context) => context.json(schemas));
  app.notFound(() => refuse(404, { type: "no_route", message: "There is no such route" }));
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    console.error(error); // what broke is for the operator alone
    return refuse(500, { type: "internal_error", message: "Internal error" });
  });
  return app;
}

/** Says who calls, as the demo does: with a token set, its holder is the owner, and others may read. */
function identify(app: Hono<Env>, token: string | undefined): void {
  const isNamed = ({ req }: Context) => req.header("authorization") !== undefined;
  if (token !== undefined) app.use(except((context) => !isNamed(context), bearerAuth({ token })));
  app.use((context, next) => {
    context.set("caller", { user: token === undefined || isNamed(context) ? owner : visitor });
    return next();
  });
}
