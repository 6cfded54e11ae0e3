/** Limits concurrent sessions with each directory, queues further ones in order, and pools idle connections. */

export interface PoolLimits {
  /** The maximum number of concurrent sessions with one directory. */
  readonly maxConnections: number;
  /** The maximum number of sessions that wait for a connection. */
  readonly maxWaiting: number;
  /** How long an idle connection stays open. */
  readonly idleMs: number;
}

/** A connection that the pool keeps between sessions. */
export interface PooledConnection {
  readonly isUsable: () => boolean;
  readonly close: () => void;
}

interface QueuedRequest {
  readonly admit: () => void;
  readonly refuse: (reason: unknown) => void;
}

interface IdleConnection<C> {
  readonly connection: C;
  readonly timer: NodeJS.Timeout;
}

/** The state of one directory. */
interface DirectoryPool<C> {
  busy: number;
  /** The number of completed sessions. */
  answered: number;
  waiting: QueuedRequest[];
  readonly idle: IdleConnection<C>[];
}

export interface PoolLease<C> {
  /** Returns an idle connection, if one exists. */
  acquireIdle(): C | undefined;
  /** Returns a connection to the pool. */
  release(connection: C): void;
}

export interface Pool<C> {
  /** Runs the work when a slot is free; `name` identifies the directory. */
  withLease<T>(name: string, work: (turn: PoolLease<C>) => Promise<T>): Promise<T>;
  close(): void;
}

export function createPool<C extends PooledConnection>(limits: PoolLimits): Pool<C> {
  return new LeasePool<C>(limits);
}

class LeasePool<C extends PooledConnection> implements Pool<C> {
  readonly #limits: PoolLimits;
  readonly #places = new Map<string, DirectoryPool<C>>();
  #isClosed = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  async withLease<T>(name: string, work: (turn: PoolLease<C>) => Promise<T>): Promise<T> {
    const place = this.#getDirectoryPool(name);
    await this.#acquireSlot(place);
    const { answered } = place;
    try {
      const result = await work({
        acquireIdle: () => this.#acquireIdle(place),
        release: (connection) => this.#releaseConnection(name, place, connection),
      });
      place.answered += 1;
      return result;
    } catch (error) {
      // The directory has answered no session in all that time, so the waiting ones would only time out one by one.
      if (place.answered === answered) {
        for (const { refuse } of place.waiting.splice(0)) {
          refuse(error);
        }
      }
      throw error;
    } finally {
      this.#releaseSlot(name, place);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const place of this.#places.values()) {
      for (const { connection, timer } of place.idle.splice(0)) {
        clearTimeout(timer);
        connection.close();
      }
    }
  }

  #getDirectoryPool(name: string): DirectoryPool<C> {
    const known = this.#places.get(name);
    if (known !== undefined) {
      return known;
    }
    const place: DirectoryPool<C> = { busy: 0, answered: 0, waiting: [], idle: [] };
    this.#places.set(name, place);
    return place;
  }

  async #acquireSlot(place: DirectoryPool<C>): Promise<void> {
    if (place.busy < this.#limits.maxConnections) {
      place.busy += 1;
      return;
    }
    if (place.waiting.length >= this.#limits.maxWaiting) {
      throw new Error('too many sessions are waiting for it');
    }
    // A session that ends passes its slot to the next one directly, so that a newcomer cannot overtake the queue.
    await new Promise<void>((admit, refuse) => place.waiting.push({ admit, refuse }));
  }

  #releaseSlot(name: string, place: DirectoryPool<C>): void {
    const next = place.waiting.shift();
    if (next !== undefined) {
      next.admit();
      return;
    }
    place.busy -= 1;
    this.#deleteIfUnused(name, place);
  }

  #deleteIfUnused(name: string, place: DirectoryPool<C>): void {
    if (place.busy === 0 && place.idle.length === 0) {
      this.#places.delete(name);
    }
  }

  #acquireIdle(place: DirectoryPool<C>): C | undefined {
    for (let last = place.idle.pop(); last !== undefined; last = place.idle.pop()) {
      clearTimeout(last.timer);
      if (last.connection.isUsable()) {
        return last.connection;
      }
      last.connection.close();
    }
    return undefined;
  }

  #releaseConnection(name: string, place: DirectoryPool<C>, connection: C): void {
    if (this.#isClosed || !connection.isUsable()) {
      connection.close();
      return;
    }
    const timer = setTimeout(() => {
      place.idle.splice(place.idle.indexOf(idle), 1);
      connection.close();
      this.#deleteIfUnused(name, place);
    }, this.#limits.idleMs);
    timer.unref();
    const idle = { connection, timer };
    place.idle.push(idle);
  }
}
