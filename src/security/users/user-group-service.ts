/** A user/group service: a named set of users and groups. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface UserGroupService extends RecordBase {
  readonly kind: 'userGroupService';
  /** As it was given: `org.<vendor>.security.xml.XMLUserGroupService`. */
  readonly className: string;
  readonly configClassName: string;
}

export const userGroupServiceKind: RecordKind<UserGroupService> = {
  kind: 'userGroupService',
  keys: {},
  secrets: {},
};

/** The service that is meant where none is named; it is always there. */
export const DEFAULT_SERVICE = 'default';
