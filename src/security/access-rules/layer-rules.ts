/** The layer rules as a tree of three levels: everything, a workspace, a layer. */
import type { Principal } from '../../lib/principal.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/principal.ts';
import { type AccessMode, ANY, type LayerKey } from './layer-key.ts';
import { EVERYBODY, letsIn } from './rule-roles.ts';

export interface LayerRule extends LayerKey {
  readonly roles: readonly string[];
}

export interface LayerRules {
  /** The roles of the most specific rule for a place and mode; levels are never merged. Null means all of them. */
  rolesFor(workspace: string | null, layer: string | null, mode: AccessMode): readonly string[];
  /** Whether a rule of its own lets the principal read some layer of the workspace. */
  hasReadableLayer(workspace: string, principal: Principal): boolean;
  /** Whether some rule makes the principal an administrator of a workspace. */
  administersAny(principal: Principal): boolean;
}

/** What holds where no rule says otherwise: all may read and write, administrators administer. */
const rootRoles: Readonly<Record<AccessMode, readonly string[]>> = {
  read: [EVERYBODY],
  write: [EVERYBODY],
  admin: [ROLE_ADMINISTRATOR],
};

export function layerRules(rules: readonly LayerRule[]): LayerRules {
  const roles = new Map(rules.map((rule) => [placeOf(rule.workspace, rule.layer, rule.mode), rule.roles]));
  const readRules = Map.groupBy(
    rules.filter((rule) => rule.mode === 'read' && rule.layer !== ANY),
    (rule) => rule.workspace,
  );
  const adminRules = rules.filter((rule) => rule.mode === 'admin');
  return {
    rolesFor: (workspace, layer, mode) =>
      (workspace !== null && layer !== null ? roles.get(placeOf(workspace, layer, mode)) : undefined) ??
      (workspace !== null ? roles.get(placeOf(workspace, ANY, mode)) : undefined) ??
      roles.get(placeOf(ANY, ANY, mode)) ??
      rootRoles[mode],
    hasReadableLayer: (workspace, principal) =>
      (readRules.get(workspace) ?? []).some((rule) => letsIn(rule.roles, principal)),
    administersAny: (principal) => adminRules.some((rule) => letsIn(rule.roles, principal)),
  };
}

/** A slash is in no name. */
function placeOf(workspace: string, layer: string, mode: AccessMode): string {
  return `${workspace}/${layer}/${mode}`;
}
