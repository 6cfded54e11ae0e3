/** Applies a document as part of one change, through the commands of the REST interface and their checks. */

import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import { isAdministrator } from '../../../lib/identity/principal.ts';
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import { filterCooperatively } from '../document/cooperative-lists.ts';
import type { ConfigurationDocument, DocumentResource } from '../document/document.ts';
import { type ExportedResource, exportResources } from '../document/export-resources.ts';
import type { Scope } from '../document/scope.ts';
import { createFullState, createWrittenState } from '../document/state.ts';
import type { TextBuffer } from '../document/text-buffer.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { type ApplyContext, applySteps } from './apply.ts';
import { computeSteps, createInvalidProblem, type Mode, type Plan } from './plan.ts';
import type { Step } from './step.ts';

export interface WantedConfiguration {
  readonly kinds: readonly ConfigurationKind[];
  readonly document: ConfigurationDocument;
  /** For the resources that are exported again. */
  readonly texts: TextBuffer;
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

const securityKinds: ReadonlySet<string> = new Set([
  'user',
  'group',
  'role',
  'userGroupService',
  'authProvider',
  'authProviderOrder',
]);

/**
 * Throws all problems; the caller must then discard the change.
 *
 * The steps run in two looks. The first one runs the plan, except for resources that others create implicitly: these
 * may match the document as soon as they exist. A command can also set fields that the document sets differently, of
 * its own resource or of those in `consequences`. The second look compares what was written with the document and runs
 * the remaining steps. There is no third one: a change of an existing resource creates nothing.
 */
export async function applyPlan(applying: ApplyContext, wanted: WantedConfiguration, plan: Plan): Promise<void> {
  const { steps } = plan;
  const { unfitFields } = wanted.document;
  if (steps.length > 0) {
    const isLater = ({ action, row }: Step) => action === 'create' && row.isCreatedImplicitly === true;
    const later = await filterCooperatively(steps, isLater);
    const now = later.length === 0 ? steps : await filterCooperatively(steps, (step) => !isLater(step));
    throwIfAny([...unfitFields, ...omitReported(unfitFields, await applySteps(applying, now, later))]);
    throwIfAny(await applySteps(applying, await computeRemainingSteps(applying, wanted, steps)));
  }
  throwIfAny(unfitFields);
  throwIfAny(steps.some(({ row }) => securityKinds.has(row.kind)) ? await checkLockOut(applying) : []);
}

function throwIfAny(complaints: readonly ConfigurationError[]): void {
  if (complaints.length > 0) {
    throw createInvalidProblem(complaints);
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
  { kinds, document, texts, mode, scope }: WantedConfiguration,
  done: Plan['steps'],
): Promise<Plan['steps']> {
  const rows = new Set(done.map(({ row }) => row.kind));
  const touched = new Set([...rows].flatMap((kind) => [kind, ...(consequences[kind] ?? [])]));
  // Kinds that the document does not contain are never deleted.
  const isAbout = (kind: string) => scope.kinds.length === 0 || scope.kinds.includes(kind);
  const touchedScope = { ...scope, kinds: [...touched].filter(isAbout) };
  const wanted = await filterDocumentResources(document.resources, ({ row }) => touchedScope.kinds.includes(row.kind));
  // Resources outside the document only matter if they must be deleted.
  const isWanted = (path: string) => mode === 'mirror' || wanted.has(path) || document.deletions.has(path);
  // Deletions can cascade; apart from that, only written resources differ from the plan.
  const isWhole = done.some(({ action }) => action === 'delete');
  const exported = await exportResources(
    kinds,
    isWhole ? createFullState(services) : createWrittenState(services),
    touchedScope,
    { isWanted, texts },
  );
  const resources = isWhole ? wanted : await selectWritten(wanted, exported, done);
  const { steps } = await computeSteps(
    kinds,
    exported,
    { resources, deletions: document.deletions },
    { mode, secrets: 'done' },
  );
  return steps;
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
  const now = await batchContext.readPrincipal().catch((error: unknown) => {
    if (error instanceof Problem && error.status < 500) {
      return error;
    }
    throw error;
  });
  if (!(now instanceof Problem) && isAdministrator(now)) {
    return [];
  }
  const code = now instanceof Problem ? now.code : 'role-missing';
  const message = `would remove the administrator rights of '${principal.name}', who sent the request`;
  return [{ path: `/security/usergroup/user/${encodeURIComponent(principal.name)}`, code, message }];
}
