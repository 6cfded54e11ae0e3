/** A user/group service: a named set of users and groups. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface UserGroupService extends RecordBase {
  readonly kind: 'userGroupService';
  /** As the client sent it: `org.<vendor>.security.xml.XMLUserGroupService`. */
  readonly className: string;
  readonly configClassName: string;
}

export const userGroupServiceKind: RecordKind<UserGroupService> = {
  kind: 'userGroupService',
  keys: {},
  secrets: {},
};

/** The service for requests that name none; it always exists. */
export const DEFAULT_SERVICE = 'default';
