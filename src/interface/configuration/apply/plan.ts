/** Computes the steps that turn the current configuration into a document. */

import { sortCooperatively } from '../../../lib/async/sort-cooperatively.ts';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { filterCooperatively } from '../document/cooperative-lists.ts';
import { type ConfigurationDocument, type DocumentResource, findAddress } from '../document/document.ts';
import type { ExportedConfiguration, ExportedResource } from '../document/export-resources.ts';
import { isInScope, type Scope } from '../document/scope.ts';
import { type Fields, isObject } from '../model/fields.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { isKeptSecret } from '../model/operations.ts';
import { listChangedNames } from './field-changes.ts';
import { hasGivenSecret, replaceKnownSecrets, type SecretServices } from './match-secrets.ts';
import { orderSteps } from './order-steps.ts';
import { CreationStep, DeletionStep, listStepChanges, type Step, UpdateStep } from './step.ts';

export type Mode = 'merge' | 'mirror';

export interface Plan {
  readonly mode: Mode;
  /** Hash of the current configuration within the scope. */
  readonly hash: string;
  /** In executable order. */
  readonly steps: readonly Step[];
  readonly summary: {
    readonly create: number;
    readonly update: number;
    readonly delete: number;
    /** Resources of the document that are unchanged. */
    readonly unchanged: number;
  };
}

export interface PlanOptions {
  readonly mode: Mode;
  /** Compares secrets of the document with the stored ones; `done` means that they are stored already. */
  readonly secrets: SecretServices | 'done';
}

/** `exported` is the configuration within the scope. Throws if the document contains unknown fields. */
export async function createPlan(
  kinds: readonly ConfigurationKind[],
  exported: ExportedConfiguration,
  document: ConfigurationDocument,
  { scope, ...options }: PlanOptions & { readonly scope: Scope },
): Promise<Plan> {
  await checkScope(document, scope);
  const { steps, differing } = await computeSteps(kinds, exported.resources, document, options);
  const countAction = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  return {
    mode: options.mode,
    hash: exported.hash,
    steps,
    summary: {
      create: countAction('create'),
      update: countAction('update'),
      delete: countAction('delete'),
      unchanged: document.resources.size - differing,
    },
  };
}

/** The steps from the current state to a document in executable order, and how many of its resources differ. */
export async function computeSteps(
  kinds: readonly ConfigurationKind[],
  exported: readonly ExportedResource[],
  document: Pick<ConfigurationDocument, 'resources' | 'deletions'>,
  { mode, secrets }: PlanOptions,
): Promise<{ readonly steps: readonly Step[]; readonly differing: number }> {
  const making: Step[] = [];
  const removing: Step[] = [];
  const rows = new Map(kinds.map((row) => [row.kind, row]));
  const order = new Map(kinds.map((row, index) => [row.kind, index]));
  const found = new Set<string>();
  for (const resource of exported) {
    const wanted = document.resources.get(resource.path);
    if (wanted !== undefined) {
      found.add(resource.path);
      // Avoids awaiting available values: few resources have secrets.
      const steps = planUpdate(wanted, resource, mode, secrets);
      making.push(...(steps instanceof Promise ? await steps : steps));
    } else if (mode === 'mirror' || document.deletions.has(resource.path)) {
      const row = rows.get(resource.kind);
      removing.push(...(row === undefined ? [] : planRemoval(row, resource)));
    }
    const others = yieldIfDue();
    if (others !== undefined) {
      await others;
    }
  }
  if (found.size < document.resources.size) {
    for (const resource of listMissing(document, found)) {
      making.push(new CreationStep(resource));
      const others = yieldIfDue();
      if (others !== undefined) {
        await others;
      }
    }
  }
  const sorted = [...(await sortSteps(making, order)), ...(await sortSteps(removing, order)).toReversed()];
  return { steps: await orderSteps(sorted), differing: making.length };
}

/** The resources of a document that do not exist yet. */
function* listMissing(
  { resources }: Pick<ConfigurationDocument, 'resources'>,
  found: ReadonlySet<string>,
): Generator<DocumentResource> {
  for (const resource of resources.values()) {
    if (!found.has(resource.path)) {
      yield resource;
    }
  }
}

async function checkScope({ resources, deletions }: ConfigurationDocument, scope: Scope): Promise<void> {
  if (scope.paths.length === 0 && scope.kinds.length === 0) {
    return;
  }
  const deleted = Array.from(deletions, ([path, row]) => ({ row, path }));
  const outside = [
    ...(await filterCooperatively(resources.values(), ({ row, path }) => !isInScope(scope, row.kind, path))),
    ...(await filterCooperatively(deleted, ({ row, path }) => !isInScope(scope, row.kind, path))),
  ];
  const [first] = outside;
  if (first !== undefined) {
    const { paths, kinds } = scope;
    throw problem('outside-scope', { path: first.path, total: outside.length, scope: paths, kinds });
  }
}

