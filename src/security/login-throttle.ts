/** Slows down whoever guesses passwords, without locking out the rightful user at another address. */
import { type Problem, problem } from '../lib/problem.ts';
import type { SharedAttempts } from '../lib/shared-attempts.ts';
import { foldedAccountName } from './account-names.ts';

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

/** Unanswered: nobody could be asked who might have known. That says nothing about the password. */
export type AttemptOutcome = 'right' | 'wrong' | 'unanswered';

/** An attempt that may be looked at now. */
export interface Attempt {
  /** How long to wait before looking. */
  readonly delayMs: number;
  /** To be called once, whatever becomes of it. */
  end(outcome: AttemptOutcome): Promise<void> | undefined;
}

interface Counter {
  count: number;
  readonly endsAtMs: number;
  /** Of those, how many with each spelling of the account. */
  readonly bySpelling: Map<string, number>;
}

interface Keys {
  readonly pair: string;
  readonly address: string;
  readonly account: string;
  readonly spelling: string;
  /** What this spelling of the account is counted by where several servers count together. */
  readonly spelled: string;
}

interface Waiting {
  readonly keys: Keys;
  readonly admit: (attempt: Attempt) => void;
  readonly refuse: (refusal: Problem) => void;
}

/** What goes on at one address. */
interface Place {
  inFlight: number;
  readonly inFlightByPair: Map<string, number>;
  waiting: readonly Waiting[];
}

/** Counters kept at most; the oldest go first, so that made-up names cannot fill the memory. */
const MAX_COUNTERS = 20_000;

/** Attempts that wait at one address at most: more than people behind one router, and little memory. */
const MAX_WAITING = 2_000;

/** Of a name, what is counted by. */
const MAX_NAME_LENGTH = 100;

/** Longer names belong to nobody; folding them would only take time. */
const MAX_FOLDED_LENGTH = 1_000;

export class LoginThrottle {
  readonly #limits: ThrottleLimits;
  readonly #clock: () => number;
  readonly #counters = new Map<string, Counter>();
  readonly #places = new Map<string, Place>();
  readonly #shared: SharedAttempts | undefined;

  /** With `shared`, what other servers have counted counts as well. */
  constructor(limits: ThrottleLimits, clock: () => number, shared?: SharedAttempts) {
    this.#limits = limits;
    this.#clock = clock;
    this.#shared = shared;
  }

  /**
   * Lets an attempt be looked at, at once or when there is room; refuses when there were too many wrong ones. No more
   * are looked at together than may still be wrong: guesses cannot slip through side by side, and right passwords that
   * come all at once only wait for each other.
   */
  async begin(account: string, address: string): Promise<Attempt> {
    const keys = keysOf(account, address);
    if (this.#shared !== undefined) {
      await this.#learn(this.#shared, keys);
    }
    const refusal = this.#refusalOf(keys);
    if (refusal !== undefined) {
      throw refusal;
    }
    const place = this.#placeOf(keys);
    if (this.#hasRoom(place, keys)) {
      return this.#enter(place, keys);
    }
    if (place.waiting.length >= MAX_WAITING) {
      throw problem('too-many-attempts', { retryAfterSeconds: Math.ceil(this.#limits.windowMs / 1000) });
    }
    const { promise, resolve: admit, reject: refuse } = Promise.withResolvers<Attempt>();
    place.waiting = [...place.waiting, { keys, admit, refuse }];
    return promise;
  }

  /** Credentials that were right before are no guess: they wait for nobody, and count only if they are right no more. */
  beginKnown(account: string, address: string): Attempt {
    const keys = keysOf(account, address);
    return {
      delayMs: 0,
      end: (outcome) => {
        // A right one forgives nothing: it says nothing about who made the mistakes.
        return outcome === 'wrong' ? this.#count(keys) : undefined;
      },
    };
  }

  #enter(place: Place, keys: Keys): Attempt {
    place.inFlight += 1;
    place.inFlightByPair.set(keys.pair, (place.inFlightByPair.get(keys.pair) ?? 0) + 1);
    const slowed = this.#countOf(keys.account) >= this.#limits.perAccount;
    return {
      delayMs: slowed ? this.#limits.accountDelayMs : 0,
      end: (outcome) => {
        this.#leave(place, keys);
        const told = this.#note(keys, outcome);
        this.#admitWaiting(place, keys);
        return told;
      },
    };
  }

  #note(keys: Keys, outcome: AttemptOutcome): Promise<void> | undefined {
    switch (outcome) {
      case 'wrong':
        return this.#count(keys);
      case 'right':
        return this.#forgive(keys);
      case 'unanswered':
        return undefined;
    }
  }

  #leave(place: Place, { pair }: Keys): void {
    place.inFlight -= 1;
    const left = (place.inFlightByPair.get(pair) ?? 1) - 1;
    if (left === 0) {
      place.inFlightByPair.delete(pair);
    } else {
      place.inFlightByPair.set(pair, left);
    }
  }

