/**
 * Access to a folder through `node:fs`, for `fileResources()`: on Node, Deno and Bun.
 *
 * What goes in is the folder; what comes out lists and opens the files below it. It decides nothing
 * about what may be served: it tells where an open file really is, and `fileResources()` compares.
 *
 * @example
 * ```ts
 * import { nodeFiles } from "@limen/mcp/node/files";
 * import { assertEquals } from "@std/assert";
 *
 * const files = nodeFiles("src/ports");
 * const file = await files.open("clock.ts");
 * assertEquals(file?.realPath, "clock.ts");
 * await file?.close();
 * ```
 *
 * @module
 */
import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileSource, ListedFile, OpenFile } from "./features/resources/file_source.ts";

export type { FileSource, ListedFile, OpenFile };

/**
 * Gives access to the files below a folder.
 *
 * @param root The folder: a path, or a `file:` URL.
 * @returns Access to it; nothing is read before it is used.
 *
 * @example
 * ```ts
 * import { nodeFiles } from "@limen/mcp/node/files";
 *
 * const files = nodeFiles(new URL("./docs", import.meta.url));
 * ```
 */
export function nodeFiles(root: string | URL): FileSource {
  const folder = resolve(typeof root === "string" ? root : fileURLToPath(root));
  return {
    list: (isServed) => listBelow(folder, "", isServed),
    open: (path) => openBelow(folder, path),
  };
}

async function* listBelow(
  root: string,
  below: string,
  isServed: (path: string) => boolean,
): AsyncIterable<ListedFile> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (!isServed(path)) continue;
    if (entry.isDirectory()) yield* listBelow(root, path, isServed);
    else if (entry.isFile()) {
      const { size } = await stat(join(root, path));
      yield { path, size };
    }
  }
}

/** Does not wait for a writer where the path is a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

async function openBelow(root: string, path: string): Promise<OpenFile | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(join(root, path), FLAGS);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
  try {
    const file = await describe(root, path, handle);
    if (file !== undefined) return file;
  } catch (error) {
    await handle.close();
    if (isAbsence(error)) return undefined;
    throw error;
  }
  await handle.close();
  return undefined;
}

async function describe(
  root: string,
  path: string,
  handle: FileHandle,
): Promise<OpenFile | undefined> {
  const opened = await handle.stat();
  if (!opened.isFile()) return undefined;
  const real = await realpath(join(root, path));
  const named = await stat(real);
  // Somebody swapped the name for another while it was opened.
  if (named.ino !== opened.ino || named.dev !== opened.dev) return undefined;
  return {
    realPath: relative(await realpath(root), real).replaceAll(sep, "/"),
    size: opened.size,
    read: () => readBytes(handle, opened.size),
    close: () => handle.close(),
  };
}

/** Reads no further than the size that was told, if the file grows meanwhile. */
async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EISDIR", "ENXIO"].includes(String(code));
}
