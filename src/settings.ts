import { renderConventions, type RenderedConventions } from "./features/conventions.ts";
import { readTaskOptions } from "./features/tasks/task_options.ts";
import { checkIcons } from "./features/check_icons.ts";
import type { Log } from "./ports/log_event.ts";
import { ConfigurationError } from "./ports/configuration_error.ts";
import { findStray } from "./ports/find_stray.ts";
import { systemClock } from "./ports/system_clock.ts";
import type { ServerOptions } from "./settings/server_options.ts";

type Defaulted =
  | "allowedOrigins"
  | "bodyTimeoutMs"
  | "catalogTtlMs"
  | "clock"
  | "dispatchTimeoutMs"
  | "dynamicCatalogue"
  | "faults"
  | "filterListings"
  | "includeOutputSchema"
  | "includeStructuredContent"
  | "includeValidationValue"
  | "keepAliveMs"
  | "leanWrites"
  | "log"
  | "logLevel"
  | "maxBodyBytes"
  | "maxPageSize"
  | "maxProgressReports"
  | "maxResultBytes"
  | "maxStreams"
  | "maxStreamsPerCaller"
  | "maxSubscriptions"
  | "maxSubscriptionsPerCaller"
  | "pageSize"
  | "probeAboveBytes"
  | "requireListPagination"
  | "requireToolDescriptions"
  | "requireToolPermissions"
  | "resourceTtlMs"
  | "sessionIdleTtlMs"
  | "sessionMaxAgeMs"
  | "streamAfterMs"
  | "streamMaxAgeMs"
  | "streaming"
  | "subscriptionMaxAgeMs"
  | "strictAccept"
  | "trustedProxies";

const DEFAULTS: Required<Pick<ServerOptions, Defaulted>> = {
  pageSize: 100,
  sessionMaxAgeMs: 7 * 24 * 60 * 60 * 1000,
  sessionIdleTtlMs: 24 * 60 * 60 * 1000,
  maxStreams: 100,
  maxStreamsPerCaller: 2,
  streamMaxAgeMs: 60 * 60 * 1000,
  maxSubscriptions: 100,
  maxSubscriptionsPerCaller: 5,
  subscriptionMaxAgeMs: 60 * 60 * 1000,
  catalogTtlMs: 60_000,
  resourceTtlMs: 0,
  dynamicCatalogue: false,
  maxBodyBytes: 1 << 20,
  bodyTimeoutMs: 10_000,
  maxResultBytes: 5 << 20,
  maxPageSize: 100,
  leanWrites: true,
  probeAboveBytes: 25_000,
  dispatchTimeoutMs: 60_000,
  includeStructuredContent: true,
  includeOutputSchema: true,
  requireToolPermissions: true,
  requireToolDescriptions: false,
  requireListPagination: false,
  filterListings: false,
  maxProgressReports: 1000,
  includeValidationValue: false,
  strictAccept: false,
  streaming: "auto",
  streamAfterMs: 5000,
  keepAliveMs: 8000,
  trustedProxies: 0,
  faults: "rpcError",
  allowedOrigins: [],
  clock: systemClock,
  log: logToConsole,
  logLevel: "warning",
};

/** What the options without a default must be; `"anything"` is checked where it is read. */
const REST: Readonly<Record<Exclude<keyof ServerOptions, Defaulted>, Kind>> = {
  allowedHosts: "list of texts",
  around: "list of functions",
  audit: "function",
  auth: "object",
  broker: "object",
  continuationTool: "text",
  continuations: "object",
  conventions: "object",
  description: "text",
  executor: "object",
  host: "function",
  icons: "anything",
  implies: "object",
  instructions: "text",
  limits: "object",
  name: "text",
  partition: "function",
  publicUrl: "text",
  replay: "object",
  requestState: "object",
  resourceMetadata: "object",
  restoreCaller: "function",
  secret: "anything",
  seeds: "object",
  sessions: "text",
  stores: "object",
  tasks: "object",
  title: "text",
  transaction: "function",
  translateError: "function",
  version: "text",
  websiteUrl: "text",
};

type Kind = keyof typeof KINDS;

const KINDS = {
  anything: () => true,
  function: (value: unknown) => typeof value === "function",
  "list of functions": (value: unknown) => isListOf("function", value),
  "list of texts": (value: unknown) => isListOf("string", value),
  object: isObject,
  text: (value: unknown) => typeof value === "string",
};

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(type: string, value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === type);
}

/** The options with every default filled in. */
export type Settings =
  & Omit<ServerOptions, "conventions">
  & Required<Pick<ServerOptions, Defaulted>>
  & { readonly conventions: RenderedConventions };

/**
 * Checks options and fills in the defaults.
 *
 * @throws {ConfigurationError} when an option is unknown or out of range, naming it.
 */
