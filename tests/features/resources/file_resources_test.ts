/** A folder as resources (B20). */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  fileResources,
  type FileResourcesOptions,
  type FileSource,
  McpServer,
  unrestricted,
} from "@limen/mcp";
import { nodeFiles } from "@limen/mcp/node/files";
import { askServer } from "../../_support/ask_server.ts";

/** Makes a folder of files, and removes it. */
async function withFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  run: (root: string, outside: string) => Promise<void>,
): Promise<void> {
  const outside = Deno.makeTempDirSync();
  const root = `${outside}/root`;
  try {
    Deno.mkdirSync(root);
    for (const [path, content] of Object.entries(files)) {
      const at = `${root}/${path}`;
      Deno.mkdirSync(at.slice(0, at.lastIndexOf("/")), { recursive: true });
      Deno.writeFileSync(
        at,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
    }
    await run(root, outside);
  } finally {
    Deno.removeSync(outside, { recursive: true });
  }
}

function serve(files: FileSource, options: Partial<FileResourcesOptions> = {}) {
  const server = new McpServer({ name: "s", version: "1", log: () => {} });
  const folder = fileResources(server, {
    files,
    baseUri: "docs:///",
    permissions: [unrestricted],
    ...options,
  });
  return { server, folder };
}

async function read(server: McpServer, path: string) {
  const { message } = await askServer(server, "resources/read", { uri: `docs:///${path}` });
  if (message.error !== undefined) return message.error.code;
  const { uri: _, ...contents } = message.result.contents[0];
  return contents;
}

async function list(server: McpServer) {
  const { message } = await askServer(server, "resources/list");
  return message.result.resources;
}

const bytes = new Uint8Array([0, 255, 1]);
const FILES = {
  "a.md": "# Hello",
  "sub/b c.json": "{}",
  "sub/deep/p.png": bytes,
  "LICENSE": "MIT",
  "broken.txt": new Uint8Array([255, 254]),
  ".env": "SECRET=1",
  ".git/config": "secret",
};

Deno.test("fileResources() serves text as text and the rest as bytes", async () => {
  await withFolder(FILES, async (root) => {
    const { server } = serve(nodeFiles(root));
    assertEquals(await read(server, "a.md"), { mimeType: "text/markdown", text: "# Hello" });
    assertEquals(await read(server, "sub/b%20c.json"), {
      mimeType: "application/json",
      text: "{}",
    });
    assertEquals(await read(server, "sub/deep/p.png"), { mimeType: "image/png", blob: "AP8B" });
    assertEquals(await read(server, "LICENSE"), { mimeType: "text/plain", text: "MIT" });
    assertEquals(await read(server, "broken.txt"), { mimeType: "text/plain", blob: "//4=" });
  });
});

const ABSENT = [
  "none.md",
  "sub",
  "sub/",
  "a.md/b",
  "/etc/passwd",
  "../outside.txt",
  "sub/../../outside.txt",
  "%2e%2e/outside.txt",
  "..%2foutside.txt",
  "sub/%2e%2e/a.md",
  "..%5coutside.txt",
  "a.md%00",
  ".env",
  ".git/config",
  "sub//deep/p.png",
  "x".repeat(5000),
];

for (const path of ABSENT) {
  Deno.test(`fileResources() does not serve ${path.slice(0, 40)}`, async () => {
    await withFolder(FILES, async (root, outside) => {
      Deno.writeTextFileSync(`${outside}/outside.txt`, "outside");
      assertEquals(await read(serve(nodeFiles(root)).server, path), -32602);
    });
  });
}

Deno.test("fileResources() follows a link that stays inside, and none that leaves", async () => {
  await withFolder(FILES, async (root, outside) => {
    Deno.writeTextFileSync(`${outside}/outside.txt`, "outside");
    Deno.mkdirSync(`${outside}/root-not`);
    Deno.writeTextFileSync(`${outside}/root-not/c.txt`, "outside");
    Deno.symlinkSync(`${root}/a.md`, `${root}/inside.md`);
    Deno.symlinkSync(`${outside}/outside.txt`, `${root}/leaves.txt`);
    Deno.symlinkSync(outside, `${root}/up`);
    Deno.symlinkSync(`${outside}/root-not`, `${root}/sibling`);
    Deno.symlinkSync(`${root}/.env`, `${root}/hidden.txt`);
    Deno.symlinkSync(`${root}/loop`, `${root}/loop`);
    const { server, folder } = serve(nodeFiles(root));
    assertEquals((await read(server, "inside.md")).text, "# Hello");
    for (const path of ["leaves.txt", "up/outside.txt", "sibling/c.txt", "hidden.txt", "loop"]) {
      assertEquals(await read(server, path), -32602, path);
    }
    await folder.refresh();
    const listed = (await list(server)).map(({ name }: { name: string }) => name);
    assertEquals(listed, ["LICENSE", "a.md", "broken.txt", "sub/b c.json", "sub/deep/p.png"]);
  });
});

Deno.test("fileResources() serves a folder that is a link itself", async () => {
  await withFolder(FILES, async (root, outside) => {
    Deno.symlinkSync(root, `${outside}/link`);
    assertEquals((await read(serve(nodeFiles(`${outside}/link`)).server, "a.md")).text, "# Hello");
  });
});

Deno.test("fileResources() compares where an open file really is, whatever its name said", async () => {
  let closed = 0;
  const at = (realPath: string): FileSource => ({
    list: async function* () {},
    open: () =>
      Promise.resolve({
        realPath,
        size: 2,
        read: () => Promise.resolve(new TextEncoder().encode("hi")),
        close: () => {
          closed++;
          return Promise.resolve();
        },
      }),
  });
  for (const realPath of ["../x", "..", "", "/etc/passwd", "C:\\x", ".env", "a/../../x"]) {
    assertEquals(await read(serve(at(realPath)).server, "a.md"), -32602, realPath);
  }
  assertEquals((await read(serve(at("b.md")).server, "a.md")).text, "hi");
  assertEquals(closed, 8);
});

Deno.test("fileResources() lists what is there, and follows what changes", async () => {
  await withFolder(FILES, async (root) => {
    const { server, folder } = serve(nodeFiles(root));
    assertEquals(await list(server), []);
    await Promise.all([folder.refresh(), folder.refresh()]);
    assertEquals((await list(server))[1], {
      uri: "docs:///a.md",
      name: "a.md",
      mimeType: "text/markdown",
      size: 7,
    });
    assertEquals((await list(server))[3].uri, "docs:///sub/b%20c.json");
    Deno.removeSync(`${root}/LICENSE`);
    Deno.writeTextFileSync(`${root}/a.md`, "# Hello again");
    Deno.writeTextFileSync(`${root}/new.md`, "");
    await folder.refresh();
    const listed = (await list(server)).map(({ name, size }: { name: string; size: number }) =>
      `${name} ${size}`
    );
    assertEquals(listed, [
      "broken.txt 2",
      "sub/b c.json 2",
      "sub/deep/p.png 3",
      "a.md 13",
      "new.md 0",
    ]);
    for (const { uri } of await list(server)) {
      const { message } = await askServer(server, "resources/read", { uri });
      assertEquals(message.result.contents[0].uri, uri);
    }
    folder.remove();
    assertEquals((await askServer(server, "resources/list")).status, 404);
  });
});

Deno.test("fileResources() lists its template, and completes paths", async () => {
  await withFolder(FILES, async (root) => {
    const { server } = serve(nodeFiles(root), { name: "docs", title: "Docs" });
    const { message } = await askServer(server, "resources/templates/list");
    assertEquals(message.result.resourceTemplates, [
      { uriTemplate: "docs:///{+path}", name: "docs", title: "Docs" },
    ]);
    const answer = await askServer(server, "completion/complete", {
      ref: { type: "ref/resource", uri: "docs:///{+path}" },
      argument: { name: "path", value: "sub/" },
    });
    assertEquals(answer.message.result.completion.values, ["sub/b c.json", "sub/deep/p.png"]);
  });
});

Deno.test("fileResources() stops at its ceilings, and serves what it is told to", async () => {
  await withFolder(FILES, async (root) => {
    const { server, folder } = serve(nodeFiles(root), {
      maxFileBytes: 3,
      maxListed: 1,
      include: (path) => path !== "LICENSE" && path !== "sub",
    });
    await folder.refresh();
    assertEquals((await list(server)).map(({ name }: { name: string }) => name), [".env"]);
    assertEquals(await read(server, "a.md"), -32603); // 7 bytes
    assertEquals(await read(server, "LICENSE"), -32602);
    assertEquals(await read(server, "sub/deep/p.png"), -32602);
  });
});

Deno.test("fileResources() refuses what gives no access, and an open folder by default", () => {
  const server = new McpServer({ name: "s", version: "1" });
  const add = (options: object) => () =>
    fileResources(server, { baseUri: "docs:///", ...options } as FileResourcesOptions);
  const permissions = [unrestricted];
  assertThrows(add({ permissions }), ConfigurationError, "files must give access to a folder");
  assertThrows(add({ files: nodeFiles("."), permissions: [] }), ConfigurationError, "permissions");
  assertThrows(
    add({ files: nodeFiles("."), permissions, baseUri: "docs" }),
    ConfigurationError,
    "uri must begin with a scheme",
  );
});

Deno.test("nodeFiles() does not wait for a pipe", async () => {
  await withFolder({}, async (root) => {
    const { success } = await new Deno.Command("mkfifo", { args: [`${root}/pipe.txt`] }).output();
    assert(success);
    assertEquals(await read(serve(nodeFiles(root)).server, "pipe.txt"), -32602);
  });
});
