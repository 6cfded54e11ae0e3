/** The delivery position of each webhook: stored outside the catalog, since it is not configuration. */
import type { Fence } from '../../lib/async/fence.ts';
import type { LogReader, Notes } from '../../storage/port/port.ts';
import type { Webhook } from './webhook.ts';

/** One attempt to deliver an event. */
export interface Delivery {
  /** The sequence number of the change. */
  readonly event: number;
  readonly atMs: number;
  readonly attempt: number;
  /** Null without a response. */
  readonly status: number | null;
  readonly ms: number;
  /** The reason of a failure. */
  readonly message?: string;
}

export interface DeliveryFailure {
  readonly sinceMs: number;
  readonly attempts: number;
  readonly status: number | null;
  readonly message: string;
}

export interface DeliveryState {
  /** The sequence number of the last acknowledged change. */
  readonly position: number;
  /** The sequence number of the last change that was read: those after `position` do not match the webhook. */
  readonly reached: number;
  readonly failure: DeliveryFailure | null;
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
}

/** The recorded deliveries of a webhook; older ones are forgotten. */
const MAX_DELIVERIES = 100;
const NOTE = 'webhook ';

export interface DeliveryStates {
  load(webhook: Pick<Webhook, 'id'>): Promise<DeliveryState>;
  /** Returns false and saves nothing if another node holds the fence or has delivered further. */
  save(webhook: Pick<Webhook, 'id'>, state: DeliveryState, fence?: Fence): Promise<boolean>;
  /** Deletes the states of webhooks that are deleted and cannot be restored from the history. */
  deleteOrphans(isThere: (id: string) => Promise<boolean>): Promise<void>;
}

export function openDeliveryStates(notes: Notes, log: LogReader): DeliveryStates {
  return {
    async load({ id }) {
      const note = await notes.read(`${NOTE}${id}`);
      // Only this module writes the note, so its format is known.
      if (note !== undefined) return JSON.parse(note) as DeliveryState;
      const position = (await log.findCreatingChange(id)) ?? 0;
      return { position, reached: position, failure: null, deliveries: [] };
    },
    save: ({ id }, state, fence) =>
      notes.update(
        `${NOTE}${id}`,
        (note) => {
          const saved = note === undefined ? undefined : (JSON.parse(note) as DeliveryState);
          return saved !== undefined && saved.reached > state.reached ? undefined : JSON.stringify(state);
        },
        fence,
      ),
    async deleteOrphans(isThere) {
      for (const name of await notes.listNames(NOTE)) {
        const id = name.slice(NOTE.length);
        if (!(await isThere(id)) && (await log.findLastChange(id)) === undefined) await notes.write(name, null);
      }
    },
  };
}

/** Returns the state after an attempt: with the delivery in the list, and acknowledged or failing. */
export function addDelivery(state: DeliveryState, delivery: Delivery): DeliveryState {
  const { event, atMs, attempt, status, message } = delivery;
  const deliveries = [delivery, ...state.deliveries].slice(0, MAX_DELIVERIES);
  if (message === undefined) {
    return { position: event, reached: event, failure: null, deliveries };
  }
  const sinceMs = state.failure?.sinceMs ?? atMs;
  return { ...state, failure: { sinceMs, attempts: attempt, status, message }, deliveries };
}
