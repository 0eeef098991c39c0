import { server } from "./fixture.ts";
import { suite } from "./suite.ts";

for (const { title, run } of suite) {
  Deno.test(`server.fetch: ${title}`, async () => {
    await run({
      fetch: (init) => server.fetch(new Request("http://127.0.0.1/mcp", init)),
      hasSocket: false,
    });
  });
}
