/** Who may not, and what can go wrong with the rules that say so. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const accessProblems = {
  'credentials-required': defineProblemKind(
    401,
    'No valid credentials were sent.',
    () => 'A valid user name and password are required (HTTP Basic).',
  ),
  'role-missing': defineProblemKind(
    403,
    'The user is known but lacks the role this address needs.',
    (d: { role: string }) => `This needs the role ${d.role}.`,
  ),
  'cross-site': defineProblemKind(
    403,
    'A browser sent a change from a page of another site.',
    (d: { origin: string }) => `Changes from pages of another site ('${d.origin}') are refused.`,
  ),
  'too-many-attempts': defineProblemKind(
    429,
    'Too many wrong passwords from this address or for this account.',
    (d: { retryAfterSeconds: number }) => `Too many failed logins; try again in ${d.retryAfterSeconds} seconds.`,
  ),
  'rule-malformed': defineProblemKind(
    422,
    'The key of a rule is not of the form its family has.',
    (d: { key: string; reason: string }) => `'${d.key}' cannot be the key of a rule: ${d.reason}.`,
  ),
  'rule-roles-malformed': defineProblemKind(
    422,
    'A rule names no role, or one that cannot be a role.',
    (d: { key: string; reason: string }) => `The roles of the rule '${d.key}' cannot be used: ${d.reason}.`,
  ),
  'rules-exist': defineProblemKind(
    409,
    'Some of the rules to be added exist already; none was added.',
    (d: { keys: readonly string[] }) =>
      `Nothing was added, since these rules already exist: ${enumerate(d.keys, d.keys.length)}. Use PUT to change them.`,
  ),
  'rules-unknown': defineProblemKind(
    409,
    'Some of the rules to be changed do not exist; none was changed.',
    (d: { keys: readonly string[] }) =>
      `Nothing was changed, since there are no such rules: ${enumerate(d.keys, d.keys.length)}. Use POST to add them.`,
  ),
  'rule-unknown': defineProblemKind(
    404,
    'There is no rule with that key.',
    (d: { key: string }) => `No such rule: '${d.key}'.`,
  ),
  'layer-rule-exists': defineProblemKind(
    409,
    'The rules of a layer cannot follow it: there is one under its new name already.',
    (d: { key: string; from: string }) =>
      `The access rule '${d.from}' would become '${d.key}', and a rule with that key already exists. Remove one of them first.`,
  ),
  'rule-unnamed': defineProblemKind(
    400,
    'A delete names no rule, neither in its path nor as a query parameter.',
    () => "Name the rule to delete, at the end of the path or as the query parameter 'rule'.",
  ),
  'catalog-mode-missing': defineProblemKind(
    400,
    'The document has no catalog mode.',
    () => "The document has no 'mode'; one of HIDE, MIXED and CHALLENGE was expected.",
  ),
  'catalog-mode-unknown': defineProblemKind(
    422,
    'The catalog mode is none of the three there are.',
    (d: { mode: string }) => `'${d.mode}' is no catalog mode; one of HIDE, MIXED and CHALLENGE was expected.`,
  ),
  'auth-filter-unknown': defineProblemKind(
    404,
    'There is no authentication filter of that name.',
    (d: { name: string }) => `No such authentication filter: '${d.name}'.`,
  ),
  'filter-chain-unknown': defineProblemKind(
    404,
    'There is no filter chain of that name.',
    (d: { name: string }) => `No such filter chain: '${d.name}'.`,
  ),
  'login-steps-fixed': defineProblemKind(
    501,
    'Somebody tries to change how requests are logged in.',
    () =>
      'How requests are logged in is fixed: with Basic credentials at /rest, and with none anywhere else. Who is asked about them can be set at /security/authproviders.',
  ),
} as const;
