/** Delivers events to one webhook: in order, one at a time, each after the previous one was acknowledged. */
import { createHmac } from 'node:crypto';
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { UrlGate } from '../../gates/url-gate.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { ChangeFeed } from '../../records/change-feed.ts';
import { SealBroken, type Sealer } from '../../security/core/sealer.ts';
import type { ChangeHead } from '../../storage/port/port.ts';
import { addDelivery, type Delivery, type DeliveryState, type DeliveryStates } from './delivery-state.ts';
import { type Webhook, webhookKind } from './webhook.ts';

/** Formats events as documents. */
export interface WebhookEvents {
  /** Returns the next changes after a sequence number, oldest first; none if there are no more at present. */
  listChangesAfter(number: number): Promise<readonly ChangeHead[]>;
  /** Returns the same text on every call; undefined if the change contains nothing for this webhook. */
  formatEvent(change: ChangeHead, webhook: Webhook): Promise<string | AsyncIterable<string> | undefined>;
}

export interface DeliveryTimes {
  /** The timeout for the response of a receiver. */
  readonly timeoutMs: number;
  /** Doubled after each failure, up to the maximum. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

export interface DeliveryContext {
  readonly catalog: Pick<Catalog, 'get'>;
  readonly feed: ChangeFeed;
  readonly states: DeliveryStates;
  /**
   * Returns whether this node still has the claim; checked before each attempt, since the process may have been paused.
   */
  readonly isOurs: () => Promise<boolean>;
  readonly events: WebhookEvents;
  readonly urlGate: Pick<UrlGate, 'post'>;
  readonly sealer: Sealer;
  readonly clock: () => number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly times: DeliveryTimes;
  /** Called when deliveries start to fail (with the reason), and when they succeed again (with null). */
  readonly report: (webhook: Webhook, failure: string | null) => void;
}

/** The position of skipped events is saved at this interval; after a crash the rest is read again. */
const SAVE_EVERY = 1_000;

/** Resolves when the webhook is deleted, the feed has ended, or another node delivers. */
export async function deliverEvents(world: DeliveryContext, id: string): Promise<void> {
  const { catalog, feed, states } = world;
  const signal = feed.ended;
  let state = await states.load({ id });
  let noted = state.reached;
  while (!signal.aborted) {
    const webhook = await catalog.get(webhookKind, id);
    if (webhook === undefined) return;
    if (!webhook.enabled) {
      await feed.waitForChange(feed.position(), { signal });
      continue;
    }
    const next = await findNextEvent(world, webhook, state);
    ({ state } = next);
    if (next.event === undefined) {
      if (state.reached >= noted + SAVE_EVERY) {
        if (!(await states.save(webhook, state))) return;
        noted = state.reached;
      }
      await feed.waitForChange(state.reached, { signal });
      continue;
    }
    if (!(await world.isOurs())) return;
    const delivery = await attemptDelivery(world, webhook, next.event, state);
    // A shutdown of the server is not a failure of the receiver.
    if (signal.aborted && delivery.message !== undefined) return;
    const wasFailing = state.failure !== null;
    state = addDelivery(state, delivery);
    if (!(await states.save(webhook, state))) return;
    noted = state.reached;
    if (state.failure !== null) {
      if (!wasFailing) world.report(webhook, state.failure.message);
      await waitForRetry(world, webhook, state.failure.attempts);
    } else if (wasFailing) {
      world.report(webhook, null);
    }
  }
}

interface PendingEvent {
  readonly change: ChangeHead;
  readonly formatBody: () => Promise<string | AsyncIterable<string>>;
}

