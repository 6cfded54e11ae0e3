/** A URL check: a regular expression that URLs must match as a whole for the server to open them. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface UrlCheck extends RecordBase {
  readonly kind: 'urlCheck';
  readonly description: string | null;
  /** A check that is not enabled opens nothing. */
  readonly enabled: boolean;
  readonly regex: string;
}

export const urlCheckKind: RecordKind<UrlCheck> = {
  kind: 'urlCheck',
  keys: {},
  secrets: {},
};
