/** The map and the legend of a text that need not be saved. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { DrawState, StyleMap } from '../../../map/layer-map.ts';
import { Button } from '../../../parts/button/button.tsx';
import { Remark } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { callService, rest, withQuery } from '../../../rest/client.ts';
import { readPicture } from '../../../rest/picture.ts';
import { toProblem } from '../../../rest/problems.ts';
import { findResourcePath } from '../../../rest/resource-path.ts';
import type { LayerDocument, ResourceDocument } from '../../../rest/types.ts';
import { isDark } from '../../../shell/preferences.ts';
import { nameLayer } from '../../../style-text/name-layer.ts';
import { formatNumber, t } from '../../../words/words.ts';
import { LayerPicker } from './layer-picker.tsx';

interface PreviewProps {
  readonly layer: string | undefined;
  /** Undefined until the text was valid once. */
  readonly sld: string | undefined;
  readonly isStale: boolean;
  readonly onChoose: (layer: string) => void;
}

export function Preview({ layer, sld, isStale, onChoose }: PreviewProps) {
  const { preview: words } = t().styles;
  return (
    <section class="style-preview" aria-label={words.title}>
      <header class="style-preview-head">
        <LayerPicker layer={layer} onChoose={onChoose} />
        {isStale ? <span class="badge badge-off">{words.stale}</span> : null}
      </header>
      {layer === undefined ? (
        <p class="style-preview-empty muted">{words.noLayer}</p>
      ) : (
        <>
          <PreviewMap key={layer} layer={layer} sld={sld} />
          <div class="style-legend">
            <h2>{words.legend}</h2>
            {sld === undefined ? null : <Legend layer={layer} sld={sld} />}
          </div>
        </>
      )}
    </section>
  );
}

function PreviewMap({ layer, sld }: { readonly layer: string; readonly sld: string | undefined }) {
  const target = useRef<HTMLDivElement>(null);
  const map = useRef<StyleMap>(undefined);
  const state = useSignal<DrawState>({ kind: 'drawing' });
  const isReady = useSignal(false);
  const read = useRest<LayerDocument>(rest`/layers/${layer}`);
  const resource = useRest<Readonly<Record<string, ResourceDocument>>>(findResourcePath(read.data?.body.layer));
  const document = resource.data === undefined ? undefined : Object.values(resource.data.body)[0];
  const isKnown = document !== undefined || resource.error !== null || read.error !== null;
  const { map: words, styles } = t();
  useEffect(() => {
    let isCurrent = true;
    if (!isKnown) return;
    const box = document?.latLonBoundingBox;
    void import('../../../map/layer-map.ts').then(({ StyleMap: Constructor }) => {
      if (!isCurrent || target.current === null) return;
      map.current = new Constructor({
        target: target.current,
        layer,
        extent: box === undefined || box.minx > box.maxx ? undefined : [box.minx, box.miny, box.maxx, box.maxy],
        isDark: isDark.peek(),
        onDraw: (next) => {
          state.value = next;
        },
      });
      isReady.value = true;
    });
    return () => {
      isCurrent = false;
      map.current?.destroy();
      map.current = undefined;
    };
  }, [isKnown]);
  useEffect(() => {
    if (sld !== undefined) map.current?.setSld(nameLayer(sld, layer));
  }, [sld, isReady.value]);
  useEffect(() => map.current?.setDark(isDark.value), [isDark.value]);
  const drawn = state.value;
  return (
    <div class="style-map">
      <div
        ref={target}
        class="map-canvas"
        role="application"
        tabIndex={0}
        aria-label={styles.preview.map(layer)}
        data-state={drawn.kind}
      />
      <div class="map-tools">
        <Button icon="plus" label={words.zoomIn} onClick={() => map.current?.zoomBy(1)} />
        <Button icon="minus" label={words.zoomOut} onClick={() => map.current?.zoomBy(-1)} />
        <Button icon="fit" label={words.fit} onClick={() => map.current?.fit()} />
      </div>
      <span class="style-map-state" role="status">
        {drawn.kind === 'drawing'
          ? words.drawing
          : drawn.kind === 'drawn'
            ? words.drawn(formatNumber(Math.round(drawn.ms)), formatNumber(Math.ceil(drawn.bytes / 1_000)))
            : ''}
      </span>
      {drawn.kind === 'failed' ? (
        <div class="style-map-failure" role="alert">
          <Remark kind="error">
            <strong>{words.failed}</strong>
            <span>{toProblem(drawn.error).message}</span>
          </Remark>
        </div>
      ) : null}
    </div>
  );
}

function Legend({ layer, sld }: { readonly layer: string; readonly sld: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    drawLegend(layer, sld, stop.signal).then(
      (picture) => {
        if (canvas.current === null || stop.signal.aborted) return;
        canvas.current.width = picture.width;
        canvas.current.height = picture.height;
        canvas.current.getContext('2d')?.drawImage(picture, 0, 0);
        canvas.current.dataset['drawn'] = 'yes';
        failure.value = undefined;
      },
      (error: unknown) => {
        if (!stop.signal.aborted) failure.value = error;
      },
    );
    return () => stop.abort();
  }, [layer, sld]);
  return (
    <>
      {failure.value === undefined ? null : <p class="muted">{toProblem(failure.value).message}</p>}
      <canvas ref={canvas} class="swatch style-legend-picture" role="img" aria-label={t().styles.preview.legend} />
    </>
  );
}

async function drawLegend(layer: string, sld: string, signal: AbortSignal): Promise<ImageBitmap> {
  const query = withQuery('wms', {
    ...{ service: 'WMS', version: '1.1.1', request: 'GetLegendGraphic', layer, format: 'image/png' },
    ...{ width: 20, height: 20, legend_options: 'forceLabels:on;fontAntiAliasing:true' },
  });
  const reply = await callService(query, {
    method: 'POST',
    body: new URLSearchParams({ SLD_BODY: nameLayer(sld, layer) }).toString(),
    contentType: 'application/x-www-form-urlencoded',
    accept: 'image/png',
    signal,
  });
  return createImageBitmap(await readPicture(reply));
}
