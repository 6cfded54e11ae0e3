/** Counts requests by key in windows of one minute, in memory. */

const WINDOW_MS = 60_000;

/** More keys than are active within a minute; the oldest windows are dropped first. */
const MAX_KEYS = 20_000;

interface Window {
  readonly startMs: number;
  count: number;
}

export class RateWindows {
  readonly #windows = new Map<string, Window>();

  /** Counts a request; returns the seconds until the next window if the limit is reached. */
  admit(key: string, limit: number, nowMs: number): number | undefined {
    let window = this.#windows.get(key);
    if (window === undefined || nowMs - window.startMs >= WINDOW_MS) {
      window = { startMs: nowMs, count: 0 };
      this.#windows.delete(key);
      this.#windows.set(key, window);
      if (this.#windows.size > MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value ?? key);
    }
    if (window.count >= limit) return computeWaitSeconds(window.startMs, nowMs);
    window.count += 1;
    return undefined;
  }
}

/** Different invalid tokens from one address. */
const MAX_INVALID = 100;

interface Failures {
  readonly startMs: number;
  readonly seen: Set<string>;
}

/** The invalid tokens of each address. The same invalid token counts once: a forgotten program is no attack. */
export class InvalidTokens {
  readonly #addresses = new Map<string, Failures>();

  /** Returns the seconds to wait if the address has presented too many other invalid tokens. */
  count(address: string, digest: string, nowMs: number): number | undefined {
    let failures = this.#addresses.get(address);
    if (failures === undefined || nowMs - failures.startMs >= WINDOW_MS) {
      failures = { startMs: nowMs, seen: new Set() };
      this.#addresses.delete(address);
      this.#addresses.set(address, failures);
      if (this.#addresses.size > MAX_KEYS) this.#addresses.delete(this.#addresses.keys().next().value ?? address);
    }
    const waitSeconds = this.findWait(address, digest, nowMs);
    if (waitSeconds === undefined) failures.seen.add(digest);
    return waitSeconds;
  }

  /** Returns the seconds to wait without counting a token. */
  findWait(address: string, digest: string, nowMs: number): number | undefined {
    const failures = this.#addresses.get(address);
    const isFull = failures !== undefined && failures.seen.size >= MAX_INVALID && !failures.seen.has(digest);
    return isFull && nowMs - failures.startMs < WINDOW_MS ? computeWaitSeconds(failures.startMs, nowMs) : undefined;
  }
}

function computeWaitSeconds(startMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((startMs + WINDOW_MS - nowMs) / 1_000));
}
