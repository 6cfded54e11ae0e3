/** The sessions of snapshots: limited in number, and some are kept open for the next snapshots. */
import type { ReadConnections } from '../../port/rows.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { PostgresSession } from '../connection/session.ts';

/** The number of idle sessions that are kept open. */
const MAX_IDLE = 2;

/** The maximum number of snapshots that are read at the same time. Each needs a connection. Further readers wait. */
const MAX_STATES = 24;

export class ReadSessions {
  readonly #location: PostgresLocation;
  readonly #idle: PostgresSession[] = [];
  readonly #inUse = new Set<PostgresSession>();
  #freed = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(location: PostgresLocation) {
    this.#location = location;
  }

  async acquire(): Promise<PostgresSession> {
    while (this.#inUse.size >= MAX_STATES && !this.#isClosed) await this.#freed.promise;
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isLost) {
        this.#inUse.add(idle);
        return idle;
      }
    }
    const session = await PostgresSession.open(this.#location, 'reads');
    this.#inUse.add(session);
    return session;
  }

  /** Ends the transaction of the session and keeps the session for the next snapshot. */
  release(session: PostgresSession): void {
    this.#releaseSlot(session);
    if (this.#isClosed || session.isLost || this.#idle.length >= MAX_IDLE) {
      session.end();
      return;
    }
    session.run('ROLLBACK').catch(() => undefined);
    this.#idle.push(session);
  }

  /** Ends a session after a failure. */
  discard(session: PostgresSession): void {
    this.#releaseSlot(session);
    session.end();
  }

  count(): ReadConnections {
    return { active: this.#inUse.size, idle: this.#idle.length };
  }

  endIdle(): void {
    for (const idle of this.#idle.splice(0)) idle.end();
  }

  close(): void {
    this.#isClosed = true;
    for (const session of [...this.#idle, ...this.#inUse]) session.end();
    this.#freed.resolve();
  }

  #releaseSlot(session: PostgresSession): void {
    this.#inUse.delete(session);
    this.#freed.resolve();
    this.#freed = Promise.withResolvers();
  }
}
