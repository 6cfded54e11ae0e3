/**
 * Places for work that runs at once, shared fairly. Waiting work gets its turn by client, then by store, then in the order of
 * arrival. Nothing can be paused in a thread, so work that turns out to be long opens an extra place for shorter work, and
 * neither one client nor one store can hold all places.
 *
 * | Rule | Number |
 * |---|---|
 * | Work that is not long | `places` |
 * | All work | `places` + `extraPlaces` = total |
 * | Work of one client | total - 1 |
 * | Work on one store | half of the total |
 * | Work of one client on one store | one less than that |
 *
 * Each number is at least 1. A request that holds a place already gets further ones first and beyond its shares: it could not
 * finish without them, and would keep what it has.
 */

import { type StartTimer, startTimer } from '../lib/async/timer.ts';
import { problem } from '../lib/problems/problem.ts';
import { runWithoutDeadlines } from './pausable-timer.ts';
import { getCurrentScope, type RequestScope } from './request-scope.ts';

export interface SemaphoreLimits {
  readonly places: number;
  /** One more for each work that is long, or for a client without a place while another client has several. */
  readonly extraPlaces: number;
  /** Whether extra places are only for work that can begin again: it makes room for shorter work. */
  readonly isExtraForRestartable?: boolean;
  /** One more that would wait is refused; of one client, half as many may wait. */
  readonly maxWaiting: number;
}

export interface PermitRequest {
  /** Which data is read or written, if that could hold others up. */
  readonly store?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the work has to end, leave its place and begin again; without it the work is never interrupted. */
  readonly onPreempted?: (() => void) | undefined;
  /** Work that was set back is long from the beginning. */
  readonly wasPreempted?: boolean | undefined;
}

export interface SemaphorePermit {
  /** The time until work counts as long stops while the work waits for something else, and then starts again from 0. */
  pauseClock(): void;
  resumeClock(): void;
  /** To be called once. */
  release(): void;
}

export interface FairSemaphore {
  /** Resolves once there is a place. Throws `work-refused` if too much waits already, or if the wait is too long. */
  acquire(request?: PermitRequest): Promise<SemaphorePermit>;
  countRunning(): number;
  countWaiting(): number;
  /** Whether other work could begin if work on this store ended. */
  isAwaited(store: string | undefined): boolean;
}

/** Suggested to clients that were refused: most work ends sooner. */
export const RETRY_AFTER_SECONDS = 5;

/** Work is long from then on: hardly any is. */
export const LONG_WORK_MS = 2_000;

/** Restartable work of a client with several places may be set back after this time, for a client without any. */
export const SHORT_WORK_MS = 250;

/** A client that waits longer gets an answer: many have a timeout of about a minute themselves. */
export const MAX_WAIT_MS = 60_000;

interface QueuedWork {
  readonly scope: RequestScope;
  readonly store: string | undefined;
  /** Undefined for work that has to stay: it cannot begin again, or has done so before. */
  readonly onPreempted: (() => void) | undefined;
  isLong: boolean;
  /** Whether it has run for longer than short work does. */
  hasRun: boolean;
  isPreempted: boolean;
  stopClock: () => void;
  begin: () => void;
}

export function createFairSemaphore(limits: SemaphoreLimits, alarm: StartTimer = startTimer): FairSemaphore {
  return new Semaphore(limits, alarm);
}

/** For a pool whose callers take their places before they run a task. */
export const unlimitedSemaphore: FairSemaphore = {
  acquire: async () => ({ pauseClock: () => undefined, resumeClock: () => undefined, release: () => undefined }),
  countRunning: () => 0,
  countWaiting: () => 0,
  isAwaited: () => false,
};

