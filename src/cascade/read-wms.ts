/** Parses WMS capabilities of versions 1.0.0 to 1.3.0, including layer inheritance. */

import type { Bounds } from '../crs/bounds.ts';
import { findCrs } from '../crs/resolve-crs.ts';
import type { XmlElement } from '../lib/xml/element.ts';
import type { Capabilities, RemoteLayer } from './capabilities.ts';
import { findAttribute, findChild, findChildren, parseBounds, readChildText, readChildTexts } from './xml-elements.ts';

/** The properties that a layer inherits. */
type Inherited = Pick<RemoteLayer, 'systems' | 'latLonBounds' | 'bounds' | 'styles'>;

const nothingInherited: Inherited = { systems: [], latLonBounds: null, bounds: {}, styles: [] };

/** A layer and its parent. */
interface NestedLayer {
  readonly element: XmlElement;
  readonly around: NestedLayer | undefined;
}

export async function readWmsCapabilities(root: XmlElement, wanted: string | null): Promise<Capabilities> {
  const capability = findChild(root, 'Capability');
  const names: string[] = [];
  let found: NestedLayer | undefined;
  // A stack instead of recursion, because a hostile document can be nested as deeply as the limits allow.
  const waiting: NestedLayer[] = [];
  const queueLayers = (element: XmlElement, around: NestedLayer | undefined): void => {
    for (const layer of findChildren(element, 'Layer').toReversed()) waiting.push({ element: layer, around });
  };
  if (capability !== undefined) queueLayers(capability, undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const name = readChildText(next.element, 'Name');
    if (name !== null) names.push(name);
    if (name !== null && name === wanted) found ??= next;
    queueLayers(next.element, next);
  }
  return { names, layer: found === undefined ? null : await readLayer(found, wanted ?? '', root) };
}

async function readLayer(placed: NestedLayer, name: string, root: XmlElement): Promise<RemoteLayer> {
  const capability = findChild(root, 'Capability');
  const getMap = findChild(findChild(capability, 'Request'), 'GetMap') ?? findChild(capability, 'GetMap');
  const version = findAttribute(root, 'version') ?? '';
  const fromOuter: XmlElement[] = [];
  for (let at: NestedLayer | undefined = placed; at !== undefined; at = at.around) fromOuter.unshift(at.element);
  let inherited = nothingInherited;
  for (const element of fromOuter) inherited = await readInherited(element, inherited, version);
  return { ...readLayerMetadata(placed.element, name), ...inherited, formats: readChildTexts(getMap, 'Format') };
}

function readLayerMetadata(
  element: XmlElement,
  name: string,
): Pick<RemoteLayer, 'name' | 'title' | 'abstract' | 'keywords'> {
  return {
    name,
    title: readChildText(element, 'Title'),
    abstract: readChildText(element, 'Abstract'),
    keywords: readChildTexts(findChild(element, 'KeywordList'), 'Keyword'),
  };
}

async function readInherited(element: XmlElement, around: Inherited, version: string): Promise<Inherited> {
  // Old servers put all CRSs into one element.
  const own = [...readChildTexts(element, 'CRS'), ...readChildTexts(element, 'SRS')].flatMap((text) =>
    text.split(/\s+/),
  );
  const styles = findChildren(element, 'Style').flatMap((style) => readChildText(style, 'Name') ?? []);
  return {
    systems: [...new Set([...own, ...around.systems])],
    latLonBounds: readLatLonBounds(element) ?? around.latLonBounds,
    bounds: { ...around.bounds, ...(await readBounds(element, version)) },
    styles: [...new Set([...styles, ...around.styles])],
  };
}

function readLatLonBounds(element: XmlElement): Bounds | null {
  const newer = findChild(element, 'EX_GeographicBoundingBox');
  if (newer !== undefined) {
    const sides = ['westBoundLongitude', 'southBoundLatitude', 'eastBoundLongitude', 'northBoundLatitude'];
    return parseBounds(sides.map((side) => readChildText(newer, side)));
  }
  const older = findChild(element, 'LatLonBoundingBox');
  return older === undefined ? null : readBox(older);
}

/** Version 1.3.0 uses the axis order of the CRS: latitude first in many. */
async function readBounds(element: XmlElement, version: string): Promise<Readonly<Record<string, Bounds>>> {
  const found: [string, Bounds][] = [];
  for (const box of findChildren(element, 'BoundingBox')) {
    const system = findAttribute(box, 'CRS') ?? findAttribute(box, 'SRS');
    const bounds = readBox(box);
    if (system === undefined || bounds === null) continue;
    const isSwapped = version.startsWith('1.3') && (await isNorthFirst(system));
    found.push([system, isSwapped ? swapAxes(bounds) : bounds]);
  }
  return Object.fromEntries(found);
}

/** `CRS:84` is `EPSG:4326` with longitude first. */
async function isNorthFirst(system: string): Promise<boolean> {
  return /EPSG/i.test(system) && (await findCrs(system))?.axisOrder === 'north-east';
}

function readBox(element: XmlElement): Bounds | null {
  return parseBounds(['minx', 'miny', 'maxx', 'maxy'].map((side) => findAttribute(element, side)));
}

function swapAxes({ minX, minY, maxX, maxY }: Bounds): Bounds {
  return { minX: minY, minY: minX, maxX: maxY, maxY: maxX };
}
