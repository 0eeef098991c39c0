import { andThen, type Awaitable, isThenable } from "../ports/awaitable.ts";
import { acceptOutput } from "./accept_output.ts";
import type { SpecFields } from "./spec_fields.ts";
import { canPresentNothing } from "./describe_operation.ts";
import { firstRow } from "./find_target.ts";
import { gatherRows } from "./gather_rows.ts";
import type { Operation, Run, RunResult } from "./operation.ts";
import { DEFAULT_PAGE_SIZE, isPageable, takePage } from "./pageable.ts";
import { createSeedPool } from "./pool.ts";
import { createProjection, type RowProjection } from "./project_affordances.ts";
import { ServiceValidationError } from "./service_error.ts";

/**
 * Turns what a callable answered into what is served: a list is gathered, paged and presented row by
 * row, a missing row is told, and every row is rendered, checked and stripped.
 *
 * @throws {Error} when a row does not match `output`, or a presenter fails: the author's fault.
 */
export function presentRun(run: Run): Awaitable<RunResult> {
  const { operation } = run.prepared;
  const { spec } = operation;
  if (spec.kind === "list" || spec.many) return presentList(run);
  if (isPageable(run.value)) {
    return firstRow(run.value).then((row) => presentRun(Object.assign(run, { value: row })));
  }
  if (run.value === undefined || run.value === null) return presentNothing(run);
  if (!isRendered(operation)) return { type: "value", value: run.value, args: run.args };
  return guardShapes(run, () => {
    const row = renderRow(run, run.value, undefined);
    return andThen(row, (value): RunResult => ({ type: "value", value, args: run.args }));
  });
}

/** Nothing was found, or there is nothing to say (K-95…K-97). */
function presentNothing(run: Run): Awaitable<RunResult> {
  const { operation } = run.prepared;
  const { spec } = operation;
  if (spec.kind === "retrieve" && !spec.allowNone) return { type: "not_found" };
  if (canPresentNothing(spec) || spec.output === undefined) {
    return { type: "value", value: run.value, args: run.args, isNothing: true };
  }
  // An output may declare null as a value; what promises a row and answers none is at fault (B71).
  return andThen(
    acceptOutput(spec.output, run.value ?? null, operation.where),
    (value): RunResult => ({ type: "value", value, args: run.args }),
  );
}

async function presentList(run: Run): Promise<RunResult> {
  const { operation, extras: page } = run.prepared;
  const { spec, where, maxPageSize, isPaged } = operation;
  let rows = await gatherRows(run.value, where, isPaged || spec.extend !== undefined);
  if (spec.extend !== undefined) {
    const filters = (run.pool as { readonly filters?: unknown } | undefined)?.filters ?? {};
    const pool = { ...createSeedPool(run.prepared.context), ...run.seeds, filters };
    rows = await gatherRows(await spec.extend(rows, pool), where, isPaged);
  }
  if (!isPaged) {
    const all = isPageable(rows) ? await rows.slice(0, await rows.count()) : rows;
    return await guardShapes(
      run,
      async () => ({ type: "value", value: await renderRows(run, all), args: run.args }),
    );
  }
  const limit = (page.limit ?? DEFAULT_PAGE_SIZE) as number;
  if (page.limit !== undefined && limit > (maxPageSize ?? Infinity)) warnOfClamp(run);
  const taken = await takePage(rows, { page: (page.page ?? 1) as number, limit, maxPageSize });
  return await guardShapes(run, async () => {
    const items = await renderRows(run, taken.items);
    return { type: "value", value: { ...taken, items }, args: run.args, subject: items };
  });
}

function warnOfClamp({ prepared: { context, operation } }: Run): void {
  context.log({
    level: "warning",
    event: "page.clamped",
    message: "A caller asked for a longer page than there are",
    fields: { binding: operation.where, maxPageSize: operation.maxPageSize! },
  });
}

async function renderRows(run: Run, rows: readonly unknown[]): Promise<readonly unknown[]> {
  const { operation } = run.prepared;
  if (!isRendered(operation)) return rows;
  const projection = await createProjection(run);
  const rendered: unknown[] = [];
  for (const row of rows) {
    const value = renderRow(run, row, projection);
    rendered.push(isThenable(value) ? await value : value);
  }
  return rendered;
}

function isRendered({ spec }: Operation): boolean {
  return spec.output !== undefined || spec.present !== undefined || spec.projects !== undefined;
}

/** One row: the presenter's words, checked by `output`, shown to its audience. */
function renderRow(
  run: Run,
  row: unknown,
  projection: RowProjection | undefined,
): Awaitable<unknown> {
  const { operation } = run.prepared;
  const { spec, audience } = operation;
  const checked = andThen(
    present(run, row),
    (value) =>
      spec.output === undefined ? value : acceptOutput(spec.output, value, operation.where),
  );
  const shown = andThen(checked, (value) => audience === undefined ? value : audience.show(value));
  if (spec.projects === undefined) return shown;
  return andThen(shown, async (value) => {
    const project = projection ?? await createProjection(run);
    return { ...value as object, affordances: await project!(row) };
  });
}

function present(run: Run, row: unknown): Awaitable<unknown> {
  const { operation: { spec }, context, shapes } = run.prepared;
  if (spec.present === undefined) return row;
  return spec.present(row, { ...createSeedPool(context), ...run.seeds, shapes });
}

/** A presenter that refuses a shape the caller sent is told to the caller, anything else is a fault. */
function guardShapes(run: Run, render: () => Awaitable<RunResult>): Awaitable<RunResult> {
  if (run.prepared.operation.spec.present === undefined) return render();
  return (async () => await render())().catch((error) => refusedShape(run, error));
}

function refusedShape(run: Run, error: unknown): RunResult {
  const { operation, shapes } = run.prepared;
  const sent = sentShapes(operation.spec, shapes, operation.serverArguments);
  if (!(error instanceof ServiceValidationError) || sent.length === 0) throw error;
  return { type: "shape_refused", error, shapes: sent };
}

function sentShapes(
  spec: SpecFields,
  shapes: Readonly<Record<string, unknown>>,
  ours: ReadonlySet<string>,
): readonly string[] {
  return Object.keys(spec.shapes).filter((name) =>
    !ours.has(name) && shapes[name] !== undefined && shapes[name] !== null
  );
}
