/** The frame of all pages below Operations: the title, the pages of the area, and the content. */
import type { ComponentChildren } from 'preact';
import type { IconName } from '../../parts/icon/icon.tsx';
import { PageTools } from '../../parts/page-tools/page-tools.tsx';
import { Tabs } from '../../parts/tabs/tabs.tsx';
import { toUrl } from '../../shell/router.ts';
import { t } from '../../words/words.ts';

/** A new page is one row here; its id is the last part of its address and the name of its text. */
const pages = [
  ['status', 'gauge'],
  ['history', 'clock'],
  ['configuration', 'plan'],
  ['webhooks', 'hook'],
  ['tiles', 'grid'],
  ['backups', 'archive'],
  ['move-in', 'moveIn'],
] as const satisfies readonly (readonly [string, IconName])[];

export type OperationsPage = (typeof pages)[number][0];

interface FrameProps {
  readonly page: OperationsPage;
  readonly title?: string;
  /** The REST path of the page, and the path of its changes if it has any; absent if the page shows its request elsewhere. */
  readonly request?: { readonly path: string; readonly changesOf?: string };
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function getPageName(page: OperationsPage): string {
  const { operations } = t();
  return page === 'move-in' ? operations.moveIn : operations[page];
}

export function OperationsFrame({ page, title, request, actions, children }: FrameProps) {
  return (
    <div class="operations">
      <header class="operations-head">
        <Tabs
          label={t().operations.pages}
          selected={page}
          tabs={pages.map(([id, icon]) => ({ id, icon, label: getPageName(id), href: toUrl(`operations/${id}`) }))}
        />
        <div class="operations-title">
          <h1>{title ?? getPageName(page)}</h1>
          {request === undefined ? null : <PageTools {...request} hasChanges={request.changesOf !== undefined} />}
          {actions}
        </div>
      </header>
      <div class="operations-body">{children}</div>
    </div>
  );
}
