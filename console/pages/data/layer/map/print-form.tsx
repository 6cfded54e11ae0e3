/** Prints what the map shows as PDF, drawn by the server in the size of the paper, with decorations of a layout. */
import { useSignal } from '@preact/signals';
import type { LayerSpec } from '../../../../map/layer-map.ts';
import { Button } from '../../../../parts/button/button.tsx';
import { reportChange } from '../../../../parts/changes/report-change.ts';
import { Field } from '../../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../../rest/cache.ts';
import { withQuery } from '../../../../rest/client.ts';
import { saveServiceDownload } from '../../../../rest/download.ts';
import { session } from '../../../../rest/session.ts';
import { t } from '../../../../words/words.ts';
import type { MapModel } from '../../map/map-model.ts';

interface PrintFormProps {
  readonly title: string;
  readonly name: string;
  readonly model: MapModel;
  readonly layers: readonly LayerSpec[];
  readonly crs: string;
}

/** In millimetres. */
const papers = {
  'A4 landscape': [297, 210],
  'A4 portrait': [210, 297],
  'A3 landscape': [420, 297],
  'A3 portrait': [297, 420],
} as const;
type Paper = keyof typeof papers;

/** The size of a pixel in WMS. */
const PIXEL_MM = 0.28;

const LAYOUT_NAME = 'console';

const LAYOUT = `<layout>
  <decoration type="text" affinity="top,left" offset="12,10">
    <option name="message" value="\${title!''}"/>
    <option name="font-size" value="20"/>
    <option name="font-bold" value="true"/>
    <option name="halo-radius" value="2"/>
  </decoration>
  <decoration type="legend" affinity="top,right" offset="12,12"/>
  <decoration type="scaleline" affinity="bottom,left" offset="12,12"/>
  <decoration type="scaleratio" affinity="bottom,right" offset="12,12"/>
  <decoration type="northarrow" affinity="bottom,center" offset="0,12" size="40,40"/>
</layout>
`;

interface Folder {
  readonly ResourceDirectory: { readonly children: { readonly child: readonly { readonly name: string }[] } };
}

export function PrintForm({ title, name, model, layers, crs }: PrintFormProps) {
  const paper = useSignal<Paper>('A4 landscape');
  const heading = useSignal(title);
  const chosen = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const { mapTools: words } = t();
  const isAdministrator = session.value?.isAdministrator === true;
  const listing = useRest<Folder>(isAdministrator ? '/resource/layouts' : undefined);
  const layouts = (listing.data?.body.ResourceDirectory.children.child ?? []).flatMap(({ name: file }) =>
    file.endsWith('.xml') ? [file.slice(0, -'.xml'.length)] : [],
  );
  const layout = chosen.value ?? layouts[0] ?? '';
  const box = model.view.value?.box;
  const run = async (work: () => Promise<unknown>) => {
    isBusy.value = true;
    error.value = undefined;
    try {
      await work();
    } catch (reason) {
      error.value = reason;
    }
    isBusy.value = false;
  };
  const print = (shown: readonly number[]) =>
    saveServiceDownload(
      createPrintPath({ layers, crs, box: shown, paper: paper.peek(), layout, heading: heading.peek() }),
      { fileName: `${name}.pdf` },
    );
  return (
    <form
      class="print-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (box !== undefined) void run(() => print(box));
      }}
    >
      <Field
        label={words.printTitle}
        name="print-title"
        defaultValue={title}
        onInput={(value) => {
          heading.value = value;
        }}
      />
      <label class="field">
        <span class="field-name">{words.paper}</span>
        <select
          class="input"
          value={paper.value}
          onChange={(event) => {
            paper.value = event.currentTarget.value as Paper;
          }}
        >
          {Object.keys(papers).map((each) => (
            <option key={each} value={each}>
              {words.papers[each as Paper]}
            </option>
          ))}
        </select>
      </label>
      {layouts.length === 0 ? null : (
        <label class="field">
          <span class="field-name">{words.layout}</span>
          <select
            class="input"
            value={layout}
            onChange={(event) => {
              chosen.value = event.currentTarget.value;
            }}
          >
            {layouts.map((each) => (
              <option key={each}>{each}</option>
            ))}
            <option value="">{words.noLayout}</option>
          </select>
        </label>
      )}
      {isAdministrator && listing.data !== undefined && layouts.length === 0 ? (
        <p class="muted">
          {words.layoutMissing}{' '}
          <Button
            onClick={() =>
              void run(async () => {
                const path = `/resource/layouts/${LAYOUT_NAME}.xml`;
                const reply = await writeRest(path, { method: 'PUT', body: LAYOUT, contentType: 'application/xml' });
                reportChange(words.layoutAdded, reply);
              })
            }
          >
            {words.addLayout}
          </Button>
        </p>
      ) : null}
      {layers.some(({ opacity, isVisible }) => isVisible && opacity < 1) ? (
        <p class="muted">{words.printOpacity}</p>
      ) : null}
      {error.value === undefined ? null : <ProblemNotice error={error.value} />}
      <Button type="submit" icon="printer" disabled={isBusy.value || box === undefined} isBusy={isBusy.value}>
        {words.printStart}
      </Button>
    </form>
  );
}

interface PrintRequest {
  readonly layers: readonly LayerSpec[];
  readonly crs: string;
  readonly box: readonly number[];
  readonly paper: Paper;
  readonly layout: string;
  readonly heading: string;
}

/** The box grows in one direction to the shape of the paper. */
export function createPrintPath({ layers, crs, box, paper, layout, heading }: PrintRequest): string {
  const [widthMm, heightMm] = papers[paper];
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = box;
  const unitsPerMm = Math.max((maxX - minX) / widthMm, (maxY - minY) / heightMm);
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const [halfWidth, halfHeight] = [(widthMm * unitsPerMm) / 2, (heightMm * unitsPerMm) / 2];
  const visible = layers.filter(({ isVisible }) => isVisible);
  const filters = visible.map(({ filter }) => filter || 'INCLUDE');
  const time = visible.find((each) => each.time !== '')?.time;
  return withQuery('wms', {
    ...{ service: 'WMS', version: '1.1.1', request: 'GetMap', format: 'application/pdf', srs: crs },
    layers: visible.map(({ name }) => name).join(),
    styles: '',
    bbox: [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight].join(),
    width: Math.round(widthMm / PIXEL_MM),
    height: Math.round(heightMm / PIXEL_MM),
    cql_filter: filters.every((each) => each === 'INCLUDE') ? undefined : filters.join(';'),
    time,
    format_options: layout === '' ? undefined : `layout:${layout}`,
    // Separators of the parameter are escaped.
    env: layout === '' ? undefined : `title:${heading.replace(/[\\:;]/g, '\\$&')}`,
  });
}
