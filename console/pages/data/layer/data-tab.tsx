/** The rows of a vector layer, page by page, from OGC API Features: the same that other clients see. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { callService, type RestReply, rest, withQuery } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';
import { hasNumber } from './has-number.ts';
import type { LayerView } from './page.tsx';
import { formatValue } from './place-panel.tsx';

const PAGE_SIZE = 50;

interface FeatureCollection {
  readonly features: readonly {
    readonly id?: string | number;
    readonly properties: Readonly<Record<string, unknown>> | null;
  }[];
  readonly links?: readonly { readonly rel: string; readonly href: string }[];
}

export function DataTab({ view }: { readonly view: LayerView }) {
  // The links of the pages so far: the server decides how it continues.
  const queries = useSignal<readonly string[]>(['']);
  const query = queries.value.at(-1) ?? '';
  const target = rest`ogc/features/v1/collections/${view.qualifiedName}/items`;
  const first = withQuery(target, { f: 'json', limit: PAGE_SIZE });
  const read = useRest<FeatureCollection>({
    path: query === '' ? first : `${target}${query}`,
    read: readCollection,
    keepsLast: true,
  });
  const { data: words } = t();
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  const { features, links } = read.data?.body ?? {};
  if (features === undefined) return null;
  if (features.length === 0) return <Empty icon="table" title={words.empty} />;
  const next = links?.find(({ rel }) => rel === 'next');
  const start = (queries.value.length - 1) * PAGE_SIZE;
  const names = [...new Set(features.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  return (
    <div class="data-tab">
      <div class="data-scroll" role="region" tabIndex={0} aria-label={words.caption(view.name)}>
        <table class="data-table">
          <caption class="unseen">{words.caption(view.name)}</caption>
          <thead>
            <tr>
              <th scope="col">{words.id}</th>
              {names.map((name) => (
                <th key={name} scope="col" class={hasNumber(features, name) ? 'data-number' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {features.map((feature, index) => (
              <tr key={feature.id ?? index}>
                <th scope="row">{feature.id ?? start + index + 1}</th>
                {names.map((name) => (
                  <td key={name} class={typeof feature.properties?.[name] === 'number' ? 'data-number' : ''}>
                    {formatValue(feature.properties?.[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <footer class="data-pages">
        <span role="status">{words.range(start + 1, start + features.length)}</span>
        <Button
          disabled={queries.value.length === 1}
          onClick={() => {
            queries.value = queries.value.slice(0, -1);
          }}
        >
          {words.previous}
        </Button>
        <Button
          disabled={next === undefined}
          onClick={() => {
            if (next !== undefined) queries.value = [...queries.value, new URL(next.href).search];
          }}
        >
          {words.next}
        </Button>
      </footer>
    </div>
  );
}

async function readCollection(path: string, signal: AbortSignal): Promise<RestReply<FeatureCollection>> {
  const reply = await callService(path, { signal, accept: 'application/geo+json' });
  return {
    body: (await reply.json()) as FeatureCollection,
    etag: reply.headers.get('etag'),
    change: null,
    total: null,
  };
}
