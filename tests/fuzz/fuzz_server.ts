/**
 * What the fuzz test sends to: a server with something of every kind, and sessions on it.
 *
 * @module
 */
import { param, selectorSpec, type ServerOptions, unrestricted } from "@limen/mcp";
import { createFixture, type Fixture, type Hooks } from "../_support/fixture_server.ts";
import { legacyRequest, openSession } from "../_support/legacy_session.ts";

/** A server, what happened inside, and a session on it. */
export class FuzzServer {
  readonly hooks: Hooks;
  readonly #fixture: Fixture;
  #session = "";
  #uses = 0;

  /** Serves tools, a template of resources and a prompt. */
  constructor(options: Partial<ServerOptions>) {
    this.#fixture = createFixture({ ...options, logLevel: "debug", dispatchTimeoutMs: 1000 });
    this.hooks = this.#fixture.hooks;
    const { server } = this.#fixture;
    const note = selectorSpec({
      kind: "retrieve",
      reads: { id: param.integer({ required: true }) },
      permissions: [unrestricted],
      select: ({ args }) => {
        if (args.id === 13) throw new Error("secret-text at /srv/secret.ts:1:1");
        return args.id < 10 ? `# Note ${args.id}` : undefined;
      },
    });
    server.registerResource(note, {
      uri: "notes://{id}",
      name: "note",
      encoding: "text",
      mimeType: "text/markdown",
    });
    server.registerPrompt("review", {
      description: "Asks for a review.",
      reads: { language: param.string({ required: true }) },
      complete: {
        language: ({ value }) => ["rust", "ruby"].filter((one) => one.startsWith(value)),
      },
      permissions: [unrestricted],
    }, ({ args }) => `Review this ${args.language} code.`);
  }

  /** A living session; now and then another one, and whenever the last may have been ended. */
  async session(): Promise<string> {
    if (this.#uses++ % 100 === 0) {
      if (this.#session !== "") await this.fetch(legacyRequest(this.#session, { verb: "DELETE" }));
      this.#session = await openSession(this.#fixture.server);
    }
    return this.#session;
  }

  /** Answers a request. */
  async fetch(request: Request): Promise<Response> {
    if (request.method === "DELETE") this.#uses = 0;
    return await this.#fixture.server.fetch(request);
  }

  /** Ends it. */
  async close(): Promise<void> {
    await this.#fixture.server.close();
  }
}
