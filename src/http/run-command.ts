/** Runs a command inside an open transaction: the handler of its route, without a request and without a response. */
import type { Principal } from '../lib/identity/principal.ts';
import type { Json } from '../lib/json/value.ts';
import { noPrecondition } from '../lib/problems/precondition.ts';
import { problem } from '../lib/problems/problem.ts';
import type { UnverifiedPolicy } from '../lib/problems/unverified.ts';
import { authorize } from './auth/auth.ts';
import { readDocument } from './body/body.ts';
import { createUpload, type Upload } from './body/uploads.ts';
import { WholeBody } from './body/whole-body.ts';
import type { AppContext } from './context/app-options.ts';
import { ignoreUnknown } from './documents/unknown-fields.ts';
import { readQuery } from './request/request-head.ts';
import type { Command, CommandFile } from './routes/command.ts';
import type { RequestBodySpec } from './routes/route.ts';
import { convertJsonInput } from './serialization/convert-json-input.ts';
import type { Session } from './session/session.ts';
import { reserveRoom } from './steps/execute-route.ts';

/** The client on whose behalf a command runs. */
export interface CommandCaller<S> {
  readonly session: Session<S>;
  readonly principal: Principal;
  readonly baseUrl: string;
  readonly signal: () => AbortSignal;
  readonly unverified: UnverifiedPolicy | undefined;
}

/** Checks permissions and input like the request of a client. Unknown fields of the document are ignored. */
export async function runCommand<S>(
  app: AppContext<S>,
  { session, principal, baseUrl, signal, unverified }: CommandCaller<S>,
  command: Command,
): Promise<void> {
  const { method, pattern, params, query } = command;
  const { services } = session;
  const resource = app.router.find(`${app.restRoot}${pattern}`);
  const route = resource?.methods.get(method);
  if (resource === undefined || route?.kind !== 'write') {
    throw new Error(`The route table has no command ${method} ${pattern}`);
  }
  const match = { resource, params };
  await authorize(session.authorize, { principal, match, method, restRoot: app.restRoot });
  const reserving = reserveRoom(app.room, route);
  if (reserving !== undefined) {
    await reserving;
  }
  const rawQuery = query === undefined ? '' : new URLSearchParams(query).toString();
  await route.handle({
    services,
    principal,
    params,
    query: readQuery(route.query, rawQuery),
    body: route.accepts === undefined ? undefined : await readCommandBody(app, route.accepts, command),
    restUrl: `${baseUrl}${app.restRoot}`,
    format: undefined,
    rendition: undefined,
    isStrict: false,
    signal,
    sent: {
      ...{ method, isHead: false, path: `${app.restRoot}${pattern}`, rawQuery, headers: {}, baseUrl },
      text: async () => '',
      describe: () => undefined,
    },
    precondition: noPrecondition,
    unverified,
  });
}

async function readCommandBody<S>(
  app: AppContext<S>,
  accepted: RequestBodySpec,
  { method, pattern, document, file }: Command,
): Promise<unknown> {
  if (accepted.kind === 'upload' && file !== undefined) {
    return createFileUpload(app, file);
  }
  if (accepted.kind === 'document or file' && file !== undefined) {
    return { kind: 'file', file: createFileUpload(app, file) };
  }
  if (!('document' in accepted) || document === undefined) {
    throw new Error(`${method} ${pattern} needs another input`);
  }
  const read = await readCommandDocument(app, accepted, document);
  return accepted.kind === 'document' ? read : { kind: 'document', document: read };
}

async function readCommandDocument<S>(
  { limits }: AppContext<S>,
  { document: reader, purpose }: Extract<RequestBodySpec, { document: unknown }>,
  document: Json,
): Promise<unknown> {
  const maxBytes = Math.min(reader.maxBytes ?? limits.maxDocumentBytes, limits.maxDocumentBytes);
  const input = convertJsonInput(document, { ...limits, maxBytes }) ?? (await readAsText(document, limits, maxBytes));
  if (input === undefined) {
    throw problem('document-missing', { root: reader.root });
  }
  return reader.read(input, purpose, ignoreUnknown);
}

/** For documents that may exceed a limit: the parser of bodies reports which one. */
function readAsText<S>(document: Json, limits: AppContext<S>['limits'], maxBytes: number) {
  const body = createBody(JSON.stringify(document), 'application/json');
  return readDocument(body, body.headers, limits, maxBytes);
}

function createFileUpload<S>({ limits }: AppContext<S>, { content, mediaType }: CommandFile): Upload {
  const body = createBody(content, mediaType);
  return createUpload(body, body.headers, limits);
}

function createBody(content: string | Uint8Array, mediaType: string): WholeBody {
  return new WholeBody(Buffer.from(content), {
    headers: { 'content-type': mediaType },
    socket: { remoteAddress: undefined },
  });
}
