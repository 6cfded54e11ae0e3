/** Reads the defaults of tiles, which are settings of WMTS on the server. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
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

/** Fields without effect, with the values that every installation has. */
const withoutEffect: Readonly<Record<string, readonly string[]>> = {
  WMTSEnabled: ['true'],
  WMSCEnabled: ['true'],
  TMSEnabled: ['true'],
  requireTiledParameter: ['true'],
  cacheNonDefaultStyles: ['true'],
  defaultVectorCacheFormats: ['image/png'],
  defaultCoverageCacheFormats: ['image/jpeg'],
  defaultOtherCacheFormats: ['image/jpeg image/png', 'image/png image/jpeg'],
};

/** Every server offers these. */
const usualGrids: ReadonlySet<string> = new Set(['EPSG:4326', 'EPSG:900913', 'EPSG:3857']);

/** The text of an element, or the texts of its items. */
function readWords(element: XmlElement): string {
  const items = listChildElements(element).map(readElementText);
  return items.length === 0 ? readElementText(element) : items.join(' ');
}

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
  const ignored = listChildElements(root).filter((element) => {
    const usual = Object.hasOwn(withoutEffect, element.local) ? withoutEffect[element.local] : undefined;
    return usual?.includes(readWords(element)) === false;
  });
  for (const { local } of ignored) {
    const subject = { source: `${SOURCE}#${local}`, kind: 'serviceSettings' };
    report.add('tile-settings-ignored', subject, `The setting '${local}' has no effect.`);
  }
  if (values.length === 0 && own.length === 0 && ignored.length === 0) {
    report.add('not-configuration', { source: SOURCE }, 'All settings have the defaults of the server.');
  }
  return { ...Object.fromEntries(values), ...(own.length === 0 ? {} : { gridSets: { string: own } }) };
}