class Semaphore implements FairSemaphore {
  readonly #limits: SemaphoreLimits;
  readonly #alarm: StartTimer;
  readonly #total: number;
  readonly #storeShare: number;
  readonly #running = new Set<QueuedWork>();
  /** In the order of arrival. */
  readonly #waiting: QueuedWork[] = [];
  /** When clients and stores had their last turn. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;

  constructor(limits: SemaphoreLimits, alarm: StartTimer) {
    this.#limits = limits;
    this.#alarm = alarm;
    this.#total = limits.places + limits.extraPlaces;
    this.#storeShare = Math.max(1, Math.ceil(this.#total / 2));
  }

  async acquire({
    store,
    signal,
    onPreempted: whenSetBack,
    wasPreempted: wasSetBack = false,
  }: PermitRequest = {}): Promise<SemaphorePermit> {
    signal?.throwIfAborted();
    const work: QueuedWork = {
      scope: getCurrentScope(),
      store,
      onPreempted: wasSetBack ? undefined : whenSetBack,
      isLong: wasSetBack,
      hasRun: wasSetBack,
      isPreempted: false,
      stopClock: () => undefined,
      begin: () => undefined,
    };
    if (this.#findNext([...this.#waiting, work]) === work) this.#start(work);
    else await runWithoutDeadlines(() => this.#wait(work, signal, wasSetBack));
    return {
      pauseClock: () => work.stopClock(),
      resumeClock: () => this.#startClock(work),
      release: () => this.#release(work),
    };
  }

  countRunning(): number {
    return this.#running.size;
  }

  countWaiting(): number {
    return this.#waiting.length;
  }

  isAwaited(store: string | undefined): boolean {
    const isFull = this.#running.size >= this.#limits.places;
    return this.#waiting.some((work) => isFull || (store !== undefined && work.store === store));
  }

  async #wait(work: QueuedWork, signal: AbortSignal | undefined, isAgain: boolean): Promise<void> {
    // Background work waits for as long as it takes, and work that was set back has waited its turn already.
    const isPatient = work.scope.kind === 'background' || isAgain;
    const ofClient = this.#waiting.filter(({ scope }) => scope.client === work.scope.client).length;
    const { maxWaiting } = this.#limits;
    if (!isPatient && (this.#waiting.length >= maxWaiting || ofClient >= Math.ceil(maxWaiting / 2)))
      throw createBusyProblem();
    const turn = Promise.withResolvers<void>();
    const giveUp = (reason: unknown): void => {
      const at = this.#waiting.indexOf(work);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      turn.reject(reason);
    };
    const whenAborted = () => giveUp(signal?.reason);
    work.begin = turn.resolve;
    this.#waiting.push(work);
    signal?.addEventListener('abort', whenAborted);
    const stopAlarm = isPatient ? () => undefined : this.#alarm(MAX_WAIT_MS, () => giveUp(createBusyProblem()));
    this.#preemptIfNeeded();
    try {
      await turn.promise;
    } finally {
      stopAlarm();
      signal?.removeEventListener('abort', whenAborted);
    }
  }

  #start(work: QueuedWork): void {
    this.#turns += 1;
    for (const key of listTurnKeys(work)) this.#lastTurns.set(key, this.#turns);
    this.#running.add(work);
    this.#startClock(work);
    work.begin();
  }

  #startClock(work: QueuedWork): void {
    work.stopClock();
    if (work.isLong || !this.#running.has(work)) return;
    const stops = [
      this.#alarm(SHORT_WORK_MS, () => {
        work.hasRun = true;
        this.#preemptIfNeeded();
      }),
      this.#alarm(LONG_WORK_MS, () => {
        work.isLong = true;
        work.hasRun = true;
        this.#startWaiting();
      }),
    ];
    work.stopClock = () => {
      for (const stop of stops) stop();
    };
  }

  #release(work: QueuedWork): void {
    work.stopClock();
    this.#running.delete(work);
    this.#startWaiting();
    const others = [...this.#running, ...this.#waiting].flatMap(listTurnKeys);
    for (const key of listTurnKeys(work)) if (!others.includes(key)) this.#lastTurns.delete(key);
  }

  #startWaiting(): void {
    for (;;) {
      const next = this.#findNext(this.#waiting);
      if (next === undefined) break;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#start(next);
    }
    this.#preemptIfNeeded();
  }

  /** The waiting work whose turn it is, of all that may begin now. */
  #findNext(waiting: readonly QueuedWork[]): QueuedWork | undefined {
    const able = waiting.filter((work) => this.#canStart(work));
    if (able.length < 2) return able[0];
    const ranked = able.map((work, index) => ({ work, rank: [...this.#computeRank(work), index] }));
    return ranked.reduce((first, other) => (isBefore(other.rank, first.rank) ? other : first)).work;
  }

  /** The lowest is first. */
  #computeRank(work: QueuedWork): readonly number[] {
    const [ofClient = '', ofStore = ''] = listTurnKeys(work);
    const weight = work.scope.kind === 'background' ? 1 : 0;
    return [
      this.#hasPermit(work) ? 0 : 1,
      this.#countHeldBy(work.scope) + weight,
      this.#lastTurns.get(ofClient) ?? 0,
      work.isLong ? 0 : 1,
      this.#lastTurns.get(ofStore) ?? 0,
    ];
  }

  #canStart(work: QueuedWork): boolean {
    const { places, extraPlaces, isExtraForRestartable = false } = this.#limits;
    const running = this.#running.size;
    if (running >= this.#total) return false;
    const long = this.#countHeld(({ isLong }) => isLong);
    const hasRoom = running - Math.min(long, extraPlaces) < places;
    if (isExtraForRestartable && work.onPreempted === undefined) {
      // The other places are for work that can make room.
      const staying = this.#countHeld(({ onPreempted: whenSetBack }) => whenSetBack === undefined);
      return hasRoom && Math.max(long, staying) < places;
    }
    if (this.#hasPermit(work)) return true;
    return this.#isWithinShare(work) && (hasRoom || this.#isStarved(work));
  }

  /** Whether the same request holds a place already. */
  #hasPermit({ scope }: QueuedWork): boolean {
    return scope.kind === 'request' && this.#countHeld((other) => other.scope === scope) > 0;
  }

  #isWithinShare({ scope, store }: QueuedWork): boolean {
    // Work outside of requests is the server's own, and may need several places to finish.
    if (scope.kind === 'server') return true;
    const isSameClient = (other: QueuedWork) => other.scope.client === scope.client;
    // Restartable work makes room as soon as another client needs it.
    const mayHoldAll = this.#limits.isExtraForRestartable === true;
    if (!mayHoldAll && this.#countHeldBy(scope) >= Math.max(1, this.#total - 1)) return false;
    if (store === undefined) return true;
    const onStore = [...this.#running].filter((other) => other.store === store);
    return onStore.length < this.#storeShare && onStore.filter(isSameClient).length < Math.max(1, this.#storeShare - 1);
  }

  /** Whether its client has no place while another client has several. */
  #isStarved({ scope }: QueuedWork): boolean {
    const isOut = scope.kind !== 'background' && this.#countHeldBy(scope) === 0;
    return isOut && [...this.#running].some((other) => this.#countHeldBy(other.scope) > 1);
  }

  #countHeldBy({ client }: RequestScope): number {
    return this.#countHeld(({ scope }) => scope.client === client);
  }

  #countHeld(counts: (work: QueuedWork) => boolean): number {
    let held = 0;
    for (const work of this.#running) if (counts(work)) held += 1;
    return held;
  }

  /** Where all places are in use and short work waits, the work that was begun last is set back: it loses least. */
  #preemptIfNeeded(): void {
    const running = [...this.#running];
    if (running.length < this.#total || running.some(({ isPreempted: isSetBack }) => isSetBack)) return;
    const short = this.#waiting.filter(({ isLong, onPreempted: whenSetBack }) => !isLong && whenSetBack !== undefined);
    const isAllLong = running.every(({ isLong }) => isLong);
    const latest = running.findLast(
      (work) => work.onPreempted !== undefined && short.some((waiting) => this.#shouldYield(work, waiting, isAllLong)),
    );
    // Work that has just begun is probably short, and ends by itself.
    if (latest === undefined || !latest.hasRun) return;
    latest.isPreempted = true;
    latest.onPreempted?.();
  }

  /** The long work of a client makes room for its other work, and for a client that has fewer places. */
  #shouldYield(work: QueuedWork, waiting: QueuedWork, isAllLong: boolean): boolean {
    if (work.scope.client === waiting.scope.client) return isAllLong;
    const [held, other] = [work, waiting].map(({ scope }) => this.#countHeldBy(scope)) as [number, number];
    return isAllLong ? held > other : this.#isStarved(waiting) && held > 1;
  }
}

function listTurnKeys({ scope, store }: QueuedWork): readonly string[] {
  return [scope.client, `${scope.client}\n${store ?? ''}`];
}

function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((each, index) => each !== other[index]);
  return at >= 0 && (rank[at] ?? 0) < (other[at] ?? 0);
}

function createBusyProblem() {
  return problem('work-refused', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
