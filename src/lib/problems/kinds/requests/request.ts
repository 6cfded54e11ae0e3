/** What can be wrong with a request before any family looks at it. */
import { addArticle } from '../../../text/wording.ts';
import { type CommonDetails, defineProblemKind } from '../kind.ts';

interface Position {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export const requestProblems = {
  'url-malformed': defineProblemKind(
    400,
    'The path holds a character that must be encoded, or a percent sign that starts no valid UTF-8 escape.',
    () =>
      'The path is not valid: everything but ASCII must be percent-encoded UTF-8, and a percent sign must be followed by two hexadecimal digits of it.',
  ),
  'http-malformed': defineProblemKind(
    400,
    'What arrived is no HTTP request.',
    () => 'This is not a valid HTTP request.',
  ),
  'request-timeout': defineProblemKind(
    408,
    'The request did not arrive in time.',
    () => 'The request did not arrive within the time that a client has for it.',
  ),
  'headers-too-large': defineProblemKind(
    431,
    'The headers are larger than is read.',
    () => 'The headers of the request are too large.',
  ),
  'query-invalid': defineProblemKind(
    400,
    'A query parameter has a value it cannot have.',
    (d: { parameter: string; value: string; expected: string }) =>
      `The query parameter '${d.parameter}' has the value '${d.value}', but ${d.expected} was expected.`,
  ),
  'page-unknown': defineProblemKind(
    400,
    'A page of a listing was asked for that the server did not tell of.',
    (d: { reason: string }) =>
      `The query parameter 'after' does not lead to a page: ${d.reason}. Begin without it, and follow the links.`,
  ),
  'dry-run-on-read': defineProblemKind(
    400,
    'A read was sent with dryRun.',
    () => 'A read changes nothing, so that there is nothing to try; leave the query parameter dryRun out.',
  ),
  'xml-malformed': defineProblemKind(
    400,
    'The body is not well-formed XML.',
    (d: Position) => `The XML is not well-formed at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'xml-doctype': defineProblemKind(
    400,
    'The XML has a document type declaration, which is never read.',
    () => 'The XML holds a DOCTYPE declaration. Send the document without one: entities and DTDs are never read.',
  ),
  'json-malformed': defineProblemKind(
    400,
    'The body is not JSON.',
    (d: Position) => `The JSON is not well-formed at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'text-undecodable': defineProblemKind(
    400,
    'The bytes of the body are not text in the encoding they claim.',
    (d: { charset: string }) => `The body could not be read as text in the encoding '${d.charset}'.`,
  ),
  'document-too-deep': defineProblemKind(
    400,
    'Elements or objects are nested beyond the limit.',
    (d: { limit: number }) => `The document is nested deeper than ${d.limit} levels.`,
  ),
  'document-too-busy': defineProblemKind(
    400,
    'One document holds more elements, attributes or members than the limit.',
    (d: { limit: number }) => `The document holds more than ${d.limit} elements, attributes or members.`,
  ),
  'document-missing': defineProblemKind(
    400,
    'A body is required and none was sent.',
    (d: { root: string }) => `The request has no body; ${addArticle(`'${d.root}'`)} document was expected.`,
  ),
  'document-root': defineProblemKind(
    400,
    'The document is of another kind than this address takes.',
    (d: { expected: string; found: string }) =>
      `A${addArticle(`'${d.expected}'`).slice(1)} document was expected, but the body holds ${d.found}.`,
  ),
  'document-invalid': defineProblemKind(400, 'Fields of the document have wrong types or values.', (d: CommonDetails) =>
    (d.complaints ?? []).map((each) => `${each.field}: ${each.message}`).join('; '),
  ),
  'names-unknown': defineProblemKind(
    400,
    'Fields or query parameters are not known, and the client (Prefer: handling=strict) or the address wants that refused.',
    (d: { names: readonly string[]; more: number; isStrict: boolean }) =>
      `Not known here, which ${d.isStrict ? 'Prefer: handling=strict makes' : 'is always'} an error${d.isStrict ? '' : ' at this address'}: ${d.names.join('; ')}${d.more === 0 ? '' : `; and ${d.more} more`}.`,
  ),
  'body-too-large': defineProblemKind(
    413,
    'The body is larger than this address takes.',
    (d: { limitBytes: number }) => `The body is larger than the ${d.limitBytes} bytes this address takes.`,
  ),
  'body-incomplete': defineProblemKind(
    400,
    'The connection ended before the body did.',
    () => 'The connection ended before the whole body had arrived.',
  ),
  'client-gone': defineProblemKind(
    400,
    'The client has closed the connection before the work was done; nothing of it is kept.',
    () => 'The client has closed the connection, so the work was given up.',
  ),
  'body-type-unknown': defineProblemKind(
    415,
    'The Content-Type of the body is none this address reads.',
    (d: { found: string; expected: readonly string[] }) =>
      `The body is declared as '${d.found}', but this address reads ${d.expected.join(', ')}.`,
  ),
  'body-type-missing': defineProblemKind(
    400,
    'The body has no Content-Type, and could be one of several things.',
    (d: { expected: readonly string[] }) =>
      `The body has no Content-Type; this address reads ${d.expected.join(', ')}.`,
  ),
  'body-encoding-unknown': defineProblemKind(
    415,
    'The body is compressed, which is not read here.',
    (d: { found: string }) => `The body has the Content-Encoding '${d.found}'. Send it as it is, without one.`,
  ),
  'not-acceptable': defineProblemKind(
    406,
    'No format the client accepts is offered here.',
    (d: { accept: string; offered: readonly string[] }) =>
      `None of '${d.accept}' is offered here. Ask for one of ${d.offered.join(', ')}.`,
  ),
  'path-unknown': defineProblemKind(
    404,
    'Nothing is served at this path.',
    (d: { path: string }) => `Nothing is served at '${d.path}'.`,
  ),
  'method-not-allowed': defineProblemKind(
    405,
    'The address exists, but not for this method.',
    (d: { method: string; allowed: readonly string[] }) =>
      `${d.method} is not possible here; the methods are ${d.allowed.join(', ')}.`,
  ),
  'precondition-failed': defineProblemKind(
    412,
    'If-Match or If-None-Match does not hold: somebody else changed the resource first.',
    (d: { header: string }) => `The precondition ${d.header} does not hold: the resource is not in the state it names.`,
  ),
  'range-outside': defineProblemKind(
    416,
    'The range of bytes that was asked for begins after the end of the file.',
    (d: { sizeBytes: number }) => `The file has ${d.sizeBytes} bytes, and the range begins after them.`,
  ),
  'regex-invalid': defineProblemKind(
    400,
    'A regular expression does not compile, or holds what cannot be matched in linear time.',
    (d: { what: string; regex: string; reason: string; position: number }) =>
      `${d.what} ('${d.regex}') cannot be used: at character ${d.position}, ${d.reason}.`,
  ),
} as const;
