/** Slows down whoever guesses passwords, without locking out the rightful user at another address. */
import { problem } from '../lib/problem.ts';

export interface ThrottleLimits {
  readonly windowMs: number;
  /** Wrong passwords for one account from one address. */
  readonly perAccountAndAddress: number;
  /** Wrong passwords from one address, whatever the account. */
  readonly perAddress: number;
  /** Wrong passwords for one account from everywhere; beyond it an attempt waits, but is still answered. */
  readonly perAccount: number;
  readonly accountDelayMs: number;
}

interface Counter {
  count: number;
  readonly endsAtMs: number;
}

/** Counters kept at most; the oldest go first, so that made-up names cannot fill the memory. */
const MAX_COUNTERS = 20_000;

export class LoginThrottle {
  readonly #limits: ThrottleLimits;
  readonly #clock: () => number;
  readonly #counters = new Map<string, Counter>();

  constructor(limits: ThrottleLimits, clock: () => number) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Counts an attempt before it is looked at, so that parallel guesses cannot slip through together. Throws when there
   * were too many; else tells how long to wait before looking.
   */
  begin(account: string, address: string): { readonly delayMs: number } {
    const keys = keysOf(account, address);
    this.#refuseBeyond(keys.pair, this.#limits.perAccountAndAddress);
    this.#refuseBeyond(keys.address, this.#limits.perAddress);
    for (const key of Object.values(keys)) {
      this.#counterOf(key).count += 1;
    }
    const slowed = this.#counterOf(keys.account).count > this.#limits.perAccount;
    return { delayMs: slowed ? this.#limits.accountDelayMs : 0 };
  }

  /** The attempt was right: it does not count, and the guesses before it were somebody's typing errors. */
  succeeded(account: string, address: string): void {
    const keys = keysOf(account, address);
    const mistakes = this.#counters.get(keys.pair)?.count ?? 1;
    this.#counters.delete(keys.pair);
    for (const key of [keys.address, keys.account]) {
      const counter = this.#counters.get(key);
      if (counter !== undefined) {
        counter.count = Math.max(0, counter.count - mistakes);
      }
    }
  }

  #refuseBeyond(key: string, limit: number): void {
    const counter = this.#counters.get(key);
    const leftMs = counter === undefined ? 0 : counter.endsAtMs - this.#clock();
    if (counter !== undefined && leftMs > 0 && counter.count >= limit) {
      throw problem('too-many-attempts', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
    }
  }

  #counterOf(key: string): Counter {
    const now = this.#clock();
    const known = this.#counters.get(key);
    if (known !== undefined && known.endsAtMs > now) {
      return known;
    }
    this.#counters.delete(key);
    const fresh = { count: 0, endsAtMs: now + this.#limits.windowMs };
    this.#counters.set(key, fresh);
    if (this.#counters.size > MAX_COUNTERS) {
      const [oldest] = this.#counters.keys();
      this.#counters.delete(oldest ?? key);
    }
    return fresh;
  }
}

function keysOf(account: string, address: string): { pair: string; address: string; account: string } {
  const place = networkOf(address);
  const name = account.slice(0, 100);
  return { pair: `pair ${place} ${name}`, address: `address ${place}`, account: `account ${name}` };
}

/** One IPv6 customer owns a whole /64: counting single addresses would count nothing. */
function networkOf(address: string): string {
  if (!address.includes(':')) {
    return address;
  }
  // `2001:db8::1` leaves out the zeros in the middle.
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':');
}
