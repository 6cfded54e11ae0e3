/** Decides whether a principal may read, write or administer a target, and how a refusal is presented. */
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { AccessMode, LayerRules } from './layer-rules.ts';
import type { CatalogMode } from './rule-records.ts';
import { isPermittedByRoles } from './rule-roles.ts';

/**
 * `hide` answers as if the target did not exist. `challenge` asks anonymous users for credentials and refuses others.
 */
export type Decision = 'allow' | 'hide' | 'challenge';

export interface AccessRequest {
  readonly principal: Principal;
  readonly rules: LayerRules;
  readonly catalogMode: CatalogMode;
  /** Null for resources outside any workspace. */
  readonly workspace: string | null;
  /** Null for the workspace itself. */
  readonly layer: string | null;
  readonly mode: AccessMode;
}

export function decideAccess(question: AccessRequest): Decision {
  if (isAllowed(question)) {
    return 'allow';
  }
  // A readable target that is not writable is read-only in every catalog mode, so hiding it makes no sense.
  const isReadOnly = question.mode === 'write' && isAllowed({ ...question, mode: 'read' });
  return question.catalogMode === 'HIDE' && !isReadOnly ? 'hide' : 'challenge';
}

/** Returns whether listings include the target: if it is readable, or in the catalog mode CHALLENGE. */
export function isListed(question: Omit<AccessRequest, 'mode'>): boolean {
  return question.catalogMode === 'CHALLENGE' || isAllowed({ ...question, mode: 'read' });
}

function isAllowed({ principal, rules, workspace, layer, mode }: AccessRequest): boolean {
  if (isAdministrator(principal) || isPermittedByRoles(rules.getRoles(workspace, layer, mode), principal)) {
    return true;
  }
  // A user who can read a layer can also see the workspace that contains it.
  return mode === 'read' && workspace !== null && layer === null && rules.hasReadableLayer(workspace, principal);
}
