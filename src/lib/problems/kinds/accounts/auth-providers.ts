/** Problems with authentication providers. */
import { defineProblemKind } from '../kind.ts';

export const authProviderProblems = {
  'auth-provider-unknown': defineProblemKind(
    404,
    'No authentication provider has that name.',
    (d: { name: string }) => `No such authentication provider: '${d.name}'.`,
  ),
  'auth-provider-gone': defineProblemKind(
    410,
    'The authentication provider was already removed.',
    (d: { name: string }) => `The authentication provider '${d.name}' was already removed.`,
  ),
  'auth-provider-exists': defineProblemKind(
    400,
    'An authentication provider of that name already exists, enabled or disabled.',
    (d: { name: string }) => `An authentication provider named '${d.name}' already exists.`,
  ),
  'auth-provider-limit': defineProblemKind(
    409,
    'The server has the maximum number of authentication providers.',
    (d: { limit: number }) =>
      `The server already has ${d.limit} authentication providers, the maximum. Delete one first.`,
  ),
  'auth-provider-name-differs': defineProblemKind(
    400,
    'The document and the path name different authentication providers.',
    (d: { name: string; found: string }) =>
      `The path names the authentication provider '${d.name}', but the document names '${d.found}'.`,
  ),
  'auth-provider-class-unknown': defineProblemKind(
    400,
    'className or configClassName is not supported.',
    (d: { member: string; found: string; expected: readonly string[] }) =>
      `Unsupported ${d.member} '${d.found}'. Supported: ${d.expected.join(', ')}.`,
  ),
  'auth-provider-class-fixed': defineProblemKind(
    400,
    'A change names a className other than that of the provider.',
    (d: { member: string; name: string; current: string }) =>
      `The ${d.member} of the authentication provider '${d.name}' is '${d.current}' and cannot be changed. Omit it to keep it.`,
  ),
  'auth-provider-position': defineProblemKind(
    400,
    'The position is outside the list of enabled providers.',
    (d: { position: number; last: number }) =>
      `The position ${d.position} is out of range. Expected a number from 0 to ${d.last}.`,
  ),
  'auth-provider-disabled': defineProblemKind(
    400,
    'A position was given for a disabled provider.',
    (d: { name: string }) =>
      `The authentication provider '${d.name}' is disabled and has no position. Add it to the order to enable it.`,
  ),
  'auth-provider-order': defineProblemKind(
    400,
    'The order is empty, or names a provider twice, or names an unknown provider.',
    (d: { reason: string }) => `The order of the authentication providers is invalid: ${d.reason}.`,
  ),
} as const;
