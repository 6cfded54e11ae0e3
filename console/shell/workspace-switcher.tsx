/** Chooses the workspace of the lists. The address remembers it. */
import { useSignal } from '@preact/signals';
import { Icon } from '../parts/icon/icon.tsx';
import { Menu } from '../parts/menu/menu.tsx';
import { ProblemNotice } from '../parts/notice/notice.tsx';
import { useRest } from '../rest/cache.ts';
import { withQuery } from '../rest/client.ts';
import { t } from '../words/words.ts';
import { address, currentWorkspace, path, toUrl } from './router.ts';

interface WorkspaceList {
  readonly workspaces: '' | { readonly workspace: readonly { readonly name: string }[] };
}

/** More are found by typing. */
const SHOWN = 50;

export function WorkspaceSwitcher() {
  const current = currentWorkspace.value;
  const isOpened = useSignal(false);
  return (
    <Menu
      class="workspace-button"
      label={`${t().workspaces.switcher}: ${current ?? t().workspaces.all}`}
      onOpen={() => {
        isOpened.value = true;
      }}
      face={
        <>
          <Icon name="folder" size={18} />
          <span class="workspace-name">{current ?? t().workspaces.all}</span>
          <Icon name="down" size={16} />
        </>
      }
    >
      {(close) => (isOpened.value ? <WorkspaceList close={close} current={current} /> : null)}
    </Menu>
  );
}

function WorkspaceList({ close, current }: { readonly close: () => void; readonly current: string | undefined }) {
  const filter = useSignal('');
  const q = filter.value.trim();
  const listed = useRest<WorkspaceList>({
    path: withQuery('/workspaces', { limit: SHOWN, count: true, q: q === '' ? undefined : q }),
    keepsLast: true,
  });
  const { workspaces } = t();
  const showsStyles = /(?:^|\/)styles(?:\/|$)/.test(address.value.path);
  const list = listed.data?.body.workspaces;
  const names = list === undefined || list === '' ? [] : list.workspace.map(({ name }) => name);
  const total = listed.data?.total ?? 0;
  return (
    <>
      <input
        class="input"
        type="search"
        autofocus
        aria-label={workspaces.filter}
        placeholder={workspaces.filter}
        value={filter.value}
        onInput={(event) => {
          filter.value = event.currentTarget.value;
        }}
        onKeyDown={focusFirst}
      />
      {listed.error === null ? null : <ProblemNotice error={listed.error} />}
      <ul class="workspace-list">
        {q === '' ? (
          <li>
            <a
              class="menu-item"
              href={toUrl(showsStyles ? 'styles' : 'layers')}
              onClick={close}
              aria-current={current === undefined || undefined}
            >
              <Icon name="layers" size={18} />
              <span>{workspaces.all}</span>
              {current === undefined ? <Icon name="check" size={16} /> : null}
            </a>
          </li>
        ) : null}
        {names.map((name) => (
          <li key={name}>
            <a
              class="menu-item"
              href={toUrl(showsStyles ? path`w/${name}/styles` : path`w/${name}/layers`)}
              onClick={close}
              aria-current={name === current || undefined}
            >
              <Icon name="folder" size={18} />
              <span>{name}</span>
              {name === current ? <Icon name="check" size={16} /> : null}
            </a>
          </li>
        ))}
      </ul>
      {names.length === 0 && q !== '' && listed.data !== undefined ? (
        <p class="menu-head muted">{workspaces.noHits(q)}</p>
      ) : null}
      {total > names.length ? <p class="menu-head muted">{workspaces.more(total - names.length)}</p> : null}
    </>
  );
}

/** From the input, Arrow down goes to the first workspace. */
function focusFirst(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' || !(event.currentTarget instanceof Element)) return;
  event.preventDefault();
  event.currentTarget.closest('.menu-panel')?.querySelector('a')?.focus();
}
