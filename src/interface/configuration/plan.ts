/** What has to be done so that the configuration is as a document wants it. */

import { turn } from '../../lib/pace.ts';
import { problem } from '../../lib/problem.ts';
import type { ConfigurationComplaint } from '../../lib/problem-kinds/kind.ts';
import { changedNames, type FieldChange, fieldChanges } from './differences.ts';
import { type ConfigurationDocument, type DocumentResource, namesOf, segmentsOf } from './document.ts';
import { type Fields, isObject } from './fields.ts';
import { filteredInTurns, sortedInTurns } from './in-turns.ts';
import type { ConfigurationKind, WantedResource } from './kind.ts';
import { isKept } from './operations.ts';
import { isInScope, type Scope } from './scope.ts';
import type { ToldConfiguration, ToldResource } from './tell.ts';

export type Mode = 'merge' | 'mirror';

interface StepBase {
  readonly row: ConfigurationKind;
  readonly path: string;
}

export type Step =
  | (StepBase & { readonly action: 'create'; readonly wanted: WantedResource })
  | (StepBase & {
      readonly action: 'update';
      /** With all fields that it will have. */
      readonly wanted: WantedResource;
      readonly former: Fields;
      readonly changed: ReadonlySet<string>;
      readonly changes: readonly FieldChange[];
    })
  | (StepBase & {
      readonly action: 'delete';
      readonly names: WantedResource['names'];
      readonly former: Fields;
    });

export interface Plan {
  readonly mode: Mode;
  /** Of the configuration as it is, within the scope. */
  readonly hash: string;
  /** In an order in which they can be done. */
  readonly steps: readonly Step[];
  readonly summary: {
    readonly create: number;
    readonly update: number;
    readonly delete: number;
    /** Resources of the document that stay as they are. */
    readonly unchanged: number;
  };
}

export interface PlanOptions {
  readonly mode: Mode;
  /** Whether secrets of the document are already what they should be: nobody can tell by looking. */
  readonly secrets?: 'given' | 'done';
}

/** `told` is the configuration within the scope. Throws what the document has that is nowhere known. */
export async function planFor(
  kinds: readonly ConfigurationKind[],
  told: ToldConfiguration,
  document: ConfigurationDocument,
  { scope, ...options }: PlanOptions & { readonly scope: Scope },
): Promise<Plan> {
  await refuseOutside(document, scope);
  const { making, removing } = await stepsFor(kinds, told.resources, document, options);
  const steps = [...making, ...removing];
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  return {
    mode: options.mode,
    hash: told.hash,
    steps,
    summary: {
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      unchanged: document.resources.size - making.length,
    },
  };
}

/** What leads from what is there to a document, in an order in which it can be done: first `making`, then `removing`. */
export async function stepsFor(
  kinds: readonly ConfigurationKind[],
  told: readonly ToldResource[],
  document: Pick<ConfigurationDocument, 'resources'>,
  { mode, secrets = 'given' }: PlanOptions,
): Promise<{ readonly making: readonly Step[]; readonly removing: readonly Step[] }> {
  const making: Step[] = [];
  const removing: Step[] = [];
  const rows = new Map(kinds.map((row) => [row.kind, row]));
  const order = new Map(kinds.map((row, index) => [row.kind, index]));
  const found = new Set<string>();
  for (const resource of told) {
    const wanted = document.resources.get(resource.path);
    if (wanted !== undefined) {
      found.add(resource.path);
      making.push(...stepTo(wanted, resource, mode, secrets));
    } else if (mode === 'mirror') {
      const row = rows.get(resource.kind);
      removing.push(...(row === undefined ? [] : stepAway(row, resource)));
    }
    const others = turn();
    if (others !== undefined) {
      await others;
    }
  }
  if (found.size < document.resources.size) {
    for (const { row, path, names, fields } of missing(document, found)) {
      making.push({ action: 'create', row, path, wanted: { path, names, fields } });
      const others = turn();
      if (others !== undefined) {
        await others;
      }
    }
  }
  return { making: await inOrder(making, order), removing: (await inOrder(removing, order)).toReversed() };
}

/** The resources of a document that are not there yet. */
function* missing(
  { resources }: Pick<ConfigurationDocument, 'resources'>,
  found: ReadonlySet<string>,
): Generator<DocumentResource> {
  for (const resource of resources.values()) {
    if (!found.has(resource.path)) {
      yield resource;
    }
  }
}