export function readSettings(options: ServerOptions): Settings {
  const known = [...Object.keys(DEFAULTS), ...Object.keys(REST)];
  const stray = findStray(options, known, "an option");
  if (stray !== undefined) throw new ConfigurationError(`Cannot create server: option ${stray}`);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [key, value] of given) checkKind(key, value);
  const settings: Settings = {
    ...DEFAULTS,
    ...Object.fromEntries(given) as object as ServerOptions,
    conventions: renderConventions(options.conventions),
  };
  for (const key of ["name", "version"] as const) {
    if (typeof settings[key] !== "string" || settings[key] === "") {
      throw invalid(key, "must be a text that is not empty");
    }
  }
  for (const [key, value] of Object.entries(settings)) {
    if (typeof value === "number" && !(Number.isSafeInteger(value) && value >= minimum(key))) {
      throw invalid(key, `must be an integer of at least ${minimum(key)}`);
    }
  }
  if (typeof settings.clock?.now !== "function") throw invalid("clock", "must have a method now");
  checkIcons(settings.icons, "Cannot create server");
  if (settings.publicUrl !== undefined && !/^https?:\/\/./.test(settings.publicUrl)) {
    throw invalid("publicUrl", "must be an http or https URL");
  }
  if (settings.sessions === "sealed" && settings.secret === undefined) {
    throw invalid("sessions", 'is "sealed", which needs a secret of at least 32 bytes');
  }
  checkReplay(settings);
  checkTasks(settings);
  return Object.freeze(settings);
}

function checkReplay({ replay, broker }: Pick<ServerOptions, "broker" | "replay">): void {
  if (replay === undefined) return;
  if (broker === undefined) throw invalid("replay", "needs the option broker");
  for (const bound of [replay.maxEvents ?? 1, replay.maxLength ?? 1]) {
    if (!(Number.isSafeInteger(bound) && bound >= 1)) {
      throw invalid("replay", "must hold integers of at least 1");
    }
  }
}

/** Records in a store that others may write to are sealed, and any process must open them (B5). */
function checkTasks(
  { executor, tasks, stores, secret }: Pick<Settings, "executor" | "secret" | "stores" | "tasks">,
): void {
  readTaskOptions(tasks);
  if (executor === undefined) return;
  if (typeof executor.enqueue !== "function") throw invalid("executor", "must have enqueue()");
  if (stores !== undefined && secret === undefined) {
    throw invalid("executor", "beside stores needs a secret of at least 32 bytes");
  }
}

const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  faults: ["rpcError", "toolError"],
  logLevel: ["debug", "info", "warning", "error"],
  sessions: ["sealed", "stored", "none"],
  streaming: ["auto", "never"],
};

/** Bounds that `null` lifts. */
const LIFTED: ReadonlySet<string> = new Set([
  "dispatchTimeoutMs",
  "maxPageSize",
  "maxResultBytes",
  "probeAboveBytes",
  "maxSubscriptions",
  "subscriptionMaxAgeMs",
]);

/** A method by which an option shows what it is, and what takes a function that makes it later. */
const ABLE: Readonly<Record<string, { readonly method: string; readonly late?: string }>> = {
  auth: { method: "authenticate", late: "lateAuth" },
  broker: { method: "subscribe" },
  stores: { method: "compareAndSet", late: "lateStore" },
};

/** An option has the type of its default, or is of its kind. */
function checkKind(key: string, value: unknown): void {
  const choices = Object.hasOwn(CHOICES, key) ? CHOICES[key] : undefined;
  if (choices !== undefined && !choices.includes(value)) {
    throw invalid(key, `must be one of ${choices.join(", ")}`);
  }
  if (value === null && LIFTED.has(key)) return;
  if (!Object.hasOwn(DEFAULTS, key)) {
    const kind = REST[key as keyof typeof REST];
    const able = Object.hasOwn(ABLE, key) ? ABLE[key] : undefined;
    if (able !== undefined) checkAbility(key, value, able);
    if (KINDS[kind](value)) return;
    throw invalid(key, `must be ${kind === "object" ? "an" : "a"} ${kind}`);
  }
  const standard = DEFAULTS[key as Defaulted];
  if (typeof value !== typeof standard || Array.isArray(value) !== Array.isArray(standard)) {
    throw invalid(key, `must be a ${Array.isArray(standard) ? "list" : typeof standard}`);
  }
}

function checkAbility(
  key: string,
  value: unknown,
  { method, late }: NonNullable<(typeof ABLE)[string]>,
): void {
  const methods = isObject(value) ? value as Readonly<Record<string, unknown>> : {};
  if (typeof methods[method] === "function") return;
  const way = late !== undefined && typeof value === "function"
    ? `; ${late}() takes a function that makes it with the first request`
    : "";
  throw invalid(key, `must be an object with ${method}()${way}`);
}

const MAY_BE_ZERO = ["catalogTtlMs", "resourceTtlMs", "streamAfterMs", "trustedProxies"];

function minimum(key: string): number {
  return MAY_BE_ZERO.includes(key) ? 0 : 1;
}

function invalid(key: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create server: option ${key} ${problem}`);
}

const CONSOLE = { debug: "debug", info: "info", warning: "warn", error: "error" } as const;

function logToConsole({ level, event, message, fields, cause }: Parameters<Log>[0]): void {
  const details = fields === undefined ? "" : ` ${JSON.stringify(fields)}`;
  const line = `[limen] ${event}: ${message}${details}`;
  console[CONSOLE[level]](...(cause === undefined ? [line] : [line, cause]));
}
