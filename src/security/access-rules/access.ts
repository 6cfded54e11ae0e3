/**
 * Evaluates the access rules for a principal, and decides whether it may call a route. Parsed rules are cached until the
 * version of their rule set changes.
 */
import {
  isAdministrator,
  isAnonymous,
  type Principal,
  ROLE_ADMINISTRATOR,
  ROLE_AUTHENTICATED,
  WORKSPACE_ADMINISTRATOR,
} from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { CATALOG_SETTINGS, catalogSettingsKind } from '../../records/catalog-settings.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { createDataRuleIndexCache, type DataRuleIndex } from '../data-rules/data-rule-index.ts';
import { readCatalogMode } from './access-rules.ts';
import { decideAccess, isListed } from './decide-access.ts';
import { type AccessMode, createLayerRules, type LayerRules, parseLayerKey } from './layer-rules.ts';
import { narrowToViewer } from './narrow-to-viewer.ts';
import type { AccessTarget, Permissions, TargetPermissions } from './permissions.ts';
import { decideCall, parseRestKey, type RestCall, type RestRule } from './rest-rules.ts';
import type { InitialRules, RuleEntry, RuleFamilyName } from './rule-families.ts';
import { getRuleSetVersion, readRuleSet } from './rule-set.ts';
import { canCallService, parseServiceKey, type ServiceRule } from './service-rules.ts';
import { createGlobalChangeProblem, createReportProblem, findScopeProblem, narrowPermissions } from './token-scopes.ts';

export type { AccessTarget, Permissions } from './permissions.ts';

