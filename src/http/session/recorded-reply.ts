/** A response held in memory until its change is committed. */
import type { CommittedChange } from './session.ts';

/** Alternating names and values, as Node expects them. */
export type HeaderList = string[];

/** Builds the body after the commit; null if nothing was changed. */
export type DeferredBody = (change: CommittedChange | null) => string;

export interface RecordedReply {
  readonly status: number;
  readonly headers: Readonly<HeaderList>;
  readonly body: Buffer | DeferredBody;
}
