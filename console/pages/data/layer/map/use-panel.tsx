/** Everything that takes the map out of the console: link, addresses, files, prints and programs. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LayerSpec } from '../../../../map/layer-map.ts';
import { Button } from '../../../../parts/button/button.tsx';
import { CopyLine } from '../../../../parts/copy-line/copy-line.tsx';
import { ProblemNotice } from '../../../../parts/notice/notice.tsx';
import { serverRoot } from '../../../../rest/client.ts';
import { DownloadTooLarge, saveServiceDownload } from '../../../../rest/download.ts';
import { administers } from '../../../../rest/session.ts';
import { formatNumber, t } from '../../../../words/words.ts';
import { toExtent } from '../../map/map-canvas.tsx';
import type { MapModel } from '../../map/map-model.ts';
import { TileExports } from '../../tile-exports/tile-exports.tsx';
import type { LayerView } from '../page.tsx';
import { type DownloadFormat, listAddresses, listDownloads } from './addresses.ts';
import { PrintForm } from './print-form.tsx';
import { createSnippet, type SnippetTarget, snippetTargets } from './snippets.ts';

interface UsePanelProps {
  readonly view: LayerView;
  readonly model: MapModel;
  /** The lowest first, with filter and time. */
  readonly layers: readonly LayerSpec[];
  readonly crs: string;
  readonly filter: string;
}

export function UsePanel({ view, model, layers, crs, filter }: UsePanelProps) {
  const { mapTools: words } = t();
  const { workspace, name, layer } = view;
  return (
    <div class="use-panel">
      <section>
        <h2>{words.share}</h2>
        {/* Every move of the map changes the address. */}
        <CopyLine label={words.link} text={model.view.value === undefined ? location.href : location.href} />
        <p class="muted">{words.shareHint}</p>
      </section>
      <section>
        <h2>{words.addresses}</h2>
        {listAddresses(workspace, name, layer.type).map(({ id, url }) => (
          <CopyLine key={id} label={words.services[id]} text={url} />
        ))}
      </section>
      <Downloads formats={listDownloads(workspace, name, layer.type, filter)} name={name} isFiltered={filter !== ''} />
      {administers(workspace) && (layer.type === 'VECTOR' || layer.type === 'RASTER') ? (
        <TileExports
          workspace={workspace}
          layer={name}
          isVector={layer.type === 'VECTOR'}
          extent={toExtent(view.resource?.latLonBoundingBox)}
        />
      ) : null}
      <section>
        <h2>{words.print}</h2>
        <PrintForm title={view.resource?.title ?? name} model={model} layers={layers} crs={crs} name={name} />
      </section>
      <Snippets view={view} filter={filter} />
    </div>
  );
}

interface DownloadsProps {
  readonly formats: readonly DownloadFormat[];
  readonly name: string;
  readonly isFiltered: boolean;
}

function Downloads({ formats, name, isFiltered }: DownloadsProps) {
  const chosen = useSignal(formats[0]?.label ?? '');
  const bytes = useSignal<number | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isTooLarge = useSignal(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const { mapTools: words, app } = t();
  const format = formats.find(({ label }) => label === chosen.value) ?? formats[0];
  if (format === undefined) return null;
  const start = async () => {
    stop.current = new AbortController();
    error.value = undefined;
    isTooLarge.value = false;
    bytes.value = 0;
    try {
      await saveServiceDownload(format.path, {
        fileName: `${name}.${format.extension}`,
        signal: stop.current.signal,
        onProgress: (count) => {
          bytes.value = count;
        },
      });
    } catch (reason) {
      if (reason instanceof DownloadTooLarge) isTooLarge.value = true;
      else if (!stop.current.signal.aborted) error.value = reason;
    }
    bytes.value = undefined;
  };
  return (
    <section>
      <h2>{words.download}</h2>
      <div class="use-line">
        <select
          class="input"
          aria-label={words.format}
          value={chosen.value}
          onChange={(event) => {
            chosen.value = event.currentTarget.value;
          }}
        >
          {formats.map(({ label }) => (
            <option key={label}>{label}</option>
          ))}
        </select>
        {bytes.value === undefined ? (
          <Button icon="download" onClick={() => void start()}>
            {words.downloadStart}
          </Button>
        ) : (
          <Button onClick={() => stop.current?.abort()}>{app.cancel}</Button>
        )}
      </div>
      <p class="muted" role="status">
        {bytes.value === undefined
          ? isFiltered
            ? words.downloadFiltered
            : words.downloadWhole
          : words.downloaded(formatNumber(bytes.value / 1_000_000, { maximumFractionDigits: 1 }))}
      </p>
      {error.value === undefined ? null : <ProblemNotice error={error.value} />}
      {isTooLarge.value ? <p role="alert">{words.downloadTooLarge}</p> : null}
      <details class="layer-curl">
        <summary>{app.showAsCurl}</summary>
        <CopyLine label="curl" text={formatDownload(format, name)} isBlock />
      </details>
    </section>
  );
}

function formatDownload({ path, extension }: DownloadFormat, name: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return `curl -u USER -o ${quote(`${name}.${extension}`)} \\\n  ${quote(new URL(path, serverRoot).href)}`;
}

function Snippets({ view, filter }: { readonly view: LayerView; readonly filter: string }) {
  const target = useSignal<SnippetTarget>('openlayers');
  const { mapTools: words } = t();
  const { name, qualifiedName, resource, layer } = view;
  const text = createSnippet(target.value, {
    ...{ name: qualifiedName, title: resource?.title ?? name, kind: layer.type, filter },
    extent: toExtent(resource?.latLonBoundingBox) ?? [-180, -75, 180, 80],
  });
  return (
    <section>
      <h2>{words.snippets}</h2>
      <fieldset class="choice use-targets">
        <legend class="unseen">{words.program}</legend>
        {snippetTargets.map((each) => (
          <label key={each} class="use-target">
            <input
              type="radio"
              name="snippet"
              checked={target.value === each}
              onChange={() => {
                target.value = each;
              }}
            />
            {words.programs[each]}
          </label>
        ))}
      </fieldset>
      <p class="muted">{target.value === 'qgis' ? words.qgisHint : words.pageHint}</p>
      <CopyLine label={words.programs[target.value]} text={text} isBlock />
    </section>
  );
}
