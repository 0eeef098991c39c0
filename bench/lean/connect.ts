/** Room for the largest answer. */
const MAX_ANSWER_BYTES = 4 << 20;

/** One connection to a server, which stays open. */
export interface Connection {
  /** Sends the request, and gives back the message of the answer, parsed as every client must. */
  readonly call: () => Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Connects a client that does nothing but send one request and parse its answer: what is left of a
 * call's cost is the server's and the wire's.
 *
 * @param port Where the server listens, on this machine.
 * @param request What is sent, again and again.
 */
export async function connect(port: number, request: Request): Promise<Connection> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  socket.setNoDelay(true);
  const message = await writeMessage(request);
  const answer = new Uint8Array(MAX_ANSWER_BYTES);
  const decoder = new TextDecoder();
  return {
    call: async () => {
      for (let sent = 0; sent < message.length;) sent += await socket.write(message.subarray(sent));
      let length = 0;
      let body: { readonly start: number; readonly end: number } | undefined;
      while (body === undefined || length < body.end) {
        const read = await socket.read(answer.subarray(length));
        if (read === null) throw new Error("The server closed the connection");
        length += read;
        body ??= findBody(decoder.decode(answer.subarray(0, Math.min(length, 2000))));
      }
      return JSON.parse(decoder.decode(answer.subarray(body.start, body.end)));
    },
  };
}

async function writeMessage(request: Request): Promise<Uint8Array> {
  const { pathname, host } = new URL(request.url);
  const head = [
    `${request.method} ${pathname} HTTP/1.1`,
    `host: ${host}`,
    ...[...request.headers].map(([name, value]) => `${name}: ${value}`),
  ];
  return new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${await request.text()}`);
}

/** Where the body is, once the whole head is there; heads are ASCII. */
function findBody(text: string): { readonly start: number; readonly end: number } | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const [, length] = /^content-length: (\d+)/im.exec(text.slice(0, head)) ?? [];
  if (length === undefined) throw new Error(`No length: ${text.slice(0, head)}`);
  return { start: head + 4, end: head + 4 + Number(length) };
}
