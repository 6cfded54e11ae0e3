/** The pages of the data area, for the workspace of the address. */
import type { IconName } from '../../../parts/icon/icon.tsx';
import { Tabs } from '../../../parts/tabs/tabs.tsx';
import { session } from '../../../rest/session.ts';
import { currentWorkspace, path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';

interface DataTab {
  readonly id: string;
  readonly icon: IconName;
  readonly label: () => string;
  readonly target: (workspace: string | undefined) => string;
  /** Whether its requests need the rights of an administrator of a workspace. */
  readonly isForAdministrators?: true;
}

/** A new page of the area is one row. */
const tabs: readonly DataTab[] = [
  {
    id: 'layers',
    icon: 'layers',
    label: () => t().publish.tabs.layers,
    target: (workspace) => (workspace === undefined ? 'layers' : path`w/${workspace}/layers`),
  },
  {
    id: 'groups',
    icon: 'group',
    label: () => t().layerGroups.title,
    target: (workspace) => (workspace === undefined ? 'groups' : path`w/${workspace}/groups`),
    isForAdministrators: true,
  },
  {
    id: 'stores',
    icon: 'database',
    label: () => t().publish.tabs.stores,
    target: (workspace) => (workspace === undefined ? 'stores' : path`w/${workspace}/stores`),
    isForAdministrators: true,
  },
  {
    id: 'workspaces',
    icon: 'folder',
    label: () => t().publish.tabs.workspaces,
    target: () => 'workspaces',
    isForAdministrators: true,
  },
];

export function DataTabs({ selected }: { readonly selected: string }) {
  const workspace = currentWorkspace.value;
  const isAdministrator = (session.value?.workspaces.length ?? 0) > 0;
  const shown = tabs.filter((tab) => isAdministrator || !tab.isForAdministrators);
  if (shown.length < 2) return null;
  return (
    <Tabs
      label={t().publish.tabsLabel}
      selected={selected}
      tabs={shown.map(({ id, icon, label, target }) => ({ id, icon, label: label(), href: toUrl(target(workspace)) }))}
    />
  );
}
