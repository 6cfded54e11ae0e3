/** Writes the WMTS capabilities in pieces, because there may be very many layers. */
import type { Bounds } from '../../crs/bounds.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import { worldCrs84Quad } from '../../tiles/default-sets.ts';
import type { LevelTiles } from '../../tiles/seeding/seed-job.ts';
import {
  computeScaleDenominator,
  findTilesInBounds,
  getClientName,
  getFinestLevel,
  type TileMatrixSet,
} from '../../tiles/tile-matrix-set.ts';
import { writeInPieces, writeTextElement } from '../ows/capabilities-parts.ts';
import { type Provider, writeKeywords, writeServiceIdentification, writeServiceProvider } from '../ows/ows-common.ts';
import type { ConvertToGrid } from '../tiles/grid-extent.ts';
import { findOfferedTiles, isWholeSet, type OfferedSet } from '../tiles/tile-offer.ts';

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
  readonly sets: readonly OfferedSet[];
}

/** A tile matrix set of some layer. */
export interface ListedGrid {
  readonly set: TileMatrixSet;
  readonly convertToGrid: ConvertToGrid;
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
  readonly grids: readonly ListedGrid[];
}

export function* writeWmtsCapabilities(content: WmtsContent): Iterable<string> {
  const { address, updateSequence } = content;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd" version="1.0.0" updateSequence="${updateSequence}">
${writeServiceIdentification(content.service, 'OGC WMTS', ['1.0.0'])}${writeServiceProvider(content)}<ows:OperationsMetadata>
${['GetCapabilities', 'GetTile', 'GetFeatureInfo'].map((name) => writeOperation(name, address)).join('')}</ows:OperationsMetadata>
<Contents>
`;
  const hasLimits = hasFewLimitedLayers(content);
  yield* writeInPieces(content.layers, (layer) => printLayer(layer, content, hasLimits));
  yield* writeInPieces(content.grids.flatMap(listGridNames), printGrid);
  yield `</Contents>
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

function hasFewLimitedLayers({ layers, grids }: WmtsContent): boolean {
  let limited = 0;
  for (const { geographic } of layers) {
    if (geographic === undefined || grids.every((grid) => coversGrid(grid, geographic))) continue;
    limited += 1;
    if (limited > MAX_LIMITED) return false;
  }
  return true;
}

/** Returns the tile limits of each offered level. */
function listLimits(grid: ListedGrid, offered: OfferedSet, geographic: Bounds | undefined): readonly LevelTiles[] {
  const box = geographic === undefined ? grid.set.extent : grid.convertToGrid(geographic);
  if (box === undefined) return [];
  return grid.set.matrices.flatMap((_, level) => {
    const tiles = findOfferedTiles(offered, level, box);
    return tiles === undefined ? [] : [{ level, ...tiles }];
  });
}

/** A layer that covers the finest level covers all levels. */
function coversGrid({ set, convertToGrid }: ListedGrid, geographic: Bounds): boolean {
  const level = getFinestLevel(set);
  const [all, box] = [findTilesInBounds(set, level, set.extent), convertToGrid(geographic)];
  const tiles = box && findTilesInBounds(set, level, box);
  if (all === undefined || tiles === undefined) return false;
  const isWide = tiles.minColumn <= all.minColumn && tiles.maxColumn >= all.maxColumn;
  return isWide && tiles.minRow <= all.minRow && tiles.maxRow >= all.maxRow;
}

function printLayer(layer: ListedTiles, { address, grids }: WmtsContent, hasLimits: boolean): string {
  const { name, title, abstract, geographic, styles, formats, infoFormats } = layer;
  const links = layer.sets.flatMap((offered) => {
    const grid = grids.find(({ set }) => set.id === offered.set.id);
    return grid === undefined ? [] : printLinks(grid, offered, geographic, hasLimits);
  });
  return `<Layer>
<ows:Title>${escapeText(title)}</ows:Title>${writeTextElement('ows:Abstract', abstract)}${writeKeywords(layer.keywords)}
${geographic === undefined ? '' : writeBox(geographic)}<ows:Identifier>${escapeText(name)}</ows:Identifier>
${styles.map(printStyle).join('')}
${formats.map((each) => writeTextElement('Format', each)).join('')}${infoFormats.map((each) => writeTextElement('InfoFormat', each)).join('')}
${layer.dimensions.map(printDimension).join('')}${links.join('')}
${writeResourceUrls(layer, address)}</Layer>
`;
}

/** A grid that the layer is outside of has no link. */
function printLinks(
  grid: ListedGrid,
  offered: OfferedSet,
  geographic: Bounds | undefined,
  hasLimits: boolean,
): readonly string[] {
  if (geographic !== undefined && grid.convertToGrid(geographic) === undefined) return [];
  const isWhole = isWholeSet(offered);
  if (isWhole && (geographic === undefined || !hasLimits || coversGrid(grid, geographic))) {
    return listGridNames(grid).map((named) => printLink(named, []));
  }
  const limits = listLimits(grid, offered, geographic);
  return limits.length === 0 ? [] : listGridNames(grid).map((named) => printLink(named, limits));
}

function printLink({ name, set, prefix }: NamedGrid, levels: readonly LevelTiles[]): string {
  const limits = levels.map(({ level, minRow, maxRow, minColumn, maxColumn }) => {
    const matrix = escapeText(`${prefix}${set.matrices[level]?.name}`);
    return `<TileMatrixLimits><TileMatrix>${matrix}</TileMatrix><MinTileRow>${minRow}</MinTileRow><MaxTileRow>${maxRow}</MaxTileRow><MinTileCol>${minColumn}</MinTileCol><MaxTileCol>${maxColumn}</MaxTileCol></TileMatrixLimits>`;
  });
  const all = limits.length === 0 ? '' : `<TileMatrixSetLimits>${limits.join('')}</TileMatrixSetLimits>`;
  return `<TileMatrixSetLink><TileMatrixSet>${escapeText(name)}</TileMatrixSet>${all}</TileMatrixSetLink>`;
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

interface NamedGrid {
  readonly name: string;
  readonly set: TileMatrixSet;
  /** Precedes the names of levels. */
  readonly prefix: string;
}

/** Each grid under the name that existing clients use, and under that of the standard. */
function listGridNames({ set }: ListedGrid): readonly NamedGrid[] {
  const former = getClientName(set);
  const own = { name: set.id, set, prefix: '' };
  return former === set.id ? [own] : [{ name: former, set, prefix: `${former}:` }, own];
}

/** Writes a document of one tile matrix set. */
export function writeTileMatrixSet(set: TileMatrixSet): string {
  const namespaces = 'xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"';
  const element = printGrid({ name: set.id, set, prefix: '' }).replace(
    '<TileMatrixSet>',
    `<TileMatrixSet ${namespaces}>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element}`;
}

/** The first axis of `EPSG:4326` is north; the names of the standard include the CRS. */
function printGrid({ name, set, prefix }: NamedGrid): string {
  const isDegrees = set === worldCrs84Quad && name === 'EPSG:4326';
  const crs = isDegrees ? 'urn:ogc:def:crs:EPSG::4326' : toUrn(set.crsUri);
  const isNorthFirst = isDegrees || set.isNorthFirst;
  const scales =
    set.id === 'WebMercatorQuad'
      ? '<WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>'
      : '';
  const levels = set.matrices.map((matrix) => {
    const { columns, rows, tileWidth, tileHeight, origin } = matrix;
    const corner = (isNorthFirst ? origin.toReversed() : origin).join(' ');
    return `<TileMatrix><ows:Identifier>${escapeText(`${prefix}${matrix.name}`)}</ows:Identifier><ScaleDenominator>${computeScaleDenominator(set, matrix)}</ScaleDenominator><TopLeftCorner>${corner}</TopLeftCorner><TileWidth>${tileWidth}</TileWidth><TileHeight>${tileHeight}</TileHeight><MatrixWidth>${columns}</MatrixWidth><MatrixHeight>${rows}</MatrixHeight></TileMatrix>`;
  });
  return `<TileMatrixSet><ows:Identifier>${escapeText(name)}</ows:Identifier><ows:SupportedCRS>${crs}</ows:SupportedCRS>${scales}
${levels.join('\n')}
</TileMatrixSet>
`;
}

/** Converts `http://www.opengis.net/def/crs/EPSG/0/3857` to `urn:ogc:def:crs:EPSG::3857`. */
function toUrn(uri: string): string {
  const [authority = '', version = '', code = ''] = uri.split('/').slice(-3);
  return `urn:ogc:def:crs:${authority}:${version === '0' ? '' : version}:${code}`;
}
