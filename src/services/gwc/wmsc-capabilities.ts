/** Writes WMS-C capabilities: WMS 1.1.1 with the tile sets of each layer. */

import { escapeText } from '../../lib/xml/escape.ts';
import { getSrsName } from '../../tiles/default-sets.ts';
import { computeMatrixBounds, getMatrix, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import { writeInPieces, writeTextElement } from '../ows/capabilities-parts.ts';
import {
  writeExceptionFormats,
  writeKeywordList,
  writeOperation,
  writeServiceParts,
} from '../wms/capabilities/common-parts.ts';
import type { ListedTiles, WmtsContent } from '../wmts/capabilities.ts';

export interface WmscContent extends WmtsContent {
  /** Whether tile sets are included: there are many, and few clients read them. */
  readonly hasTileSets: boolean;
}

/** The extension of the DTD for tile sets. */
export const VENDOR_DTD = `<!ELEMENT VendorSpecificCapabilities (TileSet*)>
<!ELEMENT TileSet (SRS, BoundingBox?, Resolutions, Width, Height, Format, Layers*, Styles*)>
<!ELEMENT Resolutions (#PCDATA)>
<!ELEMENT Width (#PCDATA)>
<!ELEMENT Height (#PCDATA)>
<!ELEMENT Layers (#PCDATA)>
<!ELEMENT Styles (#PCDATA)>`;

export function* writeWmscCapabilities(content: WmscContent): Iterable<string> {
  const { layers, updateSequence, hasTileSets, service } = content;
  const sets = content.grids.map(({ set }) => set);
  const formats = [...new Set(layers.flatMap((each) => each.formats))];
  const infoFormats = [...new Set(layers.flatMap((each) => each.infoFormats))];
  yield `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://schemas.opengis.net/wms/1.1.1/WMS_MS_Capabilities.dtd" [
${VENDOR_DTD}
]>
<WMT_MS_Capabilities version="1.1.1" updateSequence="${updateSequence}">
<Service>
${writeServiceParts('OGC:WMS', content)}
</Service>
<Capability>
<Request>
${writeOperation('GetCapabilities', ['application/vnd.ogc.wms_xml'], content)}${writeOperation('GetMap', formats, content)}${writeOperation('GetFeatureInfo', infoFormats, content)}</Request>
${writeExceptionFormats(['application/vnd.ogc.se_xml'])}
<VendorSpecificCapabilities>
`;
  if (hasTileSets) yield* writeInPieces(layers, writeTileSets);
  yield `</VendorSpecificCapabilities>
<Layer><Title>${escapeText(service.title)}</Title>${writeSystems(sets)}
`;
  yield* writeInPieces(layers, printLayer);
  yield '</Layer>\n</Capability>\n</WMT_MS_Capabilities>\n';
}

function writeSystems(sets: readonly TileMatrixSet[]): string {
  return [...new Set(sets.map(getSrsName))].map((srs) => `<SRS>${srs}</SRS>`).join('');
}

export function writeTileSets({ name, formats, sets }: Pick<ListedTiles, 'name' | 'formats' | 'sets'>): string {
  return sets
    .flatMap(({ set, minLevel, maxLevel }) =>
      formats.map(
        (format) =>
          `<TileSet><SRS>${getSrsName(set)}</SRS>${writeBoundingBox(set)}<Resolutions>${formatResolutions(set.matrices.slice(minLevel, maxLevel + 1))}</Resolutions><Width>${getMatrix(set, 0).tileWidth}</Width><Height>${getMatrix(set, 0).tileHeight}</Height><Format>${escapeText(format)}</Format><Layers>${escapeText(name)}</Layers><Styles></Styles></TileSet>\n`,
      ),
    )
    .join('');
}

/** The extent of the grid, where its tiles begin. */
function writeBoundingBox(set: TileMatrixSet): string {
  const { minX, minY, maxX, maxY } = computeMatrixBounds(getMatrix(set, 0));
  return `<BoundingBox SRS="${getSrsName(set)}" minx="${minX}" miny="${minY}" maxx="${maxX}" maxy="${maxY}"/>`;
}

function formatResolutions(matrices: TileMatrixSet['matrices']): string {
  return matrices.map(({ cellSize }) => cellSize).join(' ');
}

function printLayer(layer: ListedTiles): string {
  const { name, title, abstract, keywords, geographic, styles, infoFormats } = layer;
  const box =
    geographic === undefined
      ? ''
      : `<LatLonBoundingBox minx="${geographic.minX}" miny="${geographic.minY}" maxx="${geographic.maxX}" maxy="${geographic.maxY}"/>`;
  const named = styles.map(
    (style) =>
      `<Style><Name>${escapeText(style.name)}</Name><Title>${escapeText(style.title || style.name)}</Title></Style>`,
  );
  return `<Layer queryable="${infoFormats.length > 0 ? 1 : 0}"><Name>${escapeText(name)}</Name><Title>${escapeText(title)}</Title>${writeTextElement('Abstract', abstract)}${writeKeywordList(keywords)}${writeSystems(layer.sets.map(({ set }) => set))}${box}${named.join('')}</Layer>
`;
}
