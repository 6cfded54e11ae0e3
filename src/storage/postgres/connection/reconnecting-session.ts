/** A session that is opened on first use and reopened after a loss, for statements without a transaction. */
import type { PostgresLocation } from './location.ts';
import { PostgresSession } from './session.ts';
import type { RunQuery } from './statement.ts';

export class ReconnectingSession {
  readonly #location: PostgresLocation;
  #session: Promise<PostgresSession> | undefined;

  constructor(place: PostgresLocation) {
    this.#location = place;
  }

  query: RunQuery = async (...sent) => (await this.#ensureOpen()).query(...sent);

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    session?.end();
  }

  async #ensureOpen(): Promise<PostgresSession> {
    const before = this.#session;
    const known = await before?.catch(() => undefined);
    if (known?.isLost === false) return known;
    // Only the first caller that notices the loss opens a new session.
    if (this.#session === before) this.#session = PostgresSession.open(this.#location, 'writes');
    return this.#session ?? this.#ensureOpen();
  }
}