/** Returns the next event for this webhook, and the position up to which events were read. */
async function findNextEvent(
  { events, feed, clock, report }: DeliveryContext,
  webhook: Webhook,
  from: DeliveryState,
): Promise<{ readonly event?: PendingEvent; readonly state: DeliveryState }> {
  let state = from;
  for (;;) {
    const changes = await events.listChangesAfter(state.reached);
    for (const change of changes) {
      if (change.sequence !== state.reached + 1) {
        const event = state.reached + 1;
        const message = `The changes from ${event} to ${change.sequence - 1} expired before they could be delivered.`;
        report(webhook, message);
        state = addDelivery(state, { event, atMs: clock(), attempt: 0, status: null, ms: 0, message });
      }
      const printed = await events.formatEvent(change, webhook);
      if (printed !== undefined) {
        const formatAgain = async () => (await events.formatEvent(change, webhook)) ?? '';
        const event = { change, formatBody: typeof printed === 'string' ? async () => printed : formatAgain };
        return { event, state: { ...state, reached: change.sequence - 1 } };
      }
      state = { ...state, reached: change.sequence };
    }
    if (changes.length === 0 || feed.ended.aborted) return { state };
    await othersFirst();
  }
}

async function attemptDelivery(
  world: DeliveryContext,
  webhook: Webhook,
  { change, formatBody: print }: PendingEvent,
  state: DeliveryState,
): Promise<Delivery> {
  const { urlGate, feed, clock, now, times } = world;
  const [atMs, beganMs] = [clock(), now()];
  const tried = { event: change.sequence, atMs, attempt: (state.failure?.attempts ?? 0) + 1 };
  const measureElapsedMs = () => Math.round(now() - beganMs);
  try {
    const { bytes, signature } = await measureAndSign(
      await print(),
      decryptSecret(world, webhook),
      Math.floor(atMs / 1_000),
    );
    const status = await urlGate.post(webhook.url, {
      headers: {
        'content-type': 'application/cloudevents+json',
        'graticule-delivery': `${webhook.id}.${change.sequence}`,
        ...(signature === undefined ? {} : { 'graticule-signature': signature }),
      },
      bytes,
      pieces: iteratePieces(await print()),
      signal: feed.ended,
      timeoutMs: times.timeoutMs,
    });
    const isTaken = status >= 200 && status < 300;
    const message = isTaken ? {} : { message: `The receiver responded with status ${status}.` };
    return { ...tried, status, ms: measureElapsedMs(), ...message };
  } catch (error) {
    if (feed.ended.aborted || error instanceof Problem || error instanceof SealBroken) {
      return {
        ...tried,
        status: null,
        ms: measureElapsedMs(),
        message: error instanceof Error ? error.message : 'The delivery failed.',
      };
    }
    throw error;
  }
}

function decryptSecret({ sealer }: DeliveryContext, { sealedSecret }: Webhook): string | undefined {
  return sealedSecret === null ? undefined : sealer.open(sealedSecret);
}

/** Signature and length are sent before the body: a long event is formatted twice instead of being buffered. */
async function measureAndSign(
  event: string | AsyncIterable<string>,
  secret: string | undefined,
  atSeconds: number,
): Promise<{ readonly bytes: number; readonly signature: string | undefined }> {
  const hmac = secret === undefined ? undefined : createHmac('sha256', secret).update(`${atSeconds}.`);
  let bytes = 0;
  for await (const piece of iteratePieces(event)) {
    bytes += Buffer.byteLength(piece);
    hmac?.update(piece);
  }
  return { bytes, signature: hmac && `t=${atSeconds},v1=${hmac.digest('hex')}` };
}

async function* iteratePieces(event: string | AsyncIterable<string>): AsyncGenerator<string> {
  if (typeof event === 'string') yield event;
  else yield* event;
}

/** Waits for the next retry; a change of the webhook triggers it immediately. */
async function waitForRetry(world: DeliveryContext, webhook: Webhook, failures: number): Promise<void> {
  const { catalog, feed, now, times } = world;
  const delayMs = Math.min(times.firstRetryMs * 2 ** (failures - 1), times.longestRetryMs);
  const untilMs = now() + delayMs;
  let seen = feed.position();
  for (let leftMs = delayMs; leftMs > 0 && !feed.ended.aborted; leftMs = untilMs - now()) {
    if (await feed.waitForChange(seen, { signal: feed.ended, timeoutMs: leftMs })) {
      seen = feed.position();
      const current = await catalog.get(webhookKind, webhook.id);
      if (current?.version !== webhook.version) return;
    }
  }
}
