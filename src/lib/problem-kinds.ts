/** The error catalogue: every known failure once, with its stable code, its status and its sentence. */
import type { CommonDetails } from './problem.ts';

interface ProblemKind<D> {
  readonly status: number;
  /** When a client meets this, for the reference page. */
  readonly when: string;
  readonly message: (details: D) => string;
}

function kind<D = CommonDetails>(status: number, when: string, message: (details: D) => string): ProblemKind<D> {
  return { status, when, message };
}

/** Names a few blockers and counts the rest, so that a message stays readable. */
function enumerate(names: readonly string[], total: number): string {
  const shown = names.slice(0, 10).join(', ');
  return total > 10 ? `${shown} and ${total - 10} more` : shown;
}

interface Position {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export const problemKinds = {
  // What the request looks like
  'url-malformed': kind(
    400,
    'The path holds a percent sign that starts no valid UTF-8 escape.',
    () => 'The path is not valid: a percent sign must be followed by two hexadecimal digits of UTF-8 text.',
  ),
  'query-invalid': kind(
    400,
    'A query parameter has a value it cannot have.',
    (d: { parameter: string; value: string; expected: string }) =>
      `The query parameter '${d.parameter}' has the value '${d.value}', but ${d.expected} was expected.`,
  ),
  'xml-malformed': kind(
    400,
    'The body is not well-formed XML.',
    (d: Position) => `The XML is not well-formed at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'xml-doctype': kind(
    400,
    'The XML has a document type declaration, which is never read.',
    () => 'The XML holds a DOCTYPE declaration. Send the document without one: entities and DTDs are never read.',
  ),
  'json-malformed': kind(
    400,
    'The body is not JSON.',
    (d: Position) => `The JSON is not well-formed at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'text-undecodable': kind(
    400,
    'The bytes of the body are not text in the encoding they claim.',
    (d: { charset: string }) => `The body could not be read as text in the encoding '${d.charset}'.`,
  ),
  'document-too-deep': kind(
    400,
    'Elements or objects are nested beyond the limit.',
    (d: { limit: number }) => `The document is nested deeper than ${d.limit} levels.`,
  ),
  'document-too-busy': kind(
    400,
    'One document holds more elements, attributes or members than the limit.',
    (d: { limit: number }) => `The document holds more than ${d.limit} elements, attributes or members.`,
  ),
  'document-missing': kind(
    400,
    'A body is required and none was sent.',
    (d: { root: string }) => `The request has no body; a '${d.root}' document was expected.`,
  ),
  'document-root': kind(
    400,
    'The document is of another kind than this address takes.',
    (d: { expected: string; found: string }) =>
      `A '${d.expected}' document was expected, but the body holds ${d.found}.`,
  ),
  'document-invalid': kind(400, 'Fields of the document have wrong types or values.', (d: CommonDetails) =>
    (d.complaints ?? []).map((each) => `${each.field}: ${each.message}`).join('; '),
  ),
  'body-too-large': kind(
    413,
    'The body is larger than this address takes.',
    (d: { limitBytes: number }) => `The body is larger than the ${d.limitBytes} bytes this address takes.`,
  ),
  'body-type-unknown': kind(
    415,
    'The Content-Type of the body is none this address reads.',
    (d: { found: string; expected: readonly string[] }) =>
      `The body is declared as '${d.found}', but this address reads ${d.expected.join(', ')}.`,
  ),
  'not-acceptable': kind(
    406,
    'No format the client accepts is offered here.',
    (d: { accept: string; offered: readonly string[] }) =>
      `None of '${d.accept}' is offered here. Ask for one of ${d.offered.join(', ')}.`,
  ),
  'path-unknown': kind(
    404,
    'Nothing is served at this path.',
    (d: { path: string }) => `Nothing is served at '${d.path}'.`,
  ),
  'method-not-allowed': kind(
    405,
    'The address exists, but not for this method.',
    (d: { method: string; allowed: readonly string[] }) =>
      `${d.method} is not possible here; the methods are ${d.allowed.join(', ')}.`,
  ),
  'precondition-failed': kind(
    412,
    'If-Match or If-None-Match does not hold: somebody else changed the resource first.',
    (d: { header: string }) => `The precondition ${d.header} does not hold: the resource is not in the state it names.`,
  ),

  // Who asks
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

  // The server itself
  unexpected: kind(
    500,
    'A fault on our side; the log has the details under the request id.',
    (d: { requestId: string }) =>
      `The server failed to answer. Its log has the details under request id ${d.requestId}.`,
  ),
  draining: kind(503, 'The server is shutting down.', () => 'The server is shutting down.'),

  // Workspaces and namespaces
  'name-illegal': kind(
    400,
    'A name is missing, too long, reserved, or holds characters that names may not hold.',
    (d: { what: string; name: string; reason: string }) =>
      `'${d.name}' cannot be the name of a ${d.what}: ${d.reason}.`,
  ),
  'name-emptied': kind(
    400,
    'A change would leave the resource without a name.',
    (d: { what: string }) => `The name of a ${d.what} cannot be empty; leave it out to keep the current one.`,
  ),
  'workspace-unknown': kind(
    404,
    'There is no workspace of that name.',
    (d: { name: string }) => `No such workspace: '${d.name}'.`,
  ),
  'workspace-exists': kind(
    409,
    'A workspace of that name exists already.',
    (d: { name: string }) => `A workspace named '${d.name}' already exists.`,
  ),
  'workspace-not-empty': kind(
    403,
    'The workspace still holds something and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The workspace '${d.name}' is not empty: it holds ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'no-default-workspace': kind(
    404,
    'There is no workspace at all, and so no default one.',
    () => 'No such workspace: there is no default workspace, since there is no workspace at all.',
  ),
  'namespace-unknown': kind(
    404,
    'There is no namespace with that prefix.',
    (d: { prefix: string }) => `No such namespace: '${d.prefix}'.`,
  ),
  'namespace-exists': kind(
    409,
    'A namespace with that prefix exists already.',
    (d: { prefix: string }) => `A namespace with the prefix '${d.prefix}' already exists.`,
  ),
  'namespace-uri-taken': kind(
    409,
    'Another namespace that is not isolated has the same URI.',
    (d: { uri: string; prefix: string }) =>
      `The URI '${d.uri}' already exists as that of the namespace '${d.prefix}'. Choose another one, or make the workspace isolated.`,
  ),
  'namespace-not-empty': kind(
    403,
    'The workspace of the namespace still holds something and recurse was not asked for.',
    (d: { prefix: string; blockers: readonly string[]; total: number }) =>
      `The namespace '${d.prefix}' is not empty: its workspace holds ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'namespace-prefix-fixed': kind(
    403,
    'The prefix of a namespace cannot be changed here.',
    (d: { prefix: string }) =>
      `The prefix of the namespace '${d.prefix}' cannot be changed; rename its workspace instead.`,
  ),
} as const;

export type ProblemCode = keyof typeof problemKinds;

export type ProblemDetails<C extends ProblemCode> = Parameters<(typeof problemKinds)[C]['message']>[0] extends infer D
  ? unknown extends D
    ? CommonDetails
    : D
  : never;
