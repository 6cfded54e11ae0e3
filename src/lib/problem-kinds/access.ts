/** Who may not. */
import { kind } from './kind.ts';

export const accessProblems = {
  'credentials-required': kind(
    401,
    'No valid credentials were sent.',
    () => 'A valid user name and password are required (HTTP Basic).',
  ),
  'role-missing': kind(
    403,
    'The user is known but lacks the role this address needs.',
    (d: { role: string }) => `This needs the role ${d.role}.`,
  ),
  'cross-site': kind(
    403,
    'A browser sent a change from a page of another site.',
    (d: { origin: string }) => `Changes from pages of another site ('${d.origin}') are refused.`,
  ),
  'too-many-attempts': kind(
    429,
    'Too many wrong passwords from this address or for this account.',
    (d: { retryAfterSeconds: number }) => `Too many failed logins; try again in ${d.retryAfterSeconds} seconds.`,
  ),
} as const;
