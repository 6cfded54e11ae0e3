/** Login attempts counted in the memory of one server; a restart clears them. */
import type {
  AttemptKeys,
  AttemptLimits,
  AttemptOutcome,
  LoginAttempts,
  Reservation,
} from '../lib/identity/login-attempts.ts';

interface Counter {
  wrong: number;
  underWay: number;
  readonly endsAtMs: number;
}

/** The oldest counters are dropped first, so that invented names cannot exhaust the memory. */
const MAX_COUNTERS = 20_000;

export class AttemptsInMemory implements LoginAttempts {
  readonly isShared = false;
  readonly #clock: () => number;
  readonly #counters = new Map<string, Counter>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  async reserve({ pair, address, account }: AttemptKeys, limits: AttemptLimits): Promise<Reservation> {
    const [ofPair, ofAddress] = [this.#getCounter(pair, limits.windowMs), this.#getCounter(address, limits.windowMs)];
    const bounded = [
      [ofPair, limits.perAccountAndAddress],
      [ofAddress, limits.perAddress],
    ] as const;
    const reached = bounded.filter(([{ wrong }, limit]) => wrong >= limit);
    if (reached.length > 0) {
      return { kind: 'refused', leftMs: Math.max(...reached.map(([{ endsAtMs }]) => endsAtMs)) - this.#clock() };
    }
    if (bounded.some(([{ wrong, underWay }, limit]) => wrong + underWay >= limit)) return { kind: 'full' };
    for (const counter of [ofPair, ofAddress]) counter.underWay += 1;
    return { kind: 'reserved', isSlowed: (this.#find(account)?.wrong ?? 0) >= limits.perAccount };
  }

  async settle(keys: AttemptKeys, outcome: AttemptOutcome, windowMs: number): Promise<void> {
    for (const key of [keys.pair, keys.address]) {
      const counter = this.#find(key);
      if (counter !== undefined) counter.underWay = Math.max(0, counter.underWay - 1);
    }
    if (outcome === 'wrong') await this.countWrong(keys, windowMs);
    if (outcome === 'right') this.#forgive(keys);
  }

  async countWrong({ pair, address, account, spelled }: AttemptKeys, windowMs: number): Promise<void> {
    for (const key of [pair, address, account, spelled]) this.#getCounter(key, windowMs).wrong += 1;
  }

  /**
   * Clears failures before a successful login of the same spelling. Failures of another spelling stay: that may be the
   * name of another account, and the owner of one account could otherwise guess the password of the other without
   * limit.
   */
  #forgive({ pair, address, account, spelled }: AttemptKeys): void {
    const mistakes = this.#find(spelled)?.wrong ?? 0;
    for (const key of [pair, address, account, spelled]) {
      const counter = this.#find(key);
      if (counter !== undefined) counter.wrong = Math.max(0, counter.wrong - mistakes);
    }
  }

  #find(key: string): Counter | undefined {
    const counter = this.#counters.get(key);
    return counter !== undefined && counter.endsAtMs > this.#clock() ? counter : undefined;
  }

  #getCounter(key: string, windowMs: number): Counter {
    const known = this.#find(key);
    if (known !== undefined) return known;
    const counter = { wrong: 0, underWay: 0, endsAtMs: this.#clock() + windowMs };
    this.#counters.delete(key);
    this.#counters.set(key, counter);
    if (this.#counters.size > MAX_COUNTERS) {
      const [oldest] = this.#counters.keys();
      this.#counters.delete(oldest ?? key);
    }
    return counter;
  }
}
