/** Runs work over drafts, and keeps what came of it as one change: in the end, unless others were in the way. */
import { randomBytes } from 'node:crypto';
import { FIRST_DRAFT_VERSION } from '../lib/draft-version.ts';
import type { Pace } from '../lib/pace.ts';
import { RowDraft } from './draft.ts';
import { itemsOf } from './log-reader.ts';
import {
  type ChangeAuthor,
  type Draft,
  type DraftEnd,
  DraftOvertaken,
  type KindRules,
  type StoredRecord,
  type Written,
} from './port.ts';
import type { RowParts, RowReader, RowSnapshot, RowTransaction } from './rows.ts';
import type { DraftedStart, RowWriteTransaction } from './transaction.ts';

/** The turn of a write: the transaction that it shares with others, and the last change in it. */
export interface WriteTurn {
  readonly rows: RowTransaction;
  readonly position: number;
}

/** What the storage does for drafts. */
export interface DraftWorld<G extends WriteTurn> {
  readonly clock: () => number;
  readonly kinds: ReadonlyMap<string, KindRules>;
  readonly pace: Pace;
  /** To be waited for before `snapshot`. */
  prepareRead(): Promise<void> | undefined;
  snapshot(): RowSnapshot;
  /** Sees to it that the next snapshot shows what others have changed. */
  refresh(): Promise<void> | undefined;
  inTurn<T>(job: (turn: G) => Promise<T>): Promise<T>;
  /** Whether the database might refuse what all rules allow. */
  mayRefuse(record: StoredRecord, parts: RowParts): boolean;
  /** One change in its turn, whose records are as the draft has them; `isKept`: or it is only tried. */
  keep(
    turn: G,
    author: ChangeAuthor,
    drafted: Omit<DraftedStart, 'version'>,
    work: (transaction: RowWriteTransaction) => Promise<void>,
    end: Pick<DraftEnd<unknown>, 'isKept' | 'beforeCommit' | 'reply' | 'note'>,
  ): Promise<number | null>;
}

/** How often work is run while others may write; after that they wait for it. */
const FREE_ATTEMPTS = 4;

export class Drafts<G extends WriteTurn> {
  readonly #world: DraftWorld<G>;
  #lastVersion = FIRST_DRAFT_VERSION;

  constructor(world: DraftWorld<G>) {
    this.#world = world;
  }

  async run<T>(work: (draft: Draft) => Promise<DraftEnd<T>>): Promise<Written<T>> {
    for (let attempt = 0; attempt < FREE_ATTEMPTS; attempt += 1) {
      const written = await this.#runFreely(work);
      if (written !== undefined) return written;
      await this.#world.refresh();
    }
    for (;;) {
      const written = await this.#runInTurn(work);
      if (written !== undefined) return written;
    }
  }

  /** Undefined if others have changed what it has read. */
  async #runFreely<T>(work: (draft: Draft) => Promise<DraftEnd<T>>): Promise<Written<T> | undefined> {
    await this.#world.prepareRead();
    const state = this.#world.snapshot();
    const draft = this.#begin(state, state.position);
    let end: DraftEnd<T>;
    try {
      end = await this.#work(draft, work);
    } finally {
      state.release();
    }
    const isForNothing = draft.isEmpty && end.hasMore !== true && end.reply === undefined;
    if (isForNothing || (!end.isKept && !this.#mayBeRefused(draft))) {
      if (!end.isKept) await end.abandoned();
      return { result: end.result, change: null };
    }
    let written: Written<T> | undefined;
    try {
      written = await this.#world.inTurn(async (turn) =>
        (await this.#isOvertaken(turn, draft)) ? undefined : this.#keepUnlessOvertaken(turn, draft, end),
      );
    } catch (error) {
      await end.abandoned(error);
      throw error;
    }
    if (written === undefined) await end.abandoned(new DraftOvertaken());
    else if (!end.isKept) await end.abandoned();
    return written;
  }

  /** Undefined if others have changed what it has seen outside of the storage, where nobody waits for it. */
  async #runInTurn<T>(work: (draft: Draft) => Promise<DraftEnd<T>>): Promise<Written<T> | undefined> {
    let end: DraftEnd<T> | undefined;
    let written: Written<T> | undefined;
    try {
      written = await this.#world.inTurn(async (turn) => {
        // It is done again where others have spoilt the first time.
        await end?.abandoned(new DraftOvertaken());
        end = undefined;
        const draft = this.#begin(turn.rows, turn.position);
        end = await this.#work(draft, work);
        return this.#keepUnlessOvertaken(turn, draft, end);
      });
    } catch (error) {
      await end?.abandoned(error);
      throw error;
    }
    if (written === undefined) await end?.abandoned(new DraftOvertaken());
    else if (end?.isKept === false) await end.abandoned();
    return written;
  }

  #begin(state: RowReader, position: number): RowDraft {
    const { kinds, pace, clock } = this.#world;
    return new RowDraft(state, position, {
      kinds,
      pace,
      atMs: clock(),
      idStem: randomBytes(8).toString('hex'),
      nextVersion: () => {
        this.#lastVersion += 1;
        return this.#lastVersion;
      },
    });
  }

  async #work<T>(draft: RowDraft, work: (draft: Draft) => Promise<DraftEnd<T>>): Promise<DraftEnd<T>> {
    try {
      return await work(draft);
    } finally {
      draft.end();
    }
  }

  async #keepUnlessOvertaken<T>(turn: G, draft: RowDraft, end: DraftEnd<T>): Promise<Written<T> | undefined> {
    const { result, author, isKept } = end;
    const { atMs, idStem } = draft;
    const write = (transaction: RowWriteTransaction) => draft.writeInto(transaction, turn.position);
    if (!isKept) {
      // The rules were looked at in memory; what the database says to it, it says when it is written.
      if (this.#mayBeRefused(draft)) await this.#world.keep(turn, author, { atMs, idStem }, write, { isKept });
      return { result, change: null };
    }
    if (await end.isOvertaken?.()) return undefined;
    return { result, change: await this.#world.keep(turn, author, { atMs, idStem }, write, end) };
  }

  #mayBeRefused(draft: RowDraft): boolean {
    return draft.hasRow((record, parts) => this.#world.mayRefuse(record, parts));
  }

  /** Whether a change since the state of the draft concerns what it has read. */
  async #isOvertaken({ rows, position }: G, draft: RowDraft): Promise<boolean> {
    for (let sequence = draft.position + 1; sequence <= position; sequence += 1) {
      let isKnown = false;
      for await (const item of itemsOf(rows, sequence, this.#world.pace)) {
        if (draft.reads.isTouchedBy(item)) return true;
        isKnown = true;
      }
      // Nobody can tell any more what it was about.
      if (!isKnown) return true;
    }
    return false;
  }
}
