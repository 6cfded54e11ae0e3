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
  accepted: RequestBodySpec,
  request: HttpRequest,
): Promise<unknown> {
  if (accepted.kind === 'upload') {
    return createUpload(request.raw, request.raw.headers, options.limits);
  }
  if (accepted.kind === 'json') {
    const tree = await readJsonTree(request.raw, request.raw.headers, options.limits);
    if (tree === undefined) {
      throw problem('document-missing', { root: accepted.shape.root });
    }
    return tree;
  }
  if (accepted.kind === 'text') {
    const text = await readText(request.raw, request.raw.headers, options.limits);
    if (text === undefined) {
      throw problem('document-missing', { root: accepted.what });
    }
    return text;
  }
  if (accepted.kind === 'document or file') {
    const file = createUpload(request.raw, request.raw.headers, options.limits);
    return isFileBody(accepted, file.mediaType)
      ? { kind: 'file', file }
      : { kind: 'document', document: await readBodyDocument(options, accepted, request) };
  }
  return readBodyDocument(options, accepted, request);
}

async function readBodyDocument<S>(
  options: AppOptions<S>,
  accepted: Extract<RequestBodySpec, { document: unknown }>,
  request: HttpRequest,
): Promise<unknown> {
  const input = await readDocument(request.raw, request.raw.headers, options.limits, accepted.document.maxBytes);
  if (input === undefined) {
    throw problem('document-missing', { root: accepted.document.root });
  }
  const { context } = request;
  return accepted.document.read(input, accepted.purpose, (at, name, known) => {
    context.unknown ??= new UnknownNames();
    context.unknown.addField(at, name, known);
  });
}

const documentTypes: readonly string[] = [...formats.xml.mediaTypes, ...formats.json.mediaTypes];

/** Requires a content type where the body can be a document or a file. */
function isFileBody(
  accepted: Extract<RequestBodySpec, { kind: 'document or file' }>,
  mediaType: string | undefined,
): boolean {
  const expected = [...documentTypes, ...accepted.mediaTypes];
  if (mediaType === undefined) {
    throw problem('body-type-missing', { expected });
  }
  if (documentTypes.includes(mediaType)) {
    return false;
  }
  if (!accepted.isFile(mediaType)) {
    throw problem('body-type-unknown', { found: mediaType, expected });
  }
  return true;
}
