/** Applies the scopes of API tokens: to calls of REST routes, to calls of services, and to permissions. */
import type { Principal, PrincipalToken, TokenService } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Decision } from './decide-access.ts';
import type { AccessTarget, TargetPermissions } from './permissions.ts';
import type { CatalogMode } from './rule-records.ts';

/** A call of a REST route. */
export interface ScopedCall {
  readonly principal: Principal;
  readonly method: string;
  /** Whether the route changes anything. */
  readonly isWrite: boolean;
  readonly getPath: () => readonly string[];
}

/** Returns why the scopes of the token of a principal exclude a REST call; undefined without a token. */
export function findScopeProblem({ principal, isWrite, method, getPath }: ScopedCall): Problem | undefined {
  const { token, preview } = principal;
  if (preview !== undefined && (isWrite || !isRead(method))) return problem('view-as-read-only', {});
  if (token === undefined) {
    return undefined;
  }
  const path = getPath();
  const security = path[1] === 'security' ? findSecurityProblem(token, path.slice(2), method) : undefined;
  return (
    findServiceProblem(token, 'rest') ??
    security ??
    // A token may delete itself.
    (isWrite && token.scopes.readOnly && !isOwnDeletion(token, path.slice(1), method)
      ? createReadOnlyProblem()
      : undefined)
  );
}

/** Returns why the scopes exclude an operation of a service; undefined without a token. */
export function findServiceScopeProblem(
  { token, preview }: Principal,
  service: TokenService,
  operation: string,
): Problem | undefined {
  if (preview !== undefined) {
    return writeOperations.has(operation)
      ? problem('view-as-read-only', {})
      : findServiceScopeProblem(preview.viewer, service, operation);
  }
  if (token === undefined) {
    return undefined;
  }
  const excluded = findServiceProblem(token, service);
  return excluded ?? (token.scopes.readOnly && writeOperations.has(operation) ? createReadOnlyProblem() : undefined);
}

/** The operations of services that change anything. */
const writeOperations: ReadonlySet<string> = new Set([
  'Transaction',
  'LockFeature',
  'GetFeatureWithLock',
  'CreateStoredQuery',
  'DropStoredQuery',
]);

function findServiceProblem({ scopes }: PrincipalToken, service: TokenService): Problem | undefined {
  return scopes.services === null || scopes.services.includes(service)
    ? undefined
    : problem('token-scope', { reason: `it permits the services ${scopes.services.join(', ')} only` });
}

function createReadOnlyProblem(): Problem {
  return problem('token-scope', { reason: 'it only permits reading' });
}

/** `path` is below /security. */
function findSecurityProblem(token: PrincipalToken, path: readonly string[], method: string): Problem | undefined {
  const [section, member] = path;
  if (method === 'POST' && (section === 'tokens' || (section === 'self' && member === 'tokens'))) {
    return problem('token-not-allowed', { what: 'create tokens' });
  }
  if (section === 'self' && member === 'password') {
    return problem('token-not-allowed', { what: 'change the password of its user' });
  }
  const isOwn = section === 'self' && (isRead(method) || isOwnDeletion(token, ['security', ...path], method));
  return token.scopes.admin || isOwn
    ? undefined
    : problem('token-scope', { reason: 'access to /security requires the scope admin' });
}

function isOwnDeletion({ id }: PrincipalToken, path: readonly string[], method: string): boolean {
  return method === 'DELETE' && path.join('/') === `security/self/tokens/${id}`;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Returns the problem of a change outside the workspaces of a token. */
export function createGlobalChangeProblem({ scopes }: PrincipalToken): Problem {
  const names = scopes.workspaces ?? [];
  return problem('token-scope', {
    reason:
      names.length === 0 ? 'it permits changes in no workspace' : `it permits changes in ${names.join(', ')} only`,
  });
}

/** Returns the problem of a token for some workspaces that reads what contains all of them. */
export function createReportProblem(): Problem {
  return problem('token-scope', { reason: 'the response contains all workspaces, and the token is for some of them' });
}

/** Narrows the permissions of a principal to the scopes of its token. */
export function narrowPermissions(
  token: PrincipalToken,
  given: TargetPermissions,
  catalogMode: CatalogMode,
): TargetPermissions {
  const { admin, workspaces } = token.scopes;
  const all = workspaces === null;
  const excluded: Decision = catalogMode === 'HIDE' ? 'hide' : 'challenge';
  const includes = (workspace: string) => all || workspaces.includes(workspace);
  const base: TargetPermissions = token.administersWorkspaces ? createAdministratorPermissions(given) : given;
  const canAdminister = (target: AccessTarget) =>
    admin && (target.workspace === null ? all : includes(target.workspace));
  const permissions: TargetPermissions = {
    decide(target, mode) {
      if (target.workspace !== null && !includes(target.workspace)) return excluded;
      // Resources outside workspaces stay readable.
      if (target.workspace === null && mode !== 'read' && !all) return 'challenge';
      if (mode === 'admin' && !canAdminister(target)) return excluded;
      return base.decide(target, mode);
    },
    isListed: (target) =>
      target.workspace !== null && !includes(target.workspace) ? catalogMode === 'CHALLENGE' : base.isListed(target),
    administers: (workspace) => permissions.decide({ workspace, layer: null }, 'admin') === 'allow',
    administersAny: () => admin && base.administersAny(),
    administersAll: () => all && admin && base.administersAll(),
  };
  return permissions;
}

function createAdministratorPermissions(given: TargetPermissions): TargetPermissions {
  return { ...given, decide: () => 'allow', isListed: () => true, administersAny: () => true };
}
