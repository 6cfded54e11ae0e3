/** Replaces the principal of an administrator by one with the roles of others, to preview what they may read. */
import { isAdministrator, type Principal, ROLE_ANONYMOUS, ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Access } from '../access-rules/access.ts';
import type { Security } from '../core/security.ts';
import { permanentRoles } from '../roles/role.ts';
import { type AccessSubject, createSubject } from './create-subject.ts';

/** Returns the principal of a request with the header `Graticule-View-As`, whose value is `as`. */
export type CreatePreview = (viewer: Principal, as: string) => Promise<Principal>;

/** No header of a person who looks at some roles is longer. */
export const MAX_VIEW_AS_CHARACTERS = 2_000;

const CLAIM_PREFIX = 'claim.';

export function createPreviews({
  security,
  access,
}: {
  readonly security: Security;
  readonly access: Access;
}): CreatePreview {
  return async (viewer, as) => {
    // Check the rights first: other users learn nothing about the value.
    const { administersAny } = await access.getPermissions(viewer);
    if (viewer.preview !== undefined || !administersAny()) {
      throw problem('view-as-denied', {
        reason: 'it requires administrator rights, for the server or for a workspace',
      });
    }
    const subject = parseViewAs(as);
    if (!isAdministrator(viewer)) checkOwnRoles(viewer, subject);
    const { name, roles, claims } = await createSubject(security, subject).catch(explainUnknownUser);
    // An administrator sees everything, so a preview shows nothing, and its rights would be more than those of a reader.
    if (permanentRoles.some((role) => roles.has(role))) {
      throw problem('view-as-invalid', { reason: 'administrators see everything, so there is nothing to preview' });
    }
    return {
      name,
      roles,
      ...(claims === undefined ? {} : { claims }),
      preview: { viewer, as: formatSubject(subject) },
    };
  };
}

/** The path of the request exists: 404 would say that it does not. */
function explainUnknownUser(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'user-unknown') throw error;
  throw problem('view-as-invalid', { reason: 'the default user/group service has no such user' });
}

/** Administrators of workspaces must not learn the names and roles of others, nor the rules for them. */
function checkOwnRoles(viewer: Principal, { user, roles }: AccessSubject): void {
  const denied = roles.find(
    (role) => role !== ROLE_ANONYMOUS && role !== ROLE_AUTHENTICATED && !viewer.roles.has(role),
  );
  if (user !== null || denied !== undefined) {
    const allowed = [ROLE_ANONYMOUS, ROLE_AUTHENTICATED].join(', ');
    throw problem('view-as-denied', {
      reason: `administrators of workspaces can only choose ${allowed} and roles of their own`,
    });
  }
}

/** The value is a query: `user=ann`, or `role=EDITOR&role=FIELD`, with claims such as `claim.dept=red`. */
function parseViewAs(as: string): AccessSubject {
  if (as.length > MAX_VIEW_AS_CHARACTERS) {
    throw problem('view-as-invalid', { reason: `it has more than ${MAX_VIEW_AS_CHARACTERS} characters` });
  }
  const users: string[] = [];
  const roles: string[] = [];
  const claims = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(as.trim())) {
    if (name === 'user') users.push(value);
    else if (name === 'role') roles.push(value);
    else if (name.startsWith(CLAIM_PREFIX) && name.length > CLAIM_PREFIX.length) {
      const claim = name.slice(CLAIM_PREFIX.length);
      claims.set(claim, [...(claims.get(claim) ?? []), value]);
    } else throw problem('view-as-invalid', { reason: `'${name.slice(0, 100)}' is unknown` });
  }
  const [user = null] = users;
  const isOne = (users.length === 1) !== roles.length > 0 && users.length <= 1;
  if (!isOne || [...users, ...roles].includes('')) {
    throw problem('view-as-invalid', { reason: "it must have either one 'user' or at least one 'role'" });
  }
  return { user, roles, claims };
}

/** In a canonical form, for logs and the reply. */
function formatSubject({ user, roles, claims }: AccessSubject): string {
  const parts = user === null ? roles.map((role): [string, string] => ['role', role]) : [['user', user]];
  const stated = [...claims].flatMap(([name, values]) => values.map((value) => [`${CLAIM_PREFIX}${name}`, value]));
  return new URLSearchParams([...parts, ...stated] as [string, string][]).toString();
}
