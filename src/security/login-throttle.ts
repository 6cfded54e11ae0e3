/** Slows down password guessing without locking out the user at another address. */
import { setTimeout as wait } from 'node:timers/promises';
import { toClientNetwork } from '../lib/identity/client-network.ts';
import type { AttemptKeys, AttemptLimits, AttemptOutcome, LoginAttempts } from '../lib/identity/login-attempts.ts';
import { problem } from '../lib/problems/problem.ts';
import { normalizeAccountName } from './core/account-names.ts';

export type { AttemptOutcome } from '../lib/identity/login-attempts.ts';

export interface ThrottleLimits extends AttemptLimits {
  /** The delay of an attempt beyond `perAccount`. */
  readonly accountDelayMs: number;
}

/** An admitted attempt: its password may be checked. */
export interface Attempt {
  /** How long to wait before checking the password. */
  readonly delayMs: number;
  /** Must be called exactly once, with any outcome. */
  end(outcome: AttemptOutcome): Promise<void>;
}

interface QueuedAttempt {
  readonly keys: AttemptKeys;
  readonly admit: () => void;
}

/** The attempts from one address on this server. */
interface AddressState {
  inFlight: number;
  readonly inFlightByPair: Map<string, number>;
  waiting: readonly QueuedAttempt[];
  /** Resolved when the next attempt ends. */
  ended: PromiseWithResolvers<void>;
}

/** Limits waiting attempts per address: more than the users behind one router, and little memory. */
const MAX_WAITING = 2_000;

/** The retry interval of an attempt that waits for attempts on other servers. */
const RETRY_INTERVAL_MS = 50;
/** Longer than a directory takes to respond: older reservations belong to a server that crashed. */
const MAX_RESERVATION_WAIT_MS = 15_000;

/** The number of characters of a name that identify a counter. */
const MAX_NAME_LENGTH = 100;

/** No account has a longer name; normalizing it would only take time. */
const MAX_FOLDED_LENGTH = 1_000;

export class LoginThrottle {
  readonly #limits: ThrottleLimits;
  readonly #attempts: LoginAttempts;
  readonly #addresses = new Map<string, AddressState>();

  constructor(limits: ThrottleLimits, attempts: LoginAttempts) {
    this.#limits = limits;
    this.#attempts = attempts;
  }

  /**
   * Admits an attempt, immediately or when a slot is free; rejects it after too many failures. An attempt is reserved
   * before its password is checked, and the number of reservations never exceeds the number of failures still allowed.
   * So parallel guesses cannot exceed the limit, on one server or on several; parallel correct logins only wait for
   * each other.
   */
  async begin(account: string, address: string): Promise<Attempt> {
    const keys = createAttemptKeys(account, address);
    const place = this.#getAddressState(keys);
    if (this.#hasRoom(place, keys)) this.#acquire(place, keys);
    else await this.#queue(place, keys);
    let isSlowed: boolean;
    try {
      isSlowed = await this.#reserve(place, keys);
    } catch (error) {
      this.#release(place, keys);
      throw error;
    }
    return {
      delayMs: isSlowed ? this.#limits.accountDelayMs : 0,
      end: async (outcome) => {
        try {
          await this.#attempts.settle(keys, outcome, this.#limits.windowMs);
        } finally {
          this.#release(place, keys);
        }
      },
    };
  }

  /** Credentials that were correct before are not a guess: they do not wait, and count only if they are wrong now. */
  beginKnown(account: string, address: string): Attempt {
    const keys = createAttemptKeys(account, address);
    return {
      delayMs: 0,
      // Success clears no failures here: it does not show that the same user caused them.
      end: async (outcome) => {
        if (outcome === 'wrong') await this.#attempts.countWrong(keys, this.#limits.windowMs);
      },
    };
  }

  /** Returns whether the attempt is slowed down. */
  async #reserve(place: AddressState, keys: AttemptKeys): Promise<boolean> {
    const beganMs = performance.now();
    for (;;) {
      const { ended } = place;
      const reservation = await this.#attempts.reserve(keys, this.#limits);
      switch (reservation.kind) {
        case 'reserved':
          return reservation.isSlowed;
        case 'refused':
          throw createTooManyAttemptsProblem(reservation.leftMs);
        case 'full':
          break;
      }
      if (!this.#attempts.isShared) {
        await ended.promise;
        continue;
      }
      if (performance.now() - beganMs > MAX_RESERVATION_WAIT_MS)
        throw createTooManyAttemptsProblem(this.#limits.windowMs);
      await Promise.race([ended.promise, wait(RETRY_INTERVAL_MS)]);
    }
  }

  #queue(place: AddressState, keys: AttemptKeys): Promise<void> {
    if (place.waiting.length >= MAX_WAITING) throw createTooManyAttemptsProblem(this.#limits.windowMs);
    const { promise, resolve: admit } = Promise.withResolvers<void>();
    place.waiting = [...place.waiting, { keys, admit }];
    return promise;
  }

  #acquire(place: AddressState, { pair }: AttemptKeys): void {
    place.inFlight += 1;
    place.inFlightByPair.set(pair, (place.inFlightByPair.get(pair) ?? 0) + 1);
  }

  #release(place: AddressState, { pair, address }: AttemptKeys): void {
    place.inFlight -= 1;
    const left = (place.inFlightByPair.get(pair) ?? 1) - 1;
    if (left === 0) place.inFlightByPair.delete(pair);
    else place.inFlightByPair.set(pair, left);
    place.ended.resolve();
    place.ended = Promise.withResolvers();
    place.waiting = place.waiting.filter(({ keys, admit }) => {
      if (!this.#hasRoom(place, keys)) return true;
      this.#acquire(place, keys);
      admit();
      return false;
    });
    if (place.inFlight === 0 && place.waiting.length === 0) this.#addresses.delete(address);
  }

  #getAddressState({ address }: AttemptKeys): AddressState {
    const known = this.#addresses.get(address);
    if (known !== undefined) return known;
    const place: AddressState = {
      inFlight: 0,
      inFlightByPair: new Map(),
      waiting: [],
      ended: Promise.withResolvers(),
    };
    this.#addresses.set(address, place);
    return place;
  }

  /** Returns whether this server has few enough pending reservations; further attempts wait locally. */
  #hasRoom(place: AddressState, { pair }: AttemptKeys): boolean {
    const { perAccountAndAddress, perAddress } = this.#limits;
    return (place.inFlightByPair.get(pair) ?? 0) < perAccountAndAddress && place.inFlight < perAddress;
  }
}

function createTooManyAttemptsProblem(leftMs: number) {
  return problem('too-many-attempts', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
}

/** Counts all spellings that some directory treats as the same name together. */
function createAttemptKeys(account: string, address: string): AttemptKeys {
  const place = toClientNetwork(address);
  const name = normalizeAccountName(account.slice(0, MAX_FOLDED_LENGTH)).slice(0, MAX_NAME_LENGTH);
  return {
    pair: `pair ${place} ${name}`,
    address: `address ${place}`,
    account: `account ${name}`,
    spelled: `spelled ${place} ${account.slice(0, MAX_NAME_LENGTH)}`,
  };
}