async function refuseOutside({ resources }: ConfigurationDocument, scope: Scope): Promise<void> {
  if (scope.paths.length === 0 && scope.kinds.length === 0) {
    return;
  }
  const outside = await filteredInTurns(resources.values(), ({ row, path }) => !isInScope(scope, row.kind, path));
  const [first] = outside;
  if (first !== undefined) {
    const { paths, kinds } = scope;
    throw problem('outside-scope', { path: first.path, total: outside.length, scope: paths, kinds });
  }
}

export function invalid(errors: readonly ConfigurationComplaint[]) {
  return problem('configuration-invalid', { errors, members: { errors } });
}

function stepTo(
  wanted: DocumentResource,
  present: ToldResource,
  mode: Mode,
  secrets: PlanOptions['secrets'],
): readonly Step[] {
  // Most of a document is as it was told.
  if (wanted.written.isSame(present.printed)) {
    return [];
  }
  const { row, path, names, fields } = wanted;
  const former = JSON.parse(present.fields) as Fields;
  const defaults = row.defaultsFor?.({ path, names }) ?? row.defaults;
  const wished: Fields = mode === 'mirror' ? { ...defaultsOf(former, defaults), ...fields } : fields;
  const given = row.settle?.(former, wished) ?? wished;
  if (changedNames(former, given).size === 0) {
    return [];
  }
  return updateOf(row, { path, names, fields: leavingSecrets(former, { ...former, ...given }, secrets) }, former);
}

function updateOf(row: ConfigurationKind, wanted: WantedResource, former: Fields): readonly Step[] {
  const changed = changedNames(former, wanted.fields);
  if (changed.size === 0) {
    return [];
  }
  const changes = fieldChanges(former, wanted.fields, row.secrets ?? []);
  return [{ action: 'update', row, path: wanted.path, wanted, former, changed, changes }];
}

/** A secret that is kept, or that nobody speaks of, stays what it is: there is no request that takes one away alone. */
function leavingSecrets(former: Fields, wanted: Fields, secrets: PlanOptions['secrets']): Fields {
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => {
      const was = former[name] ?? null;
      if (isKept(value) || (secrets === 'done' && isKept(was))) {
        return [name, was];
      }
      return [name, isObject(value) && isObject(was) ? leavingSecretsIn(was, value, secrets) : value];
    }),
  );
}

function leavingSecretsIn(former: Fields, wanted: Fields, secrets: PlanOptions['secrets']): Fields {
  const kept = Object.entries(former).filter(
    ([name, value]) => isKept(value) && (secrets === 'done' || !(name in wanted)),
  );
  const others = Object.entries(wanted).filter(([name, value]) => !isKept(value) || name in former);
  return Object.fromEntries([...others, ...kept]);
}

/** Of the fields that are there: what is worked out from data stays. */
function defaultsOf(former: Fields, defaults: Fields): Fields {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => name in former));
}

function stepAway(row: ConfigurationKind, { path, fields }: ToldResource): readonly Step[] {
  const names = namesOf(row, segmentsOf(path) ?? []) ?? {};
  const former = JSON.parse(fields) as Fields;
  if (row.isLasting) {
    const defaults = row.defaultsFor?.({ path, names }) ?? row.defaults;
    return updateOf(row, { path, names, fields: { ...former, ...defaults } }, former);
  }
  return [{ action: 'delete', row, path, names, former }];
}

/** By kind, as things are made, and then by path. */
function inOrder(steps: readonly Step[], order: ReadonlyMap<string, number>): Promise<readonly Step[]> {
  const place = ({ row }: Step) => order.get(row.kind) ?? 0;
  return sortedInTurns(steps, (a, b) => (place(a) === place(b) ? a.path < b.path : place(a) < place(b)));
}

/** A step as clients read it. */
export function printStep(step: Step): string {
  const { action, path, row } = step;
  return JSON.stringify({
    action,
    kind: row.kind,
    path,
    ...(step.action === 'update' ? { changes: step.changes } : {}),
  });
}

/** All of a plan that stands before its steps; `change` is its number, once it is made. */
export function planHead(
  { mode, hash, summary }: Omit<Plan, 'steps'>,
  position: number,
  change: number | null,
): string {
  return `${JSON.stringify({ mode, position, hash, change, summary }).slice(0, -1)},"steps":[`;
}

/** The whole plan as one text; `steps` are its printed steps. */
export function printPlan(plan: Omit<Plan, 'steps'>, steps: string, position: number, change: number | null): string {
  return `${planHead(plan, position, change)}${steps}]}`;
}
