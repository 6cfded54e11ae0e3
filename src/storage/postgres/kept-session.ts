/** A session that is opened with the first question, and anew when it was lost; for what needs no transaction. */
import type { PostgresPlace } from './place.ts';
import { PostgresSession } from './session.ts';
import type { Ask } from './statement.ts';

export class KeptSession {
  readonly #place: PostgresPlace;
  #session: Promise<PostgresSession> | undefined;

  constructor(place: PostgresPlace) {
    this.#place = place;
  }

  ask: Ask = async (...sent) => (await this.#opened()).ask(...sent);

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    session?.end();
  }

  async #opened(): Promise<PostgresSession> {
    const before = this.#session;
    const known = await before?.catch(() => undefined);
    if (known?.isLost === false) return known;
    // Only the first of those who noticed opens another.
    if (this.#session === before) this.#session = PostgresSession.open(this.#place, 'writes');
    return this.#session ?? this.#opened();
  }
}
