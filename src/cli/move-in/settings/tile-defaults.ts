/** Reads the defaults of tiles, which are settings of WMTS on the server. */
import type { Json } from '../../../lib/json/value.ts';
import { child, listChildElements } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import { readFlag, readNumber } from '../read/values.ts';
import type { Move } from '../translate/move.ts';

const SOURCE = 'gwc-gs.xml';

/** The readers with the defaults of the server. */
const fields = {
  cacheLayersByDefault: { read: readFlag, default: true },
  metaTilingX: { read: readNumber, default: 4 },
  metaTilingY: { read: readNumber, default: 4 },
  gutter: { read: readNumber, default: 0 },
  directWMSIntegrationEnabled: { read: readFlag, default: false },
} as const;

/** Every server offers these. */
const usualGrids: ReadonlySet<string> = new Set(['EPSG:4326', 'EPSG:900913', 'EPSG:3857']);

/** The settings that differ from the defaults of the server. */
export async function readTileDefaults({ documents, report }: Move): Promise<Readonly<Record<string, Json>>> {
  const root = await documents.read(SOURCE, ['GeoServerGWCConfig'], 'serviceSettings');
  if (root === undefined) return {};
  const values = Object.entries(fields).flatMap(
    ([name, { read, default: usual }]): readonly (readonly [string, Json])[] => {
      const element = child(root, name);
      const value = element && read(element);
      return value === undefined || value === usual ? [] : [[name, value]];
    },
  );
  const gridElement = child(root, 'defaultCachingGridSetIds');
  const grids = gridElement === undefined ? [] : listChildElements(gridElement).map(readElementText);
  const own = grids.filter((name) => !usualGrids.has(name));
  if (values.length === 0 && own.length === 0) {
    report.add('not-configuration', { source: SOURCE }, 'All settings have the defaults of the server.');
  }
  return { ...Object.fromEntries(values), ...(own.length === 0 ? {} : { gridSets: { string: own } }) };
}