export function createInvalidProblem(errors: readonly ConfigurationError[]) {
  return problem('configuration-invalid', { errors, members: { errors } });
}

function planUpdate(
  wanted: DocumentResource,
  present: ExportedResource,
  mode: Mode,
  secrets: PlanOptions['secrets'],
): readonly Step[] | Promise<readonly Step[]> {
  // Most resources of a document are unchanged.
  if (wanted.written.isSame(present.printed)) {
    return [];
  }
  const { row, address, fields } = wanted;
  const former = JSON.parse(present.fields) as Fields;
  const defaults = row.getDefaults?.(address) ?? row.defaults;
  const desired: Fields = mode === 'mirror' ? { ...selectDefaults(former, defaults), ...fields } : fields;
  const createStep = (settled: Fields) =>
    listChangedNames(former, settled).size === 0
      ? []
      : createUpdateStep(row, present, former, retainSecrets(former, { ...former, ...settled }, secrets));
  const planGiven = (given: Fields) =>
    secrets !== 'done' && hasGivenSecret(former, given)
      ? replaceKnownSecrets(secrets, row, address, { former, given }).then(createStep)
      : createStep(given);
  const given = row.settle?.(former, desired) ?? desired;
  return given instanceof Promise ? given.then(planGiven) : planGiven(given);
}

function createUpdateStep(
  row: ConfigurationKind,
  present: ExportedResource,
  former: Fields,
  wanted: Fields,
): readonly Step[] {
  return listChangedNames(former, wanted).size === 0 ? [] : [new UpdateStep(row, present, former, wanted)];
}

/** A kept or omitted secret does not change: no request deletes a single secret. */
function retainSecrets(former: Fields, wanted: Fields, secrets: PlanOptions['secrets']): Fields {
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => {
      const was = former[name] ?? null;
      if (isKeptSecret(value) || (secrets === 'done' && isKeptSecret(was))) {
        return [name, was];
      }
      return [name, isObject(value) && isObject(was) ? retainNestedSecrets(was, value, secrets) : value];
    }),
  );
}

function retainNestedSecrets(former: Fields, wanted: Fields, secrets: PlanOptions['secrets']): Fields {
  const unchanged = Object.entries(former).filter(
    ([name, value]) => isKeptSecret(value) && (secrets === 'done' || !(name in wanted)),
  );
  const others = Object.entries(wanted).filter(([name, value]) => !isKeptSecret(value) || name in former);
  return Object.fromEntries([...others, ...unchanged]);
}

/** Only existing fields: values computed from data stay. */
function selectDefaults(former: Fields, defaults: Fields): Fields {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => name in former));
}

function planRemoval(row: ConfigurationKind, present: ExportedResource): readonly Step[] {
  if (!row.isPermanent) return [new DeletionStep(row, present)];
  const former = JSON.parse(present.fields) as Fields;
  const defaults = row.getDefaults?.(findAddress(row, present.path)) ?? row.defaults;
  return createUpdateStep(row, present, former, { ...former, ...defaults });
}

/** By kind in creation order, then by path. */
function sortSteps(steps: readonly Step[], order: ReadonlyMap<string, number>): Promise<readonly Step[]> {
  const getKindOrder = ({ row }: Step) => order.get(row.kind) ?? 0;
  return sortCooperatively(steps, (a, b) =>
    getKindOrder(a) === getKindOrder(b) ? a.path < b.path : getKindOrder(a) < getKindOrder(b),
  );
}

/** A step as clients receive it. */
export function formatStep(step: Step): string {
  const { action, path, row } = step;
  return JSON.stringify({
    action,
    kind: row.kind,
    path,
    ...(step.action === 'update' ? { changes: listStepChanges(step) } : {}),
  });
}

/** What a plan states besides its steps. */
export interface PlanState {
  readonly position: number;
  /** The number of the change once it is committed. */
  readonly change: number | null;
  /** The list of unverified resources as JSON. */
  readonly unverified: string;
}

/** The text of a plan before its steps. */
export function formatPlanHead(
  { mode, hash, summary }: Omit<Plan, 'steps'>,
  { position, change, unverified }: PlanState,
): string {
  const head = JSON.stringify({ mode, position, hash, change, summary }).slice(0, -1);
  return `${head},"unverified":${unverified},"steps":[`;
}

/** The whole plan as one text; `steps` are the formatted steps. */
export function formatPlan(plan: Omit<Plan, 'steps'>, steps: string, state: PlanState): string {
  return `${formatPlanHead(plan, state)}${steps}]}`;
}
