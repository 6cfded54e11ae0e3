/** Serves what is one change: its reply waits in memory until that is kept, and other operations can be part of it. */
import type { IncomingHttpHeaders } from 'node:http';
import { anonymous, type Principal } from '../lib/principal.ts';
import { Problem, problem } from '../lib/problem.ts';
import type { Door, Trail } from './app-options.ts';
import { credentialsOf } from './authentication.ts';
import { answer, type CarriedOut, carryOut, matchOrProblem } from './carry-out.ts';
import { type Answer, type Asked, type AskedBody, RecordedAnswer } from './exchange.ts';
import { KeptBody } from './kept-body.ts';
import { wantedReturn, wantsStrict } from './prefer.ts';
import type { RecordedReply } from './recorded-reply.ts';
import { fingerprint, oneAtATime, type RetryKey, replay, textOfReply } from './retries.ts';
import type { InnerOperation, Performed, Together } from './route.ts';
import type { Match } from './router.ts';
import { send } from './send.ts';
import { toldOf } from './send-problem.ts';
import type { DraftSession } from './session.ts';
import { settled } from './settled-reply.ts';
import { signalOf } from './signal.ts';
import { splitUrl } from './target.ts';
import { canShowResource, withResource } from './wanted-return.ts';
import { WholeBody, type WholeContent } from './whole-body.ts';

export interface TogetherQuestion<S> {
  readonly match: Match<S>;
  readonly rawQuery: string;
  readonly isDryRun: boolean;
  /** What it is known by when it is sent again. */
  readonly key?: RetryKey | undefined;
}

/** More than that is not kept of one reply. */
const MAX_REPLY_BYTES = 268_435_456;

/** Whatever is one change, and whatever is to be done once however often it is sent. */
export async function serveTogether<S>(
  door: Door<S>,
  question: TogetherQuestion<S>,
  request: Asked,
  reply: Answer,
): Promise<void> {
  const { key } = question;
  const body = new KeptBody(request.raw, door.spool);
  const serve = () => serveKept(door, question, request, body, reply);
  try {
    if (key === undefined) {
      await serve();
      return;
    }
    const answeredBefore = () => replay(door, key, request, body, reply);
    await oneAtATime(door, key, async () => {
      if (await answeredBefore()) return;
      try {
        await serve();
      } catch (error) {
        // Another node may have done it meanwhile: then it is that which was in the way.
        await door.sessions.refresh();
        if (reply.raw.headersSent || !(await answeredBefore())) throw error;
      }
    });
  } finally {
    await body.discard();
  }
}

async function serveKept<S>(
  door: Door<S>,
  { match, rawQuery, isDryRun, key }: TogetherQuestion<S>,
  request: Asked,
  body: KeptBody,
  reply: Answer,
): Promise<void> {
  const trail = request.trail as Trail<S>;
  const isTogether = match.resource.methods.get(request.method)?.isOneChange === true;
  const position = () => door.sessions.position();
  const { result, change } = await door.sessions.draft<Recorded>(
    {
      isDryRun,
      principal: trail.principal ?? anonymous,
      ...(key === undefined
        ? {}
        : {
            reply: ({ recorded, request: sent }, made) => ({
              who: key.who,
              key: key.key,
              request: sent,
              reply: textOfReply(settled(recorded, made, position())),
            }),
          }),
    },
    async (session) => {
      trail.session = session;
      trail.unknown = undefined;
      const again: Asked = { ...factsOf(request), raw: body.open() };
      const recording = new RecordedAnswer(request, MAX_REPLY_BYTES);
      const done = await carryOut(door, {
        match,
        rawQuery,
        session,
        request: again,
        signal: () => signalOf(reply),
        ...(isTogether ? { together: togetherIn(door, session, request, reply) } : {}),
      });
      if (done === undefined) {
        throw new Error('Only what changes something is one change');
      }
      await record(door, done, session, again, recording);
      return {
        recorded: await asWanted(door, done, session, recording.reply, again, (operation) =>
          perform(door, session, operation, request, reply),
        ),
        request: key === undefined ? '' : await fingerprint(request, body),
      };
    },
  );
  const { status, headers, body: text } = settled(result.recorded, change, position());
  send(reply, status, headers, text);
}

interface Recorded {
  readonly recorded: RecordedReply;
  /** What tells its request from others. */
  readonly request: string;
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

/** With the resource that was written, where that is wanted. */
async function asWanted<S>(
  { restRoot }: Door<S>,
  done: CarriedOut<S>,
  session: DraftSession<S>,
  reply: RecordedReply,
  request: Asked,
  show: (operation: InnerOperation) => Promise<Performed>,
): Promise<RecordedReply> {
  const isWanted = wantedReturn(request.raw.headers, request.method) === 'representation';
  const isTold = done.tellChange !== undefined || done.route.isOneChange === true;
  return isWanted && !isTold && canShowResource(done.route)
    ? withResource(reply, done.outcome, { request, restRoot, newNames: async () => session.newNames() }, show)
    : reply;
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
        return asWanted(door, done, session, recorded.reply, request, (inner) =>
          perform(door, session, inner, outer, reply),
        );
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

function innerRequest<S>(door: Door<S>, session: DraftSession<S>, operation: InnerOperation, outer: Asked): Asked {
  const { method, path } = operation;
  const sent = { accept: 'application/json', ...operation.headers, ...typeOf(operation) };
  const raw: AskedBody = new WholeBody(contentOf(operation), { headers: sent, socket: outer.raw.socket });
  const { startedAtMs, origin, isDryRun } = outer.trail;
  return {
    method,
    originalUrl: `${door.restRoot}${path}`,
    id: outer.id,
    log: outer.log,
    raw,
    trail: {
      startedAtMs,
      session,
      isStrict: wantsStrict(sent),
      ...(origin === undefined ? {} : { origin }),
      ...(isDryRun === undefined ? {} : { isDryRun }),
    },
  };
}

function contentOf({ content = '', document }: InnerOperation): WholeContent {
  return document === undefined ? Buffer.from(content) : { document };
}

function typeOf({ content, contentType, document }: InnerOperation): Pick<IncomingHttpHeaders, 'content-type'> {
  if (document !== undefined) {
    return { 'content-type': 'application/json' };
  }
  return content === undefined || contentType === undefined ? {} : { 'content-type': contentType };
}
