/** What the dry run found: layers with type, reference system, count, place and first row, and what is missing. */
import { useEffect, useRef } from 'preact/hooks';
import { CrsField } from '../../../parts/combobox/crs-field.tsx';
import { Remark } from '../../../parts/notice/notice.tsx';
import type { BoundingBox } from '../../../rest/types.ts';
import { isDark } from '../../../shell/preferences.ts';
import { formatList, formatNumber, t } from '../../../words/words.ts';
import { choose, type Publication } from './publication.ts';
import type { ReportedResource, UploadReport } from './upload-report.ts';

interface DatasetReportProps {
  readonly publication: Publication;
  readonly report: UploadReport;
}

/** More layers are listed without their rows. */
const MAX_SAMPLES = 8;

export function DatasetReport({ publication, report }: DatasetReportProps) {
  const { resources, warnings } = report;
  const { dataset, crs, charset } = publication;
  const { publish: words } = t();
  const missing = resources.filter((each) => each.srs === undefined && hasPlace(each, dataset.kind));
  const hasCharset = dataset.format === 'shp' || dataset.format === 'csv';
  return (
    <div class="publish-report">
      {missing.length === 0 && crs.value === '' ? null : (
        <div class="publish-missing">
          {missing.length === 0 ? null : (
            <Remark kind="warning">
              <strong>{words.missingCrs(formatList(missing.map(({ name }) => name)))}</strong>
              <span>{words.missingCrsHint}</span>
            </Remark>
          )}
          <CrsField
            value={crs.value}
            onChange={(code) =>
              choose(publication, () => {
                crs.value = code;
              })
            }
          />
        </div>
      )}
      {resources.map((resource, index) => (
        <Layer key={resource.name} resource={resource} kind={dataset.kind} showsSample={index < MAX_SAMPLES} />
      ))}
      {hasCharset ? (
        <label class="publish-charset">
          <span>{words.encoding}</span>
          <select
            class="input"
            value={charset.value}
            onChange={(event) => {
              const { value } = event.currentTarget;
              choose(publication, () => {
                charset.value = value;
              });
            }}
          >
            <option value="">{words.encodingAuto}</option>
            {Object.entries(words.encodings).map(([code, label]) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
          <span class="field-hint">{words.encodingHint}</span>
        </label>
      ) : null}
      {warnings.length === 0 ? null : (
        <Remark kind="warning">
          <strong>{words.warnings}</strong>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Remark>
      )}
    </div>
  );
}

function hasPlace({ geometryType }: ReportedResource, kind: 'vector' | 'raster'): boolean {
  return kind === 'raster' || geometryType !== undefined;
}

interface LayerProps {
  readonly resource: ReportedResource;
  readonly kind: 'vector' | 'raster';
  readonly showsSample: boolean;
}

function Layer({ resource, kind, showsSample }: LayerProps) {
  const { name, nativeName, srs, outcome, geometryType, count, latLonBoundingBox: box, attributes } = resource;
  const { publish: words } = t();
  const values = attributes?.attribute ?? [];
  const geometry =
    kind === 'raster' ? words.raster : (words.geometries[geometryType ?? ''] ?? geometryType ?? words.noGeometry);
  return (
    <article class="publish-layer">
      <div class="publish-layer-facts">
        <h3>{name}</h3>
        {nativeName !== name && outcome === 'published' ? <p class="muted">{words.renamed(nativeName)}</p> : null}
        {outcome === 'updated' ? <p class="muted">{words.refreshed}</p> : null}
        <dl class="facts">
          <div>
            <dt>{words.geometry}</dt>
            <dd>
              {geometry}
              {count === undefined ? '' : `, ${words.features(count)}`}
            </dd>
          </div>
          {hasPlace(resource, kind) ? (
            <div>
              <dt>{words.crs}</dt>
              <dd>{srs ?? words.unknownCrs}</dd>
            </div>
          ) : null}
        </dl>
      </div>
      {box === undefined ? null : <ExtentPicture box={box} />}
      {values.length === 0 || !showsSample ? null : (
        // A wide row scrolls by itself.
        <div class="publish-sample" tabIndex={0} role="region" aria-label={words.sampleOf(name)}>
          <table>
            <thead>
              <tr>
                {values.map((attribute) => (
                  <th key={attribute.name} scope="col">
                    {attribute.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                {values.map((attribute) => (
                  <td key={attribute.name}>{attribute.value ?? '–'}</td>
                ))}
              </tr>
            </tbody>
          </table>
        </div>
      )}
    </article>
  );
}

function ExtentPicture({ box: { minx, miny, maxx, maxy } }: { readonly box: BoundingBox }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    void import('../../../map/extent-map.ts').then(({ drawExtent }) => {
      if (isCurrent && canvas.current !== null) drawExtent(canvas.current, [minx, miny, maxx, maxy]);
    });
    return () => {
      isCurrent = false;
    };
  }, [minx, miny, maxx, maxy, isDark.value]);
  const format = (value: number) => `${formatNumber(value, { maximumFractionDigits: 2 })}°`;
  const text = `${format(minx)} – ${format(maxx)}, ${format(miny)} – ${format(maxy)}`;
  return (
    <figure class="publish-extent">
      <canvas ref={canvas} role="img" aria-label={t().publish.extentLabel(text)} />
      <figcaption class="muted">{text}</figcaption>
    </figure>
  );
}
