/** Writes the WMTS capabilities in pieces, because there may be very many layers. */
import type { Bounds } from '../../crs/bounds.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import type { LevelTiles } from '../../tiles/seeding/seed-job.ts';
import {
  computeScaleDenominator,
  findTilesInDegrees,
  getMatrixSize,
  MAX_LEVEL,
  TILE_PIXELS,
  type TileMatrixSet,
  tileMatrixSets,
} from '../../tiles/tile-matrix-set.ts';
import { writeInPieces, writeTextElement } from '../ows/capabilities-parts.ts';
import { type Provider, writeKeywords, writeServiceIdentification, writeServiceProvider } from '../ows/ows-common.ts';

export interface ListedTiles {
  readonly name: string;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  readonly geographic: Bounds | undefined;
  /** The default style first. */
  readonly styles: readonly { readonly name: string; readonly title: string }[];
  readonly formats: readonly string[];
  readonly infoFormats: readonly string[];
  /** By parameter name. */
  readonly dimensions: readonly TileDimension[];
}

export interface TileDimension {
  readonly name: string;
  readonly units: string;
  readonly default: string;
  readonly values: readonly string[];
}

export interface WmtsContent extends Provider {
  readonly updateSequence: number;
  readonly layers: readonly ListedTiles[];
}

export function* writeWmtsCapabilities(content: WmtsContent): Iterable<string> {
  const { address, updateSequence } = content;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd" version="1.0.0" updateSequence="${updateSequence}">
${writeServiceIdentification(content.service, 'OGC WMTS', ['1.0.0'])}${writeServiceProvider(content)}<ows:OperationsMetadata>
${['GetCapabilities', 'GetTile', 'GetFeatureInfo'].map((name) => writeOperation(name, address)).join('')}</ows:OperationsMetadata>
<Contents>
`;
  const hasLimits = hasFewLimitedLayers(content.layers);
  yield* writeInPieces(content.layers, (layer) => printLayer(layer, address, hasLimits));
  yield `${gridNames.map(printGrid).join('')}</Contents>
<ServiceMetadataURL xlink:href="${escapeAttribute(`${address}/rest/WMTSCapabilities.xml`)}"/>
</Capabilities>
`;
}

function writeOperation(name: string, address: string): string {
  const encoding = '<ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues>';
  return `<ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${escapeAttribute(`${address}?`)}"><ows:Constraint name="GetEncoding">${encoding}</ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation>
`;
}

/**
 * The limits of more layers would take megabytes, which clients read completely before they display anything. Limits
 * of some levels only are no alternative: clients treat levels without limits as missing.
 */
const MAX_LIMITED = 200;

function hasFewLimitedLayers(layers: readonly ListedTiles[]): boolean {
  let limited = 0;
  for (const { geographic } of layers) {
    if (geographic === undefined || tileMatrixSets.every((set) => hasAllTiles(set, geographic))) continue;
    limited += 1;
    if (limited > MAX_LIMITED) return false;
  }
  return true;
}

/** Returns the tile limits of each level; empty if the layer covers the grid or its extent is unknown. */
function listLimits(set: TileMatrixSet, geographic: Bounds | undefined): readonly LevelTiles[] {
  if (geographic === undefined || hasAllTiles(set, geographic)) return [];
  return Array.from({ length: MAX_LEVEL + 1 }, (_, level) => level).flatMap((level) => {
    const tiles = findTilesInDegrees(set, level, geographic);
    return tiles === undefined ? [] : [{ level, ...tiles }];
  });
}

/** A layer that covers the finest level covers all levels. */
function hasAllTiles(set: TileMatrixSet, geographic: Bounds): boolean {
  const { columns, rows } = getMatrixSize(set, MAX_LEVEL);
  const tiles = findTilesInDegrees(set, MAX_LEVEL, geographic);
  return tiles?.minRow === 0 && tiles.minColumn === 0 && tiles.maxRow === rows - 1 && tiles.maxColumn === columns - 1;
}

function printLayer(layer: ListedTiles, address: string, hasLimits: boolean): string {
  const { name, title, abstract, geographic, styles, formats, infoFormats } = layer;
  return `<Layer>
<ows:Title>${escapeText(title)}</ows:Title>${writeTextElement('ows:Abstract', abstract)}${writeKeywords(layer.keywords)}
${geographic === undefined ? '' : writeBox(geographic)}<ows:Identifier>${escapeText(name)}</ows:Identifier>
${styles.map(printStyle).join('')}
${formats.map((each) => writeTextElement('Format', each)).join('')}${infoFormats.map((each) => writeTextElement('InfoFormat', each)).join('')}
${layer.dimensions.map(printDimension).join('')}${gridNames.map((grid) => printLink(grid, hasLimits ? geographic : undefined)).join('')}
${writeResourceUrls(layer, address)}</Layer>
`;
}

function printLink([name, set, prefix]: (typeof gridNames)[number], geographic: Bounds | undefined): string {
  const limits = listLimits(set, geographic).map(({ level, minRow, maxRow, minColumn, maxColumn }) => {
    return `<TileMatrixLimits><TileMatrix>${prefix}${level}</TileMatrix><MinTileRow>${minRow}</MinTileRow><MaxTileRow>${maxRow}</MaxTileRow><MinTileCol>${minColumn}</MinTileCol><MaxTileCol>${maxColumn}</MaxTileCol></TileMatrixLimits>`;
  });
  const all = limits.length === 0 ? '' : `<TileMatrixSetLimits>${limits.join('')}</TileMatrixSetLimits>`;
  return `<TileMatrixSetLink><TileMatrixSet>${name}</TileMatrixSet>${all}</TileMatrixSetLink>`;
}

function writeBox({ minX, minY, maxX, maxY }: Bounds): string {
  return `<ows:WGS84BoundingBox><ows:LowerCorner>${minX} ${minY}</ows:LowerCorner><ows:UpperCorner>${maxX} ${maxY}</ows:UpperCorner></ows:WGS84BoundingBox>
`;
}

function printStyle({ name, title }: { readonly name: string; readonly title: string }, index: number): string {
  const isDefault = index === 0 ? ' isDefault="true"' : '';
  return `<Style${isDefault}>${writeTextElement('ows:Title', title)}<ows:Identifier>${escapeText(name)}</ows:Identifier></Style>`;
}

function printDimension({ name, units, default: usual, values }: TileDimension): string {
  return `<Dimension><ows:Identifier>${escapeText(name)}</ows:Identifier>${writeTextElement('ows:UOM', units)}${writeTextElement('Default', usual)}${values.map((each) => writeTextElement('Value', each)).join('')}</Dimension>
`;
}

function writeResourceUrls({ name, formats, infoFormats, dimensions }: ListedTiles, address: string): string {
  const values = dimensions.map((each) => `&${each.name}={${each.name}}`).join('');
  const tile = `${address}/rest/${encodeURIComponent(name)}/{style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}`;
  const writeResourceUrl = (kind: string, format: string, template: string) =>
    `<ResourceURL format="${escapeAttribute(format)}" resourceType="${kind}" template="${escapeAttribute(template)}"/>\n`;
  return [
    ...formats.map((each) => writeResourceUrl('tile', each, `${tile}?format=${each}${values}`)),
    ...infoFormats.map((each) =>
      writeResourceUrl('FeatureInfo', each, `${tile}/{J}/{I}?format=${encodeURI(each)}${values}`),
    ),
  ].join('');
}

/** Each grid under the name that existing clients use, and under that of the standard. */
const gridNames: readonly (readonly [name: string, set: TileMatrixSet, prefix: string])[] = tileMatrixSets.flatMap(
  (set) => {
    const [former = set.id] = set.otherNames;
    return [
      [former, set, `${former}:`],
      [set.id, set, ''],
    ] as const;
  },
);

/** The first axis of `EPSG:4326` is north; the names of the standard include the CRS. */
function printGrid([name, set, prefix]: (typeof gridNames)[number]): string {
  const [x, y] = set.origin;
  const isLatitudeFirst = name === 'EPSG:4326';
  const crs = isLatitudeFirst ? 'urn:ogc:def:crs:EPSG::4326' : toUrn(set.crsUri);
  const corner = isLatitudeFirst ? `${y} ${x}` : `${x} ${y}`;
  const scales =
    set.id === 'WebMercatorQuad'
      ? '<WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>'
      : '';
  const levels = Array.from({ length: MAX_LEVEL + 1 }, (_, level) => {
    const { columns, rows } = getMatrixSize(set, level);
    return `<TileMatrix><ows:Identifier>${prefix}${level}</ows:Identifier><ScaleDenominator>${computeScaleDenominator(set, level)}</ScaleDenominator><TopLeftCorner>${corner}</TopLeftCorner><TileWidth>${TILE_PIXELS}</TileWidth><TileHeight>${TILE_PIXELS}</TileHeight><MatrixWidth>${columns}</MatrixWidth><MatrixHeight>${rows}</MatrixHeight></TileMatrix>`;
  });
  return `<TileMatrixSet><ows:Identifier>${name}</ows:Identifier><ows:SupportedCRS>${crs}</ows:SupportedCRS>${scales}
${levels.join('\n')}
</TileMatrixSet>
`;
}

/** Converts `http://www.opengis.net/def/crs/EPSG/0/3857` to `urn:ogc:def:crs:EPSG::3857`. */
function toUrn(uri: string): string {
  const [authority = '', version = '', code = ''] = uri.split('/').slice(-3);
  return `urn:ogc:def:crs:${authority}:${version === '0' ? '' : version}:${code}`;
}
