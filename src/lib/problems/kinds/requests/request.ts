/** Problems with requests in general. */
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
    'The path contains a character that must be percent-encoded, or an invalid percent-encoded sequence.',
    () =>
      'The path is invalid. Percent-encode every non-ASCII character as UTF-8, and follow each percent sign with two hexadecimal digits.',
  ),
  'http-malformed': defineProblemKind(
    400,
    'The received data is not a valid HTTP request.',
    () => 'This is not a valid HTTP request.',
  ),
  'request-timeout': defineProblemKind(
    408,
    'The request was not received before the timeout.',
    () => 'The request was not received before the timeout.',
  ),
  'headers-too-large': defineProblemKind(
    431,
    'The request headers exceed the size limit.',
    () => 'The request headers exceed the size limit.',
  ),
  'query-invalid': defineProblemKind(
    400,
    'A query parameter has an invalid value.',
    (d: { parameter: string; value: string; expected: string }) =>
      `Invalid value '${d.value}' for the query parameter '${d.parameter}'. Expected ${d.expected}.`,
  ),
  'page-unknown': defineProblemKind(
    400,
    'The cursor of a listing (after) is invalid, or belongs to another listing.',
    (d: { reason: string }) =>
      `The query parameter 'after' is not a valid cursor: ${d.reason}. Request the first page without it, and follow the links.`,
  ),
  'dry-run-on-read': defineProblemKind(
    400,
    'A read was sent with dryRun.',
    () => 'dryRun applies to writes only. Remove it from this request.',
  ),
  'xml-malformed': defineProblemKind(
    400,
    'The body is not well-formed XML.',
    (d: Position) => `The XML is not well-formed at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'xml-doctype': defineProblemKind(
    400,
    'The XML contains a document type declaration (DOCTYPE).',
    () =>
      'The XML contains a DOCTYPE declaration. Send the document without it: DTDs and entities are not supported, except general entities with literal values in styles.',
  ),
  'json-malformed': defineProblemKind(
    400,
    'The body is not well-formed JSON.',
    (d: Position) => `The JSON is not well-formed at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'text-undecodable': defineProblemKind(
    400,
    'The body cannot be decoded in its declared encoding, or the encoding is unknown.',
    (d: { charset: string }) => `The body could not be decoded as text in the encoding '${d.charset}'.`,
  ),
  'document-too-deep': defineProblemKind(
    400,
    'Elements or objects are nested beyond the limit.',
    (d: { limit: number }) => `The document is nested deeper than ${d.limit} levels.`,
  ),
  'document-too-busy': defineProblemKind(
    400,
    'The document contains more elements, attributes or members than the limit.',
    (d: { limit: number; what?: string }) =>
      `The document contains more than ${d.limit} ${d.what ?? 'elements, attributes or members'}.`,
  ),
  'document-missing': defineProblemKind(
    400,
    'The request requires a body and has none.',
    (d: { root: string }) => `The request has no body. Expected ${addArticle(`'${d.root}'`)} document.`,
  ),
  'document-root': defineProblemKind(
    400,
    'The document type is not the one that this resource accepts.',
    (d: { expected: string; found: string }) =>
      `Unexpected document type. Expected ${addArticle(`'${d.expected}'`)} document, but the body contains ${d.found}.`,
  ),
  'document-invalid': defineProblemKind(
    400,
    'Fields of the document have invalid types or values.',
    (d: CommonDetails) => (d.complaints ?? []).map((each) => `${each.field}: ${each.message}`).join('; '),
  ),
  'names-unknown': defineProblemKind(
    400,
    'The request contains unknown fields or query parameters, and either the client (Prefer: handling=strict) or the resource rejects them.',
    (d: { names: readonly string[]; more: number; isStrict: boolean }) =>
      `${d.isStrict ? 'Unknown names are rejected because of Prefer: handling=strict' : 'Unknown names are rejected by this resource'}: ${d.names.join('; ')}${d.more === 0 ? '' : `; and ${d.more} more`}.`,
  ),
  'body-too-large': defineProblemKind(
    413,
    'The body exceeds the size limit of this resource.',
    (d: { limitBytes: number }) => `The body exceeds the limit of ${d.limitBytes} bytes.`,
  ),
  'body-incomplete': defineProblemKind(
    400,
    'The connection closed before the complete body was received.',
    () => 'The connection closed before the complete body was received.',
  ),
  'client-gone': defineProblemKind(
    400,
    'The client closed the connection before the request was complete; no change was saved.',
    () => 'The client closed the connection, so the request was cancelled.',
  ),
  'body-type-unknown': defineProblemKind(
    415,
    'The resource does not accept the Content-Type of the body.',
    (d: { found: string; expected: readonly string[] }) =>
      `Unsupported Content-Type '${d.found}'. This resource accepts ${d.expected.join(', ')}.`,
  ),
  'body-type-missing': defineProblemKind(
    400,
    'The body has no Content-Type, and its format is ambiguous.',
    (d: { expected: readonly string[] }) =>
      `The body has no Content-Type. This resource accepts ${d.expected.join(', ')}.`,
  ),
  'body-encoding-unknown': defineProblemKind(
    415,
    'The body is compressed (Content-Encoding), which is not supported.',
    (d: { found: string }) => `Unsupported Content-Encoding '${d.found}'. Send the body uncompressed.`,
  ),
  'not-acceptable': defineProblemKind(
    406,
    'The resource is not available in any format that the client accepts.',
    (d: { accept: string; offered: readonly string[] }) =>
      `This resource is not available as '${d.accept}'. Available formats: ${d.offered.join(', ')}.`,
  ),
  'path-unknown': defineProblemKind(
    404,
    'No resource exists at this path.',
    (d: { path: string }) => `No resource exists at '${d.path}'.`,
  ),
  'method-not-allowed': defineProblemKind(
    405,
    'The resource does not support this method.',
    (d: { method: string; allowed: readonly string[] }) =>
      `${d.method} is not supported by this resource. Allowed methods: ${d.allowed.join(', ')}.`,
  ),
  'precondition-failed': defineProblemKind(
    412,
    'If-Match or If-None-Match does not hold: the resource was changed since the client read it.',
    (d: { header: string }) =>
      `The precondition ${d.header} failed: the current state of the resource does not satisfy it.`,
  ),
  'range-outside': defineProblemKind(
    416,
    'The requested byte range begins after the end of the file.',
    (d: { sizeBytes: number }) =>
      `The requested range begins after the end of the file, which has ${d.sizeBytes} bytes.`,
  ),
  'regex-invalid': defineProblemKind(
    400,
    'A regular expression is invalid, or uses a construct that cannot be matched in linear time.',
    (d: { what: string; regex: string; reason: string; position: number }) =>
      `${d.what} ('${d.regex}') is invalid at character ${d.position}: ${d.reason}.`,
  ),
} as const;
