/** Limits the requests of each client address on this server: their rate, and how many are in progress. */
import { toClientNetwork } from '../../lib/identity/client-network.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { TrustedProxies } from './request-head.ts';

export interface ClientLimitSettings {
  /** Requests per minute of one address; 0 for no limit. */
  readonly perMinute: number;
  /** Requests of one address in progress; 0 for no limit. */
  readonly concurrent: number;
  /** Addresses without limits. */
  readonly exempt: TrustedProxies;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
}

export interface RejectedRequests {
  readonly rate: number;
  readonly concurrent: number;
}

const MINUTE_MS = 60_000;

/** About 10 MB. With more addresses, those that were quiet for the longest time are forgotten. */
export const MAX_TRACKED_ADDRESSES = 100_000;

/** Requests of one address end within moments. */
const CONCURRENT_RETRY_SECONDS = 1;

/** Ends an admitted request; must be called once. */
export type ReleaseRequest = () => void;

const releaseNothing: ReleaseRequest = () => undefined;

/**
 * The rate is a bucket for each address: a minute's requests can arrive at once, after which the bucket refills evenly.
 * One number describes a bucket, the time at which it is full again.
 */
export class ClientLimits {
  readonly #settings: ClientLimitSettings;
  readonly #maxTracked: number;
  /** In the order of the last request. */
  readonly #fullAtMs = new Map<string, number>();
  readonly #inProgress = new Map<string, number>();
  readonly #rejected = { rate: 0, concurrent: 0 };

  constructor(settings: ClientLimitSettings, maxTracked = MAX_TRACKED_ADDRESSES) {
    this.#settings = settings;
    this.#maxTracked = maxTracked;
  }

  /** Throws if the client exceeds a limit. */
  admit(address: string): ReleaseRequest {
    const { perMinute, concurrent, exempt } = this.#settings;
    if (exempt.includes(address)) return releaseNothing;
    const network = toClientNetwork(address);
    const running = this.#inProgress.get(network) ?? 0;
    if (concurrent > 0 && running >= concurrent) {
      this.#rejected.concurrent += 1;
      throw problem('too-many-concurrent', { limit: concurrent, retryAfterSeconds: CONCURRENT_RETRY_SECONDS });
    }
    if (perMinute > 0) this.#takeFromBucket(network, perMinute);
    if (concurrent === 0) return releaseNothing;
    this.#inProgress.set(network, running + 1);
    return () => this.#release(network);
  }

  countRejected(): RejectedRequests {
    return { ...this.#rejected };
  }

  countTracked(): number {
    return Math.max(this.#fullAtMs.size, this.#inProgress.size);
  }

  #takeFromBucket(network: string, perMinute: number): void {
    const nowMs = this.#settings.now();
    const refillMs = MINUTE_MS / perMinute;
    const fullAtMs = Math.max(this.#fullAtMs.get(network) ?? 0, nowMs) + refillMs;
    const waitMs = fullAtMs - nowMs - MINUTE_MS;
    // Sums of fractions deviate by less than a microsecond.
    if (waitMs > 1e-3) {
      this.#rejected.rate += 1;
      throw problem('too-many-requests', { limit: perMinute, retryAfterSeconds: Math.ceil(waitMs / 1_000) });
    }
    this.#fullAtMs.delete(network);
    this.#fullAtMs.set(network, fullAtMs);
    this.#forgetQuiet(nowMs);
  }

  /** Each request adds at most one address, so that two are checked at a time. */
  #forgetQuiet(nowMs: number): void {
    let checked = 0;
    for (const [network, fullAtMs] of this.#fullAtMs) {
      if (checked === 2 || (fullAtMs > nowMs && this.#fullAtMs.size <= this.#maxTracked)) return;
      this.#fullAtMs.delete(network);
      checked += 1;
    }
  }

  #release(network: string): void {
    const running = (this.#inProgress.get(network) ?? 1) - 1;
    if (running > 0) this.#inProgress.set(network, running);
    else this.#inProgress.delete(network);
  }
}
