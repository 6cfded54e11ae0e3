/** The facts of a layer beside its map. */
import { formatCurl, rest } from '../../../rest/client.ts';
import { administers } from '../../../rest/session.ts';
import type { BoundingBox } from '../../../rest/types.ts';
import { path as toAddress, toUrl } from '../../../shell/router.ts';
import { formatNumber, formatTime, t } from '../../../words/words.ts';
import type { LayerView } from './page.tsx';

export function LayerFacts({ view }: { readonly view: LayerView }) {
  const { layer, resource, workspace, name } = view;
  const { layer: words, layers } = t();
  const store = resource?.store?.name.replace(`${workspace}:`, '');
  const box = resource?.latLonBoundingBox;
  const modified = layer.dateModified ?? layer.dateCreated;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [layers.columns.kind, layers.kinds[layer.type] ?? layer.type],
    [words.workspace, workspace],
    [words.store, store],
    [words.style, layer.defaultStyle?.name],
    [words.crs, resource?.srs],
    [words.extent, box && formatExtent(box)],
    [words.keywords, resource?.keywords && [resource.keywords.string].flat().join(', ')],
    [words.modified, modified && formatTime(modified)],
  ];
  return (
    <div class="layer-facts">
      {resource?.abstract === undefined || resource.abstract === '' ? null : (
        <section>
          <h2>{words.abstract}</h2>
          <p class="layer-abstract">{resource.abstract}</p>
        </section>
      )}
      <section>
        <h2>{words.details}</h2>
        <dl class="facts">
          {facts.map(([label, value]) =>
            value === undefined || value === '' ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
      </section>
      {resource?.nativeFormat === 'ImageMosaic' && store !== undefined && administers(workspace) ? (
        <p>
          <a
            href={toUrl(
              `${toAddress`w/${workspace}/stores/${store}/granules`}?coverage=${encodeURIComponent(resource.name)}`,
            )}
          >
            {t().granules.title(store)}
          </a>
        </p>
      ) : null}
      {administers(workspace) ? (
        <Curl path={rest`/workspaces/${workspace}/${layer.type === 'GROUP' ? 'layergroups' : 'layers'}/${name}.json`} />
      ) : null}
    </div>
  );
}

function Curl({ path }: { readonly path: string }) {
  return (
    <details class="layer-curl">
      <summary>{t().app.showAsCurl}</summary>
      <p class="muted">{t().app.curlHint}</p>
      <pre tabIndex={0}>
        <code>{formatCurl(path)}</code>
      </pre>
    </details>
  );
}

function formatExtent({ minx, miny, maxx, maxy }: BoundingBox): string {
  const { east, west, north, south } = t().layer.directions;
  const degrees = (value: number, [negative, positive]: readonly [string, string]) =>
    `${formatNumber(Math.abs(value), { maximumFractionDigits: 3 })}° ${value < 0 ? negative : positive}`;
  const [x, y] = [[west, east] as const, [south, north] as const];
  return `${degrees(minx, x)} – ${degrees(maxx, x)}, ${degrees(miny, y)} – ${degrees(maxy, y)}`;
}
