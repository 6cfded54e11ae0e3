/** What can go wrong with authentication providers. */
import { defineProblemKind } from '../kind.ts';

export const authProviderProblems = {
  'auth-provider-unknown': defineProblemKind(
    404,
    'There is no authentication provider of that name.',
    (d: { name: string }) => `No such authentication provider: '${d.name}'.`,
  ),
  'auth-provider-gone': defineProblemKind(
    410,
    'The authentication provider was removed before.',
    (d: { name: string }) => `The authentication provider '${d.name}' is already removed.`,
  ),
  'auth-provider-exists': defineProblemKind(
    400,
    'An authentication provider of that name exists already, enabled or not.',
    (d: { name: string }) => `An authentication provider named '${d.name}' already exists.`,
  ),
  'auth-provider-name-differs': defineProblemKind(
    400,
    'The name in the document is not the one in the path.',
    (d: { name: string; found: string }) =>
      `The path names the authentication provider '${d.name}', but the document names '${d.found}'.`,
  ),
  'auth-provider-class-unknown': defineProblemKind(
    400,
    'className or configClassName is none of the kinds there are.',
    (d: { member: string; found: string; expected: readonly string[] }) =>
      `The ${d.member} '${d.found}' is not supported; these are: ${d.expected.join(', ')}.`,
  ),
  'auth-provider-class-fixed': defineProblemKind(
    400,
    'A change names another className than the provider has.',
    (d: { member: string; name: string; current: string }) =>
      `The ${d.member} of the authentication provider '${d.name}' is '${d.current}' and cannot change; leave it out to keep it.`,
  ),
  'auth-provider-position': defineProblemKind(
    400,
    'The position is outside the list of enabled providers.',
    (d: { position: number; last: number }) =>
      `The position ${d.position} is out of range; it can be 0 to ${d.last} here.`,
  ),
  'auth-provider-disabled': defineProblemKind(
    400,
    'A position was given for a provider that is not in the list of enabled ones.',
    (d: { name: string }) =>
      `The authentication provider '${d.name}' is disabled and has no position; list it in the order to enable it.`,
  ),
  'auth-provider-order': defineProblemKind(
    400,
    'The order is empty, or names a provider twice or one that does not exist.',
    (d: { reason: string }) => `This cannot be the order of the authentication providers: ${d.reason}.`,
  ),
} as const;