export interface AuthorizationRequest {
  readonly principal: Principal;
  /** The role that the matched route requires. */
  readonly role: string;
  readonly method: string;
  /** Whether the route changes anything. */
  readonly isWrite: boolean;
  /** The matched path below the context path: `rest` first, then literal segments and the values of variables. */
  readonly getPath: () => readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

export interface Access {
  /** Returns the same access over another reader, such as a snapshot. */
  forReader(reader: CatalogReader): Access;
  getPermissions(principal: Principal): Promise<Permissions>;
  /** Returns the problem for a refused call of a route, or undefined. Administrators are never refused. */
  findRefusal(call: AuthorizationRequest): Promise<Problem | undefined>;
  /** Returns whether the REST rules permit a call, or undefined if no rule matches. */
  decideCall(principal: Principal, call: RestCall): Promise<boolean | undefined>;
  /** Returns whether the service rules permit an operation; scopes of tokens are checked separately. */
  mayCallService(principal: Principal, service: string, method: string): Promise<boolean>;
  /** The rules behind the decisions, for explanations. */
  readDecidingRules(): Promise<DecidingRules>;
}

export interface DecidingRules {
  readonly layers: LayerRules;
  readonly data: DataRuleIndex;
}

/** Administrators have every permission regardless of the rules, so no record is read for them. */
export const allPermissions: Permissions = {
  decide: () => 'allow',
  isListed: () => true,
  administers: () => true,
  administersAny: () => true,
  administersAll: () => true,
  findRestriction: () => undefined,
};

export function openAccess(catalog: CatalogReader, initial: InitialRules): Access {
  function createRuleCache<T>(family: RuleFamilyName, parse: (rules: readonly RuleEntry[]) => T) {
    let known: { readonly version: number; readonly parsed: T } | undefined;
    return async (reader: CatalogReader): Promise<T> => {
      for (;;) {
        // A concurrent call with another reader may replace `known` while this call awaits the version.
        const last = known;
        if (last !== undefined && last.version === (await getRuleSetVersion(reader, family))) {
          return last.parsed;
        }
        const { rules, version } = await readRuleSet(reader, family, initial);
        // On a live reader the rules may have changed between the two reads: accept them only if the version still
        // matches.
        if (version === (await getRuleSetVersion(reader, family))) {
          const parsed = parse(rules);
          known = { version, parsed };
          return parsed;
        }
      }
    };
  }

  const layers = createRuleCache(
    'layers',
    (rules): LayerRules => createLayerRules(rules.map(({ key, roles }) => ({ ...parseLayerKey(key), roles }))),
  );
  const rest = createRuleCache('rest', (rules): readonly RestRule[] =>
    rules.map(({ key, roles }) => ({ ...parseRestKey(key), roles })),
  );
  const services = createRuleCache('services', (rules): readonly ServiceRule[] =>
    rules.map(({ key, roles }) => ({ ...parseServiceKey(key), roles })),
  );

  const dataRules = createDataRuleIndexCache();

  const readBy = (reader: CatalogReader): Access => {
    const access: Access = {
      forReader: readBy,
      async findRefusal(call) {
        const { preview } = call.principal;
        if (preview !== undefined) {
          const viewers = await access.findRefusal({ ...call, principal: preview.viewer });
          if (viewers !== undefined) return viewers;
        }
        const excluded = findScopeProblem(call);
        if (excluded !== undefined || isAdministrator(call.principal)) {
          return excluded;
        }
        return findCallRefusal(reader, access, call);
      },
      async getPermissions(principal) {
        const { preview, ...previewed } = principal;
        if (preview !== undefined) {
          const [own, viewer, { mode }] = await Promise.all([
            access.getPermissions(previewed),
            access.getPermissions(preview.viewer),
            readCatalogMode(reader),
          ]);
          return narrowToViewer(own, viewer, mode);
        }
        if (isAdministrator(principal)) {
          return allPermissions;
        }
        const [rules, { mode: catalogMode }, index] = await Promise.all([
          layers(reader),
          readCatalogMode(reader),
          dataRules(reader),
        ]);
        const decideTarget = (place: AccessTarget, mode: AccessMode) =>
          decideAccess({ principal, rules, catalogMode, ...place, mode });
        const granted: TargetPermissions = {
          decide: decideTarget,
          isListed: (place) => isListed({ principal, rules, catalogMode, ...place }),
          administers: (workspace) => decideTarget({ workspace, layer: null }, 'admin') === 'allow',
          administersAny: () => rules.administersAny(principal),
          administersAll: () => decideTarget({ workspace: null, layer: null }, 'admin') === 'allow',
        };
        const permissions =
          principal.token === undefined ? granted : narrowPermissions(principal.token, granted, catalogMode);
        return {
          ...permissions,
          findRestriction: (workspace, layer) => {
            const restriction = index.findRestriction(principal, workspace, layer);
            return restriction === undefined || permissions.administers(workspace) ? undefined : restriction;
          },
        };
      },
      readDecidingRules: async () => ({ layers: await layers(reader), data: await dataRules(reader) }),
      decideCall: async (principal, call) =>
        isUnrestricted(principal) || decideCall(await rest(reader), principal, call),
      mayCallService: async (principal, service, method) =>
        (isUnrestricted(principal) || canCallService(await services(reader), principal, service, method)) &&
        (principal.preview === undefined || access.mayCallService(principal.preview.viewer, service, method)),
    };
    return access;
  };
  return readBy(catalog);
}

/**
 * For users other than administrators a REST rule decides, or the route's role if no rule matches; the layer rules then
 * restrict the resources behind the route.
 */
async function findCallRefusal(
  catalog: CatalogReader,
  access: Access,
  call: AuthorizationRequest,
): Promise<Problem | undefined> {
  const { principal } = call;
  const workspace = findWorkspaceName(call);
  // The choice of the default workspace belongs to no workspace.
  const isOfServer = workspace === undefined || workspace === 'default';
  if (principal.token?.scopes.workspaces != null && isOfServer && isGlobalChange(call)) {
    return createGlobalChangeProblem(principal.token);
  }
  if (principal.token?.administersWorkspaces) {
    if (reportingSections.has(call.getPath()[1] ?? '')) return createReportProblem();
    return workspace === undefined ? undefined : findWorkspaceRefusal(catalog, access, call, workspace);
  }
  const isClosed =
    isAdministratorPath(call.getPath()) ||
    // A rule with the role `*` lets anonymous users read, but never write.
    (isAnonymous(principal) && !readMethods.has(call.method)) ||
    !(await isAdmitted(access, call)) ||
    (isGlobalChange(call) && !(await access.getPermissions(principal)).administersAll());
  if (isClosed) {
    return problem('role-missing', { role: ROLE_ADMINISTRATOR });
  }
  return workspace === undefined ? undefined : findWorkspaceRefusal(catalog, access, call, workspace);
}

/** Service and REST rules do not restrict administrators, even if their token is for some workspaces only. */
function isUnrestricted(principal: Principal): boolean {
  return isAdministrator(principal) || principal.token?.administersWorkspaces === true;
}

/**
 * Returns whether only administrators may call the path. No REST rule can open users, roles, rules, history, events,
 * webhooks, backups, locks of features or the server configuration, since these define or reveal the permissions and
 * secrets of others: the id of a lock permits changes of its features.
 */
function isAdministratorPath([, family = '', what]: readonly string[]): boolean {
  return serverWideSections.has(family) || (family === 'security' && what !== 'self');
}

const serverWideSections: ReadonlySet<string> = new Set([
  'backup',
  'configuration',
  'doctor',
  'events',
  'history',
  'locks',
  'webhooks',
]);

/** These contain resources of all workspaces, and backups even their data. */
const reportingSections: ReadonlySet<string> = new Set([
  'backup',
  'configuration',
  'doctor',
  'events',
  'history',
  'locks',
]);

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns whether the call changes a server-wide resource: workspaces, the default workspace, URL checks. Routes for
 * workspace administrators check the permission themselves, since the request body may name the target.
 */
function isGlobalChange({ role, method }: AuthorizationRequest): boolean {
  return role === ROLE_ADMINISTRATOR && !readMethods.has(method);
}

/** Applies the first REST rule that matches, or the route's role if none does. */
async function isAdmitted(access: Access, call: AuthorizationRequest): Promise<boolean> {
  const { principal, role, method } = call;
  const path = call.getPath();
  const isOwnAccount = role === ROLE_AUTHENTICATED;
  const decided = path[0] === 'rest' ? await access.decideCall(principal, { path, method, isOwnAccount }) : undefined;
  if (decided !== undefined) {
    return decided;
  }
  switch (role) {
    case ROLE_AUTHENTICATED:
      return !isAnonymous(principal);
    case WORKSPACE_ADMINISTRATOR:
      return !isAnonymous(principal) && (await access.getPermissions(principal)).administersAny();
    default:
      return principal.roles.has(role);
  }
}

function findWorkspaceName({ getPath: path, params }: AuthorizationRequest): string | undefined {
  const [, family, name] = path();
  const isInPath = family === 'workspaces' || family === 'namespaces';
  return params['workspace'] ?? params['namespace'] ?? (isInPath ? name : undefined);
}

/** Hides or refuses a workspace that the principal does not administer, as the catalog mode requires. */
async function findWorkspaceRefusal(
  catalog: CatalogReader,
  access: Access,
  call: AuthorizationRequest,
  name: string,
): Promise<Problem | undefined> {
  const workspace = name === 'default' ? await findDefaultWorkspaceName(catalog) : name;
  if (workspace === undefined) {
    return undefined;
  }
  const permissions = await access.getPermissions(call.principal);
  const decision = isAnonymous(call.principal) ? 'challenge' : permissions.decide({ workspace, layer: null }, 'admin');
  switch (decision) {
    case 'allow':
      return undefined;
    case 'challenge':
      return problem('role-missing', { role: ROLE_ADMINISTRATOR });
    case 'hide':
      return call.getPath()[1] === 'namespaces'
        ? problem('namespace-unknown', { prefix: name })
        : problem('workspace-unknown', { name });
  }
}

async function findDefaultWorkspaceName(catalog: CatalogReader): Promise<string | undefined> {
  const settings = await catalog.find(catalogSettingsKind, null, CATALOG_SETTINGS);
  const id = settings?.defaultWorkspace ?? null;
  return id === null ? undefined : (await catalog.get(workspaceKind, id))?.name;
}
