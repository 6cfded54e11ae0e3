/** A URL check: a regular expression that URLs must match as a whole for the server to open them. */
import type { RecordBase, RecordKind } from '../../records/record.ts';
import type { Revision, RevisionRecord } from '../core/revision.ts';

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

/** Its version tells whether any check changed. It is made with the first change. */
export const urlCheckSetKind: RecordKind<RevisionRecord> = {
  kind: 'urlCheckSet',
  keys: {},
  secrets: {},
  counter: 'revision',
};

export const urlCheckSet: Revision = { kind: urlCheckSetKind, name: 'urlChecks' };
