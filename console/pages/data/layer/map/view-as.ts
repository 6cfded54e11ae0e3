/** Values of the header `Graticule-View-As`, which the address of a map has too. */
import { VISITOR } from '../../../../rest/client.ts';
import { path } from '../../../../shell/router.ts';
import { ANONYMOUS } from '../../../security/common/role-names.ts';

export function formatRole(role: string): string {
  return role === ANONYMOUS ? VISITOR : new URLSearchParams({ role }).toString();
}

export function formatUser(user: string): string {
  return new URLSearchParams({ user }).toString();
}

/** The address of the map of a layer as others see it. */
export function getPreviewAddress(workspace: string, layer: string, viewAs: string): string {
  return `${path`w/${workspace}/layers/${layer}`}?${new URLSearchParams({ as: viewAs })}`;
}
