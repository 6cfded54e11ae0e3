/** A URL check: a regular expression that must match a whole URL for the server to open it. */
import type { RecordBase, RecordKind } from '../../records/record.ts';
import type { Revision, RevisionRecord } from '../core/security-state.ts';

export interface UrlCheck extends RecordBase {
  readonly kind: 'urlCheck';
  readonly description: string | null;
  /** A disabled check matches nothing. */
  readonly enabled: boolean;
  readonly regex: string;
}

export const urlCheckKind: RecordKind<UrlCheck> = {
  kind: 'urlCheck',
  keys: {},
  secrets: {},
};

/** Its version increases when any check changes. It is created with the first change. */
export const urlCheckSetKind: RecordKind<RevisionRecord> = {
  kind: 'urlCheckSet',
  keys: {},
  secrets: {},
  counter: 'revision',
};

export const urlCheckSet: Revision = { kind: urlCheckSetKind, name: 'urlChecks' };
