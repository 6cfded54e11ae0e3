/**
 * A semaphore for concurrent work that is fair between clients. Waiting work is ordered by client, then by store, then by
 * arrival. Work in a thread cannot be paused, so long work opens an extra permit for shorter work, and neither one client
 * nor one store can hold all permits.
 *
 * | Rule | Number |
 * |---|---|
 * | Work that is not long | `places` |
 * | All work | `places` + `extraPlaces` = total |
 * | Work of one client | total - 1 |
 * | Work on one store | half of the total |
 * | Work of one client on one store | one less than that |
 *
 * Each number is at least 1. A request that already holds a permit gets further ones first and beyond its share: it could
 * not finish without them, and would keep its permits.
 */

import { type StartTimer, startTimer } from '../lib/async/timer.ts';
import { problem } from '../lib/problems/problem.ts';
import { runWithoutDeadlines } from './pausable-timer.ts';
import { getCurrentScope, type RequestScope } from './request-scope.ts';

export interface SemaphoreLimits {
  readonly places: number;
  /** One more for each long work, or for a client without a permit while another client has several. */
  readonly extraPlaces: number;
  /** Whether extra permits are only for restartable work, which can yield to shorter work. */
  readonly isExtraForRestartable?: boolean;
  /** Further work is rejected; one client can have half as many waiting. */
  readonly maxWaiting: number;
}

export interface PermitRequest {
  /** The data that is read or written, if it could block others. */
  readonly store?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the work must end, release its permit and restart; without it the work is never preempted. */
  readonly onPreempted?: (() => void) | undefined;
  /** Preempted work counts as long from its start. */
  readonly wasPreempted?: boolean | undefined;
  /** Whether the work mostly waits for another server, and counts as long from its start. */
  readonly waitsElsewhere?: boolean | undefined;
}

export interface SemaphorePermit {
  /** Stops the time until work counts as long, while the work waits for something else; it restarts from 0. */
  pauseClock(): void;
  resumeClock(): void;
  /** Call it once. */
  release(): void;
}

export interface FairSemaphore {
  /** Resolves when a permit is available. Throws `work-refused` if too much is waiting, or if the wait is too long. */
  acquire(request?: PermitRequest): Promise<SemaphorePermit>;
  countRunning(): number;
  countWaiting(): number;
  /** Whether other work could start if work on this store ended. */
  isAwaited(store: string | undefined): boolean;
}

/** Suggested to rejected clients: most work ends sooner. */
export const RETRY_AFTER_SECONDS = 5;

/** Work counts as long from then on; hardly any work is. */
export const LONG_WORK_MS = 2_000;

/** Restartable work of a client with several permits can be preempted after this time, for a client without any. */
export const SHORT_WORK_MS = 250;

/** Many clients have a timeout of about a minute themselves. */
export const MAX_WAIT_MS = 60_000;

interface QueuedWork {
  readonly scope: RequestScope;
  readonly store: string | undefined;
  /** Undefined for work that cannot be preempted: it cannot restart, or has already done so. */
  readonly onPreempted: (() => void) | undefined;
  isLong: boolean;
  /** Whether it has run longer than short work. */
  hasRun: boolean;
  isPreempted: boolean;
  stopClock: () => void;
  begin: () => void;
}

export function createFairSemaphore(limits: SemaphoreLimits, alarm: StartTimer = startTimer): FairSemaphore {
  return new Semaphore(limits, alarm);
}

/** For a pool whose callers acquire permits before they run a task. */
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
  /** The last turn of clients and stores. */
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
    onPreempted,
    wasPreempted = false,
    waitsElsewhere = false,
  }: PermitRequest = {}): Promise<SemaphorePermit> {
    signal?.throwIfAborted();
    const work: QueuedWork = {
      scope: getCurrentScope(),
      store,
      onPreempted: wasPreempted ? undefined : onPreempted,
      isLong: wasPreempted || waitsElsewhere,
      hasRun: wasPreempted,
      isPreempted: false,
      stopClock: () => undefined,
      begin: () => undefined,
    };
    if (this.#findNext([...this.#waiting, work]) === work) this.#start(work);
    else await runWithoutDeadlines(() => this.#wait(work, signal, wasPreempted));
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
    // Background work waits without limit, and preempted work has already waited its turn.
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

  /** Returns the waiting work that is next, of all that can start now. */
  #findNext(waiting: readonly QueuedWork[]): QueuedWork | undefined {
    const able = waiting.filter((work) => this.#canStart(work));
    if (able.length < 2) return able[0];
    const ranked = able.map((work, index) => ({ work, rank: [...this.#computeRank(work), index] }));
    return ranked.reduce((first, other) => (isBefore(other.rank, first.rank) ? other : first)).work;
  }

  /** The lowest rank is first. */
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
      // The other permits are reserved for restartable work.
      const staying = this.#countHeld(({ onPreempted }) => onPreempted === undefined);
      return hasRoom && Math.max(long, staying) < places;
    }
    if (this.#hasPermit(work)) return true;
    return this.#isWithinShare(work) && (hasRoom || this.#isStarved(work));
  }

  /** Whether the same request already holds a permit. */
  #hasPermit({ scope }: QueuedWork): boolean {
    return scope.kind === 'request' && this.#countHeld((other) => other.scope === scope) > 0;
  }

  #isWithinShare({ scope, store }: QueuedWork): boolean {
    // Work outside of requests belongs to the server, and may need several permits to finish.
    if (scope.kind === 'server') return true;
    const isSameClient = (other: QueuedWork) => other.scope.client === scope.client;
    // Restartable work yields as soon as another client needs its permit.
    const mayHoldAll = this.#limits.isExtraForRestartable === true;
    if (!mayHoldAll && this.#countHeldBy(scope) >= Math.max(1, this.#total - 1)) return false;
    if (store === undefined) return true;
    const onStore = [...this.#running].filter((other) => other.store === store);
    return onStore.length < this.#storeShare && onStore.filter(isSameClient).length < Math.max(1, this.#storeShare - 1);
  }

  /** Whether its client has no permit while another client has several. */
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

  /** Preempts the work that was started last, which loses least, if all permits are in use and short work waits. */
  #preemptIfNeeded(): void {
    const running = [...this.#running];
    if (running.length < this.#total || running.some(({ isPreempted: isSetBack }) => isSetBack)) return;
    const short = this.#waiting.filter(({ isLong, onPreempted }) => !isLong && onPreempted !== undefined);
    const isAllLong = running.every(({ isLong }) => isLong);
    const latest = running.findLast(
      (work) => work.onPreempted !== undefined && short.some((waiting) => this.#shouldYield(work, waiting, isAllLong)),
    );
    // Work that has just started is probably short.
    if (latest === undefined || !latest.hasRun) return;
    latest.isPreempted = true;
    latest.onPreempted?.();
  }

  /** The long work of a client yields to its other work, and to a client with fewer permits. */
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
