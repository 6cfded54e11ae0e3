/** Applies a document as part of one change, through the REST operations and their checks. */

import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import { filterCooperatively } from '../document/cooperative-lists.ts';
import type { ConfigurationDocument, DocumentResource } from '../document/document.ts';
import { type ExportedResource, exportResources } from '../document/export-resources.ts';
import type { Scope } from '../document/scope.ts';
import { createFullState, createWrittenState } from '../document/state.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { type ApplyContext, applySteps } from './apply.ts';
import { computeSteps, createInvalidProblem, type Mode, type Plan, type Step } from './plan.ts';

export interface WantedConfiguration {
  readonly kinds: readonly ConfigurationKind[];
  readonly document: ConfigurationDocument;
  readonly mode: Mode;
  readonly scope: Scope;
}

/**
 * A layer is created with its resource, an order with its providers, so a created resource may need a further change.
 */
const consequences: Readonly<Record<string, readonly string[]>> = {
  workspace: ['defaultWorkspace', 'accessRules'],
  coverageStore: ['coverage'],
  featureType: ['layer', 'accessRules'],
  coverage: ['layer', 'accessRules'],
  wmsLayer: ['layer', 'accessRules'],
  wmtsLayer: ['layer', 'accessRules'],
  layer: ['layerGroup'],
  style: ['layer', 'layerGroup'],
  authProvider: ['authProviderOrder'],
  user: ['role', 'group'],
  group: ['role'],
  userGroupService: ['user', 'group', 'role'],
};

/** Maximum number of passes: one request can override fields that another one has set. */
const MAX_PASSES = 4;

const securityKinds: ReadonlySet<string> = new Set([
  'user',
  'group',
  'role',
  'userGroupService',
  'authProvider',
  'authProviderOrder',
]);

/** Throws all problems; the caller must then discard the change. */
export async function applyPlan(applying: ApplyContext, wanted: WantedConfiguration, plan: Plan): Promise<void> {
  let { steps } = plan;
  const { unfitFields } = wanted.document;
  if (steps.length === 0 && unfitFields.length > 0) {
    throw createInvalidProblem(unfitFields);
  }
  for (let look = 0; steps.length > 0 && look < MAX_PASSES; look += 1) {
    // Resources created implicitly may already match the document.
    const isLater = ({ action, row }: Step) => look === 0 && action === 'create' && row.isCreatedImplicitly === true;
    const later = await filterCooperatively(steps, isLater);
    const now = later.length === 0 ? steps : await filterCooperatively(steps, (step) => !isLater(step));
    const complaints = [...unfitFields, ...omitReported(unfitFields, await applySteps(applying, now, later))];
    if (complaints.length > 0) {
      throw createInvalidProblem(complaints);
    }
    steps = await computeRemainingSteps(applying, wanted, steps);
  }
  const lockedOut = plan.steps.some(({ row }) => securityKinds.has(row.kind)) ? await checkLockOut(applying) : [];
  if (lockedOut.length > 0) {
    throw createInvalidProblem(lockedOut);
  }
}

/** A field omitted because it is invalid can cause a second complaint, which is suppressed. */
function omitReported(
  reported: readonly ConfigurationError[],
  complaints: readonly ConfigurationError[],
): readonly ConfigurationError[] {
  const formatComplaintKey = ({ path, field }: ConfigurationError) => `${path} ${field ?? ''}`;
  const places = new Set(reported.map(formatComplaintKey));
  return places.size === 0 ? complaints : complaints.filter((each) => !places.has(formatComplaintKey(each)));
}

/** The remaining differences in the kinds that the steps changed. */
async function computeRemainingSteps(
  { services }: ApplyContext,
  { kinds, document, mode, scope }: WantedConfiguration,
  done: Plan['steps'],
): Promise<Plan['steps']> {
  const rows = new Set(done.map(({ row }) => row.kind));
  const touched = new Set([...rows].flatMap((kind) => [kind, ...(consequences[kind] ?? [])]));
  // Kinds that the document does not contain are never deleted.
  const isAbout = (kind: string) => scope.kinds.length === 0 || scope.kinds.includes(kind);
  const touchedScope = { ...scope, kinds: [...touched].filter(isAbout) };
  const wanted = await filterDocumentResources(document.resources, ({ row }) => touchedScope.kinds.includes(row.kind));
  // Resources outside the document only matter if they must be deleted.
  const isWanted = (path: string) => mode === 'mirror' || wanted.has(path);
  // Deletions can cascade; apart from that, only written resources differ from the plan.
  const isWhole = done.some(({ action }) => action === 'delete');
  const exported = await exportResources(
    kinds,
    isWhole ? createFullState(services) : createWrittenState(services),
    touchedScope,
    isWanted,
  );
  const resources = isWhole ? wanted : await selectWritten(wanted, exported, done);
  const { making, removing } = await computeSteps(kinds, exported, { resources }, { mode, secrets: 'done' });
  return [...making, ...removing];
}

/** The desired resources, the written ones, and the current state of both. */
async function selectWritten(
  wanted: ConfigurationDocument['resources'],
  exported: readonly ExportedResource[],
  done: Plan['steps'],
): Promise<ConfigurationDocument['resources']> {
  const paths = new Set<string>();
  const made = await filterCooperatively(done, ({ action }) => action === 'create');
  for (const list of [exported, made]) {
    for (const { path } of list) {
      paths.add(path);
      const others = yieldIfDue();
      if (others !== undefined) await others;
    }
  }
  return filterDocumentResources(wanted, ({ path }) => paths.has(path));
}

async function filterDocumentResources(
  resources: ConfigurationDocument['resources'],
  isWanted: (resource: DocumentResource) => boolean,
): Promise<ConfigurationDocument['resources']> {
  const left = new Map<string, DocumentResource>();
  for (const [path, resource] of resources) {
    if (isWanted(resource)) left.set(path, resource);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return left;
}

/** The caller must keep administrator rights, so that mistakes can be corrected. */
async function checkLockOut({ batchContext, principal }: ApplyContext): Promise<readonly ConfigurationError[]> {
  try {
    await batchContext.perform({ method: 'GET', path: '/security/roles' });
    return [];
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) {
      throw error;
    }
    const message = `would remove the administrator rights of '${principal.name}', who sent the request`;
    return [{ path: `/security/usergroup/user/${encodeURIComponent(principal.name)}`, code: error.code, message }];
  }
}
