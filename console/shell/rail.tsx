/** The main navigation: a rail, or a bar at the bottom of a phone. Areas without pages for the user are not shown. */
import { Icon, type IconName } from '../parts/icon/icon.tsx';
import { isReader, session } from '../rest/session.ts';
import type { Area } from '../routes.ts';
import { t } from '../words/words.ts';
import { currentWorkspace, path, toUrl } from './router.ts';

interface RailItem {
  readonly area: Area;
  readonly icon: IconName;
  readonly target: () => string;
  /** Only for administrators of the whole server. */
  readonly isForAdministrators?: boolean;
  /** Only for administrators, also of workspaces. */
  readonly isForStewards?: boolean;
}

/** A new area is one row here; `Area` of `routes.ts` has its name, `words.app` its text. */
const items: readonly RailItem[] = [
  { area: 'home', icon: 'home', target: () => '' },
  { area: 'data', icon: 'layers', target: getLayersPath },
  { area: 'styles', icon: 'styles', target: getStylesPath, isForStewards: true },
  { area: 'security', icon: 'shield', target: () => 'security/access', isForAdministrators: true },
  { area: 'operations', icon: 'gauge', target: () => 'operations/status', isForAdministrators: true },
  { area: 'help', icon: 'help', target: () => 'help' },
];

function listItems(): readonly RailItem[] {
  return items.filter(
    ({ isForAdministrators = false, isForStewards = false }) =>
      (!isForAdministrators || session.value?.isAdministrator) && (!isForStewards || !isReader()),
  );
}

/** The list of layers keeps the chosen workspace. */
export function getLayersPath(): string {
  const workspace = currentWorkspace.value;
  return workspace === undefined ? 'layers' : path`w/${workspace}/layers`;
}

function getStylesPath(): string {
  const workspace = currentWorkspace.value;
  return workspace === undefined ? 'styles' : path`w/${workspace}/styles`;
}

export function Rail({ area }: { readonly area: Area | undefined }) {
  return (
    <nav class="rail" aria-label={t().app.menu}>
      <a class="rail-brand" href={toUrl('')}>
        <Logo />
        <span>{t().app.name}</span>
      </a>
      <ul class="rail-list">
        {listItems().map((item) => (
          <li key={item.area}>
            <a class="rail-item" href={toUrl(item.target())} aria-current={item.area === area ? 'page' : undefined}>
              <Icon name={item.icon} />
              <span>{t().app[item.area]}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A globe with its graticule. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg class="logo" aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
      <rect class="logo-ground" width="32" height="32" rx="7" />
      <g class="logo-lines" fill="none" stroke-width="2">
        <circle cx="16" cy="16" r="10" />
        <ellipse cx="16" cy="16" rx="4.5" ry="10" />
        <path d="M6 16h20M8 10.5h16M8 21.5h16" />
      </g>
    </svg>
  );
}
