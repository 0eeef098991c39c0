import type { PermissionCheck } from "../../kernel/permission_check.ts";
import type { NoSeeds } from "../../kernel/pool.ts";
import type { SelectorSpec } from "../../kernel/spec.ts";
import { selectorSpec } from "../../kernel/specs_for.ts";
import { ServiceError } from "../../kernel/service_error.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { Principal } from "../../ports/principal.ts";
import { param } from "../../schema/param.ts";
import type { Parameters } from "../../schema/parameter.ts";
import type { Registration } from "../registry.ts";
import { fileContents } from "./file_contents.ts";
import type { FileSource, OpenFile } from "./file_source.ts";
import { mediaTypeOf } from "./media_type_of.ts";
import type { ResourceContents } from "./resource_contents.ts";
import type { ResourceOptions } from "./resource_options.ts";

/** Where files are served: a server. */
export interface ResourceHost<User extends Principal = Principal> {
  /** Serves a spec as a resource. */
  registerResource(
    spec: SelectorSpec<User, NoSeeds, "retrieve">,
    options: ResourceOptions<User>,
  ): Registration;
}

/** How a folder is served. */
export interface FileResourcesOptions<User extends Principal = Principal> extends
  Pick<
    ResourceOptions<User>,
    "alwaysListed" | "cacheTtlMs" | "scopes" | "title" | "description"
  > {
  /** Access to the folder, such as `nodeFiles("docs")`. */
  readonly files: FileSource;
  /** What a file's URI begins with, such as `docs:///`; its path follows. */
  readonly baseUri: string;
  /** Name of the template. Default `"files"`. */
  readonly name?: string;
  /** Who may read; all must admit. `[unrestricted]` opens it to everyone. */
  readonly permissions: readonly PermissionCheck<User>[];
  /**
   * Whether a file or a folder is served, by its path from the root; a folder that is not takes
   * with it whatever is below. Default: unless a part of the
   * path begins with a dot, where secrets such as `.env` and `.git` lie.
   */
  readonly include?: (path: string) => boolean;
  /** Size over which a file is not read, in bytes. Default 5 MiB. */
  readonly maxFileBytes?: number;
  /** How many files are listed at most. Default 1000. */
  readonly maxListed?: number;
}

/** A folder that is served. */
export interface FileResources extends Registration {
  /** Makes the list of resources match the files that there are now. */
  refresh(): Promise<void>;
}

/**
 * Serves the files of a folder as resources.
 *
 * Every file can be read from now on, by a template whose paths complete. After `refresh()` each
 * is in `resources/list` as well. A path that leaves the folder does not exist, through links
 * neither: where a file really is, is compared once it is open (B20).
 *
 * @param server Where they are served.
 * @param options Which folder, and how.
 * @throws {ConfigurationError} when an option is wrong.
 *
 * @example
 * ```ts
 * import { fileResources, McpServer, unrestricted } from "@limen/mcp";
 * import { nodeFiles } from "@limen/mcp/node/files";
 *
 * const server = new McpServer({ name: "docs", version: "1.0.0" });
 * const docs = fileResources(server, {
 *   files: nodeFiles("docs"),
 *   baseUri: "docs:///",
 *   permissions: [unrestricted],
 * });
 * const ready = () => docs.refresh(); // once at the start, and whenever files change
 * ```
 */
export function fileResources<User extends Principal>(
  server: ResourceHost<User>,
  options: FileResourcesOptions<NoInfer<User>>,
): FileResources {
  const { files, baseUri, name = "files", permissions, include = isVisible } = options;
  const { maxFileBytes = 5 << 20, maxListed = 1000, alwaysListed = false } = options;
  const { cacheTtlMs, scopes, title, description } = options;
  if (typeof files?.list !== "function" || typeof files.open !== "function") {
    throw new ConfigurationError(
      `Cannot register resource ${JSON.stringify(name)}: files must give access to a folder`,
    );
  }
  const isServed = (path: string): boolean =>
    isInside(path) && foldersOf(path).every((one) => include(one) === true);
  const shared = {
    encoding: "contents",
    alwaysListed,
    ...(cacheTtlMs === undefined ? {} : { cacheTtlMs }),
    ...(scopes === undefined ? {} : { scopes }),
  } as const;

  const template = server.registerResource(
    specOf(permissions, { path: param.string({ required: true }) }, ({ path }) => read(path!)),
    {
      ...shared,
      uri: `${baseUri}{+path}`,
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      complete: { path: ({ value }) => suggest(value) },
    },
  );

  async function read(path: string): Promise<ResourceContents | undefined> {
    if (!isServed(path)) return undefined;
    const file = await files.open(path);
    if (file === undefined) return undefined;
    try {
      return await contentsOf(path, file);
    } finally {
      await file.close();
    }
  }

  async function contentsOf(path: string, file: OpenFile): Promise<ResourceContents | undefined> {
    if (!isServed(file.realPath)) return undefined;
    if (file.size > maxFileBytes) {
      throw new ServiceError(`The file is over the ceiling of ${maxFileBytes} bytes`);
    }
    const bytes = await file.read();
    return fileContents(path, bytes);
  }

  async function* suggest(value: string): AsyncIterable<string> {
    for await (const { path } of files.list(isServed)) {
      if (path.startsWith(value)) yield path;
    }
  }

  const listed = new Map<string, { readonly size: number; readonly entry: Registration }>();

  async function follow(): Promise<void> {
    const found = new Map<string, number>();
    for await (const { path, size } of files.list(isServed)) {
      if (found.size >= maxListed) break;
      found.set(path, size);
    }
    for (const [path, { size, entry }] of listed) {
      if (found.get(path) === size) continue;
      entry.remove();
      listed.delete(path);
    }
    for (const [path, size] of found) {
      if (!listed.has(path)) listed.set(path, { size, entry: register(path, size) });
    }
  }

  function register(path: string, size: number): Registration {
    const mimeType = mediaTypeOf(path);
    return server.registerResource(specOf(permissions, {}, () => read(path)), {
      ...shared,
      uri: baseUri + path.split("/").map(encodeURIComponent).join("/"),
      name: path,
      size,
      ...(mimeType === undefined ? {} : { mimeType }),
    });
  }

  let following = Promise.resolve();
  return {
    refresh: () => following = following.then(follow, follow), // one after the other
    remove: () => {
      template.remove();
      for (const { entry } of listed.values()) entry.remove();
      listed.clear();
    },
  };
}

function specOf<User extends Principal>(
  permissions: readonly PermissionCheck<User>[],
  reads: Parameters,
  read: (args: { readonly path?: string }) => Promise<ResourceContents | undefined>,
): SelectorSpec<User, NoSeeds, "retrieve"> {
  const spec = selectorSpec({
    kind: "retrieve",
    reads,
    permissions: permissions as readonly PermissionCheck[],
    select: ({ args }) => read(args),
  });
  return spec as SelectorSpec<User, NoSeeds, "retrieve">;
}

/** Whether a path stays below its folder. */
function isInside(path: string): boolean {
  if (/[\\\0]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** A path, and the folders on the way to it. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function isVisible(path: string): boolean {
  return !path.split("/").some((part) => part.startsWith("."));
}
