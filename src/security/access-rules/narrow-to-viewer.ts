/** Narrows the permissions of a previewed principal to those of the administrator who looks at them. */
import type { Decision } from './decide-access.ts';
import type { AccessTarget, Permissions } from './permissions.ts';
import type { CatalogMode } from './rule-records.ts';

/** A viewer who administers some workspaces only previews these. Nothing in a preview is administered. */
export function narrowToViewer(own: Permissions, viewer: Permissions, catalogMode: CatalogMode): Permissions {
  const excluded: Decision = catalogMode === 'HIDE' ? 'hide' : 'challenge';
  const includes = ({ workspace }: AccessTarget) => workspace === null || viewer.administers(workspace);
  return {
    decide: (target, mode) =>
      mode !== 'admin' && includes(target) && viewer.decide(target, mode) === 'allow'
        ? own.decide(target, mode)
        : excluded,
    isListed: (target) => includes(target) && viewer.isListed(target) && own.isListed(target),
    administers: () => false,
    administersAny: () => false,
    administersAll: () => false,
    findRestriction: own.findRestriction,
  };
}
