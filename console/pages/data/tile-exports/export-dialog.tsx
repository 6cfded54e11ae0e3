/** Starts a tile export. The number of tiles comes from a dry run of the same request. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Group, SelectField } from '../../../parts/controls/controls.tsx';
import { type FindError, FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { showToast } from '../../../parts/toast/toast.tsx';
import { callRest } from '../../../rest/client.ts';
import { toProblem } from '../../../rest/problems.ts';
import { t } from '../../../words/words.ts';
import { type ExportOrder, getExportsPath, type TileExportDocument } from './documents.ts';

interface ExportDialogProps {
  readonly workspace: string;
  readonly layer: string;
  readonly isVector: boolean;
  readonly extent: readonly number[] | undefined;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

const VECTOR_TILES = 'application/vnd.mapbox-vector-tile';
const imageFormats = ['image/png', 'image/png8', 'image/jpeg', 'image/webp'] as const;

/** The levels that the form proposes have about this number of tiles: level 8 of the world, level 12 of a country. */
const PROPOSED_TILES = 100_000;
const MAX_PROPOSED_LEVEL = 12;

/** Typing must not send a request for every digit. */
const DELAY_MS = 400;

interface Values {
  readonly archive: string;
  readonly format: string;
  readonly zoomStart: string;
  readonly zoomStop: string;
  readonly west: string;
  readonly south: string;
  readonly east: string;
  readonly north: string;
}

const sides = ['west', 'south', 'east', 'north'] as const;

export function ExportDialog({ workspace, layer, isVector, extent, onClose, onStarted }: ExportDialogProps) {
  const { tileExports: words } = t();
  const box = createBox(extent);
  const values = useSignal<Values>({
    archive: 'pmtiles',
    format: isVector ? VECTOR_TILES : 'image/png',
    zoomStart: '0',
    zoomStop: String(proposeLastLevel(box)),
    ...box,
  });
  const order = createOrder(layer, values.value);
  const submit = async () => {
    await callRest(getExportsPath(workspace), {
      method: 'POST',
      body: { tileExport: createOrder(layer, values.peek()) },
    });
    showToast(words.started(layer));
    onStarted();
  };
  return (
    <FormDialog title={words.dialogTitle(layer)} submit={words.start} onSubmit={submit} onClose={onClose}>
      {(errorOf) => (
        <>
          <ExportFields values={values} isVector={isVector} errorOf={errorOf} />
          <Estimate path={getExportsPath(workspace)} order={order} />
        </>
      )}
    </FormDialog>
  );
}

/** Each level has four times as many tiles. */
function proposeLastLevel({ west, south, east, north }: Pick<Values, (typeof sides)[number]>): number {
  // A layer without an extent is exported for the whole world.
  const degrees = west === '' ? 360 * 170 : Math.abs((Number(east) - Number(west)) * (Number(north) - Number(south)));
  const share = degrees / (360 * 170);
  const level = Math.floor(Math.log(PROPOSED_TILES / share) / Math.log(4));
  return Math.max(0, Math.min(MAX_PROPOSED_LEVEL, level));
}

interface ExportFieldsProps {
  readonly values: Signal<Values>;
  readonly isVector: boolean;
  readonly errorOf: FindError;
}

function ExportFields({ values, isVector, errorOf }: ExportFieldsProps) {
  const { tileExports: words } = t();
  const set = (name: keyof Values) => (value: string) => {
    values.value = { ...values.peek(), [name]: value };
  };
  const { archive, format } = values.value;
  return (
    <>
      <SelectField
        label={words.archive}
        name="archive"
        value={archive}
        error={errorOf('archive')}
        options={(['pmtiles', 'mbtiles'] as const).map((value) => ({ value, label: words.archives[value] }))}
        onChange={set('archive')}
      />
      <SelectField
        label={words.format}
        name="format"
        value={format}
        error={errorOf('format')}
        options={[...(isVector ? [VECTOR_TILES] : []), ...imageFormats].map((value) => ({
          value,
          label: words.formats[value] ?? value,
        }))}
        onChange={set('format')}
      />
      <Group label={words.zooms}>
        {(['zoomStart', 'zoomStop'] as const).map((name) => (
          <Field
            key={name}
            label={words[name]}
            name={name}
            type="number"
            defaultValue={values.peek()[name]}
            error={errorOf(name)}
            onInput={set(name)}
          />
        ))}
      </Group>
      <Group label={words.bounds}>
        {sides.map((name) => (
          <Field
            key={name}
            label={words.sides[name]}
            name={name}
            defaultValue={values.peek()[name]}
            error={name === 'west' ? errorOf('bounds') : undefined}
            onInput={set(name)}
          />
        ))}
      </Group>
    </>
  );
}

/** A box with empty fields is that of the layer. */
function createOrder(layer: string, { archive, format, zoomStart, zoomStop, ...box }: Values): ExportOrder {
  const bounds = sides.map((side) => toNumber(box[side]));
  const isWhole = bounds.every((each) => each === '');
  return {
    ...{ layer, archive, format, zoomStart: toNumber(zoomStart), zoomStop: toNumber(zoomStop) },
    ...(isWhole ? {} : { bounds }),
  };
}

function toNumber(text: string): number | string {
  const trimmed = text.trim();
  const number = Number(trimmed.replace(',', '.'));
  return trimmed === '' || Number.isNaN(number) ? trimmed : number;
}

function createBox(extent: readonly number[] | undefined): Record<(typeof sides)[number], string> {
  // The sixth digit of a degree is a tenth of a meter.
  const [west = '', south = '', east = '', north = ''] = (extent ?? []).map((each) => String(Number(each.toFixed(6))));
  return { west, south, east, north };
}

/** How many tiles the export has, or why the server rejects it. */
function Estimate({ path, order }: { readonly path: string; readonly order: ExportOrder }) {
  const { tileExports: words } = t();
  const text = useSignal('');
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const request = { method: 'POST', body: { tileExport: order }, signal: stop.signal } as const;
      callRest<TileExportDocument>(`${path}?dryRun=true`, request).then(
        ({ body }) => {
          text.value = words.estimate(body.tileExport.tilesTotal);
        },
        (error: unknown) => {
          if (!stop.signal.aborted) text.value = toProblem(error).document.detail;
        },
      );
    }, DELAY_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [JSON.stringify(order)]);
  return (
    <p class="tile-export-estimate" role="status">
      {text.value}
    </p>
  );
}
