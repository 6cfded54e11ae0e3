/** What visitors get of a layer, as the server decides; for administrators, a link to the rules behind it. */
import { Icon, type IconName } from '../../../parts/icon/icon.tsx';
import { session } from '../../../rest/session.ts';
import type { VisitorAccess } from '../../../rest/types.ts';
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { type LayerRow, toMapPath } from './layer-row.ts';

const icons: Readonly<Record<VisitorAccess, IconName>> = {
  public: 'globe',
  limited: 'filter',
  restricted: 'key',
  hidden: 'lock',
};

export function AccessBadge({ row, isActive }: { readonly row: LayerRow; readonly isActive: boolean }) {
  const { access } = row.entry;
  if (access === undefined) return null;
  const { label, hint } = t().layers.access[access];
  const face = (
    <>
      <Icon name={icons[access]} size={16} />
      {label}
    </>
  );
  const name = `layers-access layers-access-${access}`;
  return session.value?.isAdministrator ? (
    <a class={name} title={hint} href={toUrl(`${toMapPath(row)}?tab=access`)} tabIndex={isActive ? 0 : -1}>
      {face}
    </a>
  ) : (
    <span class={name} title={hint}>
      {face}
    </span>
  );
}
