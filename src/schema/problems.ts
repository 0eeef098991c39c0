/** Leaf: messages; branch: by argument name or index. The objects have no prototype. */
export type ProblemTree = { readonly [key: string]: ProblemTree | readonly string[] };

const MAX_PROBLEMS = 100;
const MAX_BYTES = 16 * 1024;
const MAX_DEPTH = 64;
const ABOUT_THE_NODE = "non_field_errors";

interface Node {
  readonly messages: string[];
  readonly children: Map<string, Node>;
}

/**
 * Collects what is wrong with the arguments of one call.
 *
 * It keeps at most 100 messages and 16 KiB of text, whatever the caller sent, and says in the tree
 * when more were left out.
 *
 * @example
 * ```ts
 * import { Problems } from "./problems.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const problems = new Problems();
 * problems.addMissing("id");
 * problems.add(["rows", 1, "amount"], "Expected an integer.");
 * assertEquals(
 *   JSON.stringify(problems.toTree()),
 *   '{"id":["This field is required."],"rows":{"1":{"amount":["Expected an integer."]}}}',
 * );
 * ```
 */
export class Problems {
  #root: Node | undefined;
  #missing: string[] | undefined;
  #count = 0;
  #kept = 0;
  #bytes = 0;

  /**
   * Adds a message about a place.
   *
   * @param path Names and indexes from the root; empty for the arguments as a whole.
   * @param message What is wrong, for the caller's eyes.
   */
  add(path: readonly PropertyKey[], message: string): void {
    if (this.#kept >= MAX_PROBLEMS) {
      this.#count++;
      return;
    }
    const keys = path.slice(0, MAX_DEPTH).map(String);
    if (keys.length === 0) keys.push(ABOUT_THE_NODE);
    const bytes = new TextEncoder().encode(keys.join(".") + message).length;
    const fits = this.#bytes + bytes <= MAX_BYTES;
    if (fits && !insert(this.#root ??= createNode(), keys, message)) return; // said already
    this.#count++;
    if (!fits) return;
    this.#kept++;
    this.#bytes += bytes;
  }

  /**
   * Adds a required argument that was left out.
   *
   * @param name The argument's name.
   */
  addMissing(name: string): void {
    this.add([name], "This field is required.");
    (this.#missing ??= []).push(name);
  }

  /** How many problems were added, those left out of the tree included; 0 means none. */
  get size(): number {
    return this.#count;
  }

  /** The names of the required arguments that were left out, sorted. */
  get missing(): readonly string[] {
    return this.#missing === undefined ? [] : [...this.#missing].sort();
  }

  /**
   * Builds the tree that the caller is shown.
   *
   * @returns Messages by place; a message about a place that has children sits under its
   * `non_field_errors`.
   */
  toTree(): ProblemTree {
    const root = createNode();
    for (const [key, child] of this.#root?.children ?? []) root.children.set(key, child);
    const omitted = this.#count - this.#kept;
    if (omitted > 0) {
      const about = root.children.get(ABOUT_THE_NODE);
      root.children.set(ABOUT_THE_NODE, {
        messages: [...about?.messages ?? [], `And ${omitted} more.`],
        children: about?.children ?? new Map(),
      });
    }
    return toBranch(root);
  }
}

function createNode(): Node {
  return { messages: [], children: new Map() };
}

function insert(root: Node, keys: readonly string[], message: string): boolean {
  let node = root;
  for (const key of keys) {
    let child = node.children.get(key);
    if (child === undefined) node.children.set(key, child = createNode());
    node = child;
  }
  if (node.messages.includes(message)) return false;
  node.messages.push(message);
  return true;
}

// Recursion is safe: add() bounds the depth.
function toBranch(node: Node): ProblemTree {
  const branch: Record<string, ProblemTree | readonly string[]> = Object.create(null);
  for (const [key, child] of node.children) {
    branch[key] = child.children.size === 0 ? child.messages : toBranch(child);
  }
  if (node.messages.length > 0) {
    const own = branch[ABOUT_THE_NODE];
    branch[ABOUT_THE_NODE] = Array.isArray(own) ? [...node.messages, ...own] : node.messages;
  }
  return branch;
}
