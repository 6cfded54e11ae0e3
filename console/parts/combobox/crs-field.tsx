/** A coordinate reference system by code or name, searched in the list of the server. */
import { callRest, withQuery } from '../../rest/client.ts';
import { t } from '../../words/words.ts';
import { Combobox, type ComboboxOption } from './combobox.tsx';

interface CrsFieldProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly label?: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

interface CrsList {
  readonly crs: readonly { readonly id: string; readonly name?: string }[];
}

const SHOWN = 40;
/** The server sorts by number; the best matches by name are found among these. */
const SEARCHED = 200;

/** The systems of the web, before the user types. */
const common: readonly ComboboxOption[] = [
  { value: 'EPSG:4326', label: 'WGS 84' },
  { value: 'EPSG:3857', label: 'WGS 84 / Pseudo-Mercator' },
  { value: 'EPSG:4258', label: 'ETRS89' },
  { value: 'EPSG:25832', label: 'ETRS89 / UTM zone 32N' },
  { value: 'EPSG:25833', label: 'ETRS89 / UTM zone 33N' },
  { value: 'EPSG:2056', label: 'CH1903+ / LV95' },
  { value: 'EPSG:31287', label: 'MGI / Austria Lambert' },
  { value: 'EPSG:27700', label: 'OSGB36 / British National Grid' },
];

export function CrsField({ label, ...field }: CrsFieldProps) {
  return (
    <Combobox {...field} label={label ?? t().publish.crs} placeholder={t().publish.crsPlaceholder} search={searchCrs} />
  );
}

async function searchCrs(text: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> {
  if (text === '') return common;
  const number = /^(?:epsg:?\s*)?(\d+)$/i.exec(text)?.[1];
  const path = withQuery('/crs', { search: number === undefined ? text : `:${number}`, limit: SEARCHED });
  const { crs } = (await callRest<CrsList>(path, { signal })).body;
  return crs
    .map(({ id, name }) => ({ value: id, label: name }))
    .toSorted((one, other) => rank(one, text, number) - rank(other, text, number))
    .slice(0, SHOWN);
}

/** The exact number or name comes first, then names that begin with the text, short ones first. */
function rank({ value, label = '' }: ComboboxOption, text: string, number: string | undefined): number {
  if (number !== undefined) return value.endsWith(`:${number}`) ? 0 : value.length;
  const [name, wanted] = [label.toLowerCase(), text.toLowerCase()];
  return name.length + (name.startsWith(wanted) ? 0 : 1_000);
}
