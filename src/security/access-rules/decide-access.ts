/** The one decision: may this principal read, write or administer this, and what are they told if not. */
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { AccessMode, LayerRules } from './layer-rules.ts';
import type { CatalogMode } from './rule-records.ts';
import { isPermittedByRoles } from './rule-roles.ts';

/**
 * hide: as if it were not there. challenge: it is there, but not for them; whoever is anonymous is asked for
 * credentials, and others are refused.
 */
export type Decision = 'allow' | 'hide' | 'challenge';

export interface AccessRequest {
  readonly principal: Principal;
  readonly rules: LayerRules;
  readonly catalogMode: CatalogMode;
  /** Null for what lives in no workspace. */
  readonly workspace: string | null;
  /** Null for the workspace itself. */
  readonly layer: string | null;
  readonly mode: AccessMode;
}

export function decideAccess(question: AccessRequest): Decision {
  if (isAllowed(question)) {
    return 'allow';
  }
  // What can be read but not written looks read-only, in every catalog mode.
  const isReadOnly = question.mode === 'write' && isAllowed({ ...question, mode: 'read' });
  return question.catalogMode === 'HIDE' && !isReadOnly ? 'hide' : 'challenge';
}

/** Whether a listing shows it: unless it may be read, only a catalog that challenges everybody names it at all. */
export function isListed(question: Omit<AccessRequest, 'mode'>): boolean {
  return question.catalogMode === 'CHALLENGE' || isAllowed({ ...question, mode: 'read' });
}

function isAllowed({ principal, rules, workspace, layer, mode }: AccessRequest): boolean {
  if (isAdministrator(principal) || isPermittedByRoles(rules.getRoles(workspace, layer, mode), principal)) {
    return true;
  }
  // A workspace can be seen as far as it takes to get to what can be read in it.
  return mode === 'read' && workspace !== null && layer === null && rules.hasReadableLayer(workspace, principal);
}
