/** The head of a list of the data area: its tabs, title, count and filter. */
import type { ComponentChildren } from 'preact';
import { Button } from '../../../parts/button/button.tsx';
import { ListFilter } from '../../../parts/list-filter/list-filter.tsx';
import { Empty } from '../../../parts/notice/notice.tsx';
import { PageTools } from '../../../parts/page-tools/page-tools.tsx';
import { setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { DataTabs } from './data-tabs.tsx';

interface ListHeadProps {
  readonly tab: string;
  readonly title: string;
  /** How many rows there are, as text; empty while they are loaded. */
  readonly count: string;
  readonly filter: string;
  /** The REST path of the list, with its query, and the path whose changes it shows. */
  readonly request?: { readonly path: string; readonly changesOf: string };
  readonly children?: ComponentChildren;
}

export function ListHead({ tab, title, count, filter, request, children }: ListHeadProps) {
  return (
    <>
      <div class="list-tabs">
        <DataTabs selected={tab} />
      </div>
      <header class="list-head">
        <h1>{title}</h1>
        <p class="list-count muted" role="status">
          {count}
        </p>
        {request === undefined ? null : <PageTools {...request} />}
        <ListFilter label={filter} />
        {children}
      </header>
    </>
  );
}

/** For a filter without results. */
export function NoHits({ title }: { readonly title: string }) {
  const { layers: words } = t();
  return (
    <Empty icon="search" title={title}>
      <p>{words.noHitsHint}</p>
      <Button onClick={() => setQuery({ q: undefined })}>{words.clearFilter}</Button>
    </Empty>
  );
}
