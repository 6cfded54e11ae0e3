import type { AppContext, RequestContext } from '../context/app-options.ts';
import { type HttpRequest, type HttpResponse, RecordedResponse } from '../context/exchange.ts';
import { readReturnPreference } from '../request/prefer.ts';
import { sendChange, sendOutcome } from '../response/reply.ts';
import { createReplyHeaders } from '../response/reply-headers.ts';
import { type SendFailure, sendReply } from '../response/send.ts';
import type { Session } from '../session/session.ts';
import { sendLive } from '../stream/send-live.ts';
import { sendService } from '../stream/send-service.ts';
import { isStillAuthorized } from './authenticate-request.ts';
import type { RouteResult } from './execute-route.ts';
import { removeBody } from './return-preference.ts';

/** Sends the result as fast as the client reads it; returns a failure if sending broke off. */
export function sendRouteResult<S>(
  options: AppContext<S>,
  done: RouteResult<S>,
  session: Session<S>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<SendFailure | undefined> | SendFailure | undefined {
  const { outcome, route, tellChange } = done;
  const observeSent = (broken: SendFailure | undefined) => {
    if (outcome.kind !== 'service' || tellChange !== undefined) {
      options.observe?.(route, reply.statusCode);
    }
    return broken;
  };
  if (tellChange !== undefined) {
    return tellChange()
      .then((change) => sendChange(outcome, change, route, request, reply, options))
      .then(observeSent);
  }
  // Everything shown has been read. Close the session, so that a slow client does not keep an old snapshot alive.
  session.close();
  const isBare = outcome.kind !== 'service' && readReturnPreference(request.raw.headers, request.method) === 'minimal';
  const sending = isBare
    ? sendWithoutBody(options, done, request, reply)
    : sendRouteOutcome(options, done, request, reply);
  return sending instanceof Promise ? sending.then(observeSent) : observeSent(sending);
}

/** Sends the response without its body. */
async function sendWithoutBody<S>(
  options: AppContext<S>,
  reserving: Omit<RouteResult<S>, 'tellChange'>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<SendFailure | undefined> {
  const recorded = new RecordedResponse(request, MAX_DISCARDED_BODY_BYTES);
  const broken = await sendRouteOutcome(options, reserving, request, recorded);
  const { status, headers } = removeBody(recorded.reply);
  sendReply(reply, status, [...headers], '');
  return broken;
}

/** The discarded body is created nevertheless; no response of a write is larger. */
const MAX_DISCARDED_BODY_BYTES = 268_435_456;

function sendRouteOutcome<S>(
  options: AppContext<S>,
  { outcome, route, offer }: Omit<RouteResult<S>, 'tellChange'>,
  request: HttpRequest,
  reply: HttpResponse,
): Promise<SendFailure | undefined> | undefined {
  switch (outcome.kind) {
    case 'service':
      return sendService(outcome.reply, request, reply, options);
    case 'live': {
      const { match, origin } = request.context as RequestContext<S>;
      const headers = createReplyHeaders(request, options, 'no-store');
      headers.push('content-type', outcome.mediaType);
      const { sendTimeoutMs: timeoutMs, rightsCheckMs: everyMs } = options.limits;
      const canContinue = async () =>
        match !== undefined && origin !== undefined && (await isStillAuthorized(options, request, match, origin));
      return sendLive(reply, headers, outcome, { timeoutMs, everyMs, canContinue: canContinue });
    }
    default:
      return sendOutcome(outcome, route, offer, request, reply, options);
  }
}
