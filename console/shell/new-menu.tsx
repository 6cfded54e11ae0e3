/** What the user can create; each area adds its row. */
import { Icon, type IconName } from '../parts/icon/icon.tsx';
import { Menu } from '../parts/menu/menu.tsx';
import { session } from '../rest/session.ts';
import { t } from '../words/words.ts';
import { currentWorkspace, toUrl, withWorkspace } from './router.ts';

interface NewItem {
  readonly icon: IconName;
  readonly label: () => string;
  readonly target: () => string;
  /** Whether it needs the rights of the administrator of the server. */
  readonly isForAdministrators?: true;
}

const items: readonly NewItem[] = [
  { icon: 'upload', label: () => t().publish.createFile, target: () => withWorkspace('publish') },
  { icon: 'database', label: () => t().publish.createPostgis, target: () => withWorkspace('new/postgis') },
  { icon: 'globe', label: () => t().publish.createOther, target: () => withWorkspace('new') },
  {
    icon: 'folder',
    label: () => t().publish.createWorkspace,
    target: () => 'workspaces?new=1',
    isForAdministrators: true,
  },
];

export function NewMenu() {
  const self = session.value;
  // The addresses contain the current workspace.
  void currentWorkspace.value;
  if (self == null || self.workspaces.length === 0) return null;
  const { publish: words } = t();
  return (
    <Menu
      class="new-button"
      label={words.create}
      face={
        <>
          <Icon name="plus" size={18} />
          <span class="new-button-text">{words.create}</span>
          <Icon name="down" size={16} />
        </>
      }
    >
      {(close) => (
        <ul>
          {items.map((item) =>
            item.isForAdministrators && !self.isAdministrator ? null : (
              <li key={item.icon}>
                <a class="menu-item" href={toUrl(item.target())} onClick={close}>
                  <Icon name={item.icon} size={18} />
                  <span>{item.label()}</span>
                </a>
              </li>
            ),
          )}
        </ul>
      )}
    </Menu>
  );
}
