import { problem } from '../../lib/problems/problem.ts';
import { readDocument, readJsonTree, readText } from '../body/body.ts';
import { createUpload } from '../body/uploads.ts';
import type { AppOptions } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import { UnknownNames } from '../request/unknown-names.ts';
import type { RequestBodySpec } from '../routes/route.ts';
import { formats } from '../serialization/format.ts';

export async function readBody<S>(
  options: AppOptions<S>,
  takes: RequestBodySpec,
  request: HttpRequest,
): Promise<unknown> {
  if (takes.kind === 'upload') {
    return createUpload(request.raw, request.raw.headers, options.limits);
  }
  if (takes.kind === 'json') {
    const tree = await readJsonTree(request.raw, request.raw.headers, options.limits);
    if (tree === undefined) {
      throw problem('document-missing', { root: takes.shape.root });
    }
    return tree;
  }
  if (takes.kind === 'text') {
    const text = await readText(request.raw, request.raw.headers, options.limits);
    if (text === undefined) {
      throw problem('document-missing', { root: takes.what });
    }
    return text;
  }
  if (takes.kind === 'document or file') {
    const file = createUpload(request.raw, request.raw.headers, options.limits);
    return isFileBody(takes, file.mediaType)
      ? { kind: 'file', file }
      : { kind: 'document', document: await readBodyDocument(options, takes, request) };
  }
  return readBodyDocument(options, takes, request);
}

async function readBodyDocument<S>(
  options: AppOptions<S>,
  takes: Extract<RequestBodySpec, { document: unknown }>,
  request: HttpRequest,
): Promise<unknown> {
  const input = await readDocument(request.raw, request.raw.headers, options.limits, takes.document.maxBytes);
  if (input === undefined) {
    throw problem('document-missing', { root: takes.document.root });
  }
  const { context } = request;
  return takes.document.read(input, takes.purpose, (at, name, known) => {
    context.unknown ??= new UnknownNames();
    context.unknown.addField(at, name, known);
  });
}

const documentTypes: readonly string[] = [...formats.xml.mediaTypes, ...formats.json.mediaTypes];

/** Requires a content type where the body can be a document or a file. */
function isFileBody(
  takes: Extract<RequestBodySpec, { kind: 'document or file' }>,
  mediaType: string | undefined,
): boolean {
  const expected = [...documentTypes, ...takes.mediaTypes];
  if (mediaType === undefined) {
    throw problem('body-type-missing', { expected });
  }
  if (documentTypes.includes(mediaType)) {
    return false;
  }
  if (!takes.isFile(mediaType)) {
    throw problem('body-type-unknown', { found: mediaType, expected });
  }
  return true;
}
