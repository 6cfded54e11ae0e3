/** Sends the change that a request made, instead of its usual response. */
import { type Exchange, RecordedResponse } from '../context/exchange.ts';
import { acceptsChange, changeMediaType } from '../negotiate/negotiation.ts';
import type { Outcome } from '../routes/outcome.ts';
import { listSuccesses, type Route } from '../routes/route.ts';
import type { ChangeDocument, CommittedChange } from '../session/session.ts';
import { createUrlBuilder } from './print-document.ts';
import { addOutcomeHeaders, createReplyHeaders } from './reply.ts';
import { type SendFailure, sendList } from './send.ts';

/** Sends the change of a write or a dry run instead of the usual body. */
export async function sendChange<S>(
  { app, request, reply }: Exchange<S>,
  { outcome, route }: { readonly outcome: Outcome; readonly route: Route<S> },
  { head, items }: ChangeDocument,
): Promise<SendFailure | undefined> {
  const headers = createReplyHeaders(request, app, { cacheControl: 'no-store' });
  addOutcomeHeaders(outcome, request, headers);
  if (outcome.kind === 'created') {
    headers.push('location', createUrlBuilder(request, app)(outcome.location));
  }
  headers.push('content-type', acceptsChange(request.raw.headers) ? changeMediaType : 'application/json');
  const [success] = listSuccesses(route);
  const status = outcome.kind === 'created' ? (outcome.status ?? success) : success;
  if (reply instanceof RecordedResponse) {
    const texts: string[] = [];
    for await (const item of items) texts.push(JSON.stringify(item));
    const itemTexts = texts.join(',');
    reply.deferBody(status, headers, (change) => `${formatHead({ ...head, ...toChangeFields(change) })}${itemTexts}]}`);
    return undefined;
  }
  const before = formatHead(head);
  const frame = { before, item: JSON.stringify, between: ',', after: ']}', empty: `${before}]}` };
  return sendList<object>({ reply, status, headers, timeoutMs: app.limits.sendTimeoutMs }, frame, items);
}

function formatHead(head: ChangeDocument['head']): string {
  return `${JSON.stringify(head).slice(0, -1)},"items":[`;
}

/** The fields that are known only after the commit. */
function toChangeFields(change: CommittedChange | null): object {
  return change === null
    ? {}
    : { sequence: change.sequence, at: new Date(change.atMs).toISOString(), what: change.what };
}