  #admitWaiting(place: Place, { address }: Keys): void {
    const waiting = place.waiting;
    place.waiting = waiting.filter(({ keys, admit, refuse }) => {
      const refusal = this.#refusalOf(keys);
      if (refusal !== undefined) {
        refuse(refusal);
        return false;
      }
      if (this.#hasRoom(place, keys)) {
        admit(this.#enter(place, keys));
        return false;
      }
      return true;
    });
    if (place.inFlight === 0 && place.waiting.length === 0) {
      this.#places.delete(address);
    }
  }

  #placeOf({ address }: Keys): Place {
    const known = this.#places.get(address);
    if (known !== undefined) {
      return known;
    }
    const place = { inFlight: 0, inFlightByPair: new Map<string, number>(), waiting: [] };
    this.#places.set(address, place);
    return place;
  }

  #hasRoom(place: Place, { pair, address }: Keys): boolean {
    const { perAccountAndAddress, perAddress } = this.#limits;
    const ofPair = this.#countOf(pair) + (place.inFlightByPair.get(pair) ?? 0);
    return ofPair < perAccountAndAddress && this.#countOf(address) + place.inFlight < perAddress;
  }

  #refusalOf({ pair, address }: Keys): Problem | undefined {
    const leftMs = Math.max(
      this.#leftBeyond(pair, this.#limits.perAccountAndAddress),
      this.#leftBeyond(address, this.#limits.perAddress),
    );
    return leftMs > 0 ? problem('too-many-attempts', { retryAfterSeconds: Math.ceil(leftMs / 1000) }) : undefined;
  }

  #leftBeyond(key: string, limit: number): number {
    const counter = this.#counters.get(key);
    return counter !== undefined && counter.count >= limit ? counter.endsAtMs - this.#clock() : 0;
  }

  #countOf(key: string): number {
    const counter = this.#counters.get(key);
    return counter !== undefined && counter.endsAtMs > this.#clock() ? counter.count : 0;
  }

  /** It counts here at once; gives something to wait for until it counts everywhere. */
  #count({ pair, address, account, spelling, spelled }: Keys): Promise<void> | undefined {
    const { bySpelling } = this.#counterOf(pair);
    bySpelling.set(spelling, (bySpelling.get(spelling) ?? 0) + 1);
    for (const key of [pair, address, account]) {
      this.#counterOf(key).count += 1;
    }
    return this.#shared?.add([pair, address, account, spelled], this.#limits.windowMs);
  }

  /** Takes over what all servers together have counted. */
  async #learn(shared: SharedAttempts, { pair, address, account, spelling, spelled }: Keys): Promise<void> {
    const counted = await shared.read([pair, address, account, spelled]);
    for (const key of [pair, address, account]) {
      const found = counted.get(key);
      if (found === undefined) {
        this.#counters.delete(key);
        continue;
      }
      const { count, leftMs } = found;
      const mistakes = key === pair ? (counted.get(spelled)?.count ?? 0) : 0;
      this.#keep(key, { count, endsAtMs: this.#clock() + leftMs, bySpelling: new Map([[spelling, mistakes]]) });
    }
  }

  /**
   * The guesses before a right one were typing errors. Those with another spelling of the name were not: it may be that
   * of another account, and whoever has the one could go on guessing at the other for ever.
   */
  #forgive({ pair, address, account, spelling, spelled }: Keys): Promise<void> | undefined {
    const { bySpelling } = this.#counters.get(pair) ?? {};
    const mistakes = bySpelling?.get(spelling) ?? 0;
    bySpelling?.delete(spelling);
    for (const key of [pair, address, account]) {
      const counter = this.#counters.get(key);
      if (counter !== undefined) {
        counter.count = Math.max(0, counter.count - mistakes);
      }
    }
    return mistakes === 0 ? undefined : this.#shared?.forgive([pair, address, account, spelled], mistakes);
  }

  #counterOf(key: string): Counter {
    const now = this.#clock();
    const known = this.#counters.get(key);
    if (known !== undefined && known.endsAtMs > now) {
      return known;
    }
    return this.#keep(key, { count: 0, endsAtMs: now + this.#limits.windowMs, bySpelling: new Map() });
  }

  #keep(key: string, counter: Counter): Counter {
    this.#counters.delete(key);
    this.#counters.set(key, counter);
    if (this.#counters.size > MAX_COUNTERS) {
      const [oldest] = this.#counters.keys();
      this.#counters.delete(oldest ?? key);
    }
    return counter;
  }
}

/** All spellings of a name that some directory takes for the same are counted together. */
function keysOf(account: string, address: string): Keys {
  const place = networkOf(address);
  const name = foldedAccountName(account.slice(0, MAX_FOLDED_LENGTH)).slice(0, MAX_NAME_LENGTH);
  const spelling = account.slice(0, MAX_NAME_LENGTH);
  return {
    pair: `pair ${place} ${name}`,
    address: `address ${place}`,
    account: `account ${name}`,
    spelling,
    spelled: `spelled ${place} ${spelling}`,
  };
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
