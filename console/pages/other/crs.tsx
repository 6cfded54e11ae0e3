/** A coordinate reference system of the server: its name, area and definition. */
import { ProblemNotice } from '../../parts/notice/notice.tsx';
import { useRest } from '../../rest/cache.ts';
import { formatCurl, rest } from '../../rest/client.ts';
import type { PageProps } from '../../routes.ts';
import { formatNumber, t } from '../../words/words.ts';

interface CrsDocument {
  readonly id: string;
  readonly name: string;
  readonly definition: string;
  readonly bboxWGS84?: Readonly<Record<'minX' | 'minY' | 'maxX' | 'maxY', number>>;
}

export function Page({ params: { code = '' } }: PageProps) {
  const read = useRest<CrsDocument>(rest`/crs/${code}.json`);
  const { search, layer, app } = t();
  const crs = read.data?.body;
  const box = crs?.bboxWGS84;
  const degrees = (value: number) => `${formatNumber(value, { maximumFractionDigits: 2 })}°`;
  return (
    <div class="crs">
      <p class="muted">{search.kinds['crs']}</p>
      <h1>{crs === undefined ? code : `${crs.id} · ${crs.name}`}</h1>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {box === undefined ? null : (
        <p>
          {layer.extent}: {degrees(box.minX)} – {degrees(box.maxX)} {layer.directions.east}, {degrees(box.minY)} –{' '}
          {degrees(box.maxY)} {layer.directions.north}
        </p>
      )}
      {crs === undefined ? null : (
        <pre class="crs-definition" tabIndex={0}>
          <code>{crs.definition.replaceAll(/,(?=[A-Z]+\[)/g, ',\n  ')}</code>
        </pre>
      )}
      <details>
        <summary>{app.showAsCurl}</summary>
        <pre class="crs-definition" tabIndex={0}>
          <code>{formatCurl(rest`/crs/${code}.json`)}</code>
        </pre>
      </details>
    </div>
  );
}
