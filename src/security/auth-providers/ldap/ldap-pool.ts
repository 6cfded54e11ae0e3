/** Who may talk to a directory when: so many at once, the others in their order, and connections kept for the next. */

export interface PoolLimits {
  /** Conversations at once with one directory. */
  readonly maxConnections: number;
  /** Who waits for one of them. */
  readonly maxWaiting: number;
  /** How long a connection is kept that nobody uses. */
  readonly idleMs: number;
}

/** What is kept between conversations. */
export interface Kept {
  readonly isUsable: () => boolean;
  readonly close: () => void;
}

interface Waiting {
  readonly admit: () => void;
  readonly refuse: (reason: unknown) => void;
}

interface Idle<C> {
  readonly connection: C;
  readonly timer: NodeJS.Timeout;
}

/** One directory. */
interface Place<C> {
  busy: number;
  /** Conversations that came to an end. */
  answered: number;
  waiting: Waiting[];
  readonly idle: Idle<C>[];
}

export interface Turn<C> {
  /** A connection of an earlier conversation, if there is one. */
  take(): C | undefined;
  /** Leaves a connection to the next. */
  keep(connection: C): void;
}

export interface Pool<C> {
  /** Does the work when it is its turn; `name` tells directories apart. */
  inTurn<T>(name: string, work: (turn: Turn<C>) => Promise<T>): Promise<T>;
  close(): void;
}

export function createPool<C extends Kept>(limits: PoolLimits): Pool<C> {
  const places = new Map<string, Place<C>>();
  let isClosed = false;

  function placeOf(name: string): Place<C> {
    const known = places.get(name);
    if (known !== undefined) {
      return known;
    }
    const place: Place<C> = { busy: 0, answered: 0, waiting: [], idle: [] };
    places.set(name, place);
    return place;
  }

  async function enter(place: Place<C>): Promise<void> {
    if (place.busy < limits.maxConnections) {
      place.busy += 1;
      return;
    }
    if (place.waiting.length >= limits.maxWaiting) {
      throw new Error('too many wait for it already');
    }
    // Whoever ends hands its place over, so that nobody can come in between.
    await new Promise<void>((admit, refuse) => place.waiting.push({ admit, refuse }));
  }

  function leave(name: string, place: Place<C>): void {
    const next = place.waiting.shift();
    if (next !== undefined) {
      next.admit();
      return;
    }
    place.busy -= 1;
    forgetIfUnused(name, place);
  }

  function forgetIfUnused(name: string, place: Place<C>): void {
    if (place.busy === 0 && place.idle.length === 0) {
      places.delete(name);
    }
  }

  function take(place: Place<C>): C | undefined {
    for (let last = place.idle.pop(); last !== undefined; last = place.idle.pop()) {
      clearTimeout(last.timer);
      if (last.connection.isUsable()) {
        return last.connection;
      }
      last.connection.close();
    }
    return undefined;
  }

  function keep(name: string, place: Place<C>, connection: C): void {
    if (isClosed || !connection.isUsable()) {
      connection.close();
      return;
    }
    const timer = setTimeout(() => {
      place.idle.splice(place.idle.indexOf(idle), 1);
      connection.close();
      forgetIfUnused(name, place);
    }, limits.idleMs);
    timer.unref();
    const idle = { connection, timer };
    place.idle.push(idle);
  }

  return {
    async inTurn(name, work) {
      const place = placeOf(name);
      await enter(place);
      const { answered } = place;
      try {
        const result = await work({
          take: () => take(place),
          keep: (connection) => keep(name, place, connection),
        });
        place.answered += 1;
        return result;
      } catch (error) {
        // A directory that has answered nobody in all that time would let the others wait as long, and one by one.
        if (place.answered === answered) {
          for (const { refuse } of place.waiting.splice(0)) {
            refuse(error);
          }
        }
        throw error;
      } finally {
        leave(name, place);
      }
    },
    close() {
      isClosed = true;
      for (const place of places.values()) {
        for (const { connection, timer } of place.idle.splice(0)) {
          clearTimeout(timer);
          connection.close();
        }
      }
    },
  };
}
