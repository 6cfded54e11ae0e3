/** The permissions of a principal for the resources of the catalog. */
import type { Restriction } from '../data-rules/restriction.ts';
import type { Decision } from './decide-access.ts';
import type { AccessMode } from './layer-rules.ts';

export interface AccessTarget {
  /** Null for resources outside any workspace. */
  readonly workspace: string | null;
  /** Null for the workspace itself. */
  readonly layer: string | null;
}

/** The permissions of one principal for whole layers and workspaces. */
export interface TargetPermissions {
  decide(place: AccessTarget, mode: AccessMode): Decision;
  /** Returns whether listings include the target. */
  isListed(place: AccessTarget): boolean;
  /** Returns whether a rule makes the principal an administrator of this workspace. */
  administers(workspace: string): boolean;
  administersAny(): boolean;
  /** Returns whether the rule for everything makes the principal an administrator of resources outside workspaces. */
  administersAll(): boolean;
}

/** The permissions of one principal under the current rules, for the duration of one request. */
export interface Permissions extends TargetPermissions {
  /**
   * Returns the data rules that limit the rows, attributes and area of a layer for the principal, or undefined if it is
   * unrestricted, as for administrators of the workspace.
   */
  findRestriction(workspace: string, layer: string): Restriction | undefined;
}
