/** Pages of the collections: a client with many layers reads or searches them in parts. */
import { readTitles } from '../../../catalog/layers/list-layers.ts';
import type { CatalogReader } from '../../../records/catalog.ts';
import type { MapAccess, MapSelection } from '../../access/map-access.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import { createKind, declareParameter } from '../../ows/service-parameters.ts';
import { isDrawn } from '../../tiles/possible-formats.ts';
import { formatParameters, type Parameters, readParameter } from '../common/parameters.ts';

/** One page is built in a single turn of the event loop; 1,000 collections take about 20 ms. */
const MAX_LIMIT = 1_000;
/** Titles are short; a longer text matches nothing and costs a comparison with every title. */
const MAX_SEARCH_CHARACTERS = 200;

const limit = createKind<number | undefined>(
  `an integer from 1 to ${MAX_LIMIT}`,
  (value) => (/^[1-9]\d{0,3}$/.test(value) && Number(value) <= MAX_LIMIT ? Number(value) : undefined),
  undefined,
  { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
);

const search = createKind<string | undefined>(
  `a text of at most ${MAX_SEARCH_CHARACTERS} characters`,
  (value) => (value.length <= MAX_SEARCH_CHARACTERS ? value : undefined),
  undefined,
);

const position = createKind<MapSelection['after']>(
  'the value of a link to the next page',
  (value) => {
    const [, kind, qualifiedName = ''] = /^(group|layer):(.+)$/s.exec(value) ?? [];
    return kind === 'group' || kind === 'layer' ? { kind, qualifiedName } : undefined;
  },
  undefined,
);

export const collectionsParameters = {
  ...formatParameters,
  limit: declareParameter('limit', limit, 'The maximum number of collections. Default: all.'),
  q: declareParameter('q', search, 'Return only collections whose id or title contains this text, in any case.'),
  after: declareParameter('after', position, 'Where the page begins; an opaque value of a link to the next page.'),
};

export interface CollectionPage {
  readonly maps: readonly PublishedMap[];
  /** The value of `after` for the next page; undefined for the last one. */
  readonly next: string | undefined;
}

export async function readCollectionPage(
  catalog: CatalogReader,
  mapAccess: MapAccess,
  parameters: Parameters,
): Promise<CollectionPage> {
  const size = readParameter(parameters, collectionsParameters.limit) ?? Number.POSITIVE_INFINITY;
  const after = readParameter(parameters, collectionsParameters.after);
  const isSelected = await createSearch(catalog, readParameter(parameters, collectionsParameters.q) ?? '');
  const isWhole = !Number.isFinite(size) && after === undefined && isSelected === undefined;
  const selection = isWhole ? undefined : { after, isSelected: isSelected ?? selectAll };
  const maps: PublishedMap[] = [];
  for await (const map of mapAccess.each(selection)) {
    if (!isDrawn(map)) continue;
    if (maps.length === size) {
      const last = maps.at(-1);
      return { maps, next: last && `${last.kind}:${last.qualifiedName}` };
    }
    maps.push(map);
  }
  return { maps, next: undefined };
}

const selectAll = () => true;

/** Titles of layers are read together: most layers need not be loaded. */
async function createSearch(catalog: CatalogReader, text: string): Promise<MapSelection['isSelected'] | undefined> {
  if (text === '') return undefined;
  const wanted = text.toLowerCase();
  const titles = await readTitles(catalog);
  return (name, title = titles.get(name) ?? '') => `${name}\n${title}`.toLowerCase().includes(wanted);
}
