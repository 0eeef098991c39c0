import { assertSame } from "./assert_same.ts";
import { callRequest, methodRequest } from "./call_request.ts";
import type { Case } from "./case.ts";
import { readAnswers, readProblems, readText } from "./read_answer.ts";

/** Discovery, listings and calls that answer with one message. */
export const calls: readonly Case[] = [
  {
    title: "server/discover names the server and its revisions",
    run: async ({ fetch }) => {
      const [answer] = await readAnswers(await fetch(methodRequest("server/discover", {})));
      assertSame((answer?.result?.supportedVersions as string[])[0], "2026-07-28");
    },
  },
  {
    title: "tools/list lists every tool with an object as its input schema",
    run: async ({ fetch }) => {
      const [answer] = await readAnswers(await fetch(methodRequest("tools/list", {})));
      const tools = answer?.result?.tools as { name: string; inputSchema: { type: string } }[];
      assertSame(tools.length, 14);
      assertSame(tools.every(({ inputSchema }) => inputSchema.type === "object"), true);
    },
  },
  {
    title: "a synchronous tool answers with JSON on HTTP 200",
    run: async ({ fetch }) => {
      const response = await fetch(callRequest("echo", { text: "hello" }));
      assertSame([response.status, response.headers.get("content-type")], [
        200,
        "application/json",
      ]);
      assertSame(await readText(response), "hello");
    },
  },
  {
    title: "an asynchronous tool answers with JSON on HTTP 200",
    run: async ({ fetch }) => {
      const response = await fetch(callRequest("echo_later", { text: "hello" }));
      assertSame(response.headers.get("content-type"), "application/json");
      assertSame(await readText(response), "hello");
    },
  },
  {
    title: "a write confirms with a token, which reads all of it",
    run: async ({ fetch }) => {
      const structure = async (args: object) => {
        const [answer] = await readAnswers(await fetch(callRequest("write_rows", args)));
        return answer?.result?.structuredContent as Record<string, unknown>;
      };
      const { accepted, data_size, continuation_token } = await structure({});
      assertSame([accepted, data_size], [2, 51]);
      const { items } = await structure({ continuation_token, page: 1 });
      assertSame(items, [{ id: 1, note: "é😀" }, { id: 2, note: "é😀" }]);
    },
  },
  {
    title: "line separators survive and are escaped on the wire",
    run: async ({ fetch }) => {
      const response = await fetch(callRequest("echo", { text: "a\u2028\u2029\u0085b\0é😀" }));
      const text = await response.text();
      assertSame(/[\u2028\u2029\u0085]/.test(text), false);
      assertSame(JSON.parse(text).result.content[0].text, "a\u2028\u2029\u0085b\0é😀");
    },
  },
  {
    title: "a lone surrogate comes back as a replacement character",
    run: async ({ fetch }) => {
      assertSame(
        await readText(await fetch(callRequest("echo", { text: "a\ud800b" }))),
        "a\ufffdb",
      );
    },
  },
  {
    title: "wrong arguments are told all at once",
    run: async ({ fetch }) => {
      const args = { id: "x", status: "no", day: "1", extra: 1 };
      assertSame(await readProblems(await fetch(callRequest("declare", args))), {
        extra: ["Unknown argument."],
        id: ["Enter a whole number."],
        status: ['Select a valid choice: "open", "paid".'],
        day: ["Enter a valid date."],
      });
    },
  },
  {
    title: "an unknown tool is -32602",
    run: async ({ fetch }) => {
      for (const name of ["missing", "__proto__", "constructor", "toString"]) {
        const [answer] = await readAnswers(await fetch(callRequest(name)));
        assertSame(answer?.error, { code: -32602, message: `Unknown tool: "${name}"` });
      }
    },
  },
  {
    title: "an unknown method is -32601 on HTTP 404",
    run: async ({ fetch }) => {
      for (const method of ["missing", "__proto__", "constructor"]) {
        const response = await fetch(methodRequest(method, {}));
        const [answer] = await readAnswers(response);
        assertSame([response.status, answer?.error?.code], [404, -32601]);
      }
    },
  },
  {
    title: "a fault is masked as -32603 on HTTP 500",
    run: async ({ fetch }) => {
      for (const how of ["throw", "null", "bigint", "cycle"]) {
        const response = await fetch(callRequest("break", { how }));
        const [answer] = await readAnswers(response);
        assertSame([response.status, answer?.error?.code, answer?.error?.message], [
          500,
          -32603,
          "Internal error",
        ]);
        assertSame(Object.keys(answer?.error?.data ?? {}), ["reference"]);
      }
    },
  },
];
