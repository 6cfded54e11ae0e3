/** How far the delivery to each webhook has got: kept beside the catalog, since it is no part of the configuration. */
import type { Fence } from '../../lib/async/fence.ts';
import type { LogReader, Notes } from '../../storage/port/port.ts';
import type { Webhook } from './webhook.ts';

/** One attempt to deliver an event. */
export interface Delivery {
  /** The number of the change. */
  readonly event: number;
  readonly atMs: number;
  readonly attempt: number;
  /** Null where no answer came. */
  readonly status: number | null;
  readonly ms: number;
  /** Why it failed. */
  readonly message?: string;
}

export interface DeliveryFailure {
  readonly sinceMs: number;
  readonly attempts: number;
  readonly status: number | null;
  readonly message: string;
}

export interface DeliveryState {
  /** The number of the last change that was acknowledged. */
  readonly position: number;
  /** That of the last one that was looked at: those in between were not asked for. */
  readonly reached: number;
  readonly failure: DeliveryFailure | null;
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
}

const MAX_DELIVERIES = 100;
const NOTE = 'webhook ';

export interface DeliveryStates {
  load(webhook: Pick<Webhook, 'id'>): Promise<DeliveryState>;
  /** False, and nothing is saved, if another node holds the fence by then, or has got further. */
  save(webhook: Pick<Webhook, 'id'>, state: DeliveryState, fence?: Fence): Promise<boolean>;
  /** Forgets those of webhooks that are gone, and that no history could bring back. */
  deleteOrphans(isThere: (id: string) => Promise<boolean>): Promise<void>;
}

export function openDeliveryStates(notes: Notes, log: LogReader): DeliveryStates {
  return {
    async load({ id }) {
      const note = await notes.read(`${NOTE}${id}`);
      // The note was written here.
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

/** After an attempt: with it in the list, and either acknowledged or failing. */
export function addDelivery(state: DeliveryState, delivery: Delivery): DeliveryState {
  const { event, atMs, attempt, status, message } = delivery;
  const deliveries = [delivery, ...state.deliveries].slice(0, MAX_DELIVERIES);
  if (message === undefined) {
    return { position: event, reached: event, failure: null, deliveries };
  }
  const sinceMs = state.failure?.sinceMs ?? atMs;
  return { ...state, failure: { sinceMs, attempts: attempt, status, message }, deliveries };
}
