/** The way of a request, step by step: each step is a file beside this one. */
import { anonymous, isAnonymous } from '../lib/principal.ts';
import { Problem, problem } from '../lib/problem.ts';
import type { Door, Trail } from './app-options.ts';
import { isPublic } from './authorization.ts';
import { answer, authorizeOnly, carryOut, matchOrProblem } from './carry-out.ts';
import { clientKey } from './client-key.ts';
import type { Answer, Asked, AskedBody } from './exchange.ts';
import { finish } from './finish.ts';
import { identify } from './identify.ts';
import { originOf } from './origin.ts';
import { wantedReturn, wantsStrict } from './prefer.ts';
import { sendAllowed } from './reply.ts';
import { retryKeyOf } from './retries.ts';
import type { Route } from './route.ts';
import type { Match } from './router.ts';
import { serveTogether } from './serve-together.ts';
import { type SessionKind, sessionKind } from './session.ts';
import { signalOf } from './signal.ts';
import { splitUrl } from './target.ts';
import { canShowResource } from './wanted-return.ts';

export async function serve<S>(options: Door<S>, request: Asked, reply: Answer): Promise<void> {
  const trail = request.trail as Trail<S>;
  const [rawPath = '/', rawQuery = ''] = splitUrl(request.originalUrl);
  trail.origin = originOf(factsOf(request.raw), options.origin);
  const asked = sessionKind(request.method, rawQuery);
  // Whatever becomes of it, the reply says so: also to who may not ask, and where nothing is.
  trail.isDryRun = asked === 'dry run';
  trail.isStrict = wantsStrict(request.raw.headers);
  const match = matchOrProblem(options.router, rawPath);
  if (match !== undefined && !(match instanceof Problem)) {
    trail.match = match;
  }
  const refreshed = readingRoute(trail.match, request.method)?.standsAlone ? undefined : options.sessions.refresh();
  if (refreshed !== undefined) {
    await refreshed;
  }

  if (trail.match === undefined || !isPublic(trail.match.resource, request.method)) {
    const found = identify(options, request, trail.origin);
    trail.principal = found instanceof Promise ? await found : found;
  }
  const client = clientKey(trail.origin.clientAddress, trail.principal);
  const work = () => serveIdentified(options, { match, rawPath, rawQuery, asked }, request, reply);
  await (options.runForClient?.(client, work) ?? work());
}

/** The rest of the way, once it is known which client is served. */
async function serveIdentified<S>(
  options: Door<S>,
  { match, rawPath, rawQuery, asked }: Target<S>,
  request: Asked,
  reply: Answer,
): Promise<void> {
  const trail = request.trail as Trail<S>;
  if (match === undefined || match instanceof Problem) {
    const nowhere = match ?? problem('path-unknown', { path: rawPath });
    throw isAnonymous(trail.principal ?? anonymous) ? problem('credentials-required', {}) : nowhere;
  }
  const route = asked === 'read' ? undefined : match.resource.methods.get(request.method);
  if (route !== undefined && route.explain === undefined) {
    const isDryRun = asked === 'dry run';
    // What is only tried is tried each time.
    const sent = retryKeyOf(request);
    if (sent instanceof Problem) {
      await authorizeOnly(options, match, request);
      throw sent;
    }
    const key = isDryRun ? undefined : sent;
    const showsResource =
      wantedReturn(request.raw.headers, request.method) === 'representation' && canShowResource(route);
    if (route.isOneChange || key !== undefined || showsResource) {
      await serveTogether(options, { match, rawQuery, isDryRun, key }, request, reply);
      return;
    }
  }
  const session = options.sessions.open(kindFor(asked, match, request.method));
  trail.session = session;
  try {
    const done = await carryOut(options, { session, match, rawQuery, request, signal: () => signalOf(reply) });
    if (done === undefined) {
      sendAllowed(match.resource.allowed, request, reply, options);
      return;
    }
    const sending = answer(options, done, session, request, reply);
    const broken = sending instanceof Promise ? await sending : sending;
    if (broken !== undefined) {
      breakOff(options, request, reply, broken.reason);
    }
  } finally {
    session.close();
  }
}

interface Target<S> {
  readonly match: Match<S> | Problem | undefined;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly asked: SessionKind;
}

/**
 * Some that are asked with the method of a change work with one state; whoever follows changes works with none, nor does
 * who asks nothing of the storage.
 */
function kindFor<S>(asked: SessionKind, match: Match<S>, method: string): SessionKind {
  const route = readingRoute(match, method);
  if (asked === 'write' && route?.readsOneState === true) {
    return 'read';
  }
  return asked === 'read' && (route?.follows === true || route?.standsAlone === true) ? 'write' : asked;
}

function readingRoute<S>(match: Match<S> | undefined, method: string): Route<S> | undefined {
  return match?.resource.methods.get(method === 'HEAD' ? 'GET' : method);
}

/** The client has the status already: all that can still tell it of the failure is the end of the connection. */
function breakOff<S>(options: Door<S>, request: Asked, reply: Answer, reason: unknown): void {
  // What is read for a client ends when it goes, which is no failure.
  if (reply.raw.destroyed) return;
  request.log.error({ requestId: request.id, err: reason }, 'a reply broke off');
  request.trail.problem = problem('unexpected', { requestId: request.id });
  finish(options, request, 500);
  reply.raw.destroy();
}

function factsOf(raw: AskedBody): Parameters<typeof originOf>[0] {
  const { remoteAddress = '127.0.0.1', localAddress = '127.0.0.1', localPort = 80 } = raw.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return { headers: raw.headers, remoteAddress, localHost: `${host}:${localPort}` };
}
