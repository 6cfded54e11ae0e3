/** Serves what is one change: its reply waits in memory until that is kept, and other operations can be part of it. */
import { Readable } from 'node:stream';
import { keptVersion } from '../lib/draft-version.ts';
import { anonymous, type Principal } from '../lib/principal.ts';
import { Problem, problem } from '../lib/problem.ts';
import type { Door, Trail } from './app-options.ts';
import { credentialsOf } from './authentication.ts';
import { answer, type CarriedOut, carryOut, matchOrProblem } from './carry-out.ts';
import { type Answer, type Asked, type AskedBody, RecordedAnswer } from './exchange.ts';
import { KeptBody } from './kept-body.ts';
import { wantsStrict } from './prefer.ts';
import type { RecordedReply } from './recorded-reply.ts';
import type { InnerOperation, Performed, Together } from './route.ts';
import type { Match } from './router.ts';
import { type HeaderList, send } from './send.ts';
import { toldOf } from './send-problem.ts';
import type { DraftSession, MadeChange } from './session.ts';
import { signalOf } from './signal.ts';
import { splitUrl } from './target.ts';

export interface TogetherQuestion<S> {
  readonly match: Match<S>;
  readonly rawQuery: string;
  readonly isDryRun: boolean;
}

/** More than that is not kept of one reply. */
const MAX_REPLY_BYTES = 268_435_456;

export async function serveTogether<S>(
  door: Door<S>,
  { isDryRun, ...question }: TogetherQuestion<S>,
  request: Asked,
  reply: Answer,
): Promise<void> {
  const trail = request.trail as Trail<S>;
  const principal = trail.principal ?? anonymous;
  const body = new KeptBody(request.raw, door.spool);
  try {
    const { result, change } = await door.sessions.draft({ isDryRun, principal }, async (session) => {
      trail.session = session;
      trail.unknown = undefined;
      const again: Asked = { ...factsOf(request), raw: body.open() };
      const recorded = new RecordedAnswer(request, MAX_REPLY_BYTES);
      const done = await carryOut(door, {
        ...question,
        session,
        request: again,
        signal: () => signalOf(reply),
        together: togetherIn(door, session, request, reply),
      });
      if (done === undefined) {
        throw new Error('Only what changes something is one change');
      }
      await record(door, done, session, again, recorded);
      return recorded.reply;
    });
    const { status, headers, body: text } = settled(result, change, door.sessions.position());
    send(reply, status, headers, text);
  } finally {
    await body.discard();
  }
}

function factsOf({ method, originalUrl, id, log, trail }: Asked): Omit<Asked, 'raw'> {
  return { method, originalUrl, id, log, trail };
}

/** What breaks off in memory was never sent. */
async function record<S>(
  door: Door<S>,
  done: CarriedOut<S>,
  session: DraftSession<S>,
  request: Asked,
  recorded: RecordedAnswer,
): Promise<void> {
  const broken = await answer(door, done, session, request, recorded);
  if (broken !== undefined) throw broken.reason;
}

export interface SettledReply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Buffer;
}

/** A reply as it is told once its change is certain: with the number of that in the place of what stood for it. */
export function settled(reply: RecordedReply, change: MadeChange | null, position: number): SettledReply {
  const headers: HeaderList = [];
  for (let at = 0; at < reply.headers.length; at += 2) {
    const [name = '', value = ''] = reply.headers.slice(at, at + 2);
    if (name === 'etag') headers.push(name, settledTag(value, change));
    else if (name === 'graticule-position') headers.push(name, String(Math.max(position, change?.sequence ?? 0)));
    else if (name !== 'content-length') headers.push(name, value);
  }
  if (change !== null) headers.push('graticule-change', String(change.sequence));
  const { status, body } = reply;
  return { status, headers, body: typeof body === 'function' ? body(change) : body };
}

export function settledTag(tag: string, change: MadeChange | null): string {
  return tag.replace(/^"(\d+)/, (_, version) => `"${keptVersion(Number(version), change?.sequence ?? null)}`);
}

function togetherIn<S>(door: Door<S>, session: DraftSession<S>, request: Asked, reply: Answer): Together {
  return {
    name: (what) => session.name(what),
    patternOf(path) {
      const [rawPath] = splitUrl(`${door.restRoot}${path}`);
      const match = matchOrProblem(door.router, rawPath);
      return match === undefined || match instanceof Problem
        ? undefined
        : match.resource.pattern.slice(door.restRoot.length);
    },
    perform: (operation) => perform(door, session, operation, request, reply),
  };
}

async function perform<S>(
  door: Door<S>,
  session: DraftSession<S>,
  operation: InnerOperation,
  outer: Asked,
  reply: Answer,
): Promise<Performed> {
  const request = innerRequest(door, session, operation, outer);
  const trail = request.trail as Trail<S>;
  const [rawPath, rawQuery] = splitUrl(request.originalUrl);
  try {
    trail.principal = await currentPrincipal(door, session, outer);
    const match = matchOrProblem(door.router, rawPath) ?? problem('path-unknown', { path: rawPath });
    if (match instanceof Problem) throw match;
    trail.match = match;
    const done = await session.attempt(() =>
      carryOut(door, { session, match, rawQuery, request, signal: () => signalOf(reply) }),
    );
    if (done === undefined) {
      throw problem('method-not-allowed', { method: operation.method, allowed: match.resource.allowed });
    }
    return {
      outcome: done.outcome,
      async reply() {
        const recorded = new RecordedAnswer(request, MAX_REPLY_BYTES);
        await record(door, done, session, request, recorded).catch((error: unknown) => {
          throw toldOf(error, request);
        });
        return recorded.reply;
      },
    };
  } catch (error) {
    throw toldOf(error, request);
  }
}

/** Whoever asks for all of it asks for each: with the rights, and the password, that those before have left. */
async function currentPrincipal<S>(door: Door<S>, session: DraftSession<S>, outer: Asked): Promise<Principal> {
  const { principal = anonymous } = outer.trail;
  const credentials = credentialsOf(outer.raw.socket, outer.raw.headers);
  if (credentials === undefined) return principal;
  const now = await door.authenticateAgain(session.services, principal, credentials);
  if (now === undefined) throw problem('credentials-required', {});
  return now;
}

function innerRequest<S>(
  door: Door<S>,
  session: DraftSession<S>,
  { method, path, content, contentType, headers = {} }: InnerOperation,
  outer: Asked,
): Asked {
  const sent = {
    accept: 'application/json',
    ...headers,
    ...(content === undefined
      ? {}
      : { 'content-type': contentType, 'content-length': String(Buffer.byteLength(content)) }),
  };
  const raw: AskedBody = Object.assign(Readable.from(content === undefined ? [] : [Buffer.from(content)]), {
    headers: sent,
    socket: outer.raw.socket,
  });
  const { origin, isDryRun } = outer.trail;
  return {
    method,
    originalUrl: `${door.restRoot}${path}`,
    id: outer.id,
    log: outer.log,
    raw,
    trail: {
      session,
      isStrict: wantsStrict(sent),
      ...(origin === undefined ? {} : { origin }),
      ...(isDryRun === undefined ? {} : { isDryRun }),
    },
  };
}
