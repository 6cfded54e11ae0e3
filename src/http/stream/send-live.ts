/** Sends text as it arrives, as long as the client is connected and authorized. */
import { Problem } from '../../lib/problems/problem.ts';
import { authenticateRequest, authorize } from '../auth/auth.ts';
import { createSender } from '../auth/sender.ts';
import type { AppContext } from '../context/app-options.ts';
import type { HttpRequest, HttpResponse } from '../context/exchange.ts';
import type { Origin } from '../request/request-head.ts';
import { sendReply } from '../response/reply.ts';
import { type SendFailure, sendPiece } from '../response/send.ts';
import type { LiveReply } from '../routes/outcome.ts';
import type { Match } from '../routes/router.ts';
import type { HeaderList } from '../session/recorded-reply.ts';

export interface LiveOptions {
  /** How long a client can stall. */
  readonly timeoutMs: number;
  /** Checked periodically: whether the client is still authorized. */
  readonly canContinue: () => Promise<boolean>;
  readonly everyMs: number;
}

export async function sendLive(
  reply: HttpResponse,
  headers: HeaderList,
  { pieces, until }: LiveReply,
  { timeoutMs, canContinue, everyMs }: LiveOptions,
): Promise<SendFailure | undefined> {
  const { raw } = reply;
  if (reply.request.method === 'HEAD') {
    sendReply(reply, 200, headers);
    return undefined;
  }
  const head = { reply, status: 200, headers, timeoutMs };
  /** Does not wait for unread bytes. */
  const stop = () => {
    const isStalled = raw.writableLength > 0;
    raw.end();
    if (isStalled) {
      raw.destroy();
    }
  };
  const timer = setInterval(async () => {
    if (!(await canContinue())) {
      stop();
    }
  }, everyMs).unref();
  until.addEventListener('abort', stop);
  try {
    for await (const piece of pieces) {
      await sendPiece(head, piece);
      if (raw.destroyed || raw.writableEnded) {
        return undefined;
      }
    }
    raw.end();
    return undefined;
  } catch (error) {
    if (!raw.headersSent) {
      throw error;
    }
    return raw.destroyed || raw.writableEnded ? undefined : { reason: error };
  } finally {
    clearInterval(timer);
    until.removeEventListener('abort', stop);
  }
}

/** Whether the same request would be permitted now. */
export async function isStillAuthorized<S>(
  options: AppContext<S>,
  request: HttpRequest,
  match: Match<S>,
  origin: Origin,
): Promise<boolean> {
  try {
    await options.sessions.refresh();
    const principal = await authenticateRequest(
      options.authenticate,
      request.context.credentials,
      createSender(request.raw, origin, options.origin.proxies),
    );
    const session = options.sessions.open('read');
    try {
      const { method } = request;
      await authorize(session.authorize, { principal, match, method, restRoot: options.restRoot });
      return true;
    } finally {
      session.close();
    }
  } catch (error) {
    if (!(error instanceof Problem)) {
      request.log.error(
        { requestId: request.id, err: error },
        'the permissions of an event stream could not be checked',
      );
    }
    return false;
  }
}
