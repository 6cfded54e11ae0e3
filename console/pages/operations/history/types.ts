/** The documents of the history. */
import type { ChangeEntry } from '../../../rest/types.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface ChangedItem {
  readonly kind: string;
  readonly id: string;
  readonly path: string | null;
  readonly action: string;
  readonly before?: Fields | null;
  readonly after?: Fields | null;
  /** The paths of the resources whose ids are among the fields, by id. */
  readonly references?: Readonly<Record<string, string>>;
}

export interface Change extends ChangeEntry {
  readonly via?: { readonly method: string; readonly token?: string; readonly provider?: string } | null;
  readonly undoes: number | null;
  readonly items: readonly ChangedItem[];
}

export interface HistoryPage {
  readonly changes: readonly Change[];
  readonly position: number;
  readonly oldest: number;
}

/** A dry run has no number. */
export type UndoReply = Omit<Change, 'sequence'> & { readonly sequence: number | null };

export interface UndoConflict {
  readonly path: string | null;
  readonly change: number | null;
}
