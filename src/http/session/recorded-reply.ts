/** A reply that waits in memory, since what it says may depend on a change that is not certain yet. */
import type { CommittedChange } from './session.ts';

/** Names and values by turns, as Node takes them. */
export type HeaderList = string[];

/** What a reply says once its change is certain: null if there was none. */
export type DeferredBody = (change: CommittedChange | null) => string;

export interface RecordedReply {
  readonly status: number;
  readonly headers: Readonly<HeaderList>;
  readonly body: Buffer | DeferredBody;
}
