import { assertEquals } from "@std/assert";
import { mcpRequest } from "./mcp_request.ts";
import { type Answer, type Message, readAnswer } from "./read_answer.ts";
import { assertConforms } from "./spec_schema.ts";
import { assertSound } from "./wire_sheet.ts";

/** What answers requests. */
interface Server {
  fetch(request: Request, ...platform: readonly unknown[]): Promise<Response>;
}

/** Who asks, and as what. */
export interface TaskClientOptions {
  /** The bearer token. Default: none. */
  readonly token?: string;
  /** Whether the client declares the extension. Default `true`. */
  readonly knowsTasks?: boolean;
}

const META = "io.modelcontextprotocol/clientCapabilities";
const DECLARED = {
  elicitation: {},
  extensions: { "io.modelcontextprotocol/tasks": {} },
};

/** A modern client that knows tasks; every message it gets must be as the specification says. */
export class TaskClient {
  readonly #server: Server;
  readonly #options: TaskClientOptions;

  /** @param server Whom it asks. */
  constructor(server: Server, options: TaskClientOptions = {}) {
    this.#server = server;
    this.#options = options;
  }

  /** Sends a method, and reads the answer. */
  async ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<Answer & { readonly message: Message }> {
    const { token, knowsTasks = true } = this.#options;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const meta = { [META]: knowsTasks ? DECLARED : {} };
    const request = mcpRequest("modern", { method, params, meta, headers });
    const answer = await readAnswer(await this.#server.fetch(request));
    const { message } = answer;
    if (message?.result?.resultType === "task") assertConforms(message, "tasks/create");
    else assertSound(answer, method);
    return answer as Answer & { readonly message: Message };
  }

  /** Calls a tool. @returns The result. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Message> {
    const { message } = await this.ask("tools/call", { name, arguments: args });
    return message.result;
  }

  /** Starts a task. @returns Its id. */
  async start(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { message } = await this.ask("tools/call", { name, arguments: args });
    assertEquals(message.result?.resultType, "task", JSON.stringify(message));
    return message.result.taskId;
  }

  /** Looks at a task. */
  async get(taskId: string): Promise<Message> {
    return (await this.ask("tasks/get", { taskId })).message.result;
  }

  /** Cancels a task. @returns The acknowledgement. */
  async cancel(taskId: string): Promise<Message> {
    return (await this.ask("tasks/cancel", { taskId })).message.result;
  }

  /** Looks at a task until it has a status; rejects after 10 seconds. */
  async until(taskId: string, ...statuses: readonly string[]): Promise<Message> {
    const end = Date.now() + 10_000;
    for (;;) {
      const task = await this.get(taskId);
      if (statuses.includes(task.status)) return task;
      if (Date.now() > end) throw new Error(`The task is still ${JSON.stringify(task)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Waits until a task has ended. */
  async untilOver(taskId: string): Promise<Message> {
    return await this.until(taskId, "completed", "failed", "cancelled");
  }
}
