/** Problems with authentication, authorization and access rules. */
import { enumerate, formatCount } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const accessProblems = {
  'credentials-required': defineProblemKind(
    401,
    'The request has no valid credentials.',
    () => 'A valid user name and password are required (HTTP Basic).',
  ),
  'role-missing': defineProblemKind(
    403,
    'The user is authenticated, but lacks the role that the resource requires.',
    (d: { role: string }) => `The role ${d.role} is required.`,
  ),
  'cross-site': defineProblemKind(
    403,
    'A browser sent a change from a page of another site.',
    (d: { origin: string }) => `Changes from pages of another site ('${d.origin}') are rejected.`,
  ),
  'too-many-attempts': defineProblemKind(
    429,
    'Too many failed logins from this client address, or for this account.',
    (d: { retryAfterSeconds: number }) =>
      `Too many failed logins. Retry in ${formatCount(d.retryAfterSeconds, 'second')}.`,
  ),
  'rule-malformed': defineProblemKind(
    422,
    'The key of a rule is malformed.',
    (d: { key: string; reason: string }) => `Invalid rule key '${d.key}': ${d.reason}.`,
  ),
  'rule-roles-malformed': defineProblemKind(
    422,
    'A rule has no roles, or an invalid role name.',
    (d: { key: string; reason: string }) => `The roles of the rule '${d.key}' are invalid: ${d.reason}.`,
  ),
  'rules-exist': defineProblemKind(
    409,
    'Some of the rules to be added already exist. No rule was added.',
    (d: { keys: readonly string[] }) =>
      `Nothing was added, because these rules already exist: ${enumerate(d.keys, d.keys.length)}. Use PUT to change them.`,
  ),
  'rules-unknown': defineProblemKind(
    409,
    'Some of the rules to be changed do not exist. No rule was changed.',
    (d: { keys: readonly string[] }) =>
      `Nothing was changed, because these rules do not exist: ${enumerate(d.keys, d.keys.length)}. Use POST to add them.`,
  ),
  'rule-unknown': defineProblemKind(404, 'No rule has that key.', (d: { key: string }) => `No such rule: '${d.key}'.`),
  'layer-rule-exists': defineProblemKind(
    409,
    'A rule already exists for the new name of a layer, so the rules of the layer cannot follow it.',
    (d: { key: string; from: string }) =>
      `The access rule '${d.from}' would become '${d.key}', and a rule with that key already exists. Delete one of them first.`,
  ),
  'data-rule-unknown': defineProblemKind(
    404,
    'No data rule has that name.',
    (d: { name: string }) => `No such data rule: '${d.name}'.`,
  ),
  'data-rule-exists': defineProblemKind(
    409,
    'A data rule with that name already exists.',
    (d: { name: string }) => `The data rule '${d.name}' already exists. Use PUT to change it.`,
  ),
  'data-rule-invalid': defineProblemKind(
    400,
    'A field of a data rule is invalid, or does not fit the layer.',
    (d: { field: string; reason: string }) => `Invalid '${d.field}': ${d.reason}.`,
  ),
  'data-rule-unsupported': defineProblemKind(
    400,
    'Data rules of coverages and cascaded layers support an area only.',
    (d: { field: string; name: string }) =>
      `'${d.field}' is not supported for '${d.name}', which has no features. Use 'area'.`,
  ),
  'data-rule-limit': defineProblemKind(
    409,
    'The layer or the server has the maximum number of data rules.',
    (d: { limit: number; of: string }) =>
      `The limit of ${d.limit} data rules of ${d.of} is reached. Delete some first.`,
  ),
  'data-rule-violated': defineProblemKind(
    403,
    'A data rule does not permit the change of features. Nothing was written.',
    (d: { reason: string }) => `A data rule does not permit the change: ${d.reason}. Nothing was written.`,
  ),
  'view-as-denied': defineProblemKind(
    403,
    'The user may not preview what others see, or not what these others see.',
    (d: { reason: string }) => `The header Graticule-View-As is not permitted: ${d.reason}. Remove the header.`,
  ),
  'view-as-read-only': defineProblemKind(
    403,
    'A request with the header Graticule-View-As would change something.',
    () => 'A preview only reads. Send the request without the header Graticule-View-As.',
  ),
  'view-as-invalid': defineProblemKind(
    400,
    'The header Graticule-View-As is invalid.',
    (d: { reason: string }) =>
      `Invalid header Graticule-View-As: ${d.reason}. Use user=NAME or role=NAME, and claim.NAME=VALUE for claims.`,
  ),
  'explanation-subject': defineProblemKind(
    400,
    'An explanation of access rules needs a layer, and either a user or roles.',
    (d: { field: string; reason: string }) => `Invalid query parameter '${d.field}': ${d.reason}.`,
  ),
  'rule-unnamed': defineProblemKind(
    400,
    'A delete does not name a rule, neither in its path nor as a query parameter.',
    () => "Name the rule to delete, at the end of the path or as the query parameter 'rule'.",
  ),
  'catalog-mode-missing': defineProblemKind(
    400,
    'The document has no catalog mode.',
    () => "The document has no 'mode'. Expected HIDE, MIXED or CHALLENGE.",
  ),
  'catalog-mode-unknown': defineProblemKind(
    422,
    'The catalog mode is unknown.',
    (d: { mode: string }) => `Unknown catalog mode '${d.mode}'. Expected HIDE, MIXED or CHALLENGE.`,
  ),
  'auth-filter-unknown': defineProblemKind(
    404,
    'No authentication filter has that name.',
    (d: { name: string }) => `No such authentication filter: '${d.name}'.`,
  ),
  'filter-chain-unknown': defineProblemKind(
    404,
    'No filter chain has that name.',
    (d: { name: string }) => `No such filter chain: '${d.name}'.`,
  ),
  'login-steps-fixed': defineProblemKind(
    501,
    'The change of an authentication filter or filter chain has no equivalent.',
    (d: { reason: string; path: string }) =>
      `The authentication filters and chains cannot be changed in this way: ${d.reason}. Use ${d.path} instead.`,
  ),
} as const;
